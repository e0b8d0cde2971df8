// The binary fluid on this processor, for the models that run there: compiled once for all of them.
#pragma once

#include <memory>
#include <optional>

#include "common/binary_fluid/flops.hpp"
#include "common/binary_fluid/fluid.hpp"
#include "common/binary_fluid/share.hpp"
#include "common/target/workers.hpp"

namespace boltzmark::binary_fluid {

/// A variant of layer_variants() on these threads.
std::unique_ptr<Fluid> make_host_fluid(const Options& options, target::Workers workers, Share share = {});

}  // namespace boltzmark::binary_fluid
