// two-grid: a step goes from one grid to the other, one launch of one masked kernel.
#include "common/lbm/device/row_strip.hpp"

namespace boltzmark::lbm {

using namespace device;

extern const std::string_view two_grid_source;

namespace {

class TwoGrid final : public RowStrip {
 public:
  TwoGrid(const ComputeDevice& device, const LbmOptions& options)
      : RowStrip({two_grid_source, {"two_grid_step", "two_grid_step"}, 2}, device, options) {}
};

}  // namespace

extern const Variant two_grid = {
    .name = "two-grid",
    .summary = "structure of arrays, two grids, one masked kernel per step",
    .role = Role::like_for_like,
    .kinds = {D3Q19::name},
    .options = {work_group_option(), vvl_option(), reduction_option(), delay_option(), storage_option()},
    .make = on_device<TwoGrid>};

std::unique_ptr<DeviceStrip> two_grid_strip(const ComputeDevice& device, const LbmOptions& options) {
  return std::make_unique<TwoGrid>(device, options);
}

}  // namespace boltzmark::lbm
