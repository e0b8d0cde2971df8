// The program of the heat equation on devices.
#pragma once

#include "common/cpu/range.hpp"
#include "common/device/halo_plan.hpp"
#include "common/device/halo_strip.hpp"
#include "common/heat/solver.hpp"

namespace boltzmark::heat {

Program device_program();

/// A strip of a plate on a device, with halo rows above (its southern end, which comes first in memory) and below.
class DeviceStrip : public Solver, public device::HaloStrip {
 public:
  /// Steps of a launch on such a plate.
  virtual int launch_steps(const Plate& whole) const = 0;
  /// Rows `own` of the plate, and the rows of the plan's halo; deltas are of `own` rows only. For runs of this many
  /// steps.
  virtual void init_strip(const Plate& whole, boltzmark::Range own, const device::HaloPlan& plan, int steps) = 0;
  /// The state in memory with the current temperatures.
  virtual int state() const = 0;
};

/// The variants whose kernels exclude halo rows from the deltas.
Program device_strip_program();

}  // namespace boltzmark::heat
