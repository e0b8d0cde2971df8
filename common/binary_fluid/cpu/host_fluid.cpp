#include "common/binary_fluid/cpu/host_fluid.hpp"

#include "common/binary_fluid/cpu/host_fluids.hpp"

namespace boltzmark::binary_fluid {

std::unique_ptr<Fluid> make_host_fluid(const Options& options, target::Workers workers, Share share) {
  const HostWay way = {.form = form_of(options.variant),
                       .workers = std::move(workers),
                       .vvl = options.variant == "soa" ? 1 : options.number("vvl"),
                       .share = std::move(share)};
  return options.precision == Precision::f64 ? make_host_fluid_f64(way) : make_host_fluid_f32(way);
}

}  // namespace boltzmark::binary_fluid
