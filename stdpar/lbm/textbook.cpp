// Textbook: the serial textbook with a parallel algorithm for each loop, one cell an element. After every algorithm
// all threads are done; the library decides which of them has which cells. par_unseq: no cell waits for
// another, so they may be interleaved on a thread too.
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   speeds       cells      read, transform_reduce
#include "common/lbm/textbook_solver.hpp"

#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace lbm;
namespace {

template <class Real, class L>
class Textbook : public TextbookSolver<Real, L, OnCores<OnHost<Solver>>> {
  using Base = TextbookSolver<Real, L, OnCores<OnHost<Solver>>>;
  using Base::p_, Base::constants_, Base::solid_, Base::cells_, Base::scratch_;

  template <class Work>
  static void for_each(std::int64_t count, const Work& work) {
    std::for_each(std::execution::par_unseq, counting(0), counting(count), work);
  }

  void accelerate_flow() override {
    if (p_.driven_row() < 0) return;
    for_each(std::int64_t{p_.nx} * p_.nz, [this](std::int64_t at) {
      const std::int64_t ii = at % p_.nx, kk = at / p_.nx, cell = ii + p_.nx * (p_.driven_row() + p_.ny * kk);
      if (!solid_[cell]) textbook::accelerate(cells_[cell], *constants_);
    });
  }

  void propagate() override {
    for_each(p_.cells(), [this](std::int64_t cell) {
      textbook::propagate(cells_.get(), p_, cell % p_.nx, cell / p_.nx % p_.ny, cell / p_.nx / p_.ny, scratch_.get());
    });
  }

  void rebound() override {
    for_each(p_.cells(), [this](std::int64_t cell) {
      if (solid_[cell]) textbook::rebound(scratch_[cell], cells_[cell]);
    });
  }

  void collision() override {
    for_each(p_.cells(), [this](std::int64_t cell) {
      if (!solid_[cell]) textbook::collide(scratch_[cell], cells_[cell], *constants_);
    });
  }

  double sum_of_speeds() override {
    return std::transform_reduce(
        std::execution::par_unseq, counting(0), counting(p_.cells()), 0.0, std::plus<>{}, [this](std::int64_t cell) {
          return solid_[cell] ? 0.0 : static_cast<double>(textbook::speed(cells_[cell], *constants_));
        });
  }
};

}  // namespace

extern const lbm::Variant textbook =
    textbook_of<Textbook>("array of structs, one algorithm per function, a transform_reduce for the average velocity");

}  // namespace boltzmark::stdpar
