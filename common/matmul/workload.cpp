// Matrix multiplication as the runner sees it: each run computes C from the same A and B, and each C must be exact.
#include "common/base/text.hpp"
#include "common/matmul/multiplier.hpp"
#include "common/matmul/oracle.hpp"
#include "common/run/workload_of.hpp"

namespace boltzmark::matmul {
namespace {

class MatmulWorkload final : public WorkloadOf<Multiplier> {
 public:
  explicit MatmulWorkload(const Program& program)
      : WorkloadOf(program, "matmul", "three matrices",
                   {.usual = 5, .always_warms_up = true, .restarts = false, .warm_ups = 5}) {}

  void add_options(WorkloadOptions& options) override {
    options.add("SIZE", asked_, "N for square matrices, or MxNxK; default: " + asked_).value_name("");
    options
        .add("--entries", entries_name_,
             "values of A and B: pseudo-random integers from -4 to 4, or constants as in the course exercise (which "
             "hide misplaced blocks)")
        .value_name("NAME")
        .choices({"integers", "constant"});
  }

  void load(const Options&, const Team&) override {
    shape_ = parse_shape(asked_);
    entries_ = {entries_name_ == "constant" ? Filling::constant : Filling::integers};
  }
  std::string size() const override { return to_string(shape_); }

  void prepare(const Options& options, const Team& team) override {
    WorkloadOf::prepare(options, team);
    oracle_.emplace(shape_, entries_);
  }
  void init(const Options&, Team&) override { made_->init(shape_, entries_); }

  void check(const Options&, Team& team, bool) override {
    if (!team.is_root()) return;
    const double error =
        oracle_->error([this](std::int64_t row, std::span<double> values) { made_->read(row, values); });
    judge({{"c", error}}, 0.0, Extent::all_of(shape_.m * shape_.n));  // Freivalds' sums detect even a single one
  }

  void fill(Record& record) const override {
    const char* const check = oracle_->is_by_element() ? "every element" : "Freivalds";
    const bool is_constant = entries_.filling == Filling::constant;
    WorkloadOf::fill(record);
    record.case_.digest =
        fmt::format("matmul-{}x{}x{}{}", shape_.m, shape_.n, shape_.k, is_constant ? "-constant" : "");
    record.case_.extent = {shape_.n, shape_.m};
    record.case_.facts = {{"depth", shape_.k}, {"entries", entries_name_}, {"checked_by", check}};
    record.work.updates = static_cast<double>(shape_.m) * static_cast<double>(shape_.n);
    record.work.flops_per_update = 2.0 * static_cast<double>(shape_.k);
    record.metrics = {{"gflop_per_s", "GFLOP/s", 1e-9 * shape_.flops() / record.compute_seconds}};
  }

  std::string case_lines(const Record& record) const override {
    return fmt::format("matrices:\tA {}x{}, B {}x{}, {:.4g} MiB in all; {:.4g} FLOPs per byte that is moved\n",
                       shape_.m, shape_.k, shape_.k, shape_.n, bytes_held() / (1 << 20),
                       record.work.flops_per_update / record.work.bytes_per_update);
  }

 private:
  double bytes_held() const override { return value_bytes_ * shape_.values(); }
  void compute() override { made_->multiply(); }

  std::string asked_ = "1024", entries_name_ = "integers";  ///< the published size
  Shape shape_;
  Entries entries_;
  std::optional<Oracle> oracle_;
};

}  // namespace

Shape parse_shape(const std::string& text) {
  const auto numbers = sides_in(text, largest_size);
  if (numbers.size() != 1 && numbers.size() != 3)
    throw bad_input("expected N or MxNxK with numbers from 1 to {}, found \"{}\"", largest_size, text);
  const Shape shape = {numbers.front(), numbers[numbers.size() / 2], numbers.back()};
  if (shape.k > longest_depth)
    throw bad_input("expected K of at most {}, for sums that floats hold exactly, found {}", longest_depth, shape.k);
  return shape;
}

std::string to_string(const Shape& shape) {
  if (shape.m == shape.n && shape.n == shape.k) return std::to_string(shape.m);
  return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k);
}

const WorkloadEntry workload = {"Matrix multiplication", workload_for<MatmulWorkload>};

}  // namespace boltzmark::matmul
