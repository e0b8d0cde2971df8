#include "common/lbm/device/in_place.hpp"

namespace boltzmark::lbm {

using namespace device;

extern const std::string_view in_place_source;

InPlace::InPlace(const ComputeDevice& device, const LbmOptions& options)
    : RowStrip({in_place_source, {"neighbour_step", "local_step"}, 1}, device, options) {}

void InPlace::make_kernels() {
  RowStrip::make_kernels();
  to_standard_order_ = Kernel(module_, "to_standard_order", grids_[0], layout_);
}

void InPlace::enqueue_standard_order() {
  session_->queue().launch(to_standard_order_, Range(layout_.nx, layout_.ny, layout_.nz));
}

extern const Variant in_place = {
    .name = "in-place",
    .summary = "one grid, updated in place by two kernels in turn (AA pattern); solid cells are skipped",
    .kinds = {D3Q19::name},
    .options = {work_group_option(), lanes_option(), reduction_option(), delay_option()},
    .make = on_device<InPlace>};

}  // namespace boltzmark::lbm
