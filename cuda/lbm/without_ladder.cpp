// The published ladder is OpenCL's alone.
#include "opencl/lbm/variants.hpp"

namespace boltzmark::cuda {

std::vector<Variant> ladder_variants() { return {}; }

std::unique_ptr<Solver> make_ladder_step(const std::string&, const ComputeDevice&, const LbmOptions&) {
  return nullptr;
}

}  // namespace boltzmark::cuda
