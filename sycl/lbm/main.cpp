// Lattice Boltzmann in SYCL with all that a device is good for: an item of a GPU updates a cell, a unit of a processor
// rows, vector by vector. Populations of a row are one direction after the other.
//
// Fused: two grids, one kernel per step, from one to the other. In place: one grid, of which each step reads and writes
// the same places, and no two cells have one in common (the AA pattern: Bailey and others 2009). An even step reads
// each population from the neighbour that it comes from, and writes it where its opposite came from; an odd one reads
// it there and writes in the plain order. Bouncing back in a solid cell leaves everything where it was.
#include "sycl/on_queue.hpp"

#include "common/cpu/aligned.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/pull.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::by_sycl {
using namespace lbm;
extern const Variant textbook;
namespace {

enum class Step { fused, even, odd };

/// A kernel's data of the problem, and the places of populations.
template <class T, class L>
struct Cells {
  Relaxation<T, L> constants;
  int nx, ny, rows, driven_row = -1;
  std::int64_t pitch;
  const std::uint8_t* solid = nullptr;
  const T* from = nullptr;
  T* to = nullptr;
  using Directions = std::make_integer_sequence<int, L::directions>;

  Cells() = default;
  explicit Cells(const Parameters& p)
      : constants(make_relaxation<T, L>(p)), nx(p.nx), ny(p.ny), rows(p.ny * p.nz), pitch((p.nx + 31) / 32 * 32) {
    if (pitch * sizeof(T) % 4096 == 0) pitch += 32;  // or all directions fall on the same few sets of a cache
  }
  std::int64_t values() const { return pitch * L::directions * rows; }
  std::int64_t place(int i, int x, int row) const { return (std::int64_t{row} * L::directions + i) * pitch + x; }
  /// Number of the column or row that `by` leads to, of one that is less than one off.
  static KERNEL_FN int wrapped(int at, int count) { return at < 0 ? at + count : at < count ? at : at - count; }
  KERNEL_FN int row_at(int y, int z) const {
    return wrapped(y, ny) + (L::dimension == 2 ? 0 : wrapped(z, rows / ny) * ny);
  }

  /// Where population I is read: `away` 1 at the neighbour that it comes from, 0 here. `x` may be of a vector that has
  /// both neighbours in the row.
  template <int I, bool wraps>
  KERNEL_FN std::int64_t source(int x, int y, int z) const {
    using D = Direction<L, I>;
    const int column = wraps && D::x != 0 ? wrapped(x - D::x, nx) : x - D::x;
    return place(I, column, row_at(y - D::y, z - D::z));
  }

  /// Cells x .. of a row, as many as a REAL has lanes; the sum of |u| of fluid ones.
  template <Step step, class REAL, bool wraps, int... I>
  KERNEL_FN REAL update(int x, int row, std::integer_sequence<int, I...>) const {
    const int z = L::dimension == 2 ? 0 : row / ny, y = row - z * ny;
    const std::int64_t places[] = {(step == Step::odd ? place(I, x, row) : source<I, wraps>(x, y, z))...};
    bool any_solid = false;
    const auto is_solid = solid_at<REAL>(solid + std::int64_t{row} * nx + x, any_solid);
    const Populations<REAL, L> arrived = {
        {load<REAL>(places[step == Step::odd ? int{Direction<L, I>::opposite} : I])...}};
    REAL speed = REAL{};
    const Populations<REAL, L> leaving =
        update_cell(arrived, moments_of(arrived, constants), is_solid, any_solid, y == driven_row, constants, &speed);
    if constexpr (step == Step::fused)
      (store(leaving.f[I], place(I, x, row)), ...);
    else
      (store(leaving.f[step == Step::even ? int{Direction<L, I>::opposite} : I], places[I]), ...);
    return speed * constants.speed_unit;
  }
  template <Step step>
  KERNEL_FN T of_cell(std::int64_t cell) const {
    const auto number = static_cast<std::uint32_t>(cell), row = number / static_cast<std::uint32_t>(nx);
    return update<step, T, true>(static_cast<int>(number - row * nx), static_cast<int>(row), Directions{});
  }
  /// The ends of a row, whose neighbours are at its other end, by themselves.
  template <Step step>
  KERNEL_FN double of_row(int row) const {
    using Vector = Pack<T, native_lanes<T>>;
    double sum = static_cast<double>(update<step, T, true>(0, row, Directions{}));
    Vector speeds = Vector::zero();
    int x = 1, added = 0;
    for (; x + Vector::lanes < nx; x += Vector::lanes) {
      speeds = speeds + update<step, Vector, false>(x, row, Directions{});
      if (++added % most_speeds_a_lane == 0) sum += static_cast<double>(speeds.sum()), speeds = Vector::zero();
    }
    sum += static_cast<double>(speeds.sum());
    for (; x < nx; ++x) sum += static_cast<double>(update<step, T, true>(x, row, Directions{}));
    return sum;
  }

