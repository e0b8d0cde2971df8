#include "common/lbm/cpu/in_place_strip.hpp"

#include <algorithm>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/stretches.hpp"
#include "common/lbm/macroscopic.hpp"

namespace boltzmark::lbm {
namespace {

/// Values from one row to the next, at least `values`. A processor tells a load from the stores before it by
/// the last twelve bits of their addresses, so it matters how rows lie modulo 4 KiB: 46 cache lines is best
/// or nearly so for rows of 8, 16 and 64 vectors (measured on Zen 4; the worst distances cost 10 to 20 %).
template <class T>
std::size_t padded_pitch(std::size_t values) {
  constexpr std::size_t line = 64 / sizeof(T), period = 64, best = 46;
  const std::size_t lines = (values + line - 1) / line;
  return (lines + (period + best - lines % period) % period) * line;
}

}  // namespace

template <class T>
InPlaceStrip<T>::InPlaceStrip(const Problem& problem, int first_row, int rows, int halo_rows,
                              const RowKernels<T>& kernels)
    : problem_(problem),
      kernels_(kernels),
      first_row_(first_row),
      rows_(rows),
      halo_rows_(halo_rows),
      nx_(problem.parameters.nx),
      vectors_((static_cast<std::size_t>(nx_) + kernels.lanes - 1) / kernels.lanes),
      relaxation_(make_relaxation<T>(problem.parameters)) {
  pitch_ = padded_pitch<T>(vectors_ * Lattice::directions * static_cast<std::size_t>(kernels.lanes));
  const std::size_t all_rows = static_cast<std::size_t>(rows) + 2 * static_cast<std::size_t>(halo_rows);
  require_memory("one grid", sizeof(T) * static_cast<double>(all_rows * pitch_));
  grid_ = AlignedArray<T>(all_rows * pitch_);
  solid_ = AlignedArray<std::uint32_t>(all_rows * vectors_);
  row_facts_.resize(all_rows);
  if (nx_ % kernels.lanes != 0) find_ghosts();
}

template <class T>
void InPlaceStrip<T>::init_rows(int begin, int end) {
  const auto mask = problem_.solid_mask(first_row_ + begin, end - begin);
  for (int y = begin; y < end; ++y) {
    std::fill_n(row(y), pitch_, T(0));
    init_facts(y, std::span(mask).subspan(static_cast<std::size_t>(y - begin) * nx_, nx_));
    if (row_facts_[index(y)].driven) accelerate_start(y);
  }
}

template <class T>
void InPlaceStrip<T>::init_facts(int y, std::span<const std::uint8_t> mask) {
  std::uint32_t* const words = solid_.data() + index(y) * vectors_;
  std::fill_n(words, vectors_, 0u);
  for (std::size_t column = 0; column < vectors_ * kernels_.lanes; ++column)
    if (column >= mask.size() || mask[column]) words[column % vectors_] |= 1u << column / vectors_;
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
    for (int i = 0; i < Lattice::directions; ++i) row(y)[place(i, x)] = pushed.f[i];
  }
}

template <class T>
void InPlaceStrip<T>::find_ghosts() {
  // West of column 0 the update looks into the last lane of the last vector, east of nx-1 into column nx.
  const int west_end = static_cast<int>(vectors_) * kernels_.lanes - 1;
  for (int i = 0; i < Lattice::directions; ++i) {
    if (Lattice::cx[i] > 0) ghosts_.push_back({1 - Lattice::cy[i], place(i, nx_ - 1), place(i, west_end)});
    if (Lattice::cx[i] < 0) ghosts_.push_back({1 - Lattice::cy[i], place(i, 0), place(i, nx_)});
  }
}

template <class T>
void InPlaceStrip<T>::fill_ghosts(const RowJob<T>& job) const {
  T* const rows[] = {job.south, job.row, job.north};
  for (const Ghost& g : ghosts_) rows[g.row][g.ghost] = rows[g.row][g.boundary];
}

template <class T>
void InPlaceStrip<T>::copy_boundary_columns(const RowJob<T>& job) const {
  T* const rows[] = {job.south, job.row, job.north};
  for (const Ghost& g : ghosts_) rows[g.row][g.boundary] = rows[g.row][g.ghost];
}

template <class T>
void InPlaceStrip<T>::collect(int steps, Fields fields) {
  const bool moved = steps % 2 != 0;  // an even step leaves results where the neighbours' odd step reads them
  collect_fields(nx_, rows_, problem_.parameters.density, fields, [&](int i, int x, int y) {
    const int to_x = (x + Lattice::cx[i] + nx_) % nx_, to_y = y + Lattice::cy[i];
    return moved ? row(to_y)[place(Lattice::opposite[i], to_x)] : row(y)[place(i, x)];
  });
}

template class InPlaceStrip<float>;
template class InPlaceStrip<double>;

}  // namespace boltzmark::lbm
