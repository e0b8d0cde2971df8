// Tier: all (as cuda_test.cpp)
// Libraries as peers on CUDA: that programs find, call and check them, on a device that is none (fake_cuda.cpp); and
// that CUB takes our sources, where nvcc is.
#include <gtest/gtest.h>

#include "common/base/error.hpp"
#include "common/device/array_program.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/nvcc.hpp"
#include "tests/fake_cuda.hpp"
#include "tests/h200.hpp"

namespace boltzmark::cuda {
extern const std::string_view cub_pi_source, cub_reduce_source, cub_scan_source, cub_segments_source;
}

namespace boltzmark::testing {
namespace {

class CudaPeers : public FakeCuda {
 protected:
  /// A compiler that ends with these commands.
  void install_nvcc(const std::string& commands) {
    write_text(folder_ / "nvcc",
               "#!/bin/sh\n[ \"$1\" = --version ] && echo 'tools, release 13.0, V13.0.88' && exit\n" + commands);
    fs::permissions(folder_ / "nvcc", fs::perms::owner_all);
  }
};

TEST_F(CudaPeers, MultiplyRowByRow) {
  install("libcublas.so");
  for (const char* precision : {"f32", "f64"})
    for (const char* size : {"3x5x2", "37x61x45"}) {
      const Outcome outcome =
          run("matmul", {size, "--variant", "cublas", "--precision", precision, "--json", folder_ / "records"});
      ASSERT_EQ(outcome.status, 0) << outcome.errors;
    }
  for (const Record& record : records_in(folder_ / "records")) {
    EXPECT_EQ(record.check.passed, true);
    EXPECT_EQ(record.role, "peer");
    EXPECT_EQ(record.settings.at("library"), "cuBLAS 1.2.3");
  }
}

/// The magnetic field's sums, whose modes our kernels make.
TEST_F(CudaPeers, AddUpModesAsProducts) {
  install("libcublas.so");
  for (const char* precision : {"f32", "f64"}) {
    const Outcome outcome =
        run("magnetic_field",
            {"9", "--variant", "cublas", "--alpha", "0.7", "--precision", precision, "--json", folder_ / "records"},
            {"BOLTZMARK_TEST_NVRTC=" BOLTZMARK_HOST_NVRTC});
    ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  }
  for (const Record& record : records_in(folder_ / "records")) {
    EXPECT_EQ(record.check.passed, true);
    EXPECT_EQ(record.role, "peer");
    EXPECT_EQ(record.settings.at("library"), "cuBLAS 1.2.3");
    EXPECT_EQ(record.settings.value("tensor_cores", ""), record.precision == "f64" ? "f64" : "");
  }
}

/// A and B are rounded, also with an odd number of entries, and the record names the format of the tensor cores.
TEST_F(CudaPeers, MultiplyInFormatsOfTensorCores) {
  install("libcublas.so");
  for (const char* format : {"tf32", "f16", "bf16"}) {
    const Outcome outcome =
        run("matmul", {"37x61x45", "--variant", "cublas", "--arithmetic", format, "--json", folder_ / format});
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    const Record record = records_in(folder_ / format).at(0);
    EXPECT_EQ(record.check.passed, true);
    EXPECT_EQ(record.settings.at("tensor_cores"), format);
  }
  for (const auto& [precision, format] : {std::pair("f32", ""), std::pair("f64", "f64")}) {
    ASSERT_EQ(
        run("matmul", {"9", "--variant", "cublas", "--precision", precision, "--json", folder_ / precision}).status, 0);
    EXPECT_EQ(records_in(folder_ / precision).at(0).settings.value("tensor_cores", ""), format);
  }
}

/// Here the toolkit's own library may be found, which has no device.
TEST_F(CudaPeers, AreMissedInOneLine) {
  expect_one_line(run("matmul", {"8", "--variant", "cublas"}), "cublas: ");
  expect_one_line(run("magnetic_field", {"8", "--variant", "cublas"}), "cublas: ");
  install_nvcc("echo 'nvcc fatal : no host compiler'; exit 1\n");
  for (const char* workload : {"reduce", "pi"}) expect_one_line(run(workload, {"8", "--variant", "cub"}), "cub: ");
  EXPECT_TRUE(has(run("reduce", {"8", "--variant", "cub"}).errors, "no host compiler"));
}

TEST_F(CudaPeers, AreCompiledOnceAndKept) {
  install_nvcc("while [ $# -gt 1 ]; do [ \"$1\" = -o ] && exec cp " BOLTZMARK_FAKE_CUDA " \"$2\"; shift; done\n");
  const std::string records = folder_ / "records";
  for (const char* workload : {"reduce", "scan", "pi"})
    for (int time = 0; time < 2; ++time) {
      const Words scans = workload == std::string("scan") ? Words{"BOLTZMARK_TEST_SCANS=1"} : Words{};
      const Outcome outcome = run(workload, {"10007", "--variant", "cub", "--json", records}, scans);
      ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    }
  int number = 0;
  for (const Record& record : records_in(records)) {
    EXPECT_EQ(record.check.passed, true);
    EXPECT_EQ(record.settings.at("library"), "CUB 3.0.1");
    EXPECT_EQ(record.settings.at("library_compiler"), "nvcc 13.0");
    EXPECT_EQ(record.settings.at("library_cache"), number++ % 2 ? "hit" : "miss");
  }
}

/// The call of the first warm-up, or of the timed run, before which sums have five more. The very first call is no run;
/// pi reloads its library before each, which counts its calls.
TEST_F(CudaPeers, AreWrongWhereACallIsLost) {
  install("libcublas.so");
  install_nvcc("while [ $# -gt 1 ]; do [ \"$1\" = -o ] && exec cp " BOLTZMARK_FAKE_CUDA " \"$2\"; shift; done\n");
  const auto status_without = [this](int call, const std::string& workload, const char* variant) {
    const Words scans = workload == "scan" ? Words{"BOLTZMARK_TEST_SCANS=1"} : Words{};
    return run(workload, {"64", "--variant", variant}, Words{fmt::format("BOLTZMARK_TEST_LOSE={} 1", call)} + scans)
        .status;
  };
  for (const auto& [workload, timed] :
       std::map<std::string, int>{{"matmul", 7}, {"reduce", 7}, {"scan", 7}, {"pi", 1}}) {
    const char* const variant = workload == "matmul" ? "cublas" : "cub";
    EXPECT_EQ(status_without(timed + 1, workload, variant), 0) << workload;
    for (const int call : {1, timed}) EXPECT_EQ(status_without(call, workload, variant), 1) << workload << call;
  }
}

TEST_F(CudaPeers, RefuseOptionsOfKernels) {
  for (const char* workload : {"matmul", "reduce", "scan", "pi"}) {
    const std::string variant = workload == std::string("matmul") ? "cublas" : "cub";
    const Outcome outcome = run(workload, {"8", "--variant", variant, "--nvrtc-options", "-G"});
    EXPECT_EQ(outcome.status, 2) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, "--nvrtc-options: " + variant)) << outcome.errors;
  }
}

