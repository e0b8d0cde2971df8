// Row updates in vectors of 128 bits, which every 64-bit x86 (SSE2) and ARM (NEON) processor has.
#include "common/cpu/simd.hpp"
#include "common/lbm/cpu/plane_row_update.hpp"
#include "common/lbm/cpu/row_update.hpp"
#include "common/lbm/cpu/rows.hpp"

namespace boltzmark::lbm {
namespace {
struct Bits128 {
#if defined(__x86_64__)
  static constexpr const char* name = "SSE2";
#elif defined(__aarch64__)
  static constexpr const char* name = "NEON";
#else
  static constexpr const char* name = "vectors of 128 bits";
#endif
  static bool runs_here() { return true; }
};
}  // namespace

constinit const RowKernels<float> rows_128_f32 = kernels_of<Bits128, Pack<float, 4>>();
constinit const RowKernels<double> rows_128_f64 = kernels_of<Bits128, Pack<double, 2>>();
constinit const RowKernels<float, D3Q19> planes_128_f32 = plane_kernels_of<Bits128, Pack<float, 4>>();
constinit const RowKernels<double, D3Q19> planes_128_f64 = plane_kernels_of<Bits128, Pack<double, 2>>();

}  // namespace boltzmark::lbm
