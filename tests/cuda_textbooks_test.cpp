// Tier: all (as cuda_test.cpp)
// The textbooks of CUDA, cuda/*/textbook.cu: that they are right, on a host that stands in for the device (host_cuda/);
// that they are CUDA, for nvcc and for clang's CUDA front end; and what they say where something fails.
#include "cuda/runtime/nvcc.hpp"
#include "tests/fake_cuda.hpp"

namespace boltzmark::testing {
namespace {

const std::string source_folder = BOLTZMARK_SOURCE_DIR;

class CudaTextbooks : public FakeCuda {
 protected:
  void install_host_nvcc() {
    fs::create_symlink(fs::path(BOLTZMARK_HOST_NVRTC).replace_filename("nvcc"), folder_ / "nvcc");
  }
  void expect_right(const std::string& workload, const std::vector<Words>& cases) const {
    const std::string records = folder_ / "records";
    for (const Words& words : cases) {
      const Outcome outcome = run(workload, Words{"--variant", "textbook", "--json", records} + words);
      EXPECT_EQ(outcome.status, 0) << ::testing::PrintToString(words) << outcome.output << outcome.errors;
    }
    const auto made = records_in(records);
    EXPECT_EQ(made.size(), cases.size());
    for (const Record& record : made) {
      EXPECT_EQ(record.check.passed, true);
      EXPECT_EQ(record.role, "textbook");
    }
  }
};

TEST_F(CudaTextbooks, OfLatticeBoltzmannIsRight) {
  install_host_nvcc();
  write_text(folder_ / "flat.params", "13\n11\n20\n10\n0.1\n0.005\n1.7\n");
  write_text(folder_ / "flat.dat", "3 4 1\n5 5 1\n0 9 1\n12 10 1\n");
  write_text(folder_ / "cube.params", "13\n9\n7\n12\n10\n0.1\n0.005\n1.7\n");
  write_text(folder_ / "cube.dat", "3 4 2 1\n5 5 1 1\n6 8 1 1 0.05\n7 8 1 1 -0.03\n");
  write_text(folder_ / "vortex.params", "70\n6\n2\n6\n10\n0.1\n0\n1.7\nstart taylor-green 0.02\n");
  const Words flat = {"--no-output", "--check", "oracle", folder_ / "flat.params", folder_ / "flat.dat"};
  const Words cube = {"--no-output", "--check", "oracle", folder_ / "cube.params", folder_ / "cube.dat"};
  const Words vortex = {"--no-output", "--check", "oracle", folder_ / "vortex.params", "none"};
  expect_right("lbm", {flat, cube, vortex, Words{"--precision", "f64"} + flat, Words{"--precision", "f64"} + cube});
}

TEST_F(CudaTextbooks, OfOtherWorkloadsAreRight) {
  install_host_nvcc();
  const Words wide = {"--precision", "f64"};
  for (const auto& [workload, cases] : std::map<std::string, std::vector<Words>>{
           {"stream", {{"1003"}, Words{"1003"} + wide}},
           {"reduce", {{"10007"}, {"513", "--operator", "min"}, Words{"777", "--operator", "xor"} + wide}},
           {"matmul", {{"37x61x45"}, Words{"3x35x2"} + wide}},
           {"heat", {{"70x9", "--start", "noise"}, Words{"31x13"} + wide}}}) {
    expect_right(workload, cases);
    fs::remove(folder_ / "records");
  }
}

/// Launches of the first warm-up, of matmul one and of reduce two, then those from the second run on: that is the timed
/// one where the first took long, or one of five more warm-ups. Of heat one of the last ones.
TEST_F(CudaTextbooks, AreWrongWhereALaunchIsLost) {
  install_host_nvcc();
  const std::map<std::string, std::pair<Words, Words>> cases = {
      {"matmul", {{"9x7x5"}, {"0 1", "1 999"}}},
      {"reduce", {{"777"}, {"0 1", "1 1", "2 999", "3 999"}}},
      {"heat", {{"9x7", "--start", "noise", "--steps", "5"}, {"0 999", "8 1"}}},
      {"stream", {{"1003"}, {"2 1", "7 1", "9 1"}}}};
  for (const auto& [workload, of_workload] : cases)
    for (const std::string& lost : of_workload.second) {
      const Outcome outcome =
          run(workload, Words{"--variant", "textbook"} + of_workload.first, {"BOLTZMARK_TEST_LOSE=" + lost});
      EXPECT_EQ(outcome.status, 1) << workload << " " << lost << outcome.output << outcome.errors;
    }
}

/// Without nvcc here it is that; else the toolkit's own is found, whose library has no device.
TEST_F(CudaTextbooks, SayInOneLineWhatIsMissing) {
  expect_one_line(run("stream", {"8", "--variant", "textbook"}), "textbook: ");
  install_host_nvcc();
  expect_one_line(run("stream", {"8", "--variant", "textbook"}, {"BOLTZMARK_TEST_NO_MEMORY=1"}),
                  "textbook: cudaMalloc(&a, n * sizeof(REAL)): out of memory\n");
  const Outcome outcome = run("stream", {"8", "--variant", "textbook", "--nvrtc-options", "-G"});
  EXPECT_EQ(outcome.status, 2) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "--nvrtc-options: textbook")) << outcome.errors;
}

/// A textbook and what the host defines for it.
struct Source {
  const char* workload;
  Words defines;
};
const std::vector<Source> sources = {{"lbm", {"-DREAL=float"}},
                                     {"lbm", {"-DREAL=double", "-DLATTICE_D3Q19"}},
                                     {"stream", {"-DREAL=float"}},
                                     {"heat", {"-DREAL=double"}},
                                     {"matmul", {"-DREAL=float"}},
                                     {"reduce", {"-DREAL=float", "-DVALUE=float", "-DOP_MAX"}},
                                     {"reduce", {"-DREAL=double", "-DVALUE=uint64_t", "-DOP_AND"}}};
Words rest_of_command(const Source& source) {
  return Words{"-I", source_folder} + source.defines +
         Words{source_folder + "/cuda/" + source.workload + "/textbook.cu"};
}

TEST(CudaTextbookSources, AreCudaForNvcc) {
  const fs::path nvcc = cuda::find_nvcc();
  if (nvcc.empty()) GTEST_SKIP() << "no nvcc";
  const TemporaryFolder folder;
  for (const Source& source : sources) {
    const Outcome outcome =
        run_command(Words{nvcc.string(), "-std=c++17", "-arch=sm_90", "-c", "-Werror", "all-warnings", "-Xcompiler",
                          "-Wall,-Wextra", "-o", folder / "textbook.o"} +
                    rest_of_command(source));
    EXPECT_EQ(outcome.status, 0) << source.workload << outcome.output << outcome.errors;
  }
}

/// Syntax alone, for the host and for the device: no header of CUDA's is needed.
TEST(CudaTextbookSources, AreCudaForClang) {
  const std::string clang = BOLTZMARK_CUDA_CLANG;
  if (clang.empty()) GTEST_SKIP() << "no clang++ with a CUDA front end (clang-16)";
  for (const Source& source : sources)
    for (const char* side : {"--cuda-host-only", "--cuda-device-only"}) {
      const Outcome outcome =
          run_command(Words{clang, "-x", "cuda", side, "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80",
                            "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-cuda-version",
                            "-I", source_folder + "/tests/host_cuda"} +
                      rest_of_command(source));
      EXPECT_EQ(outcome.status, 0) << source.workload << outcome.errors;
    }
}

}  // namespace
}  // namespace boltzmark::testing
