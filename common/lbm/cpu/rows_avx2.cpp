// Row updates in vectors of 256 bits. Compiled for AVX2 whatever processor the rest is compiled for;
// nothing here runs before runs_here() said yes.
#include "common/cpu/simd.hpp"
#include "common/lbm/cpu/plane_row_update.hpp"
#include "common/lbm/cpu/row_update.hpp"
#include "common/lbm/cpu/rows.hpp"

namespace boltzmark::lbm {
namespace {
struct Avx2 {
  static constexpr const char* name = "AVX2";
  static bool runs_here() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
};
}  // namespace

constinit const RowKernels<float> rows_avx2_f32 = kernels_of<Avx2, Pack<float, 8>>();
constinit const RowKernels<double> rows_avx2_f64 = kernels_of<Avx2, Pack<double, 4>>();
constinit const RowKernels<float, D3Q19> planes_avx2_f32 = plane_kernels_of<Avx2, Pack<float, 8>>();
constinit const RowKernels<double, D3Q19> planes_avx2_f64 = plane_kernels_of<Avx2, Pack<double, 4>>();

}  // namespace boltzmark::lbm
