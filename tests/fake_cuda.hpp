// How tests begin that run programs of CUDA, or of HIP, on a device that is none (fake_cuda.cpp).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "programs.hpp"

namespace boltzmark::testing {

namespace fs = std::filesystem;

class FakeCuda : public ::testing::Test {
 protected:
  explicit FakeCuda(std::string model = "cuda", const Words& libraries = {"libcuda.so.1", "libnvrtc.so"})
      : model_(std::move(model)) {
    for (const std::string& name : libraries) install(name.c_str());
  }
  void install(const char* name) { fs::create_symlink(BOLTZMARK_FAKE_CUDA, folder_.path / name); }
  Outcome run(const std::string& workload, const Words& words, const Words& environment = {}) const {
    const std::string here = folder_.path.string();
    return run_command(
        Words{"env", "LD_LIBRARY_PATH=" + here, "XDG_CACHE_HOME=" + here, "PATH=" + here + ":/usr/bin:/bin"} +
        environment + Words{program_of(model_, workload), "--repeat", "1", "--no-tuned"} + words);
  }
  void expect_one_line(const Outcome& outcome, const std::string& begin) const {
    EXPECT_EQ(outcome.status, 3) << outcome.output << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, "error: " + begin)) << outcome.errors;
  }

  std::string model_;
  TemporaryFolder folder_;
};

}  // namespace boltzmark::testing
