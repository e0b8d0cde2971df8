// Tier: all (as cuda_test.cpp)
// The model HIP without a GPU: on a driver that is none (fake_cuda.cpp, fake_hip.cpp) its programs run kernels on the
// host, with wavefronts of either size; and what they hand to hiprtc is HIP C++ for clang.
#include <algorithm>

#include "common/base/text.hpp"
#include "tests/fake_cuda.hpp"

namespace boltzmark::testing {
namespace {

const Words by_host = {"BOLTZMARK_TEST_NVRTC=" BOLTZMARK_HOST_NVRTC};

class Hip : public FakeCuda {
 protected:
  Hip() : FakeCuda("hip", {"libamdhip64.so", "libhiprtc.so"}) {}
};

/// What is left of sums of a wavefront's lanes where the last one is not whole, and of marches from one to the next.
TEST_F(Hip, IsRightWithWavefrontsOfEitherSize) {
  write_text(folder_ / "flat.params", "13\n11\n6\n10\n0.1\n0.005\n1.7\n");
  const Words flat = {"--no-output", "--check", "oracle", folder_ / "flat.params", "none"};
  struct Case {
    std::string workload;
    Words words;
    Words wavefronts = {"64"};
  };
  const Words both = {"64", "32"};
  for (const auto& [workload, words, wavefronts] :
       {Case{"reduce", {"10007"}, both},
        {"reduce", {"10007", "--operator", "min", "--precision", "f64"}},
        {"reduce", {"1003", "--variant", "naive-fewest-barriers"}},
        {"scan", {"10007"}},
        {"lbm", Words{"--variant", "two-grid", "--work-group", "20x4"} + flat, both},
        {"lbm", Words{"--variant", "two-grid", "--storage", "f16", "--launches", "single"} + flat}})
    for (const std::string& wavefront : wavefronts) {
      const Outcome outcome = run(workload, words + Words{"--json", folder_ / "records"},
                                  by_host + Words{"BOLTZMARK_TEST_WAVEFRONT=" + wavefront});
      ASSERT_EQ(outcome.status, 0) << workload << " " << wavefront << outcome.errors;
      const Record record = records_in(folder_ / "records").back();
      EXPECT_EQ(record.check.passed, true) << workload << " " << wavefront;
      EXPECT_EQ(record.model, "hip");
      EXPECT_EQ(record.driver, "HIP 0.0, hiprtc 13.0");
    }
}

/// Every variant as its program builds it. The compiler makes nothing here, so that each ends where kernels are loaded.
TEST_F(Hip, HandsHipToItsCompiler) {
  const std::string clang = BOLTZMARK_CUDA_CLANG;
  if (clang.empty() || !has(run_command({clang, "--print-targets"}).output, "amdgcn"))
    GTEST_SKIP() << "no clang++ with AMD's GPUs (clang-16)";
  write_text(folder_ / "flat.params", "64\n48\n6\n10\n0.1\n0.005\n1.7\n");
  const std::map<std::string, Words> usual = {{"lbm", {"--no-output", folder_ / "flat.params", "none"}},
                                              {"nbody", {"8"}}};
  const std::map<std::string, Words> own = {{"binary_fluid fused", {"--case", "spinodal"}},
                                            {"galton uniform", {"--precision", "f64"}},
                                            {"pi points", {"--method", "monte-carlo"}}};
  const Words refused = {"axes ranges", "matmul tensor", "scan items", "scan run-ahead"};
  const auto in = [](const auto& words, const std::string& name) {
    const auto found = words.find(name);
    return found == words.end() ? Words{} : found->second;
  };
  for (const auto& program : built_programs())
    if (program.model == "hip")
      for (const auto& variant : description_of("hip", program.workload).variants) {
        const std::string name = program.workload + " " + variant.name;
        const Outcome outcome =
            run(program.workload, Words{"--variant", variant.name} + in(own, name) + in(usual, program.workload),
                by_host + Words{"HIP_CLANG=" + clang});
        expect_one_line(outcome, contains(refused, name)
                                     ? variant.name + ": expected a"
                                     : "cannot load the HIP kernels: hipErrorOfTest from hipModuleLoadDataEx");
      }
}

TEST_F(Hip, SaysWhatIsMissing) {
  fs::remove(folder_.path / "libamdhip64.so");
  if (cannot_run_here("hip").empty()) GTEST_SKIP() << "a HIP device is here";
  expect_one_line(run("stream", {"8"}, {"ROCM_PATH=" + folder_.path.string()}), "no HIP ");
}

TEST_F(Hip, ListsItsDeviceAsItIs) {
  const Outcome outcome = run("stream", {"--list-devices"});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(outcome.output, "sub-groups of 64")) << outcome.output;
  EXPECT_EQ(run("stream", {"8", "--hiprtc-options", "-DNO_KERNEL"}, by_host).status, 0);
}

}  // namespace
}  // namespace boltzmark::testing
