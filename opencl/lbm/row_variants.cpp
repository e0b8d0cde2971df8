// The variants that walk along rows, a vector of cells at a time: `two-grid` from one grid to another,
// `in-place` in one.
#include "common/base/error.hpp"
#include "opencl/lbm/variants.hpp"
#include "opencl/lbm/row_grid.hpp"
#include "opencl/lbm/whole_grid.hpp"

namespace boltzmark {
std::vector<Variant> row_variants() {
  std::vector<Variant> variants;
  for (const auto& row : row_table()) {
    std::vector<std::string> options = {"reduction", "delay"};
    if (row.grids == 2) options.push_back("storage");
    variants.push_back({.name = row.name,
                        .summary = row.summary,
                        .precisions = {Precision::f32, Precision::f64},
                        .takes_vvl = true,
                        .options = options});
  }
  return variants;
}

std::unique_ptr<Model> make_row_variant(const std::string& name, const OpenclDevice& device,
                                        const OpenclOptions& options) {
  for (const auto& row : row_table()) {
    if (row.name != name) continue;
    if (options.precision == Precision::f64) {
      if (options.half_storage) throw bad_input("--storage: f16 goes with single precision, found f64");
      return on_whole_grid(std::make_unique<RowGrid<double, double>>(row, device, options));
    }
    if (options.half_storage)
      return on_whole_grid(std::make_unique<RowGrid<float, StoredHalf>>(row, device, options));
    return on_whole_grid(std::make_unique<RowGrid<float, float>>(row, device, options));
  }
  return nullptr;
}

}  // namespace boltzmark
