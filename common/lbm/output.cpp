#include "common/lbm/output.hpp"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "common/lbm/cell.h"
#include "common/picture/picture.hpp"
#include "common/run/record.hpp"

namespace boltzmark::lbm {
namespace {

constexpr Pixel obstacle_colour = {128, 128, 128};

/// FLOPs of an update as published work counts them for this code (source A, Table IV: the unmasked update).
constexpr double conventional_flops_per_update = 122.0;

std::optional<double> if_finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

/// One array of the appended data: the number of its bytes, then the bytes.
template <class T>
void append(AtomicFile& out, std::span<const T> values) {
  const std::uint64_t bytes = values.size_bytes();
  out.write({reinterpret_cast<const char*>(&bytes), sizeof bytes});
  out.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

}  // namespace

void write_final_state(AtomicFile& file, const Problem& problem, const State& state) {
  const auto solid = problem.solid_mask();
  std::string row;
  std::size_t cell = 0;
  const Parameters& p = problem.parameters;
  for (int z = 0; z < p.nz; ++z)
    for (int y = 0; y < p.ny; ++y) {
      row.clear();
      for (int x = 0; x < p.nx; ++x, ++cell) {
        const double ux = state.ux[cell], uy = state.uy[cell], pressure = state.density[cell] / 3.0;
        if (p.dimension == 2) {
          fmt::format_to(std::back_inserter(row), "{} {} {:.12E} {:.12E} {:.12E} {:.12E} {}\n", x, y, ux, uy,
                         std::sqrt(ux * ux + uy * uy), pressure, solid[cell]);
        } else {
          const double uz = state.uz[cell];
          fmt::format_to(std::back_inserter(row), "{} {} {} {:.12E} {:.12E} {:.12E} {:.12E} {:.12E} {}\n", x, y, z, ux,
                         uy, uz, std::sqrt(ux * ux + uy * uy + uz * uz), pressure, solid[cell]);
        }
      }
      file.write(row);
    }
}

void write_av_vels(AtomicFile& file, std::span<const double> av_vels) {
  for (std::size_t step = 0; step < av_vels.size(); ++step)
    file.write(fmt::format("{}:\t{:.12E}\n", step, av_vels[step]));
}

void set_solid_cells(const Problem& problem, State& state) {
  for (const std::int64_t index : problem.solid) {
    const auto cell = static_cast<std::size_t>(index);
    state.ux[cell] = state.uy[cell] = 0.0;
    if (!state.uz.empty()) state.uz[cell] = 0.0;
    state.density[cell] = problem.parameters.density;
  }
}

void write_speed_image(const std::filesystem::path& file, const Problem& problem, const State& state) {
  const int nx = problem.parameters.nx, ny = problem.parameters.ny, z = problem.parameters.nz / 2;
  const auto solid = problem.parameters.dimension == 2 ? problem.solid_mask() : problem.solid_mask(z, 1);
  const std::size_t first = solid.size() * static_cast<std::size_t>(z);
  double fastest = 0.0;
  for (std::size_t i = 0; i < solid.size(); ++i) fastest = std::fmax(fastest, state.speed(first + i));
  std::vector<Pixel> pixels;
  pixels.reserve(solid.size());
  for (int y = ny - 1; y >= 0; --y)  // a picture's first row is its top
    for (int x = 0; x < nx; ++x) {
      const auto cell = static_cast<std::size_t>(y) * nx + x;
      const double speed = state.speed(first + cell);
      pixels.push_back(solid[cell] ? obstacle_colour : colour_of(fastest > 0.0 ? speed / fastest : 0.0));
    }
  write_picture(file, nx, ny, pixels);
}

void write_vtk(const std::filesystem::path& file, const Problem& problem, const State& state) {
  const Parameters& p = problem.parameters;
  const auto solid = problem.solid_mask();
  std::vector<float> velocity, pressure;
  velocity.reserve(3 * solid.size());
  pressure.reserve(solid.size());
  for (std::size_t cell = 0; cell < solid.size(); ++cell) {
    for (const double u : {state.ux[cell], state.uy[cell], state.uz.empty() ? 0.0 : state.uz[cell]})
      velocity.push_back(static_cast<float>(u));
    pressure.push_back(static_cast<float>(state.density[cell] / 3.0));
  }

  const std::string extent = fmt::format("0 {} 0 {} 0 {}", p.nx - 1, p.ny - 1, p.nz - 1);
  std::uint64_t offset = 0;
  const auto array = [&](const char* name, const char* type, int components, std::uint64_t bytes) {
    const std::uint64_t at = offset;
    offset += sizeof offset + bytes;
    return fmt::format(R"(<DataArray Name="{}" type="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)"
                       "\n",
                       name, type, components, at);
  };
  AtomicFile out(file);
  out.write(fmt::format(R"(<?xml version="1.0"?>
<VTKFile type="ImageData" version="1.0" byte_order="{}" header_type="UInt64">
<ImageData WholeExtent="{}" Origin="0 0 0" Spacing="1 1 1">
<Piece Extent="{}">
<PointData Vectors="velocity" Scalars="pressure">
)",
                        std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", extent, extent));
  out.write(array("velocity", "Float32", 3, sizeof(float) * velocity.size()));
  out.write(array("pressure", "Float32", 1, sizeof(float) * pressure.size()));
  out.write(array("obstacle", "UInt8", 1, solid.size()));
  out.write("</PointData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_");
  append<float>(out, velocity);
  append<float>(out, pressure);
  append<std::uint8_t>(out, solid);
  out.write("\n</AppendedData>\n</VTKFile>\n");
  out.commit();
}

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
  const int value_bytes = record.precision == "f64" ? 8 : record.settings.value("storage", "") == "f16" ? 2 : 4;
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
