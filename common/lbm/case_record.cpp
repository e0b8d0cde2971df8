#include "common/lbm/case_record.hpp"

#include <cmath>
#include <optional>

#include "common/lbm/lattice.hpp"

namespace boltzmark::lbm {
namespace {

/// FLOPs of an update as published work counts them for this code (source A, Table IV: the unmasked update).
constexpr double conventional_flops_per_update = 122.0;

std::optional<double> if_finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

}  // namespace

void fill_case(const Problem& problem, int steps, int grids, double last_average, Record& record) {
  const Parameters& p = problem.parameters;
  record.case_ = {.name = problem.name,
                  .digest = problem.digest(),
                  .extent = problem.extent(),
                  .facts = {{"lattice", problem.lattice()},
                            {"iterations", p.iterations},
                            {"reynolds_dim", p.reynolds_dim},
                            {"density", p.density},
                            {"accel", p.accel},
                            {"omega", p.omega},
                            {"fluid_cells", problem.fluid_cells()}}};
  record.steps = steps;
  const auto cells = static_cast<double>(problem.cells());
  const int value_bytes = record.precision == "f64" ? 8 : 4;
  record.work.update = "update";
  record.work.updates = cells * steps;
  const bool flat = p.dimension == 2;
  if (flat) record.work.conventional_flops_per_update = conventional_flops_per_update;
  record.work.bytes_held = grids * cells * (flat ? D2Q9::directions : D3Q19::directions) * value_bytes;
  record.metrics = {{"mlups", "MLUPS", 1e-6 * record.work.updates / record.compute_seconds},
                    {"reynolds", "", if_finite(problem.reynolds(last_average))},
                    {"av_vel", "lattice units", if_finite(last_average)}};
}

}  // namespace boltzmark::lbm