 private:
  /// A mask of the bytes at `from`.
  template <class REAL>
  static KERNEL_FN auto solid_at(const std::uint8_t* mask, bool& any) {
    if constexpr (sizeof(REAL) == sizeof(T)) {
      return any = *mask != 0;
    } else {
      using Byte = std::conditional_t<(REAL::lanes > 0), std::uint8_t, REAL>;  // else GCC takes the vector for a number
      typedef Byte Bytes __attribute__((vector_size(REAL::lanes)));
      Bytes bytes;
      __builtin_memcpy(&bytes, mask, sizeof bytes);
      for (int lane = 0; lane < REAL::lanes; ++lane) any |= bytes[lane] != 0;
      return typename REAL::Mask{__builtin_convertvector(bytes, typename REAL::RawMask) != 0};
    }
  }
  template <class REAL>
  KERNEL_FN REAL load(std::int64_t at) const {
    if constexpr (sizeof(REAL) == sizeof(T))
      return from[at];
    else
      return REAL::load(from + at);
  }
  KERNEL_FN void store(T value, std::int64_t at) const { to[at] = value; }
  template <int lanes>
  KERNEL_FN void store(Pack<T, lanes> value, std::int64_t at) const {
    value.store(to + at);
  }
};

template <class T, class L, bool in_place>
struct Kernels : Solver {
  void init(const Problem& problem) override {
    problem_ = &problem;
    steps_ = 0;
    const Parameters& p = problem.parameters;
    cells_ = Cells<T, L>(p);
    solid_ = problem.solid_mask();
    solid_there_ = {solid_.data(), p.cells()};
    cells_.solid = solid_there_.data();
    for (int i = 0; i < (in_place ? 1 : 2); ++i) grids_[i] = Usm<T>(cells_.values());
    grid_ = AlignedArray<T>(static_cast<std::size_t>(cells_.values()));
    each(cells_.rows, [cells = cells_, a = grids_[0].data(), b = grids_[in_place ? 0 : 1].data()](std::int64_t row) {
      for (std::int64_t at = cells.place(0, 0, int(row)); at < cells.place(0, 0, int(row) + 1); ++at) a[at] = b[at] = 0;
    });
    start_pulling(problem, solid_, cells_.constants, [this](std::int64_t cell, int i) -> T& {
      return grid_[cells_.place(i, int(cell % cells_.nx), int(cell / cells_.nx))];
    });
    grids_[0].write(grid_.data());
    for (const bool streamed : {false, true}) {
      auto& pushes = pushes_[streamed];
      pushes.clear();
      for (const WallPush& push : wall_pushes<L>(problem)) {
        const auto [x, row] = std::pair(int(push.cell % p.nx), int(push.cell / p.nx));
        pushes.push_back({place(push.direction, x, row, streamed), T(push.momentum)});
      }
      pushes_there_[streamed] = {pushes.data(), std::int64_t(pushes.size())};
    }
  }

  void run(int steps, std::span<double> av_vels) override {
    run_steps(av_vels, [&](int step, double* sums) {
      cells_.driven_row = step < steps - 1 ? problem_->parameters.driven_row() : -1;
      cells_.from = grids_[in_place ? 0 : step % 2].data();
      cells_.to = grids_[in_place ? 0 : 1 - step % 2].data();
      const bool streamed = in_place && step % 2 == 0;
      if constexpr (in_place)
        streamed ? enqueue<Step::even>(sums) : enqueue<Step::odd>(sums);
      else
        enqueue<Step::fused>(sums);
      // The push of moving walls on the populations that have just left them.
      each(std::int64_t(pushes_[streamed].size()), [to = cells_.to, pushes = pushes_there_[streamed].data()](
                                                       std::int64_t n) { to[pushes[n].place] += pushes[n].momentum; });
    });
    steps_ = steps;
    for (double& av_vel : av_vels) av_vel /= static_cast<double>(problem_->fluid_cells());
  }
  template <Step step>
  void enqueue(double* sums) const {
    add_to(
        sums, cells_.rows,
        [cells = cells_](Range rows) {
          double sum = 0.0;
          for (std::int64_t row = rows.begin; row < rows.end; ++row) sum += cells.template of_row<step>(int(row));
          return sum;
        },
        problem_->cells(), [cells = cells_](std::int64_t cell) { return cells.template of_cell<step>(cell); });
  }

  void collect(State& state) override {
    const Parameters& p = problem_->parameters;
    grids_[in_place ? 0 : steps_ % 2].read(grid_.data());
    collect_fields<L>(p.nx, cells_.rows, p.density, fields_of(state),
                      [&](int i, int x, int row) { return grid_[place(i, x, row, in_place && steps_ % 2 != 0)]; });
  }
  /// Of population i of a cell; `streamed`: with the cell that it moves to, in its opposite's place.
  std::int64_t place(int i, int x, int row, bool streamed) const {
    if (!streamed) return cells_.place(i, x, row);
    const int ny = cells_.ny, to = cells_.row_at(row % ny + L::cy[i], row / ny + L::cz[i]);
    return cells_.place(L::opposite[i], cells_.wrapped(x + L::cx[i], cells_.nx), to);
  }
  RunFacts facts() const override {
    return on_device(cpu_facts<T, L>(in_place ? 1 : 2, {{"vvl", is_cpu() ? native_lanes<T> : 1}}));
  }

  struct Push {
    std::int64_t place;
    T momentum;
  };
  const Problem* problem_ = nullptr;
  int steps_ = 0;
  Cells<T, L> cells_;
  std::vector<std::uint8_t> solid_;
  InUsm<std::uint8_t> solid_there_;
  std::vector<Push> pushes_[2];  ///< in the plain order, and streamed
  InUsm<Push> pushes_there_[2];
  Usm<T> grids_[2];
  AlignedArray<T> grid_;  ///< on the host: at the start, and when collected
};
template <class T, class L>
using Fused = Kernels<T, L, false>;
template <class T, class L>
using InPlace = Kernels<T, L, true>;

const Variant in_place = {.name = "in-place",
                          .summary = "one grid, updated in place, one kernel per step",
                          .kinds = {D3Q19::name},
                          .make = made_of<InPlace>};
const Variant fused = like_for_like_of<Fused>("fused", "structure of arrays, two grids, one kernel per step");

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_sycl;
  return run_on_queue(argc, argv, lbm::workload, {&textbook, &in_place, &fused});
}
