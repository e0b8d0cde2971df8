// The binary fluid on this processor, for the models that run there: compiled once for all of them.
#pragma once

#include <memory>

#include "common/binary_fluid/fluid.hpp"
#include "common/target/kernel.hpp"
#include "common/target/share.hpp"

namespace boltzmark::binary_fluid {

using target::Share;

/// A variant in the layer on these threads. The source is compiled for each T by itself, because each takes long.
template <class T>
std::unique_ptr<Fluid> make_host_fluid_of(const Rung& rung, const target::Workers& workers, const Share& share);
extern template std::unique_ptr<Fluid> make_host_fluid_of<float>(const Rung&, const target::Workers&, const Share&);
extern template std::unique_ptr<Fluid> make_host_fluid_of<double>(const Rung&, const target::Workers&, const Share&);

inline std::unique_ptr<Fluid> make_host_fluid(const Rung& rung, Precision precision,
                                              const target::Workers& workers = {}, const Share& share = {}) {
  const auto make = precision == Precision::f64 ? make_host_fluid_of<double> : make_host_fluid_of<float>;
  return make(rung, workers, share);
}

}  // namespace boltzmark::binary_fluid
