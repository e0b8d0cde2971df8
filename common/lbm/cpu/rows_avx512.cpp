// Row updates in vectors of 512 bits. Compiled for AVX-512 whatever processor the rest is compiled for;
// nothing here runs before runs_here() said yes.
#include "common/cpu/simd.hpp"
#include "common/lbm/cpu/plane_row_update.hpp"
#include "common/lbm/cpu/row_update.hpp"
#include "common/lbm/cpu/rows.hpp"

namespace boltzmark::lbm {
namespace {
struct Avx512 {
  static constexpr const char* name = "AVX-512";
  static bool runs_here() { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"); }
};
}  // namespace

constinit const RowKernels<float> rows_avx512_f32 = kernels_of<Avx512, Pack<float, 16>>();
constinit const RowKernels<double> rows_avx512_f64 = kernels_of<Avx512, Pack<double, 8>>();
constinit const RowKernels<float, D3Q19> planes_avx512_f32 = plane_kernels_of<Avx512, Pack<float, 16>>();
constinit const RowKernels<double, D3Q19> planes_avx512_f64 = plane_kernels_of<Avx512, Pack<double, 8>>();

}  // namespace boltzmark::lbm
