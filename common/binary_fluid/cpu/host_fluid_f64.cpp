#include "common/binary_fluid/cpu/host_fluid_of.hpp"

namespace boltzmark::binary_fluid {

std::unique_ptr<Fluid> make_host_fluid_f64(const HostWay& way) {
  return std::make_unique<HostFluid<double>>(way);
}

}  // namespace boltzmark::binary_fluid
