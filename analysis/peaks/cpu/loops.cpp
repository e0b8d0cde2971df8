#include "analysis/peaks/cpu/loops.hpp"

#include <algorithm>

namespace boltzmark {
namespace {

struct Width {
  const VectorLoops *unfused, *fused;
};

/// The widest first.
std::vector<Width> widths_here() {
  std::vector<Width> widths = {
#if defined(__x86_64__)
    {&loops_512_off, &loops_512_fast},
    {&loops_256_off, &loops_256_fast},
#endif
    {&loops_128_off, &loops_128_fast}
  };
  std::erase_if(widths, [](const Width& width) { return !width.unfused->runs_here(); });
  return widths;
}

const VectorLoops& widest() {
  static const VectorLoops& loops = *widths_here().front().unfused;
  return loops;
}

FlopKernel kernel_of(const VectorLoops& loops, const std::string& precision, VectorLoops::Rounds run) {
  return {.precision = precision,
          .vector_bits = loops.bits,
          .lanes = loops.bits / (precision == "f32" ? 32 : 64),
          .operations_a_round = static_cast<double>(loops.operations),
          .run = run};
}

}  // namespace

const std::vector<BandwidthPattern>& bandwidth_patterns() {
  static const std::vector<BandwidthPattern> patterns = {
      {"read", 1, widest().read}, {"copy", 2, widest().copy}, {"triad", 3, widest().triad}};
  return patterns;
}

std::size_t chunk_values() { return widest().chunk_values; }

std::vector<FlopKernel> multiply_add_kernels() {
  std::vector<FlopKernel> kernels;
  for (const bool fma : {true, false})
    for (const Width& width : widths_here()) {
      const VectorLoops& loops = fma ? *width.fused : *width.unfused;
      if (!loops.multiply_add_f32) continue;
      for (const auto& [precision, run] : {std::pair("f32", loops.multiply_add_f32), {"f64", loops.multiply_add_f64}}) {
        kernels.push_back(kernel_of(loops, precision, run));
        kernels.back().fma = fma;
        kernels.back().operations_a_round = loops.multiply_adds * (fma ? 1.0 : 2.0);
      }
    }
  return kernels;
}

std::vector<FlopKernel> operation_kernels() {
  const VectorLoops& loops = widest();
  std::vector<FlopKernel> kernels = {kernel_of(loops, "f32", loops.division_f32),
                                     kernel_of(loops, "f64", loops.division_f64),
                                     kernel_of(loops, "f32", loops.root_f32), kernel_of(loops, "f64", loops.root_f64),
                                     kernel_of(loops, "u32", loops.wide_multiplication)};
  for (std::size_t i = 0; i < kernels.size(); ++i)
    kernels[i].operation = i < 2 ? operation::division : i < 4 ? operation::root : operation::wide_multiplication;
  return kernels;
}

}  // namespace boltzmark
