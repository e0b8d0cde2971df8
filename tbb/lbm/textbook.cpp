// Textbook: the serial textbook with a parallel_for for each loop, one cell an index; the last is a parallel_reduce.
// After each of them all threads are done.
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   speeds       cells      read, parallel_reduce
#include "common/lbm/textbook_solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace lbm;
namespace {

template <class Real, class L>
class Textbook : public TextbookSolver<Real, L, OnArena<OnHost<Solver>>> {
  using Base = TextbookSolver<Real, L, OnArena<OnHost<Solver>>>;
  using Base::p_, Base::constants_, Base::solid_, Base::cells_, Base::scratch_;

 public:
  using Base::Base;

 private:
  template <class Work>
  void for_each(std::int64_t count, const Work& work) {
    this->arena_.execute([&] { tbb::parallel_for(std::int64_t{0}, count, work); });
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
    using Cells = tbb::blocked_range<std::int64_t>;
    return this->arena_.execute([this] {
      return tbb::parallel_reduce(
          Cells(0, p_.cells()), 0.0,
          [this](const Cells& cells, double tot_u) {
            for (std::int64_t cell = cells.begin(); cell != cells.end(); ++cell)
              if (!solid_[cell]) tot_u += static_cast<double>(textbook::speed(cells_[cell], *constants_));
            return tot_u;
          },
          std::plus<>());
    });
  }
};

}  // namespace

extern const lbm::Variant textbook =
    textbook_of<Textbook>("array of structs, one algorithm per function, a parallel_reduce for the average velocity");

}  // namespace boltzmark::onetbb
