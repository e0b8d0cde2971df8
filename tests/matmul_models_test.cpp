// Matrix multiplication in every model that is built: every variant is right for sizes that fit no tile, in every way of
// running it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/base/text.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

using Words = std::vector<std::string>;

struct Case {
  std::string model, precision;
  bool launcher = false;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.model << ' ' << c.precision; }

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& program : built_programs("matmul"))
    for (const char* precision : {"f32", "f64"})
      cases.push_back({program.model, precision, program.launcher});
  return cases;
}

/// One way of running a variant.
struct Way {
  Words options = {};
  int ranks = 0;  ///< 0: without a launcher
};

class EveryMatmul : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    for (const auto& program : built_programs("matmul"))
      if (program.model == GetParam().model) can_ = description_of(program);
  }
  std::vector<Way> ways(const VariantDescription& variant) const {
    std::vector<Way> ways = {{}};
    if (GetParam().launcher)
      for (const int ranks : {2, 3, 6}) ways.push_back({.ranks = ranks});
    const auto takes = [&](const char* option) { return contains(variant.options, option); };
    if (takes("threads")) ways.push_back({.options = {"--threads", "2"}});
    if (takes("vvl")) ways.push_back({.options = {"--vvl", GetParam().precision == "f64" ? "2" : "4"}});
    if (takes("tile"))
      ways.push_back({.options = {"--tile", "4x8", "--block-depth", "8", "--work-group", "8x4"}});
    return ways;
  }
  Outcome run(const Way& way, const Words& words) const {
    const Case& c = GetParam();
    return run_model(c.model, Words{"--precision", c.precision} + way.options + words, way.ranks, "matmul");
  }

  ProgramDescription can_;
};

TEST_P(EveryMatmul, IsRightForSizesThatFitNoTile) {
  for (const VariantDescription& variant : can_.variants)
    for (const Way& way : ways(variant))
      for (const char* size : {"3x5x2", "37x61x45"}) {
        SCOPED_TRACE(fmt::format("{} {} ranks {} {}", variant.name, size, way.ranks, join(way.options, " ")));
        const TemporaryFolder folder;
        const auto outcome =
            run(way, {size, "--variant", variant.name, "--repeat", "1", "--json", folder / "record"});
        if (outcome.status == 3) {
          EXPECT_EQ(count_of(outcome.errors, "\n"), 1)
              << outcome.errors;  // a peer or a device that is not here
          continue;
        }
        ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
        const Record record = records_in(folder / "record").at(0);
        EXPECT_EQ(record.check.passed, true);
        EXPECT_EQ(record.variant, variant.name);
        EXPECT_GT(record.work.bytes_per_update, 0.0);
        EXPECT_EQ(record.metrics.at(0).name, "gflop_per_s");
      }
}

TEST_P(EveryMatmul, IsRightWhereOnlyVectorsCheckIt) {
  const auto outcome = run({}, {"600x500x700", "--repeat", "1"});
  if (outcome.status == 3) GTEST_SKIP() << outcome.errors;
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(outcome.output, "check:\t\tright")) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryMatmul, ::testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.model + "_" + one.param.precision; });

void expect_refused(const Words& options, const Words& parts) {
  const auto outcome = run_model("serial", options, 0, "matmul");
  EXPECT_EQ(outcome.status, 2) << outcome.output << outcome.errors;
  EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
  for (const auto& part : parts) EXPECT_TRUE(has(outcome.errors, part)) << part << " in " << outcome.errors;
}

TEST(MatmulOptions, WithBadValuesAreRefused) {
  for (const char* size : {"0", "12x", "4x4", "many"}) expect_refused({size}, {"expected N or MxNxK", size});
  expect_refused({"8", "--vvl", "3"}, {"--vvl", "found 3"});
  expect_refused({"8", "--variant", "ikj", "--vvl", "4"}, {"--vvl"});
  expect_refused({"8", "--entries", "zeros"}, {"--entries"});
}

TEST(MatmulOptions, ConstantEntriesAreACaseOfTheirOwn) {
  const TemporaryFolder folder;
  for (const char* entries : {"integers", "constant"})
    ASSERT_EQ(
        run_model("serial", {"40", "--entries", entries, "--json", folder / "record"}, 0, "matmul").status,
        0);
  const auto records = records_in(folder / "record");
  EXPECT_NE(records.at(0).case_.digest, records.at(1).case_.digest);
}

}  // namespace
}  // namespace boltzmark::testing
