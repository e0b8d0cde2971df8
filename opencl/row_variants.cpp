// The variants that walk along rows, a vector of cells at a time: `two-grid` from one grid to another,
// `in-place` in one.
#include "common/error.hpp"
#include "opencl/models.hpp"
#include "opencl/row_grid.hpp"

namespace boltzmark {
namespace {

/// All rows on one device, one launch a step.
template <class T, class Stored>
class RowModel final : public Model {
 public:
  RowModel(const RowVariant& variant, const OpenclDevice& device, const OpenclOptions& options)
      : grid_(variant, device, options) {}

  void init(const Problem& problem) override {
    rows_ = problem.parameters.ny;
    grid_.init(problem, whole_grid(problem.parameters), {all()});
  }

  void run(int steps, std::span<double> av_vels) override {
    grid_.run(
        steps,
        [&](int step, int, int first_sum) {
          grid_.enqueue(
              {.bands = all(), .source = step % 2, .first_sum = first_sum, .is_end = step + 1 == steps});
        },
        av_vels);
  }

  void collect(State& state) override { grid_.collect(fields_of(state)); }
  RunFacts facts() const override { return grid_.facts(); }

 private:
  Bands all() const { return {.south = 0, .south_rows = rows_, .north = 0, .north_rows = 0}; }

  RowGrid<T, Stored> grid_;
  int rows_ = 0;
};

}  // namespace

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
      return std::make_unique<RowModel<double, double>>(row, device, options);
    }
    if (options.half_storage) return std::make_unique<RowModel<float, StoredHalf>>(row, device, options);
    return std::make_unique<RowModel<float, float>>(row, device, options);
  }
  return nullptr;
}

}  // namespace boltzmark
