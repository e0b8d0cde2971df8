// The serial variants.
#pragma once

#include <memory>

#include "common/model.hpp"

namespace boltzmark::serial {

/// Array of structs, one loop per function, as the method is written down: the baseline of every speed-up.
std::unique_ptr<Model> make_textbook(Precision precision);

/// Structure of arrays, two grids, one pass a step, in vectors.
std::unique_ptr<Model> make_fused(Precision precision);

/// The STREAM kernels on one core.
std::unique_ptr<Stream> make_stream(Precision precision);

}  // namespace boltzmark::serial
