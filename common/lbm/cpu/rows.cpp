// Row updates for one instruction set. CMakeLists.txt compiles it several times, for vectors of BOLTZMARK_ROW_BITS bits
// (0: for lengths without an instruction set), independently of the processor of the build. The table BOLTZMARK_ROWS is
// one of row_kernels.hpp; nothing in it runs unless runs_here() is true.
#include "common/cpu/instruction_set.hpp"
#include "common/cpu/simd.hpp"
#include "common/cpu/simd_single.hpp"
#include "common/cpu/simd_wide.hpp"
#include "common/lbm/cpu/plane_row_update.hpp"
#include "common/lbm/cpu/row_update.hpp"

namespace boltzmark::lbm {
namespace {

#if BOLTZMARK_ROW_BITS == 0

struct SingleCells {
  static constexpr const char* name = "single cells";
  static bool runs_here() { return true; }
};
struct PartOfARegister : SingleCells {
  static constexpr const char* name = "part of a register";
};
struct SeveralRegisters : SingleCells {
  static constexpr const char* name = "several registers";
};
// Halves are a quarter of the code of vector types, and of its compile time; three times as much without optimisation.
#ifdef __OPTIMIZE__
template <class T, int N>
using Several = Wide<T, N>;
#else
template <class T, int N>
using Several = Pack<T, N>;
#endif

}  // namespace

constinit const OtherRows BOLTZMARK_ROWS = {
    {kernels_of<SingleCells, Single<float>>(), kernels_of<PartOfARegister, Pack<float, 2>>(),
     kernels_of<SeveralRegisters, Several<float, 32>>()},
    {kernels_of<SingleCells, Single<double>>(), kernels_of<SeveralRegisters, Several<double, 16>>()}};

#else

using Here = InstructionSet<BOLTZMARK_ROW_BITS>;
using Floats = Pack<float, BOLTZMARK_ROW_BITS / 32>;
using Doubles = Pack<double, BOLTZMARK_ROW_BITS / 64>;

}  // namespace

constinit const RowTables BOLTZMARK_ROWS = {kernels_of<Here, Floats>(), kernels_of<Here, Doubles>(),
                                            plane_kernels_of<Here, Floats>(), plane_kernels_of<Here, Doubles>()};

#endif

}  // namespace boltzmark::lbm
