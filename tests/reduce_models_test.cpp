// Reductions, prefix sums, segmented sums and sums along axes in every model that is built: exact with every operator,
// for lengths that fit no vector, in every way of running it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "common/base/text.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

struct Case {
  std::string workload, model, precision;
  bool launcher = false;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.workload << ' ' << c.model << ' ' << c.precision; }

std::vector<Case> cases_of(const std::vector<std::string>& workloads) {
  std::vector<Case> cases;
  for (const std::string& workload : workloads)
    for (const auto& program : built_programs(workload))
      for (const char* precision : {"f32", "f64"})
        cases.push_back({workload, program.model, precision, program.launcher});
  return cases;
}

class EveryReduction : public ::testing::TestWithParam<Case> {
  const OneProcess one_process_;

 protected:
  Outcome run(const Words& words, int ranks = 0) const {
    const Case& c = GetParam();
    return run_model(c.model, Words{"--precision", c.precision, "--repeat", "2"} + words, ranks, c.workload);
  }
  /// What a device has not is said in one line.
  void expect_exact(const VariantDescription& variant, const Words& words, int ranks) const {
    SCOPED_TRACE(fmt::format("{} {} ranks {}", variant.name, join(words, " "), ranks));
    const TemporaryFolder folder;
    const auto outcome = run(words + Words{"--variant", variant.name, "--json", folder / "record"}, ranks);
    if (outcome.status == 3) {
      EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
      return;
    }
    ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    EXPECT_TRUE(has(outcome.output, " 0.00e+00")) << outcome.output;
    expect_all_data_moves(records_in(folder / "record").at(0));
  }
  void expect_exact(const Words& words, int ranks = 0) const {
    for (const VariantDescription& variant : can().variants) expect_exact(variant, words, ranks);
  }
  ProgramDescription can() const { return description_of(GetParam().model, GetParam().workload); }
  /// Where each operator or length is a kernel to be compiled.
  static bool compiles(const ProgramDescription& can) { return contains(can.takes, "no-kernel-cache"); }
};

/// One value, fewer than any vector, and many that fill no last vector, group or tile.
TEST_P(EveryReduction, IsExactForLengthsThatFitNoVector) {
  const auto& [workload, model, precision, launcher] = GetParam();
  std::vector<Words> sizes;
  if (workload == "segments")  // few long ones, many short ones, one; ends of wavefronts and groups
    sizes = {{"1", "777"}, {"3", "10007"}, {"33", "10007"}, {"80", "100003"}, {"1000", "10007"}, {"100003", "200006"}};
  else if (workload == "axes")
    sizes = {{"1"}, {"3"}, {precision == "f32" ? "37" : "23"}};  // columns for every number of vectors
  else
    sizes = {{"1"}, {"777"}, {"100003"}};
  // Where they are to be compiled for each length, variants without a role take turns, and two lengths are optimised.
  const ProgramDescription said = can();
  const bool take_turns = (workload == "segments" || workload == "axes") && compiles(said);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const OptimisedKernels optimised((precision == "f32" || workload == "axes") &&  // whose groups wait in loops
                                     (!take_turns || i == 2 || i == 3 || (i == 1 && workload == "axes")));
    for (std::size_t turn = i + (precision == "f64"); const VariantDescription& variant : said.variants)
      if (turn++ % 2 == 0 || !take_turns || !variant.role.empty()) expect_exact(variant, sizes[i], 0);
  }
  if (launcher)
    for (const int ranks : {2, 3}) expect_exact(sizes.back(), ranks);
}

/// Of `reduce` alone.
class EveryOperator : public EveryReduction {};

/// Of the variants with a role. Where each operator is a kernel to be compiled they take turns, in double precision the
/// other way round, so that every variant meets every operator, and every precision too.
TEST_P(EveryOperator, IsExact) {
  const ProgramDescription said = can();
  std::size_t turn = GetParam().precision == "f64";
  for (const VariantDescription& variant : said.variants) {
    if (variant.role.empty()) continue;
    ++turn;
    for (const char* name : {"product", "min", "max", "and", "or", "xor"})
      if (turn++ % 2 == 0 || !compiles(said))
        expect_exact(variant, {"20011", "--operator", name}, GetParam().launcher ? 2 : 0);
  }
}

/// How many digits are right: in double precision all; the sum of floats one by one has stalled.
TEST_P(EveryOperator, SaysHowManyDigitsAreRight) {
  const TemporaryFolder folder;
  const auto outcome = run({"3294900", "--values", "ramp", "--json", folder / "record"});
  if (outcome.status == 3) GTEST_SKIP() << outcome.errors;
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const double digits = records_in(folder / "record").at(0).metric("digits").value_or(0.0);
  EXPECT_GT(digits, GetParam().precision == "f64" ? 13.0 : 5.0);
}

std::string name_of(const ::testing::TestParamInfo<Case>& one) {
  return one.param.workload + "_" + one.param.model + "_" + one.param.precision;
}
INSTANTIATE_TEST_SUITE_P(Models, EveryReduction, ::testing::ValuesIn(cases_of({"reduce", "scan", "segments", "axes"})),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Models, EveryOperator, ::testing::ValuesIn(cases_of({"reduce"})), name_of);

TEST(PlainSumOfFloats, LosesDigits) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_model("serial",
                      {"100000000", "--values", "ramp", "--variant", "textbook", "--repeat", "1", "--json",
                       folder / "record"},
                      0, "reduce")
                .status,
            0);
  EXPECT_LT(records_in(folder / "record").at(0).metric("digits").value_or(9.0), 2.0);
}

TEST(SegmentOptions, SegmentsLongerThanTheArrayAreRefused) {
  const auto outcome = run_model("serial", {"100", "99"}, 0, "segments");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(has(outcome.errors, "LENGTH: expected at most the 99 elements")) << outcome.errors;
}

TEST(ReduceOptions, WithBadValuesAreRefused) {
  for (const auto& [options, part] : std::vector<std::pair<Words, std::string>>{
           {{"0"}, "ELEMENTS"},
           {{"--operator", "plus"}, "--operator"},
           {{"--values", "ones"}, "--values"},
           {{"--values", "ramp", "--operator", "min"}, "--values: expected ramp with sums alone"}}) {
    const auto outcome = run_model("serial", options, 0, "reduce");
    EXPECT_EQ(outcome.status, 2) << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, part)) << outcome.errors;
  }
}

/// Operators are cases of their own, for the driver to tell them apart.
TEST(ReduceOptions, OperatorsAreCasesOfTheirOwn) {
  const TemporaryFolder folder;
  for (const char* name : {"sum", "min"})
    ASSERT_EQ(run_model("serial", {"40", "--operator", name, "--json", folder / "record"}, 0, "reduce").status, 0);
  const auto records = records_in(folder / "record");
  EXPECT_NE(records.at(0).case_.digest, records.at(1).case_.digest);
}

}  // namespace
}  // namespace boltzmark::testing
