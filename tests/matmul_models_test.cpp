// Matrix multiplication in every model that is built: every variant is right for sizes that fit no tile, in every way
// of running it.
#include <fmt/format.h>

#include "every_model.hpp"

namespace boltzmark::testing {
namespace {

class EveryMatmul : public EveryModel {
 protected:
  EveryMatmul() : EveryModel("matmul") {}
  /// Where each is a kernel to be compiled, half of the further ways in each precision.
  std::vector<Way> ways(const VariantDescription& variant) const {
    std::vector<Way> ways = ways_of_ranks({2, 3, 6});
    std::vector<Way> more;
    const auto takes = [&](const char* option) { return variant.option(option) != nullptr; };
    if (takes("threads")) more.push_back({.options = {"--threads", thread_number(can_, 2)}});
    if (takes("vvl")) more.push_back({.options = {"--vvl", GetParam().precision == "f64" ? "2" : "4"}});
    if (takes("tile")) more.push_back({.options = {"--tile", "4x8", "--block-depth", "8", "--work-group", "8x4"}});
    if (takes("slices")) more.push_back({.options = {"--work-group", "8x4", "--slices", "2", "--block-depth", "16"}});
    for (std::size_t i = 0; i < more.size(); ++i)
      if (!compiles() || more.size() == 1 || i % 2 == (GetParam().precision == "f64")) ways.push_back(more[i]);
    return ways;
  }
  bool compiles() const { return contains(can_.takes, "no-kernel-cache"); }
  /// Devices' compilers take their time for each.
  Words sizes(const Way& way) const {
    if (compiles() && (!way.options.empty() || GetParam().precision == "f64")) return {"37x61x45"};
    return {"3x5x2", "37x61x45"};
  }
};

TEST_P(EveryMatmul, IsRightForSizesThatFitNoTile) {
  for (const VariantDescription& variant : can_.variants)
    for (const Way& way : contains(variant.precisions, GetParam().precision) ? ways(variant) : std::vector<Way>{})
      for (const std::string& size : sizes(way)) {
        SCOPED_TRACE(fmt::format("{} {} ranks {} {}", variant.name, size, way.ranks, join(way.options, " ")));
        const TemporaryFolder folder;
        const OptimisedKernels optimised(as_by_default(way) && size == "37x61x45" && variant.role != "peer");
        const auto outcome = run(way, {size, "--variant", variant.name, "--repeat", "1", "--json", folder / "record"});
        if (outcome.status == 3) {
          EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;  // a peer or a device that is not here
          continue;
        }
        ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
        const Record record = records_in(folder / "record").at(0);
        EXPECT_EQ(record.check.passed, true);
        EXPECT_EQ(record.variant, variant.name);
        EXPECT_GT(record.work.bytes_per_update, 0.0);
        expect_all_data_moves(record);
        EXPECT_EQ(record.metrics.at(0).name, "gflop_per_s");
      }
}

TEST_P(EveryMatmul, IsRightWhereOnlyVectorsCheckIt) {
  const auto outcome = run({}, {"600x500x700", "--repeat", "1"});
  if (outcome.status == 3) GTEST_SKIP() << outcome.errors;
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(outcome.output, "check:\t\tright")) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryMatmul, ::testing::ValuesIn(model_cases("matmul")), case_name);

TEST(MatmulOptions, WithBadValuesAreRefused) {
  for (const char* size : {"0", "12x", "4x4", "many"})
    expect_refused("matmul", "serial", {size}, {"expected N or MxNxK", size});
  expect_refused("matmul", "serial", {"8", "--vvl", "3"}, {"--vvl", "found 3"});
  expect_refused("matmul", "serial", {"8", "--variant", "ikj", "--vvl", "4"}, {"--vvl"});
  expect_refused("matmul", "serial", {"8", "--entries", "zeros"}, {"--entries"});
}

TEST(MatmulOptions, ConstantEntriesAreACaseOfTheirOwn) {
  const TemporaryFolder folder;
  for (const char* entries : {"integers", "constant"})
    ASSERT_EQ(run_model("serial", {"40", "--entries", entries, "--json", folder / "record"}, 0, "matmul").status, 0);
  const auto records = records_in(folder / "record");
  EXPECT_NE(records.at(0).case_.digest, records.at(1).case_.digest);
}

}  // namespace
}  // namespace boltzmark::testing
