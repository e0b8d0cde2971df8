// The files of kernels/ with everything that they include.
#pragma once

#include <string_view>

#include "opencl/runtime/api.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

extern const std::string_view bands_source, bricks_source, two_grid_source, in_place_source,
    ladder_functions_source, ladder_fusion_source, on_chip_source, plane_bands_source, planes_source,
    published_source, tiles_source, warp_tiles_source, wavefront_source;

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
