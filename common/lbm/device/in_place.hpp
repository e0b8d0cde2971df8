// One grid that two kernels update in turn (AA pattern); wavefront.cpp launches them in another order.
#pragma once

#include "common/lbm/device/row_strip.hpp"

namespace boltzmark::lbm {

class InPlace : public RowStrip {
 public:
  InPlace(const device::ComputeDevice& device, const LbmOptions& options);

 protected:
  void make_kernels() override;
  void enqueue_standard_order() override;

 private:
  device::Kernel to_standard_order_;
};

}  // namespace boltzmark::lbm
