// How the tests of a workload in every model begin: the models that are built, each in both precisions, and ways of
// running them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/base/text.hpp"
#include "programs.hpp"

namespace boltzmark::testing {

struct ModelCase {
  std::string model, precision;
  bool launcher = false;
};
inline void PrintTo(const ModelCase& c, std::ostream* out) { *out << c.model << ' ' << c.precision; }

/// Without asking the programs: every test begins by listing all.
inline std::vector<ModelCase> model_cases(const std::string& workload) {
  std::vector<ModelCase> cases;
  for (const auto& program : built_programs(workload))
    for (const char* precision : {"f32", "f64"}) cases.push_back({program.model, precision, program.launcher});
  return cases;
}
inline std::string case_name(const ::testing::TestParamInfo<ModelCase>& one) {
  return one.param.model + "_" + one.param.precision;
}

/// One way of running a model.
struct Way {
  Words options = {};
  int ranks = 0;  ///< 0: without a launcher
};

class EveryModel : public ::testing::TestWithParam<ModelCase> {
 protected:
  explicit EveryModel(std::string workload) : workload_(std::move(workload)) {}
  void SetUp() override { can_ = description_of(GetParam().model, workload_); }

  /// As it is, and over so many ranks where it has ranks.
  static std::vector<Way> ways_of_ranks(const std::vector<int>& numbers) {
    std::vector<Way> ways = {{}};
    if (GetParam().launcher)
      for (const int ranks : numbers) ways.push_back({.ranks = ranks});
    return ways;
  }
  static bool as_by_default(const Way& way) { return way.options.empty() && GetParam().precision == "f32"; }
  Outcome run(const Way& way, const Words& words) const {
    const ModelCase& c = GetParam();
    return run_model(c.model, Words{"--precision", c.precision} + way.options + words, way.ranks, workload_);
  }

  std::string workload_;
  ProgramDescription can_;

 private:
  const OneProcess one_process_;
};

/// One line and nothing done.
inline void expect_refused(const std::string& workload, const std::string& model, const Words& options,
                           const Words& parts, int ranks = 0, int status = 2) {
  const auto outcome = run_model(model, options, ranks, workload);
  EXPECT_EQ(outcome.status, status) << outcome.output << outcome.errors;
  EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
  EXPECT_EQ(outcome.output, "");
  for (const auto& part : parts) EXPECT_TRUE(has(outcome.errors, part)) << part << " in " << outcome.errors;
}

}  // namespace boltzmark::testing
