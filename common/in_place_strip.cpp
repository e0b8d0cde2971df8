#include "common/in_place_strip.hpp"

#include <algorithm>

#include "common/macroscopic.hpp"

namespace boltzmark {
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
  // A line between rows: rows that lie a multiple of 4 KiB apart would compete for the same places of the
  // first cache.
  constexpr std::size_t line = 64 / sizeof(T);
  const std::size_t values = vectors_ * Lattice::directions * static_cast<std::size_t>(kernels.lanes);
  pitch_ = (values + line - 1) / line * line + line;
  const std::size_t all_rows = static_cast<std::size_t>(rows) + 2 * static_cast<std::size_t>(halo_rows);
  grid_ = AlignedArray<T>(all_rows * pitch_);
  blocked_ = AlignedArray<std::uint32_t>(all_rows * vectors_);
  row_facts_.resize(all_rows);
  if (nx_ % kernels.lanes != 0) find_ends();
}

template <class T>
void InPlaceStrip<T>::init_rows(int begin, int end) {
  const auto mask = problem_.obstacle_mask(first_row_ + begin, end - begin);
  for (int y = begin; y < end; ++y) {
    std::fill_n(row(y), pitch_, T(0));
    init_facts(y, std::span(mask).subspan(static_cast<std::size_t>(y - begin) * nx_, nx_));
    if (row_facts_[index(y)].accelerated) accelerate_start(y);
  }
}

template <class T>
void InPlaceStrip<T>::init_facts(int y, std::span<const std::uint8_t> mask) {
  std::uint32_t* const words = blocked_.data() + index(y) * vectors_;
  std::fill_n(words, vectors_, 0u);
  for (std::size_t column = 0; column < vectors_ * kernels_.lanes; ++column)
    if (column >= mask.size() || mask[column]) words[column % vectors_] |= 1u << column / vectors_;
  const int ny = problem_.parameters.ny;
  const auto is_blocked = [](std::uint8_t cell) { return cell != 0; };
  row_facts_[index(y)] = {.free = std::all_of(words, words + vectors_, [](auto bits) { return bits == 0; }),
                          .solid = std::all_of(mask.begin(), mask.end(), is_blocked),
                          .accelerated = ((first_row_ + y) % ny + ny) % ny == ny - 2};
}

template <class T>
void InPlaceStrip<T>::accelerate_start(int y) {
  const std::uint32_t* const words = blocked_.data() + index(y) * vectors_;
  for (int x = 0; x < nx_; ++x) {
    const bool fluid = (words[x % vectors_] >> x / vectors_ & 1u) == 0;
    const auto pushed = accelerate(Populations<T>{}, fluid, relaxation_);
    for (int i = 0; i < Lattice::directions; ++i) row(y)[place(i, x)] = pushed.f[i];
  }
}

template <class T>
void InPlaceStrip<T>::find_ends() {
  // West of column 0 the update looks into the last lane of the last vector, east of nx-1 into column nx.
  const int west_end = static_cast<int>(vectors_) * kernels_.lanes - 1;
  for (int i = 0; i < Lattice::directions; ++i) {
    if (Lattice::cx[i] > 0) ends_.push_back({1 - Lattice::cy[i], place(i, nx_ - 1), place(i, west_end)});
    if (Lattice::cx[i] < 0) ends_.push_back({1 - Lattice::cy[i], place(i, 0), place(i, nx_)});
  }
}

template <class T>
void InPlaceStrip<T>::lend_ends(const RowJob<T>& job) const {
  T* const rows[] = {job.south, job.row, job.north};
  for (const End& end : ends_) rows[end.row][end.lent] = rows[end.row][end.real];
}

template <class T>
void InPlaceStrip<T>::fetch_ends(const RowJob<T>& job) const {
  T* const rows[] = {job.south, job.row, job.north};
  for (const End& end : ends_) rows[end.row][end.real] = rows[end.row][end.lent];
}

template <class T>
void InPlaceStrip<T>::collect(int steps, std::span<double> ux, std::span<double> uy, std::span<double> density) {
  const bool moved = steps % 2 != 0;  // an even step leaves results where the neighbours' odd step reads them
  for (int y = 0; y < rows_; ++y)
    for (int x = 0; x < nx_; ++x) {
      Populations<double> a;
      for (int i = 0; i < Lattice::directions; ++i) {
        const int to_x = (x + Lattice::cx[i] + nx_) % nx_, to_y = y + Lattice::cy[i];
        a.f[i] = static_cast<double>(moved ? row(to_y)[place(Lattice::opposite[i], to_x)] : row(y)[place(i, x)]);
      }
      const std::size_t cell = static_cast<std::size_t>(y) * nx_ + x;
      store_macroscopic(a, problem_.parameters.density, ux[cell], uy[cell], density[cell]);
    }
}

template class InPlaceStrip<float>;
template class InPlaceStrip<double>;

}  // namespace boltzmark
