// Reduction as the runner sees it: each run adds up the same array, and every sum must be exact.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "common/base/error.hpp"
#include "common/reduce/reducer.hpp"
#include "common/reduce/value.h"
#include "common/run/runner.hpp"
#include "common/run/workload.hpp"

namespace boltzmark::reduce {
namespace {

class Reduction : public Workload {
 public:
  explicit Reduction(const Program& program) : program_(program) {}

  std::string name() const override { return "reduce"; }
  RepeatRule repeats() const override { return {.usual = 10, .always_warms_up = true, .starts_anew = false}; }

  void add_options(CLI::App& app) override {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    app.add_option("ELEMENTS", elements_, fmt::format("elements of the array; default: {}", elements_))
        ->check(CLI::Range(std::int64_t{1}, most));
  }

  void load(const Options& options, const Team&) override { value_bytes_ = bytes_of(options.precision); }
  std::string default_variant(const Options& options) const override {
    return program_.default_variant(options);
  }
  std::string size() const override { return std::to_string(elements_); }

  void prepare(const Options& options, const Team&) override {
    reducer_ = program_.make(options);
    const std::string shortage = reducer_->shortage(elements_);
    if (!shortage.empty())
      throw unavailable("expected an array that fits the memory, found {} for {:.3g} GiB", shortage,
                        bytes() / gib);
    std::int64_t eighths = 0;
    for (std::int64_t i = 0; i < elements_; ++i) eighths += eighths_at(static_cast<unsigned int>(i));
    right_ = 0.125 * static_cast<double>(eighths);
  }
  void init(const Options&, Team&) override { reducer_->init(elements_); }

  std::vector<double> run(Team& team) override {
    return {time_on(team, [this] { sum_ = reducer_->sum(); })};
  }

  void check(const Options&, Team&, bool) override {
    const double error = std::abs(sum_ - right_) / std::max(std::abs(right_), 0.125);
    check_.against = "oracle";
    check_.tolerance = 0.0;
    check_.take({{"sum", std::isfinite(error) ? std::optional(error) : std::nullopt}});
  }

  RunFacts facts() const override { return reducer_->facts(); }

  void fill(Record& record) const override {
    const auto elements = static_cast<double>(elements_);
    record.case_ = {.name = size(),
                    .digest = fmt::format("reduce-{}", elements_),
                    .extent = {elements_},
                    .facts = {{"sum", right_}}};
    record.work.update = "element";
    record.work.updates = elements;
    record.work.bytes_per_update = value_bytes_;
    record.work.flops_per_update = 1.0;
    record.work.bytes_held = bytes();
    record.metrics = {{"gb_per_s", "GB/s", 1e-9 * bytes() / record.compute_seconds}};
    record.check = check_;
  }

  std::string case_lines(const Record&) const override {
    return fmt::format("array:\t\t{} elements, {:.4g} MiB\n", elements_, bytes() / (1 << 20));
  }

 private:
  static constexpr double gib = 1 << 30;
  double bytes() const { return static_cast<double>(value_bytes_) * static_cast<double>(elements_); }

  const Program& program_;
  std::int64_t elements_ = 524288;  ///< the published small size
  int value_bytes_ = 4;
  std::unique_ptr<Reducer> reducer_;
  double right_ = 0.0, sum_ = 0.0;
  Check check_;
};

}  // namespace

int run_program(int argc, char** argv, const Program& program) {
  Reduction workload(program);
  Team alone;
  return run_main(argc, argv, program, workload, alone);
}

}  // namespace boltzmark::reduce
