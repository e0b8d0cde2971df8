// One region: `threads` with a single parallel region round all steps, in which the threads meet at the end of each loop,
// and with grids whose rows are first written by the thread that will work on them, so that they lie in its memory.
//
//   ghosts       from    read and write two columns, after the body force on the driven row
//   time step    from    read, to      write     propagate, rebound and collision, of which one is chosen; |u|
#include "common/lbm/rung.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class Real>
class OneRegion : public Rung<Real> {
  using Base = Rung<Real>;
  using Base::p_, Base::relaxation_, Base::solid_, Base::pushes_, Base::fluid_cells_, Base::index;
  using Cell = Populations<Real>;
  static constexpr int directions = D2Q9::directions;

 public:
  explicit OneRegion(const Options& asked) : threads_(start_threads(asked.number("threads"))) {
    omp_set_num_threads(threads_);
  }

  void run(int steps, std::span<double> av_vels) override {
    double tot_u = 0.0;
#pragma omp parallel
    for (int step = 0; step < steps; ++step) {
#pragma omp for schedule(static)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) {
        if (jj == p_.driven_row()) accelerate_flow();
        fill_ghosts(jj);
      }
#pragma omp for schedule(static) reduction(+ : tot_u)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) tot_u += update_row(jj);
#pragma omp single
      {
        av_vels[step] = tot_u / fluid_cells_;
        tot_u = 0.0;
        for (const WallPush& push : pushes_)
          to_[place(push.direction, push.cell % p_.nx, push.cell / p_.nx)] += Real(push.momentum);
        std::swap(from_, to_);
      }
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
    from_ = std::make_unique_for_overwrite<Real[]>(directions * stride_);
    to_ = std::make_unique_for_overwrite<Real[]>(directions * stride_);
#pragma omp parallel for schedule(static)
    for (int jj = 0; jj < p_.ny; ++jj)
      for (int i = 0; i < directions; ++i)
        for (int ii = 0; ii < p_.nx; ++ii) {
          from_[place(i, ii, jj)] = populations[i * cells + index(ii, jj)];
          to_[place(i, ii, jj)] = 0;
        }
  }

  Real at(int i, int x, int y) const override { return from_[place(i, x, y)]; }

  /// Of population i of cell ii, jj in a grid; columns -1 and nx are ghosts.
  std::int64_t place(int i, std::int64_t ii, std::int64_t jj) const { return i * stride_ + ii + 1 + width_ * jj; }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
      if (solid_[index(ii, jj)]) continue;
      Cell cell;
      for (int i = 0; i < directions; ++i) cell.f[i] = from_[place(i, ii, jj)];
      cell = accelerate(cell, true, relaxation_);
      for (int i = 0; i < directions; ++i) from_[place(i, ii, jj)] = cell.f[i];
    }
  }

  /// What leaves a row at one end arrives at the other.
  void fill_ghosts(std::int64_t jj) {
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
  /// No vectors: these would set every cell on the first thread.
  std::unique_ptr<Real[]> from_, to_;
};

}  // namespace

extern const lbm::Variant one_region = {
    .name = "one-region",
    .summary = "rung 7: one parallel region for all steps, rows in the memory of their threads",
    .make = make_rung<OneRegion>};

}  // namespace boltzmark::openmp
