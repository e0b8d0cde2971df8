// Base of the workloads whose variants need nothing but the options: all but lattice Boltzmann.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/run/runner.hpp"
#include "common/run/workload.hpp"

namespace boltzmark {

template <class Made>
class WorkloadOf : public Workload {
 public:
  using Program = ProgramOf<VariantOf<Made>>;

  explicit WorkloadOf(const Program& program) : program_(program) {}

  std::string default_variant(const Options& asked) const override { return program_.usual(asked); }
  void confirm() override {
    if constexpr (requires { made_->confirm(); }) made_->confirm();
  }
  void collect(Team&) override {
    if constexpr (requires { made_->collect(); }) made_->collect();
  }
  RunFacts facts() const override { return made_->facts(); }

 protected:
  /// Makes the variant that the options name. Throws Error (unavailable) if `bytes` of data, in words `what`, do not
  /// fit.
  void make_for(const Options& asked, double bytes, const char* what) {
    value_bytes_ = bytes_of(asked.precision);
    made_ = program_.make(asked);
    const std::string shortage = made_->shortage(bytes);
    if (!shortage.empty())
      throw unavailable("expected {} that fit the memory, found {} for {:.3g} GiB", what, shortage, bytes / (1 << 30));
  }

  /// Records the deviations of a run from the oracle.
  void judge(const std::vector<std::pair<std::string, double>>& errors, double tolerance = 0.0) {
    check_.against = "oracle";
    check_.tolerance = tolerance;
    std::vector<Deviation> found;
    for (const auto& [of, error] : errors)
      found.push_back({of, std::isfinite(error) ? std::optional(error) : std::nullopt});
    check_.take(found);
  }

  const Program& program_;
  std::unique_ptr<Made> made_;
  int value_bytes_ = 4;
  Check check_;
};

/// The largest deviation of `count` values, read in blocks by `read(first, values)`, from `right(number)`, relative to
/// the right value or to 1; infinite if one is not a number. right() is called in rising order.
template <class Read, class Right>
double largest_error(std::int64_t count, Read&& read, Right&& right) {
  constexpr std::int64_t block = 1 << 20;
  std::vector<double> values(static_cast<std::size_t>(std::min(block, count)));
  double largest = 0.0;
  for (std::int64_t first = 0; first < count; first += block) {
    const std::int64_t here = std::min(block, count - first);
    read(first, std::span(values.data(), static_cast<std::size_t>(here)));
    for (std::int64_t i = 0; i < here; ++i) {
      const double expected = right(first + i);
      const double error = std::abs(values[i] - expected) / std::max(std::abs(expected), 1.0);
      if (!(error <= largest)) largest = std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
    }
  }
  return largest;
}

/// Gives each part its seconds in the timed runs. of_runs: seconds of every part in every run, warm-up first.
inline void add_seconds(std::vector<Part>& parts, const std::vector<std::vector<double>>& of_runs, int warm_up_runs) {
  for (std::size_t number = 0; number < parts.size(); ++number)
    for (auto run = static_cast<std::size_t>(warm_up_runs); run < of_runs.size(); ++run)
      parts[number].seconds.push_back(of_runs[run][number]);
}

}  // namespace boltzmark
