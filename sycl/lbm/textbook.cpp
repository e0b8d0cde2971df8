// Textbook: lattice Boltzmann as a student of SYCL writes it. A time step is one parallel_for over all cells with a
// reduction: each pulls from one grid what moves there, and writes to the other what leaves it (common/lbm/pull.hpp).
// A grid is an array for each direction in the device's memory.
#include "sycl/on_queue.hpp"

#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/pull.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::by_sycl {
using namespace lbm;
namespace {

template <class T>
struct Grid {
  T* values = nullptr;
  std::int64_t cells = 0;
  T& operator()(std::int64_t cell, int i) const { return values[i * cells + cell]; }
};

template <class T, class L>
struct Textbook : Solver {
  void init(const Problem& problem) override {
    p_ = problem.parameters;
    solid_ = problem.solid_mask();
    pushes_ = wall_pushes<L>(problem);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    solid_there_ = {solid_.data(), p_.cells()};
    pushes_there_ = {pushes_.data(), static_cast<std::int64_t>(pushes_.size())};
    for (auto& grid : grids_) grid = Usm<T>(L::directions * p_.cells());
    update_ = {make_relaxation<T, L>(p_), p_.nx, p_.ny, p_.ny * p_.nz, -1, solid_there_.data()};
    start_.resize(static_cast<std::size_t>(grids_[0].size()));
    start_pulling(problem, solid_, update_.constants, Grid<T>{start_.data(), p_.cells()});
    grids_[0].write(start_.data());
  }

  void run(int steps, std::span<double> av_vels) override {
    double* const sums = partial_results<double>(steps);
    queue().fill(sums, 0.0, static_cast<std::size_t>(steps));
    const ::sycl::range<2> cells(static_cast<std::size_t>(update_.rows), static_cast<std::size_t>(p_.nx));
    const WallPush* const pushes = pushes_there_.data();
    for (int step = 0; step < steps; ++step) {
      auto update = update_;
      update.from = {grids_[0].data(), p_.cells()};
      update.to = {grids_[1].data(), p_.cells()};
      if (step < steps - 1) update.driven_row = p_.driven_row();
      queue().parallel_for(cells, ::sycl::reduction(sums + step, ::sycl::plus<double>()),
                           [=](::sycl::id<2> cell, auto& sum) {
                             sum += static_cast<double>(update(static_cast<int>(cell[0]), static_cast<int>(cell[1])));
                           });
      // The push of moving walls on the populations that have just left them.
      each(static_cast<std::int64_t>(pushes_.size()),
           [=, to = update.to](std::int64_t n) { to(pushes[n].cell, pushes[n].direction) += T(pushes[n].momentum); });
      std::swap(grids_[0], grids_[1]);
    }
    copy_bytes(av_vels.data(), sums, av_vels.size_bytes());
    for (double& av_vel : av_vels) av_vel /= fluid_cells_;
  }

  void collect(State& state) override {
    grids_[0].read(start_.data());
    collect_fields<L>(p_.nx, p_.ny * p_.nz, p_.density, fields_of(state), [&](int i, int x, int row) {
      return Grid<T>{start_.data(), p_.cells()}(std::int64_t{row} * p_.nx + x, i);
    });
  }
  RunFacts facts() const override { return on_device(cpu_facts<T, L>(2)); }

  Parameters p_;
  std::vector<std::uint8_t> solid_;
  std::vector<WallPush> pushes_;
  InUsm<std::uint8_t> solid_there_;
  InUsm<WallPush> pushes_there_;
  double fluid_cells_ = 0.0;
  Pull<T, L, Grid<T>> update_;
  Usm<T> grids_[2];
  std::vector<T> start_;  ///< a grid on the host: at the start, and when collected
};

}  // namespace

extern const Variant textbook = textbook_of<Textbook>("an array for each direction, a parallel_for with a reduction");

}  // namespace boltzmark::by_sycl
