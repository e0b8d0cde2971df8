// Tier: all (an optional model)
// What only Thrust has: a system, which the record names, its threads, and sources that are CUDA too.
#include <regex>

#include "cuda/runtime/nvcc.hpp"
#include "every_model.hpp"

namespace boltzmark::testing {
namespace {

const std::string source_folder = BOLTZMARK_SOURCE_DIR;

/// The record of a run on so many threads, or as many as the system says (0).
Record record_of(const std::string& workload, const Words& words, int threads = 0) {
  const TemporaryFolder folder;
  const Words on_threads = threads ? Words{"--threads", std::to_string(threads)} : Words{};
  const auto outcome = run_model("thrust", words + on_threads + Words{"--json", folder / "record"}, 0, workload);
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  return records_in(folder / "record").at(0);
}

TEST(Thrust, NamesItsVersionAndSystem) {
  if (!is_built("thrust", "stream")) GTEST_SKIP() << "no stream-thrust";
  EXPECT_TRUE(std::regex_match(record_of("stream", {"1003", "--repeat", "2"}).driver,
                               std::regex(R"(Thrust \d+\.\d+\.\d+, (OpenMP|TBB|C\+\+|CUDA))")));
}

TEST(Thrust, AddsUpTheSameOnAnyNumberOfThreads) {
  if (!is_built("thrust", "heat")) GTEST_SKIP() << "no heat-thrust";
  const auto of_plate = [](int threads) {
    return record_of("heat", {"37x53", "--start", "noise", "--steps", "11", "--repeat", "1"}, threads);
  };
  if (of_plate(0).driver.find(", OpenMP") == std::string::npos) GTEST_SKIP() << "no --threads";
  const Record alone = of_plate(1);
  EXPECT_EQ(alone.threads, 1);
  for (const int threads : {2, 5}) {
    const Record record = of_plate(threads);
    EXPECT_EQ(record.threads, threads);
    EXPECT_EQ(record.case_.facts.at("last_delta"), alone.case_.facts.at("last_delta"));
  }
}

/// As thrust/CMakeLists.txt has them compiled: the one that is compiled soonest.
TEST(ThrustSources, AreCudaForNvcc) {
  const fs::path nvcc = cuda::find_nvcc();
  if (nvcc.empty()) GTEST_SKIP() << "no nvcc";
  const TemporaryFolder folder;
  const auto outcome =
      run_command({nvcc.string(), "-x", "cu", "-std=c++20", "-arch=sm_90", "-ptx", "-Werror", "all-warnings",
                   "--expt-relaxed-constexpr", "--extended-lambda", "--diag-suppress=20014", "-DFMT_USE_CONSTEXPR=1",
                   "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CUDA", "-I", source_folder, "-o",
                   folder / "kernels.ptx", source_folder + "/thrust/scan/main.cpp"});
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
}

}  // namespace
}  // namespace boltzmark::testing
