// Full standard runs: against answers that other programs gave, and single precision against double.
#include <gtest/gtest.h>

#include "programs.hpp"

namespace boltzmark::testing {
namespace {

/// Average velocity after the last step of a full standard run, from double-precision programs that are not
/// this one.
struct KnownAnswer {
  const char* name;
  double average;
};
void PrintTo(const KnownAnswer& known, std::ostream* out) { *out << known.name; }

class FullRun : public ::testing::TestWithParam<KnownAnswer> {};

TEST_P(FullRun, GivesTheKnownAnswer) {
  const TemporaryFolder folder;
  const std::string inputs = BOLTZMARK_SOURCE_DIR "/inputs/", name = GetParam().name, json = folder / "record";
  const auto outcome = run_model(is_built("openmp") ? "openmp" : "serial",
                                 {"--precision", "f64", "--no-output", "--json", json,
                                  inputs + "input_" + name + ".params", inputs + "obstacles_" + name + ".dat"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const Record record = records_in(json).at(0);
  const double average = record.metric("av_vel").value(), viscosity = (2.0 / 1.85 - 1.0) / 6.0;
  EXPECT_NEAR(average / GetParam().average, 1.0, 1e-9);  // known to ten digits
  EXPECT_NEAR(record.metric("reynolds").value(), average * 10 / viscosity, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Standard, FullRun,
                         ::testing::Values(KnownAnswer{"128x128", 1.319405138e-02},
                                           KnownAnswer{"128x256", 5.024978144e-02}),
                         [](const auto& full_run) { return "grid_" + std::string(full_run.param.name); });

TEST(SinglePrecision, KeepsFiveDigitsOverAFullRun) {
  const TemporaryFolder folder;
  const std::string inputs = BOLTZMARK_SOURCE_DIR "/inputs/", json = folder / "record";
  const Words problem = {inputs + "input_128x128.params", inputs + "obstacles_128x128.dat"};
  ASSERT_EQ(run_model("serial", Words{"--precision", "f64", "--out", folder.path.string()} + problem).status, 0);
  std::filesystem::rename(folder / "final_state.dat", folder / "right.final_state.dat");
  std::filesystem::rename(folder / "av_vels.dat", folder / "right.av_vels.dat");
  const auto outcome = run_model("serial", Words{"--no-output", "--check", (folder / "right").string()} + problem);
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
}

}  // namespace
}  // namespace boltzmark::testing
