// Base of the workloads whose variants need nothing but the options: all but lattice Boltzmann.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.hpp"
#include "common/base/difference.hpp"
#include "common/base/error.hpp"
#include "common/cpu/blocks_in_parallel.hpp"
#include "common/run/team.hpp"
#include "common/run/workload.hpp"

namespace boltzmark {

/// Seconds of work that all ranks begin together, until the slowest has done it. Collective.
template <class Work>
double time_on(Team& team, Work&& work) {
  team.barrier();
  const auto start = Clock::now();
  std::forward<Work>(work)();
  return team.largest(seconds_since(start));
}

inline constexpr std::int64_t most_elements = std::int64_t{1} << 40;

template <class Made>
class WorkloadOf : public Workload {
 public:
  /// `data`: names the data that a run keeps in memory: "two arrays".
  WorkloadOf(const Program& program, const char* name, const char* data, RepeatRule repeats)
      : program_(program), name_(name), data_(data), repeats_(repeats) {}

  std::string name() const override { return name_; }
  RepeatRule repeats() const override {
    RepeatRule rule = repeats_;
    if (rule.warm_ups > 1 && bytes_held() > most_bytes_of_caches) rule.warm_ups = 1;
    return rule;
  }
  std::string default_variant(const Options& asked) const override { return program_.usual(asked); }

  /// Makes the variant that the options name. Throws Error (unavailable) if its data do not fit the memory.
  void prepare(const Options& asked, const Team&) override {
    value_bytes_ = bytes_of(asked.precision);
    made_ = program_.make<Made>(asked);
    const double bytes = bytes_needed();
    if (const std::string shortage = made_->shortage(bytes); !shortage.empty())
      throw unavailable("expected {} that fit the memory, found {} for {:.3g} GiB", data_, shortage, bytes / (1 << 30));
  }

  void spoil() override { made_->spoil(); }
  std::vector<double> run(Team& team) override {
    return {time_on(team, [this] { compute(); })};
  }
  void confirm() override { made_->confirm(); }
  void collect(Team&) override { made_->collect(); }
  RunFacts facts() const override {
    RunFacts facts = made_->facts();
    if (facts.traffic.empty()) add_traffic(facts);
    return facts;
  }

  /// The case by its size, and the check; the workload adds the rest.
  void fill(Record& record) const override {
    record.case_ = {.name = size(), .digest = name() + '-' + size(), .extent = {}, .facts = nlohmann::json::object()};
    record.work.update = "element";
    record.work.bytes_held = bytes_held();
    record.check = check_;
  }

 protected:
  static constexpr double most_bytes_of_caches = 1 << 28;  ///< for more, one pass is as good as many

  /// Bytes of a run's data without padding, in values of value_bytes_.
  virtual double bytes_held() const = 0;
  /// Bytes that a run allocates for them.
  virtual double bytes_needed() const { return bytes_held(); }
  /// Least traffic of a run, unless it is all data once with bytes_per_update, or the variant has set it: sets
  /// `traffic`, or only `fetched_per_update`.
  virtual void add_traffic(RunFacts&) const {}
  /// The timed part of a workload with a single one.
  virtual void compute() {}

  /// Records work on `elements` with this many FLOPs each that moves `bytes` in all; the rate is in GB/s.
  static void fill_moved(Record& record, double elements, double bytes, double flops) {
    record.work.updates = elements;
    record.work.bytes_per_update = bytes / elements;
    record.work.flops_per_update = flops;
    record.metrics = {{"gb_per_s", "GB/s", 1e-9 * bytes / record.compute_seconds}};
  }

  /// Records the deviations of a run from the reference, and the number of elements compared.
  void judge(const std::vector<std::pair<std::string, double>>& errors, double tolerance, const Extent& extent) {
    check_.against = "oracle";
    check_.tolerance = tolerance;
    check_.extent = extent;
    std::vector<Deviation> found;
    for (const auto& [of, error] : errors)
      found.push_back({of, std::isfinite(error) ? std::optional(error) : std::nullopt});
    check_.take(found);
  }

  const Program& program_;
  std::unique_ptr<Made> made_;
  int value_bytes_ = 4;
  Check check_;

 private:
  const char *name_, *data_;
  RepeatRule repeats_;
};

/// The largest deviation of `count` values from the right ones, relative to the right value or to `least_scale`;
/// infinite if one is NaN. They are read in blocks by `read(first, values)`, on this thread because it has the device,
/// and compared on all cores. right_from(number) makes a function that returns the right values from that number on.
template <class Read, class RightFrom>
double largest_error(std::int64_t count, Read&& read, RightFrom&& right_from, double least_scale = 1.0) {
  constexpr std::int64_t block = 1 << 21, of_a_core = 1 << 16;
  const auto values = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(std::min(block, count)));
  double largest = 0.0;
  for (std::int64_t first = 0; first < count; first += block) {
    const std::int64_t here = std::min(block, count - first);
    read(first, std::span(values.get(), static_cast<std::size_t>(here)));
    for (const double of_part : blocks_in_parallel(here, of_a_core, [&](Range part) {
           double worst = 0.0;
           auto right = right_from(first + part.begin);
           for (std::int64_t i = part.begin; i < part.end; ++i) {
             const double expected = right();
             if (values[i] != expected)
               worst = larger_error(worst, std::abs(values[i] - expected) / std::max(std::abs(expected), least_scale));
           }
           return worst;
         }))
      largest = std::max(largest, of_part);
  }
  return largest;
}

}  // namespace boltzmark
