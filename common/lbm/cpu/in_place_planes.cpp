#include "common/lbm/cpu/in_place_planes.hpp"

#include <algorithm>
#include <span>

#include "common/cpu/memory.hpp"

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
      layout_(nx_, ny_, kernels.lanes, sizeof(T)),
      vectors_(static_cast<std::size_t>(layout_.columns.vectors())),
      rows_ahead_(PlaneLayout::rows_ahead(layout_.pitch * sizeof(T))),
      relaxation_(make_relaxation<T, L>(problem.parameters)),
      ghosts_(layout_.columns.ghosts()),
      pushes_(wall_pushes<L>(problem)) {
  const std::size_t all_planes = static_cast<std::size_t>(planes) + 2 * static_cast<std::size_t>(halo);
  const std::size_t all_rows = all_planes * static_cast<std::size_t>(ny_);
  if (!memory) {
    require_memory("one grid", sizeof(T) * static_cast<double>(all_planes * layout_.plane_pitch));
    grid_ = AlignedArray<T>(all_planes * layout_.plane_pitch);
  }
  values_ = memory ? memory(all_planes * layout_.plane_pitch) : grid_.data();
  solid_ = AlignedArray<std::uint32_t>(all_rows * vectors_);
  runs_.reserve(all_rows);
  for (int z = -halo_; z < planes_ + halo_; ++z) {
    const auto mask = problem_.solid_mask(first_ + z, 1);
    const auto row_of = [&](int y) {
      return std::span(mask).subspan(static_cast<std::size_t>(y) * nx_, static_cast<std::size_t>(nx_));
    };
    for (int y = 0; y < ny_; ++y)
      layout_.columns.find_solid(row_of(y), {solid_.data() + index(y, z) * vectors_, vectors_},
                                 RowJob<T, L>::beyond);
    const auto runs = plane_runs(ny_, driven_row_, [&](int y) {
      return std::ranges::all_of(row_of(y), [](std::uint8_t cell) { return cell != 0; });
    });
    runs_.insert(runs_.end(), runs.begin(), runs.end());
  }
}

template <class T>
void InPlacePlanes<T>::init(int south, int north, int begin, int end) {
  const Parameters& p = problem_.parameters;
  for (int z = south; z < north; ++z)
    for (int y = begin; y < end; ++y) {
      T* const at = row(y, z);
      std::fill_n(at, layout_.pitch, T(0));
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
double InPlacePlanes<T>::update_run(int y, int count, int z, int step, bool driven, const RowsAhead& ahead) {
  auto job = plane_row_job<T>(y, count, z, layout_, ahead,
                              [this](int row_y, int row_z) { return row(row_y, row_z); });
  job.solid = solid_.data() + index(y, z) * vectors_;
  if (step % 2 != 0) return kernels_.from_own[driven](job, relaxation_);
  const int ghosts = static_cast<int>(ghosts_.size());
  fill_ghosts(job, ghosts_.data(), ghosts);
  const double sum = kernels_.from_neighbours[driven](job, relaxation_);
  copy_boundary_columns(job, ghosts_.data(), ghosts);
  return sum;
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
