// Textbook: the serial textbook with a directive at each loop. After every phase the threads wait for each
// other. Between these, each has its part of the cells, and by static schedules it is the same in all phases,
// but for parts of a row. Each sets the start state of its part, so on a machine of several NUMA nodes a
// thread's cells lie in its memory.
//
//   accelerate   cells      read and write one row
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   av_velocity  cells      read, each thread's sum added to the others'
#include "common/lbm/textbook.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <optional>
#include <vector>

#include "common/base/error.hpp"
#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "openmp/lbm/variants.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class Real>
class Textbook : public Solver {
 public:
  explicit Textbook(std::optional<int> threads) {
    if (threads) omp_set_num_threads(*threads);
#pragma omp parallel
#pragma omp single
    threads_ = omp_get_num_threads();
    if (threads && threads_ != *threads)
      throw unavailable("--threads: expected {} threads, found that the OpenMP runtime gives {}", *threads,
                        threads_);
  }

  void init(const Problem& problem) override {
    nx_ = problem.parameters.nx;
    ny_ = problem.parameters.ny;
    driven_row_ = problem.parameters.driven_row();
    const std::int64_t count = problem.cells();
    require_memory("two grids", 2.0 * sizeof(Cell) * static_cast<double>(count));
    constants_.emplace(problem.parameters);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    solid_ = problem.solid_mask();
    cells_ = std::make_unique_for_overwrite<Cell[]>(static_cast<std::size_t>(count));
    scratch_ = std::make_unique_for_overwrite<Cell[]>(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < count; ++cell)
      cells_[cell] = scratch_[cell] = Cell{};  // fluid at rest
  }

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      propagate();
      rebound();
      collision();
      av_vels[step] = av_velocity();
    }
  }

  void collect(State& state) override {
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < nx_ * ny_; ++cell)
      textbook::store_macroscopic(cells_[cell], constants_->density, fields_of(state),
                                  static_cast<std::size_t>(cell));
  }

  RunFacts facts() const override {
    RunFacts facts = cpu_facts<Real>(2);
    facts.driver = fmt::format("OpenMP {}", _OPENMP);
    facts.threads = threads_;
    facts.flops_per_update = textbook::counted_flops();
    return facts;
  }

 private:
  using Cell = textbook::Cell<Real>;

  void accelerate_flow() {
    const std::int64_t jj = driven_row_;
#pragma omp parallel for schedule(static)
    for (std::int64_t ii = 0; ii < nx_; ++ii)
      if (!solid_[ii + jj * nx_]) textbook::accelerate(cells_[ii + jj * nx_], *constants_);
  }

  void propagate() {
#pragma omp parallel for schedule(static)
    for (std::int64_t jj = 0; jj < ny_; ++jj)
      for (std::int64_t ii = 0; ii < nx_; ++ii) {
        const std::int64_t y_n = jj == ny_ - 1 ? 0 : jj + 1;
        const std::int64_t x_e = ii == nx_ - 1 ? 0 : ii + 1;
        const std::int64_t y_s = jj == 0 ? ny_ - 1 : jj - 1;
        const std::int64_t x_w = ii == 0 ? nx_ - 1 : ii - 1;
        textbook::propagate(&cells_[y_s * nx_], &cells_[jj * nx_], &cells_[y_n * nx_], x_w, ii, x_e,
                            scratch_[ii + jj * nx_]);
      }
  }

  void rebound() {
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < nx_ * ny_; ++cell)
      if (solid_[cell]) textbook::rebound(scratch_[cell], cells_[cell]);
  }

  void collision() {
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < nx_ * ny_; ++cell)
      if (!solid_[cell]) textbook::collide(scratch_[cell], cells_[cell], *constants_);
  }

  double av_velocity() const {
    double tot_u = 0.0;  // in double, or a million cells would cost two digits
#pragma omp parallel for schedule(static) reduction(+ : tot_u)
    for (std::int64_t cell = 0; cell < nx_ * ny_; ++cell)
      if (!solid_[cell]) tot_u += textbook::speed(cells_[cell], *constants_);
    return tot_u / fluid_cells_;
  }

  int threads_ = 1;
  std::int64_t nx_ = 0, ny_ = 0, driven_row_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<textbook::Constants<Real>> constants_;
  std::vector<std::uint8_t> solid_;
  std::unique_ptr<Cell[]> cells_, scratch_;  // no vectors: these would set every cell on the first thread
};

}  // namespace

std::unique_ptr<Solver> make_textbook(Precision precision, std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<Textbook<double>>(threads);
  return std::make_unique<Textbook<float>>(threads);
}

}  // namespace boltzmark::openmp
