// Tier: all (minutes in a simulator)
// Kernels of the OpenCL model under oclgrind, a simulator that finds races and bad accesses.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

#include "programs.hpp"

namespace boltzmark::testing {
namespace {

class Simulator : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_built("opencl")) GTEST_SKIP() << "the OpenCL model is not built";
    if (run_command({"oclgrind", "--version"}).status != 0) GTEST_SKIP() << "oclgrind is not installed";
  }

  /// -Drestrict=: oclgrind 21.10 stops at the intrinsic that pointers with `restrict` become. -O2 takes it less time,
  /// but counts what it has not unrolled as warnings. Races are looked for in lattice Boltzmann alone: groups of other
  /// workloads publish results by flags, which oclgrind takes for races.
  static Outcome simulate(const Words& arguments, const std::string& workload = usual_workload) {
    static const std::regex warnings("[0-9]+ warnings? generated\\.\n");
    const Words output = workload == usual_workload ? Words{"--no-output"} : Words{};
    const Words races = workload == usual_workload ? Words{"--data-races"} : Words{};
    auto outcome =
        run_model("opencl", Words{"--quiet", "--no-kernel-cache", "--no-tuned"} + output + arguments, 0, workload,
                  Words{"oclgrind", "--build-options", "-O2 -w -Drestrict=", "--max-errors", "10"} + races);
    outcome.errors = std::regex_replace(outcome.errors, warnings, "");
    return outcome;
  }

  TemporaryFolder folder_;
  const OneProcess one_process_;
};

/// Variants of lattice Boltzmann, in both precisions.
class Simulated : public Simulator, public ::testing::WithParamInterface<std::pair<std::string, std::string>> {};

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

std::string plain_name(std::string name) {
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}
std::string name_of(const ::testing::TestParamInfo<std::pair<std::string, std::string>>& info) {
  return plain_name(info.param.first + "_" + info.param.second);
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

/// A variant of any workload, on a problem that is small and has odd ends.
struct Extreme {
  std::string workload;
  VariantDescription variant;
  Words problem;
};
void PrintTo(const Extreme& e, std::ostream* out) { *out << e.workload << ' ' << e.variant.name; }

const std::vector<std::pair<std::string, Words>> odd_problems = {
    {"axes", {"5"}},
    {"binary-fluid", {"5x4x3", "--case", "KIND", "--steps", "2"}},
    {"galton", {"37x5"}},
    {"heat", {"7x5", "--steps", "5"}},
    {"lbm-cylinder", {"12x37", "--steps", "3"}},
    {"magnetic-field", {"5"}},
    {"matmul", {"13x7x9"}},
    {"nbody", {"13", "--steps", "2"}},
    {"pi", {"333", "--method", "KIND"}},
    {"reduce", {"37"}},
    {"scan", {"137"}},
    {"segments", {"3", "37"}},
    {"segments", {"100", "701"}},
    {"shallow-water", {"7x9", "--steps", "3"}},
    {"stream", {"101"}},
    {"xray", {"5x5"}},
};

std::vector<Extreme> extremes() {
  std::vector<Extreme> all;
  for (const auto& variant : description_of("opencl", usual_workload).variants)
    for (const Words& depth : {Words{}, Words{"--depth", "3"}})
      if (depth.empty() || !variant.kinds.empty()) all.push_back({usual_workload, variant, depth});
  for (const auto& [workload, problem] : odd_problems)
    for (const auto& variant : description_of("opencl", workload).variants) {
      Words words = problem;
      if (variant.role == "peer") continue;  // a library's kernels
      for (auto& word : words)
        if (word == "KIND") word = variant.kinds.front();
      all.push_back({workload, variant, words});
    }
  return all;
}

/// The two ends of what an option can be, as words of the command line.
std::array<Words, 2> ends_of(const OptionDescription& option) {
  const std::string name = "--" + option.name;
  if (option.is_flag) return {Words{}, Words{name}};
  if (option.is_shape) return {Words{name, "1x1"}, Words{name, "16x1"}};
  if (option.range)
    return {Words{name, std::to_string(option.range->first)}, Words{name, std::to_string(option.range->second)}};
  const auto& values = option.choices.empty() ? option.worth_trying : option.choices;
  return {Words{name, values.front()}, Words{name, values.back()}};
}

/// All options at one end, and each number or shape against the others: one sizes a buffer, another one fills it.
std::vector<Words> ways_of(const VariantDescription& variant) {
  std::vector<Words> ways = {{}};
  const auto& options = variant.options;
  for (const std::size_t end : {0, 1})
    for (std::size_t other = 0; other <= options.size(); ++other) {
      if (other < options.size() && (options[other].is_flag || !options[other].choices.empty())) continue;
      Words way;
      for (std::size_t i = 0; i < options.size(); ++i) way = way + ends_of(options[i])[i == other ? 1 - end : end];
      if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(way);
    }
  return ways;
}

class SimulatedExtremes : public Simulator, public ::testing::WithParamInterface<Extreme> {};

TEST_P(SimulatedExtremes, StayInsideTheirBuffers) {
  const auto& [workload, variant, problem] = GetParam();
  const Words words = Words{"--variant", variant.name, "--check", "oracle"} + problem +
                      (workload == usual_workload ? write_problem(folder_, tiny()) : Words{"--repeat", "1"});
  bool has_run = false, is_not_for_this_device = false;
  for (const Words& way : ways_of(variant)) {
    const auto outcome = simulate(words + Words{"--precision", variant.precisions.front()} + way, workload);
    SCOPED_TRACE(shell_line(way));
    has_run = has_run || outcome.status == 0;
    if (way.empty()) is_not_for_this_device = outcome.status == 3;
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 2 || outcome.status == 3) << outcome.status;
    EXPECT_EQ(count_of(outcome.errors, "\n"), outcome.status == 0 ? 0 : 1) << outcome.errors;
  }
  if (is_not_for_this_device) GTEST_SKIP() << variant.name << " is not for oclgrind's device";
  EXPECT_TRUE(has_run);
}

INSTANTIATE_TEST_SUITE_P(Opencl, SimulatedExtremes, ::testing::ValuesIn(extremes()), [](const auto& one) {
  const Extreme& e = one.param;
  return plain_name(e.workload + "_" + e.variant.name + "_" + std::to_string(one.index));
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SimulatedExtremes);

TEST_F(Simulator, SaysWhatAGridNeedsThatTheDeviceHasNoMemoryFor) {
  const auto outcome = simulate(write_problem(folder_, {"large", 3000, 3000, 1, [](int, int) { return false; }}));
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "too little memory")) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "MiB")) << outcome.errors;
}

}  // namespace
}  // namespace boltzmark::testing
