// Row updates for the lengths that no instruction set has a vector for: single cells in plain
// C++, and vectors of less or more than one register. (Plain arrays of 16 and 32 values took a compiler minutes.)
#include "common/cpu/simd.hpp"
#include "common/cpu/simd_plain.hpp"
#include "common/lbm/cpu/row_update.hpp"
#include "common/lbm/cpu/rows.hpp"

namespace boltzmark::lbm {
namespace {
struct Plain {
  static constexpr const char* name = "single cells";
  static bool runs_here() { return true; }
};
struct PartOfARegister {
  static constexpr const char* name = "part of a register";
  static bool runs_here() { return true; }
};
struct SeveralRegisters {
  static constexpr const char* name = "several registers";
  static bool runs_here() { return true; }
};
}  // namespace

constinit const RowKernels<float> rows_plain_f32[] = {kernels_of<Plain, PlainPack<float, 1>>(),
                                                      kernels_of<PartOfARegister, Pack<float, 2>>(),
                                                      kernels_of<SeveralRegisters, Pack<float, 32>>()};
constinit const RowKernels<double> rows_plain_f64[] = {kernels_of<Plain, PlainPack<double, 1>>(),
                                                       kernels_of<SeveralRegisters, Pack<double, 16>>()};

}  // namespace boltzmark::lbm
