#include "opencl/lbm/device_strip.hpp"

#include "opencl/lbm/block_strip.hpp"
#include "opencl/lbm/row_strip.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

std::unique_ptr<DeviceStrip> make_strip(const std::string& variant, const ComputeDevice& device,
                                        const LbmOptions& options) {
  const bool is_double = options.precision == Precision::f64;
  if (variant == "time-block") {
    const int steps = plan_wavefront(device, options, {.nx = 1, .ny = 1}).depth;  // or what the device lacks
    return std::make_unique<BlockStrip<float>>(plan_wavefront, device, options, steps);
  }
  for (const RowVariant& row : row_table()) {
    if (row.name != variant || row.grids != 2) continue;
    if (is_double) return std::make_unique<RowStrip<double, double>>(row, device, options);
    return std::make_unique<RowStrip<float, float>>(row, device, options);
  }
  return nullptr;
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
