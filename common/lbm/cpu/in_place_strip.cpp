#include "common/lbm/cpu/in_place_strip.hpp"

#include <algorithm>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/stretches.hpp"
#include "common/lbm/macroscopic.hpp"

namespace boltzmark::lbm {
template <class T>
InPlaceStrip<T>::InPlaceStrip(const Problem& problem, int first_row, int rows, int halo_rows,
                              const RowKernels<T>& kernels, const GridMemory<T>& memory)
    : problem_(problem),
      kernels_(kernels),
      first_row_(first_row),
      rows_(rows),
      halo_rows_(halo_rows),
      nx_(problem.parameters.nx),
      columns_{nx_, kernels.lanes},
      vectors_(static_cast<std::size_t>(columns_.vectors())),
      relaxation_(make_relaxation<T>(problem.parameters)) {
  pitch_ = LaneRow::padded_pitch(columns_.values(columns_.vectors()), sizeof(T));
  const std::size_t all_rows = static_cast<std::size_t>(rows) + 2 * static_cast<std::size_t>(halo_rows);
  if (!memory) {
    require_memory("one grid", sizeof(T) * static_cast<double>(all_rows * pitch_));
    grid_ = AlignedArray<T>(all_rows * pitch_);
  }
  values_ = memory ? memory(all_rows * pitch_) : grid_.data();
  solid_ = AlignedArray<std::uint32_t>(all_rows * vectors_);
  row_facts_.resize(all_rows);
  ghosts_ = columns_.ghosts();
}

template <class T>
void InPlaceStrip<T>::init_rows(int begin, int end) {
  know_rows(begin, end);
  for (int y = begin; y < end; ++y) {
    std::fill_n(row(y), pitch_, T(0));
    if (row_facts_[index(y)].driven) accelerate_start(y);
  }
}

template <class T>
void InPlaceStrip<T>::know_rows(int begin, int end) {
  const auto mask = problem_.solid_mask(first_row_ + begin, end - begin);
  for (int y = begin; y < end; ++y)
    init_facts(y, std::span(mask).subspan(static_cast<std::size_t>(y - begin) * nx_, nx_));
}

template <class T>
void InPlaceStrip<T>::init_facts(int y, std::span<const std::uint8_t> mask) {
  std::uint32_t* const words = solid_.data() + index(y) * vectors_;
  columns_.find_solid(mask, {words, vectors_});
  const int ny = problem_.parameters.ny;
  const auto is_solid = [](std::uint8_t cell) { return cell != 0; };
  Row& facts = row_facts_[index(y)];
  facts.all_solid = std::all_of(mask.begin(), mask.end(), is_solid);
  facts.driven = ((first_row_ + y) % ny + ny) % ny == problem_.parameters.driven_row();
  facts.stretches = stretches_of({words, vectors_});
  // The outermost halo rows have no row beside them; they are read but never updated.
  const bool inner = halo_rows_ == 0 || (y > -halo_rows_ && y < rows_ + halo_rows_ - 1);
  facts.job = {.south = inner ? row(y - 1) : nullptr,
               .row = row(y),
               .north = inner ? row(y + 1) : nullptr,
               .vectors = static_cast<int>(vectors_),
               .solid = words,
               .stretches = facts.stretches.data()};
}

template <class T>
void InPlaceStrip<T>::accelerate_start(int y) {
  const std::uint32_t* const words = solid_.data() + index(y) * vectors_;
  for (int x = 0; x < nx_; ++x) {
    const bool fluid = (words[x % vectors_] >> x / vectors_ & 1u) == 0;
    const auto pushed = accelerate(Populations<T>{}, fluid, relaxation_);
    for (int i = 0; i < Lattice::directions; ++i) row(y)[columns_.place(i, x)] = pushed.f[i];
  }
}

template <class T>
void InPlaceStrip<T>::collect(int steps, Fields fields) {
  const bool moved = steps % 2 != 0;  // an even step leaves results where the neighbours' odd step reads them
  collect_fields(nx_, rows_, problem_.parameters.density, fields, [&](int i, int x, int y) {
    const int to_x = (x + Lattice::cx[i] + nx_) % nx_, to_y = y + Lattice::cy[i];
    return moved ? row(to_y)[columns_.place(Lattice::opposite[i], to_x)] : row(y)[columns_.place(i, x)];
  });
}

template class InPlaceStrip<float>;
template class InPlaceStrip<double>;

}  // namespace boltzmark::lbm
