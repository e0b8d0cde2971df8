// The heat equation in every model that is built: every variant is right on plates of all shapes, in every way of
// running it, and stops where it is told to.
#include <fmt/format.h>

#include "every_model.hpp"

namespace boltzmark::testing {
namespace {

class EveryHeat : public EveryModel {
 protected:
  EveryHeat() : EveryModel("heat") {}
  /// As it is; and over other numbers of workers, with all other options at once.
  static std::vector<Way> ways(const VariantDescription& variant) {
    std::vector<Way> ways = ways_of_ranks({2, 5});
    const auto takes = [&](const char* option) { return variant.option(option) != nullptr; };
    Words options;
    const auto add = [&](const char* option, const char* value) {
      if (takes(option)) options = options + Words{std::string("--") + option, value};
    };
    add("threads", "3");
    add("vvl", GetParam().precision == "f64" ? "2" : "4");
    add("time-block", "3");
    add("rows", "7");
    add("delay", "4");
    if (!options.empty()) ways.push_back({.options = options});
    return ways;
  }
  /// Devices' compilers take their time for each.
  Words sizes(const Way& way) const {
    const bool is_plain = way.ranks == 0 && way.options.empty();
    if (contains(can_.takes, "no-kernel-cache"))
      return is_plain && GetParam().precision == "f32" ? Words{"61x1", "37x53"} : Words{"37x53"};
    return is_plain ? Words{"1x1", "1x7", "61x1", "37x53"} : Words{"61x1", "37x53"};
  }
};

/// From noise: every cell changes in every step, so that none can be forgotten.
TEST_P(EveryHeat, IsRightOnPlatesOfAllShapes) {
  for (const VariantDescription& variant : can_.variants)
    for (const Way& way : ways(variant))
      for (const std::string& size : sizes(way)) {
        SCOPED_TRACE(fmt::format("{} {} ranks {} {}", variant.name, size, way.ranks, join(way.options, " ")));
        const TemporaryFolder folder;
        const OptimisedKernels optimised(as_by_default(way) && size == "37x53");
        const auto outcome = run(way, {size, "--start", "noise", "--steps", "11", "--variant", variant.name, "--repeat",
                                       "1", "--json", folder / "record"});
        if (outcome.status == 3) GTEST_SKIP() << outcome.errors;
        ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
        const Record record = records_in(folder / "record").at(0);
        EXPECT_EQ(record.check.passed, true);
        EXPECT_EQ(record.variant, variant.name);
        EXPECT_EQ(record.steps, 11);
        EXPECT_GT(record.work.bytes_per_update, 0.0);
        EXPECT_EQ(record.metrics.at(0).name, "mlups");
      }
}

/// 30 x 20 from the published border: the delta of step 237 is the first of at most 100.
TEST_P(EveryHeat, StopsBySmallEnoughADelta) {
  const TemporaryFolder folder;
  const auto outcome =
      run({}, {"30x20", "--steps", "5000", "--until", "100", "--repeat", "1", "--json", folder / "record"});
  if (outcome.status == 3) GTEST_SKIP() << outcome.errors;
  ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  const Record record = records_in(folder / "record").at(0);
  EXPECT_GE(record.steps, 237);
  EXPECT_LT(record.steps, 237 + 200);
  EXPECT_LE(record.case_.facts["last_delta"], 100.0);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryHeat, ::testing::ValuesIn(model_cases("heat")), case_name);

/// Rows longer than a strip of the sweep, a border of both kinds, and a depth that is cut by the rows there are.
TEST(HeatSweeps, AreRightOverStripsOfColumns) {
  for (const char* model : {"serial", "openmp", "stdpar", "tbb", "kokkos", "thrust", "mpi", "openmp_target"}) {
    if (!is_built(model, "heat")) continue;
    const auto outcome = run_model(
        model, {"30001x23", "--start", "noise", "--steps", "45", "--precision", "f64", "--repeat", "1"}, 0, "heat");
    EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  }
}

TEST(HeatModes, AreCheckedByTheirDecay) {
  for (const Words& mode : {Words{"200x300"}, Words{"16x2", "--steps", "400"},  // down to what programs flush to zero
                            Words{"16x2", "--steps", "5000", "--precision", "f64"}}) {
    const auto outcome = run_model("serial", mode + Words{"--start", "mode", "--repeat", "1"}, 0, "heat");
    EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  }
}

TEST(HeatImage, HasTheBorderRoundIt) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_model("serial", {"30x20", "--image", folder / "plate.png", "--repeat", "1"}, 0, "heat").status, 0);
  const std::string picture = read_text(folder / "plate.png");
  ASSERT_GT(picture.size(), 24u);
  EXPECT_EQ(picture.substr(1, 3), "PNG");
  EXPECT_EQ(picture[19], 32);
  EXPECT_EQ(picture[23], 22);
}

TEST(HeatOptions, WithBadValuesAreRefused) {
  for (const char* size : {"0", "12x", "4x4x4", "many"})
    expect_refused("heat", "serial", {size}, {"expected N or WIDTHxHEIGHT", size});
  expect_refused("heat", "serial", {"8", "--start", "cold"}, {"--start"});
  expect_refused("heat", "serial", {"8", "--until", "-1"}, {"--until"});
  expect_refused("heat", "serial", {"8", "--steps", "0"}, {"--steps"});
  expect_refused("heat", "serial", {"8", "--variant", "swapped", "--vvl", "4"}, {"--vvl"});
  expect_refused("heat", "serial", {"1000000x1000000"}, {"expected two grids that fit the memory"}, 0, 3);
}

}  // namespace
}  // namespace boltzmark::testing
