// Tier: all (an optional model)
// What only OpenACC has: the processor where there is no GPU, and then a line that says so.
#include "every_model.hpp"

namespace boltzmark::testing {
namespace {

class OpenAcc : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_built("openacc", "stream")) GTEST_SKIP() << "no stream-openacc";
    const auto devices = run_model("openacc", {"--list-devices"}, 0, "stream").output;
    if (count_of(devices, "\n") > 1) GTEST_SKIP() << "it has a GPU: " << devices;
  }
  const Words size_ = {"1003", "--repeat", "2"};
};

TEST_F(OpenAcc, SaysThatItRunsOnTheProcessor) {
  const auto unasked = run_model("openacc", size_, 0, "stream");
  EXPECT_EQ(unasked.status, 0);
  EXPECT_TRUE(has(unasked.errors, "one thread of the processor")) << unasked.errors;
  EXPECT_EQ(count_of(unasked.errors, "\n"), 1) << unasked.errors;
  const auto asked = run_model("openacc", size_ + Words{"--device", "cpu"}, 0, "stream");
  EXPECT_EQ(asked.status, 0);
  EXPECT_EQ(asked.errors, "");
}

TEST_F(OpenAcc, DoesNotFallBackFromAGpuThatWasAskedFor) {
  expect_refused("stream", "openacc", size_ + Words{"--device", "gpu"}, {"expected a GPU"}, 0, 3);
  setenv("ACC_DEVICE_TYPE", "nvidia", 1);
  expect_refused("stream", "openacc", size_, {"expected a GPU"}, 0, 3);
  unsetenv("ACC_DEVICE_TYPE");
  expect_refused("stream", "openacc", size_ + Words{"--device", "7"}, {"from 0 to 0"});
}

}  // namespace
}  // namespace boltzmark::testing
