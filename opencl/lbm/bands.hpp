// Bands of rows that a processor's compute units take many steps on in a launch, each in its own cache: see
// kernels/bands.cl.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/lbm/solver.hpp"
#include "opencl/lbm/options.hpp"
#include "opencl/lbm/waiting_groups.hpp"
#include "opencl/runtime/device.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

/// The variants whose work-groups have bands: `resident-wavefront`, whose groups wait for one another, and
/// `overlapped-wavefront`, whose groups compute rows round their bands themselves.
std::vector<Variant> band_variants();

/// How a grid is cut into bands. Throws Error (bad_input) for options that do not fit.
struct BandPlan {
  bool is_resident = false;
  int lanes = 1, vectors = 1;  ///< of a row
  std::size_t pitch = 0;       ///< values from row to row
  int groups = 1, depth = 2;   ///< work-groups, and steps of a sweep
  int rows = 1;                ///< of the largest band

  /// Rows in memory without and with those beyond the bands' ends.
  std::size_t stored_rows(int ny) const {
    return is_resident ? static_cast<std::size_t>(ny) : static_cast<std::size_t>(groups) * (rows + 2 * depth);
  }
};
BandPlan plan_bands(bool is_resident, const ComputeDevice& device, const LbmOptions& options,
                    const Parameters& grid);

/// Makes one of them in two dimensions; nothing for another name. init throws Error (unavailable) where groups would have to wait for some
/// that are not on the device, and run where a wait has run out.
std::unique_ptr<Solver> make_bands(const std::string& name, const ComputeDevice& device,
                                   const LbmOptions& options);
/// resident_wavefront, or where its groups turn out not to run all at a time, overlapped_wavefront.
std::unique_ptr<Solver> make_default_bands(const ComputeDevice& device, const LbmOptions& options);

/// resident_wavefront in three dimensions (plane_bands.cpp), and the same where `wavefront` takes its place.
std::unique_ptr<Solver> make_plane_bands(const ComputeDevice& device, const LbmOptions& options);
std::unique_ptr<Solver> make_default_plane_bands(const Problem& problem, const ComputeDevice& device,
                                                 const LbmOptions& options);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
