// The bean machine as the runner sees it: each bean ends at the same place in every model.
#include <atomic>

#include "common/base/difference.hpp"
#include "common/galton/forms.hpp"
#include "common/target/layer_workload.hpp"
#include "common/target/random.h"

namespace boltzmark::galton {
namespace {

class Galton final : public target::LayerWorkload {
 public:
  explicit Galton(const Program& program)
      : LayerWorkload(program, {.name = "galton",
                                .size_help = "BEANSxHEIGHT",
                                .usual_size = "2000000x100",
                                .sides = 2,
                                .most = 1 << 30,
                                .steps_help = "repetitions of the whole experiment",
                                .update = "draw",
                                .rate = "gdraws_per_s",
                                .unit = "Gdraws/s",
                                .in_unit = 1e9,
                                .outputs = {"res"}}) {}

 private:
  void complete() override {
    if (problem_.generator != "philox")
      throw bad_input("--generator: expected philox for a variant whose threads draw their own numbers, found {}",
                      problem_.generator);
  }
  double beans() const { return static_cast<double>(problem_.size[0]); }
  double height() const { return static_cast<double>(problem_.size[1]); }
  double updates() const override { return beans() * height() * static_cast<double>(problem_.steps); }
  double bytes_held() const override { return beans() * value_bytes_; }

  HostNumbers host_numbers() const override { return {0.0, beans(), 0.0}; }

  /// Places are compared with those of the same draws in sequence; the places of all beans must follow a binomial
  /// distribution.
  Verdict errors(const target::Arrays& results, bool is_thorough) override {
    const auto& found = array_of(results, "res");
    const std::int64_t height = problem_.size[1], all = problem_.size[0];
    const target::Sample sample(all, is_thorough ? all : most_draws / height, check_seed_);
    std::atomic<bool> is_wrong = false;
    each_in_parallel(sample.size(), [&](std::int64_t number) {
      const std::int64_t bean = sample[number];
      if (found[static_cast<std::size_t>(bean)] != place_of(bean, height, problem_.seed)) is_wrong = true;
    });
    double sum = 0.0, squares = 0.0;
    for (const double place : found) sum += place, squares += place * place;
    Errors errors = {{"place", is_wrong ? 1.0 : 0.0}};
    if (all >= 1000) {  // in standard deviations; a thousand beans practically never exceed six
      const double levels = static_cast<double>(height), off = std::abs(sum / beans()) / std::sqrt(levels / beans()),
                   wide = std::abs(squares / beans() / levels - 1.0) / std::sqrt(2.0 / beans());
      errors.insert(errors.end(),
                    {{"mean", larger_error(0.0, off - 6.0)}, {"variance", larger_error(0.0, wide - 6.0)}});
    }
    return {errors, sample.extent()};
  }
  double tolerance() const override { return 0.0; }

  static constexpr std::int64_t most_draws = 1 << 28;
};

using namespace target;

const std::vector<Rung> rungs = {
    {.name = "bits", .summary = "the highest bit of a draw decides where a bean goes", .form = Form::bits},
    {.name = "uniform",
     .summary = "the same by a uniform number in [0, 1) in double precision",
     .form = Form::uniform,
     .role = Role::like_for_like,
     .precisions = {Precision::f64}}};

Work work_of(const Problem& problem, int form, int value_bytes) {
  const double of_place = value_bytes / static_cast<double>(problem.size[1]);
  return {.bytes = of_place,
          .flops = form == Form::bits ? 1.0 : 3.0,
          .operations = {{operation::wide_multiplication, PHILOX_ROUNDS}},
          .fetched = of_place};
}

}  // namespace

extern const LayerEntry workload = {{"Galton's bean machine", workload_for<Galton>}, rungs, work_of};

}  // namespace boltzmark::galton
