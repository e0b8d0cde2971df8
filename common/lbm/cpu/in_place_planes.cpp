#include "common/lbm/cpu/in_place_planes.hpp"

#include <algorithm>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/stretches.hpp"

namespace boltzmark::lbm {

template <class T>
InPlacePlanes<T>::InPlacePlanes(const Problem& problem, int first, int planes, int halo,
                                const RowKernels<T, L>& kernels, const GridMemory<T>& memory)
    : problem_(problem),
      kernels_(kernels),
      first_(first),
      planes_(planes),
      halo_(halo),
      nx_(problem.parameters.nx),
      ny_(problem.parameters.ny),
      driven_row_(problem.parameters.driven_row()),
      vectors_((static_cast<std::size_t>(nx_) + kernels.lanes - 1) / kernels.lanes),
      relaxation_(make_relaxation<T, L>(problem.parameters)),
      pushes_(wall_pushes<L>(problem)) {
  constexpr std::size_t line = 64 / sizeof(T);
  pitch_ = (vectors_ * L::directions * kernels.lanes + line - 1) / line * line;
  // Rows are fetched so far ahead that memory has the time to answer: some forty kilobytes (measured on Zen 4: a row
  // of 10 KB ahead gives 340, two 390, four 415).
  rows_ahead_ = static_cast<int>(std::max<std::size_t>(1, 40960 / (pitch_ * sizeof(T))));
  // Planes of a power of two would all lie in the same sets of the caches.
  plane_pitch_ = pitch_ * static_cast<std::size_t>(ny_) + 25 * line;
  const std::size_t all_planes = static_cast<std::size_t>(planes) + 2 * static_cast<std::size_t>(halo);
  const std::size_t all_rows = all_planes * static_cast<std::size_t>(ny_);
  if (!memory) {
    require_memory("one grid", sizeof(T) * static_cast<double>(all_planes * plane_pitch_));
    grid_ = AlignedArray<T>(all_planes * plane_pitch_);
  }
  values_ = memory ? memory(all_planes * plane_pitch_) : grid_.data();
  solid_ = AlignedArray<std::uint32_t>(all_rows * vectors_);
  row_facts_.resize(all_rows);
  // West of column 0 the update looks into the last lane of the last vector, east of nx-1 into column nx.
  const int west_end = static_cast<int>(vectors_) * kernels.lanes - 1;
  for (int i = 0; i < L::directions && nx_ % kernels.lanes != 0; ++i) {
    const int from = (1 - L::cz[i]) * 3 + (1 - L::cy[i]);
    if (L::cx[i] > 0) ghosts_.push_back({from, place(i, nx_ - 1), place(i, west_end)});
    if (L::cx[i] < 0) ghosts_.push_back({from, place(i, 0), place(i, nx_)});
  }
  for (int z = -halo_; z < planes_ + halo_; ++z) {
    const auto mask = problem_.solid_mask(first_ + z, 1);
    for (int y = 0; y < ny_; ++y)
      init_facts(y, z,
                 std::span(mask).subspan(static_cast<std::size_t>(y) * nx_, static_cast<std::size_t>(nx_)));
  }
}

template <class T>
void InPlacePlanes<T>::init_facts(int y, int z, std::span<const std::uint8_t> mask) {
  std::uint32_t* const words = solid_.data() + index(y, z) * vectors_;
  std::fill_n(words, vectors_, 0u);
  for (std::size_t column = 0; column < vectors_ * kernels_.lanes; ++column)
    if (column >= mask.size() || mask[column]) words[column % vectors_] |= 1u << column / vectors_;
  const auto own = stretches_of({words, vectors_});
  // Most rows have the stretches of the row before them.
  if (stretches_.size() < own.size() || !std::equal(own.rbegin(), own.rend(), stretches_.rbegin()))
    stretches_.insert(stretches_.end(), own.begin(), own.end());
  row_facts_[index(y, z)] = {
      .stretches = static_cast<std::uint32_t>(stretches_.size() - own.size()),
      .all_solid = std::all_of(mask.begin(), mask.end(), [](std::uint8_t cell) { return cell != 0; })};
}

template <class T>
void InPlacePlanes<T>::init(int south, int north, int begin, int end) {
  const Parameters& p = problem_.parameters;
  for (int z = south; z < north; ++z)
    for (int y = begin; y < end; ++y) {
      T* const at = row(y, z);
      std::fill_n(at, pitch_, T(0));
      const bool driven = y == driven_row_;
      if (!driven && starts_at_rest(p)) continue;
      const std::uint32_t* const words = solid_.data() + index(y, z) * vectors_;
      const int from_z = ((first_ + z) % p.nz + p.nz) % p.nz;
      for (int x = 0; x < nx_; ++x) {
        const bool fluid = (words[x % vectors_] >> x / vectors_ & 1u) == 0;
        const auto start = start_populations<L>(p, x, y, from_z, !fluid);
        Populations<T, L> a;
        for (int i = 0; i < L::directions; ++i) a.f[i] = static_cast<T>(start.f[i]);
        if (driven) a = accelerate(a, fluid, relaxation_);
        for (int i = 0; i < L::directions; ++i) at[place(i, x)] = a.f[i];
      }
    }
}

template <class T>
RowJob<T, D3Q19> InPlacePlanes<T>::job_of(int y, int z, const Row& facts, const Ahead& ahead) {
  RowJob<T, L> job;
  for (int k = 0; k < 9; ++k) job.rows[k] = row(y + k % 3 - 1, z + k / 3 - 1);
  job.vectors = static_cast<int>(vectors_);
  job.solid = solid_.data() + index(y, z) * vectors_;
  job.stretches = stretches_.data() + facts.stretches;
  job.soon = row(ahead.soon_y, ahead.soon_z) - row(y, z);
  const std::size_t vector_lines = (sizeof(T) * L::directions * kernels_.lanes + 63) / 64;
  job.far_lines = ahead.parts == 0 ? 0 : static_cast<int>((vector_lines + ahead.parts - 1) / ahead.parts);
  job.far = reinterpret_cast<const char*>(row(ahead.y, ahead.z)) +
            std::size_t{64} * static_cast<std::size_t>(job.far_lines) * vectors_ *
                static_cast<std::size_t>(ahead.part);
  return job;
}

template <class T>
void InPlacePlanes<T>::push(int y, int z, int step) {
  const std::int64_t nz = problem_.parameters.nz, from_z = ((first_ + z) % nz + nz) % nz;
  const std::int64_t begin = (from_z * ny_ + y) * nx_;
  auto push = std::lower_bound(pushes_.begin(), pushes_.end(), begin,
                               [](const WallPush& p, std::int64_t cell) { return p.cell < cell; });
  for (; push != pushes_.end() && push->cell < begin + nx_; ++push) {
    const int x = static_cast<int>(push->cell - begin), i = push->direction;
    // Where the step has left direction i of this cell: an odd one in the cell itself, an even one where the next,
    // odd one finds it.
    T& left = step % 2 != 0
                  ? row(y, z)[place(i, x)]
                  : row(y + L::cy[i], z + L::cz[i])[place(L::opposite[i], wrapped(x + L::cx[i], nx_))];
    left += static_cast<T>(push->momentum);
  }
}

template <class T>
void InPlacePlanes<T>::collect(int steps, Fields fields) {
  const bool moved = steps % 2 != 0;  // an even step leaves results where the neighbours' odd step reads them
  collect_fields<L>(nx_, planes_ * ny_, problem_.parameters.density, fields, [&](int i, int x, int r) {
    const int y = r % ny_, z = r / ny_;
    return moved ? row(y + L::cy[i], z + L::cz[i])[place(L::opposite[i], wrapped(x + L::cx[i], nx_))]
                 : row(y, z)[place(i, x)];
  });
}

template class InPlacePlanes<float>;
template class InPlacePlanes<double>;

}  // namespace boltzmark::lbm
