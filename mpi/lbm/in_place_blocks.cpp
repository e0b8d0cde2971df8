// In place over ranks that have blocks of a Cartesian communicator (blocks.hpp draws them): in_place.cpp where not only
// layers are divided. Before an even step a block borrows what crosses its faces, along one axis after the other; after
// it what was written there goes back, along the axes in the opposite order, so that what belongs to a block at a corner
// comes by way of the one between. An odd step needs nothing of anyone.
#include <memory>

#include "common/lbm/cpu/cpu_facts.hpp"
#include "mpi/lbm/blocks.hpp"
#include "mpi/lbm/in_place_block.hpp"
#include "mpi/lbm/variants.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

template <class T, class L>
class ExchangedBlock : public InPlaceBlock<T, L> {
 public:
  using InPlaceBlock<T, L>::InPlaceBlock;

  void add_exchanges(const RanksGrid& grid, BlockExchanges& exchanges) {
    for (int axis = 0; axis < L::dimension; ++axis)
      if (grid.is_divided(axis)) add_borrowing(axis, exchanges);
    for (int axis = L::dimension - 1; axis >= 0; --axis)
      if (grid.is_divided(axis)) add_returning(axis, exchanges);
  }

  static RunFacts facts(const RowKernels<T, L>* kernels) { return in_place_facts(*kernels, 1); }

 private:
  /// The four cells deep along an axis that matter: the copies before the block, its first and last own cells, and the
  /// copies behind it. Of each the first value.
  struct Ends {
    T *before, *first, *last, *behind;
  };
  Ends ends(int axis) {
    if (axis == 0)
      return {this->at(0, 0, 0), this->at(1, 0, 0), this->at(this->columns() - 2, 0, 0),
              this->at(this->columns() - 1, 0, 0)};
    if (axis == L::dimension - 1)
      return {this->at(0, 0, -1), this->at(0, 0, 0), this->at(0, 0, this->layers() - 1),
              this->at(0, 0, this->layers())};
    return {this->at(0, 0, 0), this->at(0, 1, 0), this->at(0, this->rows() - 2, 0),
            this->at(0, this->rows() - 1, 0)};
  }

  void add_borrowing(int axis, BlockExchanges& exchanges) {
    const Ends e = ends(axis);
    exchanges.add<T>(0, axis, {e.last, e.before, this->crossing(axis, +1)},
                     {e.first, e.behind, this->crossing(axis, -1)});
  }
  void add_returning(int axis, BlockExchanges& exchanges) {
    const Ends e = ends(axis);
    exchanges.add<T>(1, axis, {e.behind, e.first, this->crossing(axis, -1)},
                     {e.before, e.last, this->crossing(axis, +1)});
  }
};

template <class T, class L>
std::unique_ptr<Solver> make(const RanksShape& shape, const std::string& halo, std::optional<int> threads,
                             std::optional<int> lanes) {
  const RowKernels<T, L>* const kernels = &row_kernels<T, L>(lanes);
  return std::make_unique<BlockSolver<ExchangedBlock<T, L>, L, const RowKernels<T, L>*>>(shape, halo, threads,
                                                                                         kernels);
}

}  // namespace

std::unique_ptr<Solver> make_in_place_blocks(const Problem& problem, Precision precision,
                                             const RanksShape& shape, const std::string& halo,
                                             std::optional<int> threads, std::optional<int> lanes) {
  const bool is_flat = problem.parameters.dimension == 2;
  if (precision == Precision::f64)
    return is_flat ? make<double, D2Q9>(shape, halo, threads, lanes)
                   : make<double, D3Q19>(shape, halo, threads, lanes);
  return is_flat ? make<float, D2Q9>(shape, halo, threads, lanes)
                 : make<float, D3Q19>(shape, halo, threads, lanes);
}

}  // namespace boltzmark::mpi
