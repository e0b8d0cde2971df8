// Reduction as the runner sees it: each run reduces the same array, and every result must be exact.
#include <map>

#include "common/base/ranges.hpp"
#include "common/reduce/reducer.hpp"
#include "common/run/workload_of.hpp"

namespace boltzmark::reduce {
namespace {

const std::map<std::string, Operator> operators = {
    {"sum", Operator::sum},     {"product", Operator::product}, {"min", Operator::min},    {"max", Operator::max},
    {"and", Operator::bit_and}, {"or", Operator::bit_or},       {"xor", Operator::bit_xor}};

/// The reference: for numbers in double precision, in which every value and every partial result is exact.
Result right_result(const Task& task) {
  if (task.is_ramp) {
    const auto n = static_cast<std::uint64_t>(task.elements);
    return result_of(static_cast<double>(n % 2 ? n * ((n - 1) / 2) : n / 2 * (n - 1)));
  }
  Task exact = task;
  exact.is_wide |= task.op < Operator::bit_and;
  return with_operator(exact, [&]<class Op, class T>(Op, T result) {
    result = Op::template neutral<T>;
    for (const T of_block : blocks_in_parallel(task.elements, std::int64_t{1} << 17, [](Range numbers) {
           T partial = Op::template neutral<T>;
           for (std::int64_t i = numbers.begin; i < numbers.end; ++i)
             partial = Op::of(partial, Op::template value<T>(static_cast<unsigned int>(i)));
           return partial;
         }))
      result = Op::of(result, of_block);
    return result_of(result);
  });
}

class Reduction final : public WorkloadOf<Reducer> {
 public:
  explicit Reduction(const Program& program)
      : WorkloadOf(program, "reduce", "arrays",
                   {.usual = 10, .always_warms_up = true, .restarts = false, .warm_ups = 5}) {}

  void add_options(WorkloadOptions& options) override {
    options.add("ELEMENTS", task_.elements, fmt::format("elements of the array; default: {}", task_.elements))
        .range(1, most_elements);
    options
        .add("--operator", operator_,
             "sum (default), product, min or max of numbers; and, or, xor of unsigned integers of the same width")
        .value_name("NAME")
        .choices(each(operators, [](const auto& one) { return one.first; }));
    options
        .add("--values", values_,
             "exact (default): values whose result is exact in any order; ramp: 0, 1, 2 ..., whose sum shows how many "
             "digits are right")
        .value_name("NAME")
        .choices({"exact", "ramp"});
  }

  void load(const Options& options, const Team&) override {
    task_.op = operators.at(operator_);
    task_.is_ramp = values_ == "ramp";
    task_.is_wide = options.precision == Precision::f64;
    if (task_.is_ramp && task_.op != Operator::sum)
      throw bad_input("--values: expected ramp with sums alone, found --operator {}", operator_);
  }
  std::string size() const override { return std::to_string(task_.elements); }

  void prepare(const Options& options, const Team& team) override {
    WorkloadOf::prepare(options, team);
    right_ = right_result(task_);
  }
  void init(const Options&, Team&) override { made_->init(task_); }

  void check(const Options&, Team&, bool) override {
    double error = std::abs(result_.number - right_.number) / std::max(std::abs(right_.number), 0.125);
    if (result_.word != right_.word) error = 1.0;
    judge({{operator_, error}}, task_.is_ramp ? one_by_one() : 0.0, Extent::all_of(1));
  }

  void fill(Record& record) const override {
    WorkloadOf::fill(record);
    const std::string of = task_.is_ramp ? "-ramp" : task_.op != Operator::sum ? "-" + operator_ : "";
    record.case_.name += of;
    record.case_.digest += of;
    record.case_.extent = {task_.elements};
    record.case_.facts = {{"operator", operator_}, {"values", values_}, {operator_, right()}};
    fill_moved(record, static_cast<double>(task_.elements), bytes_held(), task_.op < Operator::bit_and ? 1.0 : 0.0);
    if (task_.is_ramp) record.metrics.push_back({"digits", "digits", digits()});
  }

  std::string case_lines(const Record&) const override {
    return fmt::format("array:\t\t{} elements, {:.4g} MiB; {}\n", task_.elements, bytes_held() / (1 << 20), operator_);
  }
  std::string closing_lines(const Record&) const override {
    return task_.is_ramp ? fmt::format("accuracy:\t{:.1f} digits of 0 + 1 + ... + {}\n", digits(), task_.elements - 1)
                         : "";
  }

 private:
  double bytes_held() const override { return value_bytes_ * static_cast<double>(task_.elements); }
  void compute() override { result_ = made_->reduce(); }
  nlohmann::json right() const {
    if (task_.op >= Operator::bit_and) return fmt::format("{:#x}", right_.word);
    return right_.number;
  }

  /// The allowed error of a sum: that of adding the terms one by one in the precision.
  double one_by_one() const {
    const double rounding =
        task_.is_wide ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
    return std::min(1.0, static_cast<double>(task_.elements) * rounding);
  }

  /// Number of correct decimal digits, at most those of a double.
  double digits() const {
    const double error = check_.deviations.empty() ? 1.0 : check_.worst().value.value_or(1.0);
    return std::clamp(-std::log10(error), 0.0, double{std::numeric_limits<double>::digits10 + 1});
  }

  Task task_ = {.elements = 524288};  ///< the published small size
  std::string operator_ = "sum", values_ = "exact";
  Result right_, result_;
};

}  // namespace

const WorkloadEntry workload = {"Reduction of an array", workload_for<Reduction>};

}  // namespace boltzmark::reduce
