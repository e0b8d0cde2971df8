// The bean machine as the runner sees it: each bean ends at the same place in every model.

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
                                .steps_help = "times that they fall anew",
                                .update = "draw",
                                .rate = "gdraws_per_s",
                                .unit = "Gdraws/s",
                                .in_unit = 1e9,
                                .outputs = {"res"}}) {}

 private:
  void complete(const target::Arrays&) override {
    if (problem_.generator != "philox")
      throw bad_input("--generator: expected philox where each thread draws its own numbers, found {}",
                      problem_.generator);
  }
  double beans() const { return static_cast<double>(problem_.size[0]); }
  double height() const { return static_cast<double>(problem_.size[1]); }
  double updates() const override { return beans() * height() * static_cast<double>(problem_.steps); }
  double bytes_held() const override { return beans() * value_bytes_; }

  /// Places are held against those of the same draws one after another: of all beans, or of some where these are more
  /// than a second's work. Those of all must be spread as a binomial distribution is.
  Errors errors(const target::Arrays& results, bool is_thorough) override {
    const auto& found = array_of(results, "res");
    const double most = is_thorough ? 1e12 : 1 << 25;
    const auto every = static_cast<std::size_t>(std::fmax(1.0, std::ceil(beans() * height() / most)));
    if (right_.empty())
      for (std::size_t bean = 0; bean < found.size(); bean += every) right_.push_back(fall(bean));
    double largest = 0.0, sum = 0.0, squares = 0.0;
    for (std::size_t bean = 0, i = 0; bean < found.size(); bean += every, ++i)
      largest = std::fmax(largest, std::isfinite(found[bean]) ? std::abs(found[bean] - right_[i]) : INFINITY);
    for (const double place : found) sum += place, squares += place * place;
    const double mean = sum / beans(), variance = squares / beans();
    // In standard deviations, of which six are as good as never exceeded by a thousand beans.
    if (beans() < 1000.0) return {{"place", largest}};
    const double off = std::abs(mean) / std::sqrt(height() / beans()),
                 wide = std::abs(variance / height() - 1.0) / std::sqrt(2.0 / beans());
    return {{"place", largest}, {"mean", std::fmax(0.0, off - 6.0)}, {"variance", std::fmax(0.0, wide - 6.0)}};
  }
  double fall(std::size_t bean) const {
    double place = 0.0;
    for (std::int64_t level = 0; level < problem_.size[1]; ++level) {
      const auto draw = static_cast<std::int64_t>(bean) * problem_.size[1] + level;
      place += target::philox(static_cast<std::uint64_t>(draw), problem_.seed) >> 63 ? 1.0 : -1.0;
    }
    return place;
  }
  double tolerance() const override { return 0.0; }

  std::vector<double> right_;
};

}  // namespace
}  // namespace boltzmark::galton

namespace boltzmark::target {

const std::string_view Run::what = "Galton's bean machine";

const std::vector<Rung> rungs = {
    {.name = "bits", .summary = "a bean goes where the highest bit of its draw says", .form = galton::Form::bits},
    {.name = "uniform",
     .summary = "the same by a uniform number in [0, 1), which single precision would round to a half",
     .form = galton::Form::uniform,
     .role = Role::like_for_like,
     .precisions = {Precision::f64}}};

Work work_of(const Problem& problem, int form, int value_bytes) {
  const double of_place = value_bytes / static_cast<double>(problem.size[1]);
  return {.bytes = of_place,
          .flops = form == galton::Form::bits ? 1.0 : 3.0,
          .operations = {{operation::wide_multiplication, PHILOX_ROUNDS}},
          .fetched = of_place};
}

const RunWorkload<Run> Run::run_workload = run_as<galton::Galton>;

}  // namespace boltzmark::target
