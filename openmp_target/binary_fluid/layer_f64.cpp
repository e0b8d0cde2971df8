#include "openmp_target/binary_fluid/layer.hpp"

namespace boltzmark::openmp_target {

std::unique_ptr<Fluid> make_layer_f64(Form form, const OffloadDevice& device, std::optional<int> threads,
                                      std::optional<int> vvl) {
  return std::make_unique<OffloadFluid<double>>(form, device, threads, vvl);
}

}  // namespace boltzmark::openmp_target
