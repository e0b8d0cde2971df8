// Prefix sum as the runner sees it: each run makes the sums of the same array anew, and every one of them must be exact.
#include <fmt/core.h>

#include <cmath>

#include "common/base/eighths.h"
#include "common/base/error.hpp"
#include "common/run/runner.hpp"
#include "common/run/workload.hpp"
#include "common/scan/scanner.hpp"

namespace boltzmark::scan {
namespace {

class PrefixSum : public Workload {
 public:
  explicit PrefixSum(const Program& program) : program_(program) {}

  std::string name() const override { return "scan"; }
  RepeatRule repeats() const override {
    return {.usual = 10, .always_warms_up = true, .starts_anew = false, .warms_up_each = true};
  }

  void add_options(WorkloadOptions& options) override {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    options.add("ELEMENTS", elements_, fmt::format("elements of the array; default: {}", elements_))
        .range(1, most);
  }

  void load(const Options& options, const Team&) override { value_bytes_ = bytes_of(options.precision); }
  std::string default_variant(const Options& options) const override {
    return program_.default_variant(options);
  }
  std::string size() const override { return std::to_string(elements_); }

  void prepare(const Options& options, const Team&) override {
    scanner_ = program_.make(options);
    const std::string shortage = scanner_->shortage(bytes());
    if (!shortage.empty())
      throw unavailable("expected two arrays that fit the memory, found {} for {:.3g} GiB", shortage,
                        bytes() / gib);
  }
  void init(const Options&, Team&) override { scanner_->init(elements_); }

  std::vector<double> run(Team& team) override {
    return {time_on(team, [this] { scanner_->scan(); })};
  }

  void check(const Options&, Team& team, bool) override {
    const double error = team.largest(largest_error());
    check_.against = "oracle";
    check_.tolerance = 0.0;
    check_.take({{"sums", std::isfinite(error) ? std::optional(error) : std::nullopt}});
  }

  RunFacts facts() const override { return scanner_->facts(); }

  void fill(Record& record) const override {
    record.case_ = {.name = size(),
                    .digest = fmt::format("scan-{}", elements_),
                    .extent = {elements_},
                    .facts = nlohmann::json::object()};
    record.work.update = "element";
    record.work.updates = static_cast<double>(elements_);
    record.work.bytes_per_update = 2 * value_bytes_;
    record.work.flops_per_update = 1.0;
    record.work.bytes_held = bytes();
    record.metrics = {{"gb_per_s", "GB/s", 1e-9 * bytes() / record.compute_seconds}};
    record.check = check_;
  }

  std::string case_lines(const Record&) const override {
    return fmt::format("arrays:\t\t{} values and their sums, {:.4g} MiB in all\n", elements_,
                       bytes() / (1 << 20));
  }

 private:
  static constexpr double gib = 1 << 30;
  double bytes() const { return 2.0 * value_bytes_ * static_cast<double>(elements_); }

  /// Of this rank's sums, relative to the right one or 1: the largest, infinite where one is not a number.
  double largest_error() {
    constexpr std::int64_t block = 1 << 20;
    const std::int64_t part = scanner_->part();
    std::vector<double> sums(static_cast<std::size_t>(std::min(block, part)));
    std::int64_t eighths = 0, number = 0;
    for (; number < scanner_->first(); ++number) eighths += eighths_at(static_cast<unsigned int>(number));
    double largest = 0.0;
    for (std::int64_t at = 0; at < part; at += block) {
      const auto count = static_cast<std::size_t>(std::min(block, part - at));
      scanner_->read(at, {sums.data(), count});
      for (std::size_t i = 0; i < count; ++i) {
        eighths += eighths_at(static_cast<unsigned int>(number++));
        const double right = 0.125 * static_cast<double>(eighths);
        const double error = std::abs(sums[i] - right) / std::max(std::abs(right), 1.0);
        if (!(error <= largest)) largest = std::isfinite(error) ? error : infinite;
      }
    }
    return largest;
  }
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  const Program& program_;
  std::int64_t elements_ = std::int64_t{1} << 22;
  int value_bytes_ = 4;
  std::unique_ptr<Scanner> scanner_;
  Check check_;
};

}  // namespace

int run_program(int argc, char** argv, const Program& program, Team& team) {
  PrefixSum workload(program);
  return run_main(argc, argv, program, workload, team);
}

int run_program(int argc, char** argv, const Program& program) {
  Team alone;
  return run_program(argc, argv, program, alone);
}

}  // namespace boltzmark::scan
