// Row updates in plain arrays, for the lengths that no instruction set has a vector for.
#include "common/cpu/simd_plain.hpp"
#include "common/lbm/cpu/row_update.hpp"
#include "common/lbm/cpu/rows.hpp"

namespace boltzmark::lbm {
namespace {
struct Plain {
  static constexpr const char* name = "plain arrays";
  static bool runs_here() { return true; }
};
}  // namespace

constinit const RowKernels<float> rows_plain_f32[] = {kernels_of<Plain, PlainPack<float, 1>>(),
                                                      kernels_of<Plain, PlainPack<float, 2>>(),
                                                      kernels_of<Plain, PlainPack<float, 32>>()};
constinit const RowKernels<double> rows_plain_f64[] = {kernels_of<Plain, PlainPack<double, 1>>(),
                                                       kernels_of<Plain, PlainPack<double, 16>>()};

}  // namespace boltzmark::lbm
