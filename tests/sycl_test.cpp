// The programs of sycl/ on a stand-in for SYCL (host_sycl/), as a processor and as a GPU: that they are right where
// nothing is a multiple of anything, and that the check sees where they are not.
#include <gtest/gtest.h>

#include "common/base/text.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

class Sycl : public ::testing::Test {
 protected:
  Sycl() {
    write_text(folder_ / "flat.params", "37\n11\n21\n10\n0.1\n0.005\n1.7\n");
    write_text(folder_ / "flat.dat", "3 4 1\n5 5 1\n0 9 1\n36 10 1\n");
    write_text(folder_ / "cube.params", "37\n9\n5\n12\n10\n0.1\n0.005\n1.7\n");
    write_text(folder_ / "cube.dat", "3 4 2 1\n5 5 1 1\n6 8 1 1 0.05\n7 8 1 1 -0.03\n");
  }
  Words case_of(const std::string& name) const {
    return {"--no-output", "--check", "reference", folder_ / (name + ".params"), folder_ / (name + ".dat")};
  }
  Outcome run(const std::string& workload, const Words& words, const Words& environment = {}) const {
    return run_command(Words{"env"} + environment + Words{BOLTZMARK_HOST_SYCL "/" + workload + "-sycl"} + words);
  }

  TemporaryFolder folder_;
};

TEST_F(Sycl, IsRightInEveryVariantOnBothDevices) {
  const std::map<std::string, std::vector<Words>> cases = {{"stream", {{"1003"}}},
                                                           {"reduce", {{"10007"}, {"513", "--operator", "min"}}},
                                                           {"scan", {{"140007"}, {"1"}}},
                                                           {"heat", {{"70x9", "--start", "noise"}, {"31x29"}}},
                                                           {"matmul", {{"137x61x45"}, {"3x35x2"}}},
                                                           {"lbm", {case_of("flat"), case_of("cube")}}};
  for (const auto& [workload, of_workload] : cases) {
    const std::string records = folder_ / workload;
    std::size_t runs = 0;
    for (const std::string& line : split(run(workload, {"--list-variants"}).output, '\n'))
      for (const char* device : {"cpu", "gpu"})
        for (const char* precision : {"f32", "f64"})
          for (const Words& words : of_workload) {
            const std::string variant = line.substr(0, line.find('\t'));
            if (variant.empty()) continue;
            const Outcome outcome = run(workload, Words{"--repeat", "1", "--no-tuned", "--variant", variant, "--device",
                                                        device, "--precision", precision, "--json", records} +
                                                      words);
            EXPECT_EQ(outcome.status, 0) << ::testing::PrintToString(words) << outcome.output << outcome.errors;
            ++runs;
          }
    const std::vector<Record> made = records_in(records);
    EXPECT_EQ(made.size(), runs);
    EXPECT_GE(runs, 4 * of_workload.size());
    for (const Record& record : made) EXPECT_EQ(record.check.passed, true) << workload << " " << record.variant;
  }
}

}  // namespace
}  // namespace boltzmark::testing
