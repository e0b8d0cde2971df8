// The binary fluid in every model that is built: every variant is right for sizes that are no whole chunks, in every
// way of running it.
#include <fmt/format.h>

#include <algorithm>

#include "every_model.hpp"

namespace boltzmark::testing {
namespace {

class EveryBinaryFluid : public EveryModel {
 protected:
  EveryBinaryFluid() : EveryModel("binary_fluid") {}

  /// Ranks take their time to start, and drivers compile every VVL anew: these try few.
  std::vector<Way> ways(const VariantDescription& variant) const {
    std::vector<Way> ways = {{}};
    const auto takes = [&](const char* option) { return variant.option(option) != nullptr; };
    const bool compiles = takes("work-group"), is_like_for_like = variant.role == "like-for-like";
    if (GetParam().launcher) {
      ways = {{.ranks = 3}};
      if (takes("threads")) ways.push_back({.options = {"--threads", "2"}, .ranks = 2});
      return ways;
    }
    if (takes("threads")) ways.push_back({.options = {"--threads", thread_number(can_, 3)}});
    if (compiles && variant.name == "original") ways.push_back({.options = {"--work-group", "7x1"}});
    if (!takes("vvl") || (compiles && !is_like_for_like)) return ways;
    for (const char* vvl : {"1", "2", "4", "8", "16", "32"})
      if (!compiles || vvl == std::string("2") || vvl == std::string("32")) ways.push_back({.options = {"--vvl", vvl}});
    return ways;
  }

  void expect_right(const VariantDescription& variant, const Way& way, const Words& words) const {
    SCOPED_TRACE(fmt::format("{} {} ranks {} {}", variant.name, join(words, " "), way.ranks, join(way.options, " ")));
    const TemporaryFolder folder;
    const auto outcome = run(way, Words{"--variant", variant.name, "--json", folder / "record"} + words);
    if (outcome.status == 3) {
      EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;  // a device that is not here
      return;
    }
    ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    const Record record = records_in(folder / "record").at(0);
    EXPECT_EQ(record.check.passed, true);
    EXPECT_EQ(record.check.against, "reference");
    EXPECT_EQ(record.metrics.at(0).name, "mlups");
    EXPECT_GT(record.work.bytes_per_update, 0.0);
    EXPECT_GT(record.work.flops_per_update, 0.0);
    // Matrices and moments are the same but for rounding.
    if (GetParam().precision == "f64") {
      EXPECT_LT(record.check.worst().value, 1e-13);
    }
  }
};

TEST_P(EveryBinaryFluid, CollidesRight) {
  for (const VariantDescription& variant : can_.variants)
    if (contains(variant.kinds, "collision"))
      for (const Way& way : ways(variant)) {
        const OptimisedKernels optimised(as_by_default(way));
        expect_right(variant, way, {"7x5x6", "--steps", "2"});
      }
}

TEST_P(EveryBinaryFluid, SimulatesRight) {
  for (const VariantDescription& variant : can_.variants)
    if (contains(variant.kinds, "spinodal"))
      for (const Way& way : ways(variant)) {
        const OptimisedKernels optimised(as_by_default(way));
        expect_right(variant, way, {"19x3x5", "--case", "spinodal", "--steps", "6"});
      }
}

TEST_P(EveryBinaryFluid, SimulatesOtherScenesRight) {
  const auto& all = can_.variants;
  const VariantDescription& last = *std::ranges::find(all, "fused", &VariantDescription::name);
  expect_right(last, {}, {"16x12x3", "--case", "drop", "--steps", "4", "--gradients", "7"});
  expect_right(last, {}, {"12x1x4", "--case", "interface", "--steps", "3", "--kappa", "0.02"});
}

INSTANTIATE_TEST_SUITE_P(Models, EveryBinaryFluid, ::testing::ValuesIn(model_cases("binary_fluid")), case_name);

TEST(BinaryFluidOptions, WithBadValuesAreRefused) {
  for (const char* size : {"0", "4x4", "4x4x", "5000", "many"})
    expect_refused("binary_fluid", "serial", {size}, {"expected N or NXxNYxNZ", size});
  expect_refused("binary_fluid", "serial", {"8", "--vvl", "3"}, {"--vvl", "\"3\""});
  expect_refused("binary_fluid", "serial", {"8", "--variant", "fused"}, {"--variant", "collision", "fused"});
  expect_refused("binary_fluid", "serial", {"8", "--variant", "original", "--case", "drop"},
                 {"--variant", "drop", "original"});
  expect_refused("binary_fluid", "serial", {"8", "--image", "x.png"}, {"--image"});
  expect_refused("binary_fluid", "serial", {"8", "--case", "drop", "--kappa", "-1"}, {"--kappa", "-1"});
}

TEST(BinaryFluidOptions, MorePlanesThanRanksAreNeeded) {
  if (!is_built("mpi", "binary_fluid")) GTEST_SKIP() << "no MPI";
  const auto outcome = run_model("mpi", {"8x8x2", "--case", "drop"}, 3, "binary_fluid");
  EXPECT_EQ(outcome.status, 2) << outcome.output << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "3 ranks")) << outcome.errors;
}

TEST(BinaryFluidPicture, IsWritten) {
  const TemporaryFolder folder;
  const auto outcome = run_model("serial", {"32x24x1", "--case", "drop", "--steps", "2", "--image", folder / "phi.png"},
                                 0, "binary_fluid");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(read_text(folder / "phi.png"), "PNG"));
}

}  // namespace
}  // namespace boltzmark::testing
