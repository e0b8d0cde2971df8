// The binary fluid on this processor in each precision; a file each, because they take long to compile.
#pragma once

#include "common/binary_fluid/cpu/host_fluid.hpp"

namespace boltzmark::binary_fluid {

struct HostWay {
  Form form;
  target::Workers workers;
  std::optional<int> vvl;  ///< none: of the processor's vectors
  Share share;
};

std::unique_ptr<Fluid> make_host_fluid_f32(const HostWay& way);
std::unique_ptr<Fluid> make_host_fluid_f64(const HostWay& way);

}  // namespace boltzmark::binary_fluid
