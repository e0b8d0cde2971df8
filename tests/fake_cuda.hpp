// How tests begin that run programs of CUDA on a device that is none (fake_cuda.cpp).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "programs.hpp"

namespace boltzmark::testing {

namespace fs = std::filesystem;

class FakeCuda : public ::testing::Test {
 protected:
  FakeCuda() {
    for (const char* name : {"libcuda.so.1", "libnvrtc.so"}) install(name);
  }
  void install(const char* name) { fs::create_symlink(BOLTZMARK_FAKE_CUDA, folder_.path / name); }
  Outcome run(const std::string& workload, const Words& words, const Words& environment = {}) const {
    const std::string here = folder_.path.string();
    return run_command(
        Words{"env", "LD_LIBRARY_PATH=" + here, "XDG_CACHE_HOME=" + here, "PATH=" + here + ":/usr/bin:/bin"} +
        environment + Words{program_of("cuda", workload), "--repeat", "1", "--no-tuned"} + words);
  }
  void expect_one_line(const Outcome& outcome, const std::string& begin) const {
    EXPECT_EQ(outcome.status, 3) << outcome.output << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, "error: " + begin)) << outcome.errors;
  }

  TemporaryFolder folder_;
};

}  // namespace boltzmark::testing
