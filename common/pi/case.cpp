// Pi as the runner sees it: accurate to the limit of its method, and for points with the same count in every model.
#include <algorithm>
#include <numbers>
#include <numeric>

#include "common/base/difference.hpp"
#include "common/base/text.hpp"
#include "common/pi/forms.hpp"
#include "common/target/layer_workload.hpp"
#include "common/target/random.h"

namespace boltzmark::pi {
namespace {

class Pi final : public target::LayerWorkload {
 public:
  explicit Pi(const Program& program)
      : LayerWorkload(program, {.name = "pi",
                                .size_help = "number of terms or points",
                                .usual_size = "100000000",
                                .steps_help = "number of times pi is computed",
                                .update = "term",
                                .rate = "gterms_per_s",
                                .unit = "Gterms/s",
                                .in_unit = 1e9,
                                .methods = {"leibniz", "monte-carlo"},
                                .method_help = "leibniz: the sum of 1/(4n+1) - 1/(4n+3); monte-carlo: the share of "
                                               "random points within a quarter circle",
                                .outputs = {"res"}}) {}

 private:
  void complete() override {
    if (is_leibniz() || problem_.generator == "philox") return;
    throw bad_input("--generator: expected philox for a variant whose threads draw their own numbers, found {}",
                    problem_.generator);
  }
  bool is_leibniz() const { return problem_.method == "leibniz"; }
  double count() const { return static_cast<double>(problem_.size[0]); }
  double updates() const override { return count() * static_cast<double>(problem_.steps); }
  double bytes_held() const override { return 0.0; }

  static double sum_of_terms(double n) {
    if (n > 1000.0) return std::numbers::pi - 1.0 / (2.0 * n) + 1.0 / (32.0 * n * n * n);
    double sum = 0.0;
    while (n-- > 0.0) sum += 8.0 / ((4.0 * n + 1.0) * (4.0 * n + 3.0));
    return sum;
  }
  HostNumbers host_numbers() const override { return {}; }

  /// For a long series the leading terms of its error are known; a short one is added up again. Points are drawn again
  /// in sequence if that takes at most about a second; for more points, the standard deviation of the circle's share is
  /// known.
  Verdict errors(const target::Arrays& results, bool is_thorough) override {
    const double found = array_of(results, "res").front();
    const Extent one = Extent::all_of(1);
    if (is_leibniz()) return {{{"pi", std::abs(found - sum_of_terms(count()))}}, one};
    if (!is_thorough && count() > most_drawn)
      return {{{"pi beyond six deviations", larger_error(0.0, std::abs(found - std::numbers::pi) - deviations())}},
              one};
    const double inside = static_cast<double>(count_again());
    return {{{"points", std::abs(std::round(found * count() / 4.0) - inside) / count()}}, one};
  }
  std::int64_t count_again() const {
    constexpr std::int64_t block = 1 << 16;
    const std::int64_t all = problem_.size[0];
    const auto inside = blocks_in_parallel(
        all, block, [&](Range points) { return points_inside(points.begin, points.end, all, problem_.seed); });
    return std::accumulate(inside.begin(), inside.end(), std::int64_t{0});
  }
  /// Six standard deviations of pi.
  double deviations() const { return 6.0 * 1.6422 / std::sqrt(count()); }

  /// In f64: rounding errors of a sum of this many parts; points are counted exactly. In f32 numbers of terms are
  /// rounded from 2^22 on, and points may fall on either side of the circle.
  double tolerance() const override {
    if (value_bytes_ == 8) return is_leibniz() ? 2e-12 : 0.0;
    return is_leibniz() ? 2e-4 : 1e-6;
  }
  std::vector<Metric> figures(const target::Arrays& results) const override {
    return results.empty() ? std::vector<Metric>{} : std::vector<Metric>{{"pi", "", results[0].values[0]}};
  }

  static constexpr double most_drawn = 1 << 27;
};

using namespace target;

const std::vector<std::string> series = {"leibniz"}, points = {"monte-carlo"};
const std::vector<Rung> rungs = {{.name = "fused",
                                  .summary = "each thread adds up the terms that it computes, with two divisions each",
                                  .form = Form::two_divisions,
                                  .role = Role::like_for_like,
                                  .methods = series},
                                 {.name = "one-division",
                                  .summary = "the same with one division per term",
                                  .form = Form::one_division,
                                  .methods = series},
                                 {.name = "array",
                                  .summary = "one launch stores the terms, another adds them up",
                                  .form = Form::array,
                                  .methods = series},
                                 {.name = "host-sum",
                                  .summary = "one launch stores the terms, and one thread of the host adds them up",
                                  .form = Form::host_sum,
                                  .methods = series},
                                 {.name = "points",
                                  .summary = "points are drawn, tested and counted without being stored",
                                  .form = Form::points,
                                  .role = Role::like_for_like,
                                  .methods = points}};

Work work_of(const Problem& problem, int form, int value_bytes) {
  const Traffic in_registers = {{.of = "sum", .bytes = double(value_bytes), .on_chip = true}};
  switch (form) {
    case Form::one_division:
      return {.flops = 5.0, .operations = {{operation::division, 1.0}}, .traffic = in_registers};
    case Form::points:
      return {
          .flops = 5.0, .operations = {{operation::wide_multiplication, 2.0 * PHILOX_ROUNDS}}, .traffic = in_registers};
    case Form::two_divisions:
      return {.flops = 8.0, .operations = {{operation::division, 2.0}}, .traffic = in_registers};
    default:
      break;
  }
  const double written_and_read = 2.0 * value_bytes;
  const auto stored = static_cast<double>(std::min(problem.size[0], most_stored));
  return {.bytes = written_and_read,
          .flops = 8.0,
          .operations = {{operation::division, 2.0}},
          .fetched = double(value_bytes),
          .traffic = {{"terms", stored * value_bytes, written_and_read}}};
}

}  // namespace

extern const LayerEntry workload = {{"Pi from a series or from random points", workload_for<Pi>}, rungs, work_of};

}  // namespace boltzmark::pi
