// One region: `threads` with a single parallel region around all steps, in which the threads meet at the end of each
// loop, and with grids whose rows are first written by the thread that will update them, which places them in its
// memory.
//
//   ghosts       from    read and write two columns, after the body force on the driven row
//   time step    from    read, to      write     propagate, rebound and collision, of which one is chosen; |u|
#include "common/lbm/ladder.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class Real>
class OneRegion : public GhostSolver<Real> {
  using Base = GhostSolver<Real>;
  using Base::p_, Base::relaxation_, Base::fluid_cells_;

 public:
  explicit OneRegion(const Options& asked) : Base(start_workers(asked)) { omp_set_num_threads(this->workers_.count); }

  void run(int steps, std::span<double> av_vels) override {
    double tot_u = 0.0;
#pragma omp parallel
    for (int step = 0; step < steps; ++step) {
#pragma omp for schedule(static)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) {
        if (jj == p_.driven_row()) this->accelerate_flow();
        this->fill_ghosts(jj);
      }
#pragma omp for schedule(static) reduction(+ : tot_u)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) tot_u += update_row(jj);
#pragma omp single
      {
        av_vels[step] = tot_u / fluid_cells_;
        tot_u = 0.0;
        this->finish_step();
      }
    }
  }

 private:
  void start(const std::vector<Real>& populations) override {
    this->allocate();
#pragma omp parallel for schedule(static)
    for (std::int64_t jj = 0; jj < p_.ny; ++jj) this->start_row(populations, jj);
  }

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

extern const lbm::Variant one_region = {
    .name = "one-region",
    .summary = "rung 7: one parallel region for all steps, rows in the memory of their threads",
    .make = make_rung<OneRegion>};

}  // namespace boltzmark::openmp
