// Row updates of populations that are stored as halves, for the vectors of the build. CMakeLists.txt compiles it for
// each lattice.
#include "common/lbm/cpu/plane_row_update.hpp"
#include "common/lbm/cpu/row_update.hpp"
#include "common/lbm/cpu/strip.hpp"

namespace boltzmark::lbm {
namespace {

using Floats = Pack<float, native_lanes<float>>;

struct Native {
#if defined(__AVX512F__)
  static constexpr const char* name = "AVX-512";
#elif defined(__AVX__)
  static constexpr const char* name = "AVX";
#elif defined(__x86_64__)
  static constexpr const char* name = "SSE2";
#else
  static constexpr const char* name = "vectors of 128 bits";
#endif
  static bool runs_here() { return true; }
};

template <class L>
constexpr RowKernels<Half, L> kernels_of_lattice() {
  if constexpr (L::dimension == 2)
    return kernels_of<Native, Floats, Half>();
  else
    return plane_kernels_of<Native, Floats, Half>();
}
using Lattice = BOLTZMARK_LATTICE;
constinit const RowKernels<Half, Lattice> kernels = kernels_of_lattice<Lattice>();

}  // namespace

template <>
const RowKernels<Half, Lattice>& half_rows<Lattice>() {
  return kernels;
}

template double Strip<Half, Lattice>::update_layers(int, int, int, bool);

}  // namespace boltzmark::lbm
