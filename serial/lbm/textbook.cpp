// Textbook: the method as it is written down. Array of structs, one loop per function, two grids; no vectors,
// no fusion. Compiled without -march=native, so that it stays the same baseline on every machine of an
// architecture.
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   speeds       cells      read
#include "common/lbm/textbook_solver.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real, class L>
class Textbook : public TextbookSolver<Real, L, OnHost<Solver>> {
  using Base = TextbookSolver<Real, L, OnHost<Solver>>;
  using Base::p_, Base::constants_, Base::solid_, Base::cells_, Base::scratch_, Base::index;

  void accelerate_flow() override {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
    for (std::int64_t kk = 0; kk < p_.nz; ++kk)
      for (std::int64_t ii = 0; ii < p_.nx; ++ii)
        if (!solid_[index(ii, jj, kk)]) textbook::accelerate(cells_[index(ii, jj, kk)], *constants_);
  }

  void propagate() override {
    for (std::int64_t kk = 0; kk < p_.nz; ++kk)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj)
        for (std::int64_t ii = 0; ii < p_.nx; ++ii) textbook::propagate(cells_.get(), p_, ii, jj, kk, scratch_.get());
  }

  void rebound() override {
    for (std::int64_t cell = 0, cells = p_.cells(); cell < cells; ++cell)
      if (solid_[cell]) textbook::rebound(scratch_[cell], cells_[cell]);
  }

  void collision() override {
    for (std::int64_t cell = 0, cells = p_.cells(); cell < cells; ++cell)
      if (!solid_[cell]) textbook::collide(scratch_[cell], cells_[cell], *constants_);
  }

  double sum_of_speeds() override {
    double tot_u = 0.0;
    for (std::int64_t cell = 0, cells = p_.cells(); cell < cells; ++cell)
      if (!solid_[cell]) tot_u += textbook::speed(cells_[cell], *constants_);
    return tot_u;
  }
};

}  // namespace

extern const lbm::Variant textbook =
    textbook_of<Textbook>("array of structs, one loop per function: the baseline of every speed-up");

}  // namespace boltzmark::serial
