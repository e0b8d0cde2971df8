// Textbook: the serial textbook with a directive at each loop. After every phase the threads wait for each
// other. Between these, each has its part of the cells, and by static schedules it is the same in all phases,
// but for parts of a row. Each sets the start state of its part, so that its cells are in the memory of
// its NUMA node.
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   speeds       cells      read, each thread's sum added to the others'
#include "common/lbm/textbook_solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class Real, class L>
class Textbook : public TextbookSolver<Real, L, OnThreads<OnHost<Solver>>> {
  using Base = TextbookSolver<Real, L, OnThreads<OnHost<Solver>>>;
  using Base::p_, Base::constants_, Base::solid_, Base::cells_, Base::scratch_, Base::index;

 public:
  explicit Textbook(const Options& asked) : Base(asked) { omp_set_num_threads(this->threads_); }

 private:
  void accelerate_flow() override {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t kk = 0; kk < p_.nz; ++kk)
      for (std::int64_t ii = 0; ii < p_.nx; ++ii)
        if (!solid_[index(ii, jj, kk)]) textbook::accelerate(cells_[index(ii, jj, kk)], *constants_);
  }

  void propagate() override {
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t kk = 0; kk < p_.nz; ++kk)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj)
        for (std::int64_t ii = 0; ii < p_.nx; ++ii) textbook::propagate(cells_.get(), p_, ii, jj, kk, scratch_.get());
  }

  void rebound() override {
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < p_.cells(); ++cell)
      if (solid_[cell]) textbook::rebound(scratch_[cell], cells_[cell]);
  }

  void collision() override {
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < p_.cells(); ++cell)
      if (!solid_[cell]) textbook::collide(scratch_[cell], cells_[cell], *constants_);
  }

  double sum_of_speeds() override {
    double tot_u = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : tot_u)
    for (std::int64_t cell = 0; cell < p_.cells(); ++cell)
      if (!solid_[cell]) tot_u += textbook::speed(cells_[cell], *constants_);
    return tot_u;
  }
};

}  // namespace

extern const lbm::Variant textbook =
    textbook_of<Textbook>("array of structs, one parallel loop per function, a reduction for the average velocity");

}  // namespace boltzmark::openmp
