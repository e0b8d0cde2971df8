// Matrix multiplication as the runner sees it: each run makes C anew of the same A and B, and every C must be exact.
#include <fmt/core.h>

#include <cmath>

#include "common/base/error.hpp"
#include "common/matmul/multiplier.hpp"
#include "common/matmul/oracle.hpp"
#include "common/run/runner.hpp"
#include "common/run/workload.hpp"

namespace boltzmark::matmul {
namespace {

class MatmulWorkload : public Workload {
 public:
  explicit MatmulWorkload(const Program& program) : program_(program) {}

  std::string name() const override { return "matmul"; }
  RepeatRule repeats() const override { return {.usual = 5, .always_warms_up = true, .starts_anew = false}; }

  void add_options(WorkloadOptions& options) override {
    options.add("SIZE", asked_, "N of square matrices, or MxNxK; default: " + asked_).value_name("");
    options
        .add("--entries", entries_name_,
             "of A and B: integers from -4 to 4 that look random, or constants as in the course exercise, "
             "which hide misplaced blocks")
        .value_name("NAME")
        .choices({"integers", "constant"});
  }

  void load(const Options& options, const Team&) override {
    shape_ = parse_shape(asked_);
    entries_ = {entries_name_ == "constant" ? Filling::constant : Filling::integers};
    value_bytes_ = bytes_of(options.precision);
  }
  std::string default_variant(const Options& options) const override {
    return program_.default_variant(options);
  }
  std::string size() const override { return to_string(shape_); }

  void prepare(const Options& options, const Team&) override {
    multiplier_ = program_.make(options);
    const std::string shortage = multiplier_->shortage(bytes());
    if (!shortage.empty())
      throw unavailable("expected three matrices that fit the memory, found {} for {:.3g} GiB", shortage,
                        bytes() / gib);
    oracle_.emplace(shape_, entries_);
  }
  void init(const Options&, Team&) override { multiplier_->init(shape_, entries_); }

  std::vector<double> run(Team& team) override {
    return {time_on(team, [this] { multiplier_->multiply(); })};
  }
  void confirm() override { multiplier_->confirm(); }
  void collect(Team&) override { multiplier_->collect(); }

  void check(const Options&, Team& team, bool) override {
    if (!team.is_root()) return;
    const double error = oracle_->error(
        [this](std::int64_t row, std::span<double> values) { multiplier_->read(row, values); });
    check_.against = "oracle";
    check_.tolerance = 0.0;
    check_.take({{"c", std::isfinite(error) ? std::optional(error) : std::nullopt}});
  }

  RunFacts facts() const override { return multiplier_->facts(); }

  void fill(Record& record) const override {
    const char* const check = oracle_->is_by_element() ? "every element" : "Freivalds";
    const bool is_constant = entries_.filling == Filling::constant;
    record.case_ = {.name = size(),
                    .digest = fmt::format("matmul-{}x{}x{}{}", shape_.m, shape_.n, shape_.k,
                                          is_constant ? "-constant" : ""),
                    .extent = {shape_.n, shape_.m},
                    .facts = {{"depth", shape_.k}, {"entries", entries_name_}, {"checked_by", check}}};
    record.work.update = "element";
    record.work.updates = static_cast<double>(shape_.m) * static_cast<double>(shape_.n);
    record.work.flops_per_update = 2.0 * static_cast<double>(shape_.k);
    record.work.bytes_held = bytes();
    record.metrics = {{"gflop_per_s", "GFLOP/s", 1e-9 * shape_.flops() / record.compute_seconds}};
    record.check = check_;
  }

  std::string case_lines(const Record& record) const override {
    return fmt::format(
        "matrices:\tA {}x{}, B {}x{}, {:.4g} MiB in all; {:.4g} FLOPs per byte that is moved\n", shape_.m,
        shape_.k, shape_.k, shape_.n, bytes() / (1 << 20),
        record.work.flops_per_update / record.work.bytes_per_update);
  }

 private:
  static constexpr double gib = 1 << 30;
  double bytes() const { return value_bytes_ * shape_.values(); }

  const Program& program_;
  std::string asked_ = "1024", entries_name_ = "integers";  ///< the published size
  Shape shape_;
  Entries entries_;
  int value_bytes_ = 4;
  std::unique_ptr<Multiplier> multiplier_;
  std::optional<Oracle> oracle_;
  Check check_;
};

}  // namespace

int run_program(int argc, char** argv, const Program& program, Team& team) {
  MatmulWorkload workload(program);
  return run_main(argc, argv, program, workload, team);
}

int run_program(int argc, char** argv, const Program& program) {
  Team alone;
  return run_program(argc, argv, program, alone);
}

}  // namespace boltzmark::matmul
