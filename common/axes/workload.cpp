// Access patterns as the runner sees them: five passes, each timed by itself; every element and every sum must be
// exact.
#include "common/axes/patterns.hpp"
#include "common/base/eighths.h"
#include "common/base/statistics.hpp"
#include "common/run/workload_of.hpp"

namespace boltzmark::axes {
namespace {

class AccessPatterns final : public WorkloadOf<Patterns> {
 public:
  explicit AccessPatterns(const Program& program)
      : WorkloadOf(program, "axes", "arrays",
                   {.usual = 10, .always_warms_up = true, .restarts = false, .warm_ups = 5}) {}

  void add_options(WorkloadOptions& options) override {
    options.add("N", n_, fmt::format("elements along each of the four axes; default: {}", n_)).range(1, 512);
  }
  std::string size() const override { return fmt::format("{}^4", n_); }
  void init(const Options&, Team&) override { made_->init(n_); }

  /// A pass is compared before the next one overwrites its sums, in the runs that is_checked() names: on a GPU a pass
  /// takes microseconds, and comparing it milliseconds.
  std::vector<double> run(Team& team) override {
    is_compared_ = is_checked(runs_++, false, comparing_seconds_);
    std::vector<double> seconds;
    for (const Pass pass : passes) {
      seconds.push_back(time_on(team, [&] { made_->run(pass); }));
      if (is_compared_) comparing_seconds_ += time_on(team, [&] { compare(pass); });
    }
    return seconds;
  }

  /// Of the last run at least what is still there: the array, and the sums of the last pass.
  void check(const Options&, Team& team, bool is_last) override {
    if (is_last && !is_compared_) compare(passes.front()), compare(passes.back());
    std::vector<std::pair<std::string, double>> errors;
    for (std::size_t number = 0; number < pass_names.size(); ++number)
      errors.emplace_back(pass_names[number], team.largest(errors_[number]));
    const double every_sum = static_cast<double>(pass_names.size() - 1) * sums();
    judge(errors, 0.0, Extent::all_of(static_cast<std::int64_t>(elements() + every_sum)));
  }

  void fill(Record& record) const override {
    WorkloadOf::fill(record);
    record.case_.digest = fmt::format("axes-{}", n_);
    record.case_.extent = {static_cast<std::int64_t>(elements())};
    record.case_.facts = {{"n", n_}};
    double bytes = 0.0, flops = 0.0;
    for (std::size_t number = 0; number < pass_names.size(); ++number) {
      const bool is_fill = number == 0;
      Part& part = record.parts[number];
      part.name = pass_names[number];
      part.bytes = value_bytes_ * (is_fill ? elements() : elements() + sums());
      part.bytes_written = value_bytes_ * (is_fill ? elements() : sums());
      part.bytes_moved = part.bytes + (record.write_allocate ? *part.bytes_written : 0.0);
      part.flops = is_fill ? 0.0 : elements();
      part.bytes_held = part.bytes;  // each element and each sum, once
      bytes += part.bytes;
      flops += part.flops;
    }
    fill_moved(record, elements(), bytes, flops / elements());
  }

  std::string case_lines(const Record&) const override {
    return fmt::format("arrays:\t\t{0} x {0} x {0} x {0} elements, {1:.4g} MiB\n", n_,
                       value_bytes_ * elements() / (1 << 20));
  }
  std::string closing_lines(const Record& record) const override {
    std::string table = fmt::format("{:<8}{:>10}{:>14}\n", "pass", "GB/s", "median s");
    for (const Part& part : record.parts)
      table += fmt::format("{:<8}{:>10.2f}{:>14.6f}\n", part.name, 1e-9 * part.bytes / median(part.seconds),
                           median(part.seconds));
    return table;
  }

 private:
  double sums() const { return std::pow(n_, 3); }
  double elements() const { return std::pow(n_, 4); }
  double bytes_held() const override { return value_bytes_ * (2.0 * elements() + sums()); }
  /// In a bad order there are many lines between two uses of one; only a measurement shows how many are fetched again.
  void add_traffic(RunFacts& facts) const override {
    const auto passes_of_sums = static_cast<double>(pass_names.size() - 1);
    facts.fetched_per_update = value_bytes_ * (1.0 + passes_of_sums * sums() / elements());
  }

  static constexpr std::array passes = {Pass::fill, Pass::axis0, Pass::axis1, Pass::axis2, Pass::axis3};

  void compare(Pass pass) {
    double& error = errors_[static_cast<std::size_t>(pass)];
    error = std::max(error, error_of(pass));
  }
  /// The largest deviation of a pass's results, infinite if one is NaN.
  double error_of(Pass pass) {
    const std::int64_t n = n_;
    const Range mine = made_->part(pass, static_cast<std::int64_t>(pass == Pass::fill ? elements() : sums()));
    return largest_error(
        mine.size(), [&](std::int64_t first, std::span<double> found) { made_->read(pass, first, found); },
        [&](std::int64_t at) {
          return [&, at]() mutable { return pass == Pass::fill ? 1.0 : right_sum(pass, mine.begin + at++, n); };
        });
  }

  static double right_sum(Pass pass, std::int64_t number, std::int64_t n) {
    const Strides strides = strides_of(pass, n);
    const std::int64_t first =
        number / (n * n) * strides.outer + number / n % n * strides.middle + number % n * strides.inner;
    std::int64_t eighths = 0;
    for (std::int64_t i = 0; i < n; ++i) eighths += eighths_at(static_cast<unsigned int>(first + i * strides.reduced));
    return 0.125 * static_cast<double>(eighths);
  }

  int n_ = 50;                                         ///< the published size
  std::array<double, pass_names.size()> errors_ = {};  ///< of all runs compared
  int runs_ = 0;
  bool is_compared_ = false;        ///< whether the last run was
  double comparing_seconds_ = 0.0;  ///< of all ranks alike
};

}  // namespace

const WorkloadEntry workload = {"Access patterns: sums along the axes of an array", workload_for<AccessPatterns>};

}  // namespace boltzmark::axes
