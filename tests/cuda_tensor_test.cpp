// Tier: all (as cuda_test.cpp) Tensor cores on a host that stands in for the device (fake_cuda.cpp,
// host_cuda/tensor.h): every lane has the right words of A, B and C, for any shapes; rounding is to nearest; unsuitable
// devices and options are refused.
#include <array>

#include "common/base/text.hpp"
#include "common/matmul/device/device_multiplier.hpp"
#include "tests/fake_cuda.hpp"

namespace boltzmark::testing {
namespace {

class CudaTensor : public FakeCuda {
 protected:
  /// Local memory is an H200's.
  Outcome run_on_host(const Words& words, const std::string& capability = "9",
                      const std::string& variant = "tensor") const {
    return run("matmul", (variant.empty() ? Words{} : Words{"--variant", variant}) + words,
               {"BOLTZMARK_TEST_NVRTC=" BOLTZMARK_HOST_NVRTC, "BOLTZMARK_TEST_UNIT_LOCAL=233472",
                "BOLTZMARK_TEST_CAPABILITY=" + capability});
  }
  /// Several blocks of C, and more blocks of depth than stages.
  void expect_right(const Words& words, const std::string& format, const std::string& variant = "tensor") const {
    const Outcome outcome = run_on_host(Words{"257x140x301", "--json", folder_ / "records"} + words, "9", variant);
    ASSERT_EQ(outcome.status, 0) << join(words, " ") << outcome.errors;
    const Record record = records_in(folder_ / "records").back();
    EXPECT_EQ(record.check.passed, true) << join(words, " ");
    EXPECT_EQ(record.settings.at("tensor_cores"), format);
  }
  void expect_refused(const Outcome& outcome, int status, const std::string& line) const {
    EXPECT_EQ(outcome.status, status) << outcome.output << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, line)) << outcome.errors;
  }
};

TEST_F(CudaTensor, MultipliesDoublesByEveryInstruction) {
  for (const char* depth : {"4", "8", "16"})
    expect_right({"--precision", "f64", "--step-depth", depth, "--tiling", "64x64/32x32"}, "f64");
  expect_right({"--precision", "f64", "--tiling", "128x128/32x64"}, "f64");
}

TEST_F(CudaTensor, IsTheDefaultForDoublesOnHopper) {
  const auto variant_of = [&](const Words& words, const char* capability) {
    const Outcome outcome = run_on_host(Words{"65", "--json", folder_ / "records"} + words, capability, "");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return records_in(folder_ / "records").back().variant;
  };
  EXPECT_EQ(variant_of({"--precision", "f64"}, "9"), "tensor");
  EXPECT_EQ(variant_of({"--precision", "f64"}, "8"), "warp-tiles");
  EXPECT_EQ(variant_of({"--precision", "f64", "--slices", "1"}, "9"), "warp-tiles");
  EXPECT_EQ(variant_of({}, "9"), "warp-tiles");
}

TEST_F(CudaTensor, MultipliesFloatsInEveryFormat) {
  expect_right({"--arithmetic", "tf32", "--tiling", "128x256/64x64"}, "tf32");
  expect_right({"--arithmetic", "f16", "--tiling", "128x256/64x64"}, "f16");
  expect_right({"--arithmetic", "bf16", "--tiling", "64x64/32x32"}, "bf16");
  expect_right({}, "tf32");
}

TEST_F(CudaTensor, MultipliesByWarpGroups) {
  for (const char* format : {"tf32", "f16", "bf16"}) expect_right({"--arithmetic", format}, format, "tensor-groups");
}

TEST_F(CudaTensor, RefusesWhatItCannot) {
  const std::string groups = "tensor-groups: expected an NVIDIA device of compute capability 9.0 with 201728 bytes";
  for (const char* capability : {"8", "10"}) expect_refused(run_on_host({"8"}, capability, "tensor-groups"), 3, groups);
  expect_refused(run("matmul", {"8", "--variant", "tensor-groups"}), 3, groups);
  expect_refused(run_on_host({"8"}, "7"), 3,
                 "tensor: expected an NVIDIA device of compute capability 8.0 for tf32, found a fake GPU");
  expect_refused(run_on_host({"8", "--precision", "f64"}, "8"), 3,
                 "tensor: expected an NVIDIA device of compute capability 9.0 for f64, found a fake GPU");
  expect_refused(run("matmul", {"8", "--variant", "tensor", "--tiling", "128x256/64x64"}), 3,
                 "tensor: expected 104448 bytes of local memory, a fake GPU has 49152");
  expect_refused(run_on_host({"8", "--precision", "f64", "--arithmetic", "f16"}), 2,
                 "--arithmetic: expected it only with --precision f32, found f64 and f16");
  expect_refused(run_on_host({"8", "--step-depth", "4"}), 2,
                 "--step-depth: expected it only with --precision f64, found tf32");
  expect_refused(
      run_on_host({"8", "--precision", "f64", "--tiling", "128x128/64x64"}), 2,
      "--tiling: expected sums and words that fit the registers, found 128x128/64x64 in f64 with steps of 8");
}

/// By the formats' digits: 11 of TF32 and f16, 8 of bf16.
TEST(Rounding, AreRoundedToNearest) {
  const auto rounded = [](matmul::Rounding rounding, float value) {
    device::HostValues values(Precision::f32, 3, static_cast<double>(value));
    const std::size_t bytes = matmul::round_operands(values, rounding);
    EXPECT_EQ(bytes, rounding == matmul::Rounding::tf32 ? 12u : 8u);
    std::array<std::uint16_t, 4> halves{};
    std::memcpy(halves.data(), values.data(), bytes == 8 ? sizeof halves : 0);
    if (rounding == matmul::Rounding::tf32) return static_cast<float>(values[2]);
    return rounding == matmul::Rounding::f16 ? half_to_float(halves[2])
                                             : std::bit_cast<float>(std::uint32_t{halves[2]} << 16);
  };
  for (const auto& [rounding, unit] :
       {std::pair(matmul::Rounding::tf32, 0x1p-10f), std::pair(matmul::Rounding::f16, 0x1p-10f),
        std::pair(matmul::Rounding::bf16, 0x1p-7f)}) {
    EXPECT_EQ(rounded(rounding, 1 + 0.49f * unit), 1);
    EXPECT_EQ(rounded(rounding, 1 + 0.51f * unit), 1 + unit);
    EXPECT_EQ(rounded(rounding, -3 - 1.49f * unit), -3 - 2 * unit);
    EXPECT_EQ(rounded(rounding, -4), -4);
  }
}

}  // namespace
}  // namespace boltzmark::testing
