// SIMD: `no-branches` with several cells at once. `#pragma omp simd` states that the cells of a row are independent and
// that the sum may be reordered; the program is compiled for this machine's vectors.
//
//   accelerate   from    read and write one row
//   ghosts       from    read and write two columns
//   time step    from    read, to      write     propagate, rebound and collision, of which one is chosen; |u|
#include "common/lbm/ladder.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real>
class Simd : public GhostSolver<Real> {
  using Base = GhostSolver<Real>;
  using Base::p_, Base::relaxation_, Base::fluid_cells_;

 public:
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      this->accelerate_flow();
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) this->fill_ghosts(jj);
      double tot_u = 0.0;
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

extern const lbm::Variant simd = {
    .name = "simd", .summary = "rung 5: several cells at once, by the compiler's own vectors", .make = make_rung<Simd>};

}  // namespace boltzmark::serial
