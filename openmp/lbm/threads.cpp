// Threads: the serial rung `simd` with the rows of a grid divided among threads; each of its loops is parallel.
//
//   accelerate   from    read and write one row
//   ghosts       from    read and write two columns
//   time step    from    read, to      write     propagate, rebound and collision, of which one is chosen; |u|
#include "openmp/threads.hpp"
#include "common/lbm/ladder.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class Real>
class Threads : public GhostSolver<Real> {
  using Base = GhostSolver<Real>;
  using Base::p_, Base::relaxation_, Base::fluid_cells_;

 public:
  explicit Threads(const Options& asked) : Base(start_workers(asked)) { omp_set_num_threads(this->workers_.count); }

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      this->accelerate_flow();
#pragma omp parallel for schedule(static)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) this->fill_ghosts(jj);
      double tot_u = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : tot_u)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) tot_u += update_row(jj);
      av_vels[step] = tot_u / fluid_cells_;
      this->finish_step();
    }
  }

 private:
  double update_row(std::int64_t jj) {
    const auto row = this->row_of(jj);
    const std::int64_t nx = p_.nx;
    const Relaxation<Real> c = relaxation_;
    double tot_u = 0.0;
    for (std::int64_t first = 0; first < nx; first += Base::most_added) {
      const std::int64_t end = std::min(nx, first + Base::most_added);
      Real sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t ii = first; ii < end; ++ii) sum += Base::update_cell(row, ii, c);
      tot_u += sum;
    }
    return tot_u;
  }
};

}  // namespace

extern const lbm::Variant threads = {.name = "threads",
                                     .summary = "rung 6: rows divided over threads, a parallel loop for each loop",
                                     .make = make_rung<Threads>};

}  // namespace boltzmark::openmp
