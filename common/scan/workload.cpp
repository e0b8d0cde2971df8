// Prefix sum as the runner sees it: each run makes the sums of the same array anew, and every one of them must be
// exact.
#include <fmt/core.h>

#include <cmath>

#include "common/base/eighths.h"
#include "common/base/error.hpp"
#include "common/run/workload_of.hpp"
#include "common/scan/scanner.hpp"

namespace boltzmark::scan {
namespace {

class PrefixSum final : public WorkloadOf<Scanner> {
 public:
  using WorkloadOf::WorkloadOf;

  std::string name() const override { return "scan"; }
  RepeatRule repeats() const override {
    return {.usual = 10, .always_warms_up = true, .restarts = false, .warms_up_each = true};
  }

  void add_options(WorkloadOptions& options) override {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    options.add("ELEMENTS", elements_, fmt::format("elements of the array; default: {}", elements_)).range(1, most);
  }

  void load(const Options&, const Team&) override {}
  std::string size() const override { return std::to_string(elements_); }

  void prepare(const Options& options, const Team&) override {
    make_for(options, bytes(bytes_of(options.precision)), "two arrays");
  }
  void init(const Options&, Team&) override { made_->init(elements_); }

  std::vector<double> run(Team& team) override {
    return {time_on(team, [this] { made_->scan(); })};
  }

  void check(const Options&, Team& team, bool) override {
    std::int64_t eighths = 0, number = 0;  // of the sum so far
    const auto next_sum = [&] { return eighths += eighths_at(static_cast<unsigned int>(number++)); };
    while (number < made_->first()) next_sum();
    const double error = largest_error(
        made_->part(), [this](std::int64_t at, std::span<double> sums) { made_->read(at, sums); },
        [&](std::int64_t) { return 0.125 * static_cast<double>(next_sum()); });
    judge({{"sums", team.largest(error)}});
  }

  void fill(Record& record) const override {
    record.case_ = {.name = size(),
                    .digest = fmt::format("scan-{}", elements_),
                    .extent = {elements_},
                    .facts = nlohmann::json::object()};
    record.work.update = "element";
    record.work.updates = static_cast<double>(elements_);
    record.work.bytes_per_update = 2 * value_bytes_;
    record.work.flops_per_update = 1.0;
    record.work.bytes_held = bytes(value_bytes_);
    record.metrics = {{"gb_per_s", "GB/s", 1e-9 * bytes(value_bytes_) / record.compute_seconds}};
    record.check = check_;
  }

  std::string case_lines(const Record&) const override {
    return fmt::format("arrays:\t\t{} values and their sums, {:.4g} MiB in all\n", elements_,
                       bytes(value_bytes_) / (1 << 20));
  }

 private:
  double bytes(int of_value) const { return 2.0 * of_value * static_cast<double>(elements_); }

  std::int64_t elements_ = std::int64_t{1} << 22;
};

}  // namespace

int run_workload(int argc, char** argv, const ProgramOf<Variant>& program, Team& team) {
  PrefixSum workload(program);
  return run_main(argc, argv, program.outline(), workload, team);
}

}  // namespace boltzmark::scan
