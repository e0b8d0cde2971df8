#include "common/lbm/cpu/in_place_grid.hpp"

#include <algorithm>
#include <span>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/vector_row.hpp"

namespace boltzmark::lbm {

template <class T, class L>
InPlaceGrid<T, L>::InPlaceGrid(const Problem& problem, int first, int layers, int halo, const LayerPart& part,
                               const RowKernels<T, L>& kernels, const GridMemory<T>& memory)
    : problem_(problem),
      kernels_(kernels),
      part_(part),
      first_(first),
      layers_(layers),
      halo_(halo),
      layout_(part.columns(), part.rows(), kernels.lanes, sizeof(T)),
      vectors_(layout_.columns.vectors()),
      rows_ahead_(layout_.rows_ahead(row_bytes())),
      relaxation_(make_relaxation<T, L>(problem.parameters)),
      ghosts_(layout_.columns.ghosts()),
      pushes_(wall_pushes<L>(problem)) {
  const std::size_t all_layers = static_cast<std::size_t>(layers) + 2 * static_cast<std::size_t>(halo);
  const std::size_t all_rows = all_layers * static_cast<std::size_t>(rows()), values = all_layers * layout_.plane_pitch;
  if (!memory) {
    require_memory("one grid", sizeof(T) * static_cast<double>(values));
    grid_ = AlignedArray<T>(values);
  }
  values_ = memory ? memory(values) : grid_.data();
  solid_ = AlignedArray<std::uint32_t>(all_rows * static_cast<std::size_t>(vectors_));
  for (int y = 0; y < rows() && !is_flat; ++y)
    if (!part_.is_frame_row(y) && part_.grid_y(y, problem.parameters) == problem.parameters.driven_row())
      driven_row_ = y;
  facts_.reserve(all_rows);
  for (int layer = -halo_; layer < layers_ + halo_; ++layer) find_facts(layer);
}

template <class T, class L>
void InPlaceGrid<T, L>::find_facts(int layer) {
  const Parameters& p = problem_.parameters;
  const auto mask = problem_.solid_mask(first_ + layer, 1);
  std::vector<std::uint8_t> solid(static_cast<std::size_t>(columns()));
  std::vector<bool> all_solid(static_cast<std::size_t>(rows()));
  for (int y = 0; y < rows(); ++y) {
    const std::uint8_t* const of_grid = mask.data() + std::size_t{1} * part_.grid_y(y, p) * p.nx;
    for (int x = 0; x < columns(); ++x) solid[x] = part_.is_frame(x, y) || of_grid[part_.grid_x(x, p)];
    all_solid[y] = std::ranges::all_of(solid, [](std::uint8_t cell) { return cell != 0; });
    const std::span words(solid_.data() + index(y, layer) * vectors_, static_cast<std::size_t>(vectors_));
    if constexpr (is_flat) {
      layout_.columns.find_solid(solid, words);
      RowFacts& facts = facts_.emplace_back(RowFacts{{}, all_solid[y], is_driven(y, layer), vector_runs(words)});
      // The outermost halo rows lack a neighbour; they are read but never updated.
      const bool inner = halo_ == 0 || (layer > -halo_ && layer < layers_ + halo_ - 1);
      facts.job = {.rows = {inner ? row(0, layer - 1) : nullptr, row(0, layer), inner ? row(0, layer + 1) : nullptr},
                   .vectors = vectors_,
                   .solid = words.data(),
                   .runs = facts.runs.data()};
    } else {
      layout_.columns.find_solid(solid, words, RowJob<T, L>::padding_shift);
    }
  }
  if constexpr (!is_flat) {
    const auto runs = plane_runs(rows(), driven_row_, [&](int y) { return all_solid[y]; });
    facts_.insert(facts_.end(), runs.begin(), runs.end());
  }
}

template <class T, class L>
void InPlaceGrid<T, L>::init_row(int y, int layer) {
  const Parameters& p = problem_.parameters;
  T* const at = row(y, layer);
  std::fill_n(at, layout_.pitch, T(0));
  const bool driven = is_driven(y, layer);
  if (!driven && starts_at_rest(p)) return;
  const std::uint32_t* const words = solid_of(y, layer);
  const int grid_y = is_flat ? grid_layer(layer) : part_.grid_y(y, p), grid_z = is_flat ? 0 : grid_layer(layer);
  for (int x = 0; x < columns(); ++x) {
    const bool fluid = (words[x % vectors_] >> x / vectors_ & 1u) == 0;
    const auto a = start_of(p, part_.grid_x(x, p), grid_y, grid_z, !fluid, driven, relaxation_);
    for (int i = 0; i < L::directions; ++i) at[place(i, x)] = a.f[i];
  }
}

template <class T, class L>
double InPlaceGrid<T, L>::update_run(int y, int count, int z, int step, bool driven,
                                     const RowsAhead& ahead) requires(L::dimension == 3) {
  auto job = plane_row_job<T>(y, count, z, layout_, ahead, [this](int row_y, int row_z) { return row(row_y, row_z); });
  job.solid = solid_of(y, z);
  return update(job, step, driven);
}

template <class T, class L>
void InPlaceGrid<T, L>::push(int y, int layer, int step) {
  if (part_.is_frame_row(y)) return;
  const Parameters& p = problem_.parameters;
  const std::int64_t row_number =
      is_flat ? grid_layer(layer) : std::int64_t{grid_layer(layer)} * p.ny + part_.grid_y(y, p);
  each_push(pushes_, row_number * p.nx + part_.x, part_.nx, [&](const WallPush& push, int of_part) {
    const int x = of_part + part_.frame_x, i = push.direction;
    T& left = step % 2 != 0 ? row(y, layer)[place(i, x)] : moved(i, x, y, layer);
    left += static_cast<T>(push.momentum);
  });
}

template <class T, class L>
void InPlaceGrid<T, L>::collect(int steps, Fields fields) {
  collect_fields<L>(columns(), layers_ * rows(), problem_.parameters.density, fields, [&](int i, int x, int r) {
    const int y = r % rows(), layer = r / rows();
    return steps % 2 != 0 ? moved(i, x, y, layer) : row(y, layer)[place(i, x)];
  });
}

template class InPlaceGrid<float, D2Q9>;
template class InPlaceGrid<double, D2Q9>;
template class InPlaceGrid<float, D3Q19>;
template class InPlaceGrid<double, D3Q19>;

}  // namespace boltzmark::lbm
