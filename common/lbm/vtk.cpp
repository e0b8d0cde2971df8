#include "common/lbm/vtk.hpp"

#include <fmt/core.h>

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "common/base/files.hpp"

namespace boltzmark::lbm {
namespace {

/// One array of the appended data: its bytes behind their number.
template <class T>
void append(AtomicFile& out, std::span<const T> values) {
  const std::uint64_t bytes = values.size_bytes();
  out.write({reinterpret_cast<const char*>(&bytes), sizeof bytes});
  out.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

}  // namespace

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
    return fmt::format(
        R"(<DataArray Name="{}" type="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)"
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
                        std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", extent,
                        extent));
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

}  // namespace boltzmark::lbm