/// A session that replaces another has enough memory, although the old session's is released only then.
TEST_F(CudaPeers, KeepMemoryOfTheNextSession) {
  const Outcome outcome =
      run_command({"env", "LD_LIBRARY_PATH=" + folder_.path.string(), fs::read_symlink("/proc/self/exe").string(),
                   "--gtest_also_run_disabled_tests", "--gtest_filter=CudaMemory.*"});
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "[  PASSED  ] 1 test.")) << outcome.output;
}
/// Run by the one above, with the device that is none.
TEST(CudaMemory, DISABLED_OfTwoContexts) {
  device::Buffer buffer;
  for (const unsigned number : {7u, 8u}) {
    const device::Context context = cuda::api().open({});
    const device::Queue queue = context->queue();
    buffer = context->allocate(sizeof number);
    unsigned read = 0;
    queue->write(buffer, 0, sizeof number, &number);
    queue->read(buffer, 0, sizeof read, &read);
    EXPECT_EQ(read, number);
  }
}

/// Needs no device: the compiled code is loaded, and not called.
TEST(Cub, IsCompiledWhereNvccIs) {
  struct Source {
    std::string_view text;
    const char *op, *type;
    std::int64_t count;
  };
  for (const Source& source :
       {Source{cuda::cub_reduce_source, "-D OP_XOR", "unsigned long long", 1},
        Source{cuda::cub_pi_source, "", "float", 1}, Source{cuda::cub_scan_source, "", "float", std::int64_t{1} << 32},
        Source{cuda::cub_segments_source, "-D BOLTZMARK_LENGTH=33", "double", 1}})
    try {
      const cuda::NvccLibrary library(
          "cub", source.text, fmt::format("{} {}", source.op, device::library_defines(source.type, source.count)),
          h200(), false);
      EXPECT_EQ(library.cache_use(), "off");
      EXPECT_GE(library.function<int()>("version")(), 100000);
    } catch (const Error& error) {
      if (has(error.what(), "found none")) GTEST_SKIP() << error.what();
      ADD_FAILURE() << error.what();
    }
}

}  // namespace
}  // namespace boltzmark::testing
