// The program of the heat equation on devices.
#pragma once

#include "common/cpu/range.hpp"
#include "common/device/session.hpp"
#include "common/heat/solver.hpp"

namespace boltzmark::heat {

ProgramOf<Variant> device_program(const BuildInfo& build);

/// A strip of a plate on a device, with a halo of rows above and below: the caller refreshes it at the latest after as
/// many steps as it has rows.
class DeviceStrip : public Solver {
 public:
  /// Rows `with_halo` of the plate, of which those of `own` are its own: deltas are theirs. For runs of so many steps.
  virtual void init_strip(const Plate& whole, boltzmark::Range with_halo, boltzmark::Range own, int steps) = 0;
  /// Values from a row's first to that of the next.
  virtual std::int64_t pitch() const = 0;
  /// Rows of the present temperatures, `first` counted from that of with_halo, to or from the host, borders included.
  virtual void read_rows(std::int64_t first, std::int64_t rows, void* to) const = 0;
  virtual void write_rows(std::int64_t first, std::int64_t rows, const void* from) const = 0;
  virtual device::Session& session() = 0;
};

/// The variants whose kernels leave the rows of a halo out of the deltas.
ProgramOf<Variant> device_strip_program(const BuildInfo& build);

}  // namespace boltzmark::heat
