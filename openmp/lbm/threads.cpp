// Threads: the serial rung `simd` with the rows of a grid divided over threads, a parallel loop for each of its loops.
//
//   accelerate   from    read and write one row
//   ghosts       from    read and write two columns
//   time step    from    read, to      write     propagate, rebound and collision, of which one is chosen; |u|
#include "openmp/threads.hpp"
#include "common/lbm/rung.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class Real>
class Threads : public Rung<Real> {
  using Base = Rung<Real>;
  using Base::p_, Base::relaxation_, Base::solid_, Base::pushes_, Base::fluid_cells_, Base::index;
  using Cell = Populations<Real>;
  static constexpr int directions = D2Q9::directions;

 public:
  explicit Threads(const Options& asked) : threads_(start_threads(asked.number("threads"))) {
    omp_set_num_threads(threads_);
  }

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      fill_ghosts();
      double tot_u = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : tot_u)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) tot_u += update_row(jj);
      av_vels[step] = tot_u / fluid_cells_;
      for (const WallPush& push : pushes_)
        to_[place(push.direction, push.cell % p_.nx, push.cell / p_.nx)] += Real(push.momentum);
      std::swap(from_, to_);
    }
  }

  RunFacts facts() const override {
    RunFacts facts = Base::facts();
    facts.driver = runtime_name();
    facts.threads = threads_;
    return facts;
  }

 private:
  void start(const std::vector<Real>& populations) override {
    const std::size_t cells = solid_.size();
    width_ = p_.nx + 2;
    // A few cache lines between the arrays: a power of two apart, they would share the cache's sets.
    stride_ = width_ * p_.ny + 208;
    from_.resize(directions * stride_);
    to_.resize(directions * stride_);
    for (int i = 0; i < directions; ++i) {
      for (int jj = 0; jj < p_.ny; ++jj)
        for (int ii = 0; ii < p_.nx; ++ii) from_[place(i, ii, jj)] = populations[i * cells + index(ii, jj)];
    }
  }

  Real at(int i, int x, int y) const override { return from_[place(i, x, y)]; }

  /// Of population i of cell ii, jj in a grid; columns -1 and nx are ghosts.
  std::int64_t place(int i, std::int64_t ii, std::int64_t jj) const { return i * stride_ + ii + 1 + width_ * jj; }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
    for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
      if (solid_[index(ii, jj)]) continue;
      Cell cell;
      for (int i = 0; i < directions; ++i) cell.f[i] = from_[place(i, ii, jj)];
      cell = accelerate(cell, true, relaxation_);
      for (int i = 0; i < directions; ++i) from_[place(i, ii, jj)] = cell.f[i];
    }
  }

  /// What leaves a row at one end arrives at the other.
  void fill_ghosts() {
#pragma omp parallel for schedule(static)
    for (std::int64_t jj = 0; jj < p_.ny; ++jj)
      for (int i = 0; i < directions; ++i) {
        from_[place(i, -1, jj)] = from_[place(i, p_.nx - 1, jj)];
        from_[place(i, p_.nx, jj)] = from_[place(i, 0, jj)];
      }
  }

  /// Where the populations of a row come from and where they go: of cell ii at [ii].
  struct Row {
    const Real* arriving[directions];
    Real* leaving[directions];
    const std::uint8_t* solid;
  };

  Real update_row(std::int64_t jj) {
    const std::int64_t y_n = jj == p_.ny - 1 ? 0 : jj + 1;
    const std::int64_t y_s = jj == 0 ? p_.ny - 1 : jj - 1;
    const std::int64_t rows[] = {jj, jj, y_s, jj, y_n, y_s, y_s, y_n, y_n};
    Row row;
    for (int i = 0; i < directions; ++i) {
      row.arriving[i] = &from_[place(i, -D2Q9::cx[i], rows[i])];
      row.leaving[i] = &to_[place(i, 0, jj)];
    }
    row.solid = &solid_[index(0, jj)];
    const std::int64_t nx = p_.nx;
    const Relaxation<Real> c = relaxation_;
    Real tot_u = 0;
#pragma omp simd reduction(+ : tot_u)
    for (std::int64_t ii = 0; ii < nx; ++ii) tot_u += update_cell(row, ii, c);
    return tot_u;
  }

  /// Returns |u|, 0 of a solid cell.
  static Real update_cell(const Row& row, std::int64_t ii, const Relaxation<Real>& c) {
    Cell arrived;
#pragma GCC unroll 9
    for (int i = 0; i < directions; ++i) arrived.f[i] = row.arriving[i][ii];
    const Moments<Real> m = moments_of(arrived, c);
    const Cell collided = collide(arrived, m, c), bounced = bounce_back(arrived);
    const bool is_solid = row.solid[ii];
#pragma GCC unroll 9
    for (int i = 0; i < directions; ++i) row.leaving[i][ii] = is_solid ? bounced.f[i] : collided.f[i];
    return is_solid ? Real(0) : speed_of(m, c);
  }

  int threads_;
  std::int64_t width_ = 0, stride_ = 0;  ///< of a row, and of one population's array to the next
  std::vector<Real> from_, to_;
};

}  // namespace

extern const lbm::Variant threads = {.name = "threads",
                                     .summary = "rung 6: rows divided over threads, a parallel loop for each loop",
                                     .make = make_rung<Threads>};

}  // namespace boltzmark::openmp
