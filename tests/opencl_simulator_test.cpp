// Kernels of the OpenCL model under oclgrind, a simulator that finds races and bad accesses.
#include <gtest/gtest.h>

#include <cctype>

#include "programs.hpp"

namespace boltzmark::testing {
namespace {

/// Variants of the OpenCL model, in both precisions, under the oclgrind simulator.
class Simulated : public ::testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  void SetUp() override {
    if (!is_built("opencl")) GTEST_SKIP() << "the OpenCL model is not built";
    if (run_command({"oclgrind", "--version"}).status != 0) GTEST_SKIP() << "oclgrind is not installed";
  }

  static Outcome simulate(const Words& arguments) {
    // Without -O2, oclgrind 21.10 stops at an intrinsic that it does not know.
    return run_model("opencl", Words{"--quiet", "--no-output", "--no-kernel-cache"} + arguments, 0, usual_workload,
                     {"oclgrind", "--build-options", "-O2", "--data-races"});
  }

  TemporaryFolder folder_;
  const OneProcess one_process_;
};

Grid tiny() {
  return {"tiny", 9, 7, 3, [](int x, int y) { return (x == 2 && y == 3) || (x == 0 && y == 0); }};
}

TEST_P(Simulated, HasNoRacesAndNoBadAccesses) {
  const auto& [variant, precision] = GetParam();
  // A shape that does not divide the grid; `published` and `textbook` have their own, a sweep goes by single layers.
  const Words shape = variant == "published" || variant == "textbook" ? Words{}
                      : variant == "resident-wavefront"   ? Words{"--vvl", "4"}  // the simulator has one unit
                      : variant == "overlapped-wavefront" ? Words{"--vvl", "4", "--groups", "3"}
                      : variant == "wavefront"            ? Words{"--work-group", "4x1"}
                                                          : Words{"--work-group", "9x3"};
  const Words depth = variant == "published" ? Words{"--depth", "3"} : Words{};
  const auto outcome = simulate(Words{"--variant", variant, "--precision", precision, "--check", "oracle"} + shape +
                                depth + write_problem(folder_, tiny()));
  if (variant == "persistent") {  // whose tiles must all be resident, and the simulator has one unit
    EXPECT_EQ(outcome.status, outcome.errors.empty() ? 0 : 3) << outcome.errors;
    return;
  }
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.output, "");
}

std::vector<std::pair<std::string, std::string>> simulated_cases() {
  std::vector<std::pair<std::string, std::string>> cases;
  if (!is_built("opencl")) return cases;
  for (const auto& variant : description_of("opencl", "lbm").variants)
    for (const auto& precision : variant.precisions) cases.emplace_back(variant.name, precision);
  return cases;
}

std::string name_of(const ::testing::TestParamInfo<std::pair<std::string, std::string>>& info) {
  std::string name = info.param.first + "_" + info.param.second;
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Opencl, Simulated, ::testing::ValuesIn(simulated_cases()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Simulated);

class SimulatedReductions : public Simulated {};

TEST_P(SimulatedReductions, HaveNoRaces) {
  for (const char* shape : {"4x3", "1x5", "16x1"}) {
    SCOPED_TRACE(shape);
    const auto outcome = simulate(Words{"--variant", GetParam().first, "--reduction", GetParam().second, "--work-group",
                                        shape, "--check", "oracle"} +
                                  write_problem(folder_, tiny()));
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.errors, "");
  }
}

/// The local-reduction step adds up twice in a kernel, in-place once.
INSTANTIATE_TEST_SUITE_P(Opencl, SimulatedReductions, ::testing::ValuesIn([] {
                           std::vector<std::pair<std::string, std::string>> cases;
                           for (const char* variant : {"local-reduction", "in-place"})
                             for (const char* way : {"linear", "tree", "halves", "hybrid2", "hybrid4", "hybrid8"})
                               cases.emplace_back(variant, way);
                           return cases;
                         }()),
                         name_of);

TEST_F(Simulated, SaysWhatAGridNeedsThatTheDeviceHasNoMemoryFor) {
  const auto outcome = simulate(write_problem(folder_, {"large", 3000, 3000, 1, [](int, int) { return false; }}));
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "too little memory")) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "MiB")) << outcome.errors;
}

}  // namespace
}  // namespace boltzmark::testing
