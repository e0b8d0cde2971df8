// How tests of the OpenCL model begin.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "programs.hpp"

namespace boltzmark::testing {

class OpenclTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_built("opencl") || !cannot_run_here("opencl").empty()) GTEST_SKIP() << "no OpenCL device here";
  }

  /// Runs the odd grid, in a variant that builds quickly if none is named.
  Outcome run(const Words& options) {
    const bool names_variant = std::find(options.begin(), options.end(), "--variant") != options.end();
    return run_model("opencl",
                     Words{"--no-output"} + (names_variant ? Words{} : Words{"--variant", "initial"}) + options +
                         write_problem(folder_, grid("odd")),
                     0, usual_workload, environment_);
  }

  /// The settings in the record of a run that must be right.
  nlohmann::json settings_of(const Words& options) {
    const std::string json = folder_ / "record";
    std::filesystem::remove(json);
    const auto outcome = run(Words{"--check", "oracle", "--json", json} + options);
    EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    return outcome.status == 0 ? nlohmann::json::parse(read_text(json))["settings"] : nlohmann::json();
  }

  void expect_refused(const Words& options, const Words& parts, int status = 2) {
    const auto outcome = run(options);
    EXPECT_EQ(outcome.status, status) << outcome.output << outcome.errors;
    for (const auto& part : parts) EXPECT_TRUE(has(outcome.errors, part)) << part << " in " << outcome.errors;
  }

  TemporaryFolder folder_;
  Words environment_ = {};  ///< of the runs, behind "env"
};

}  // namespace boltzmark::testing
