// Segmented sum as the runner sees it: each run makes the sums of the same array anew, and every one of them must be exact.
#include <fmt/core.h>

#include <cmath>

#include "common/base/eighths.h"
#include "common/base/error.hpp"
#include "common/run/runner.hpp"
#include "common/run/workload.hpp"
#include "common/segments/reducer.hpp"

namespace boltzmark::segments {
namespace {

class SegmentedSum : public Workload {
 public:
  explicit SegmentedSum(const Program& program) : program_(program) {}

  std::string name() const override { return "segments"; }
  RepeatRule repeats() const override {
    return {.usual = 10, .always_warms_up = true, .starts_anew = false, .warms_up_each = true};
  }

  void add_options(WorkloadOptions& options) override {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    options.add("LENGTH", shape_.length, fmt::format("elements of a segment; default: {}", shape_.length))
        .range(1, most);
    options
        .add("ELEMENTS", elements_,
             fmt::format("elements of the array, of which whole segments are taken; default: {}", elements_))
        .range(1, most);
  }

  void load(const Options& options, const Team&) override {
    value_bytes_ = bytes_of(options.precision);
    shape_.segments = elements_ / shape_.length;
    if (shape_.segments < 1)
      throw bad_input("LENGTH: expected at most the {} elements of the array, found {}", elements_,
                      shape_.length);
  }
  std::string default_variant(const Options& options) const override {
    return program_.default_variant(options);
  }
  std::string size() const override { return fmt::format("{}x{}", shape_.length, shape_.segments); }

  void prepare(const Options& options, const Team&) override {
    reducer_ = program_.make(options);
    const std::string shortage = reducer_->shortage(bytes());
    if (!shortage.empty())
      throw unavailable("expected arrays that fit the memory, found {} for {:.3g} GiB", shortage,
                        bytes() / gib);
  }
  void init(const Options&, Team&) override { reducer_->init(shape_); }

  std::vector<double> run(Team& team) override {
    return {time_on(team, [this] { reducer_->reduce(); })};
  }

  void check(const Options&, Team& team, bool) override {
    const double error = team.largest(largest_error());
    check_.against = "oracle";
    check_.tolerance = 0.0;
    check_.take({{"sums", std::isfinite(error) ? std::optional(error) : std::nullopt}});
  }

  RunFacts facts() const override { return reducer_->facts(); }

  void fill(Record& record) const override {
    record.case_ = {.name = size(),
                    .digest = fmt::format("segments-{}x{}", shape_.length, shape_.segments),
                    .extent = {shape_.length, shape_.segments},
                    .facts = nlohmann::json::object()};
    record.work.update = "element";
    record.work.updates = static_cast<double>(shape_.elements());
    record.work.bytes_per_update = bytes() / static_cast<double>(shape_.elements());
    record.work.flops_per_update = 1.0;
    record.work.bytes_held = bytes();
    record.metrics = {{"gb_per_s", "GB/s", 1e-9 * bytes() / record.compute_seconds}};
    const nlohmann::json& settings = record.settings;
    if (settings.contains("segments_per_wavefront"))
      record.metrics.push_back(
          {"segments_per_wavefront", "segments", settings["segments_per_wavefront"].get<double>()});
    record.check = check_;
  }

  std::string case_lines(const Record&) const override {
    return fmt::format("arrays:\t\t{} segments of {} elements, {:.4g} MiB\n", shape_.segments, shape_.length,
                       bytes() / (1 << 20));
  }

 private:
  static constexpr double gib = 1 << 30;
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  /// Of the values, and of one sum a segment.
  double bytes() const {
    return value_bytes_ * (static_cast<double>(shape_.elements()) + static_cast<double>(shape_.segments));
  }

  /// Of this rank's sums, relative to the right one or 1: the largest, infinite where one is not a number.
  double largest_error() {
    constexpr std::int64_t block = 1 << 20;
    const std::int64_t part = reducer_->part();
    std::vector<double> sums(static_cast<std::size_t>(std::min(block, part)));
    auto number = static_cast<unsigned int>(reducer_->first() * shape_.length);
    double largest = 0.0;
    for (std::int64_t at = 0; at < part; at += block) {
      const auto count = static_cast<std::size_t>(std::min(block, part - at));
      reducer_->read(at, {sums.data(), count});
      for (std::size_t segment = 0; segment < count; ++segment) {
        std::int64_t eighths = 0;
        for (std::int64_t i = 0; i < shape_.length; ++i) eighths += eighths_at(number++);
        const double right = 0.125 * static_cast<double>(eighths);
        const double error = std::abs(sums[segment] - right) / std::max(std::abs(right), 1.0);
        if (!(error <= largest)) largest = std::isfinite(error) ? error : infinite;
      }
    }
    return largest;
  }

  const Program& program_;
  Shape shape_ = {.segments = 1, .length = 32};
  std::int64_t elements_ = std::int64_t{1} << 22;
  int value_bytes_ = 4;
  std::unique_ptr<Reducer> reducer_;
  Check check_;
};

}  // namespace

int run_program(int argc, char** argv, const Program& program, Team& team) {
  SegmentedSum workload(program);
  return run_main(argc, argv, program, workload, team);
}

int run_program(int argc, char** argv, const Program& program) {
  Team alone;
  return run_program(argc, argv, program, alone);
}

}  // namespace boltzmark::segments
