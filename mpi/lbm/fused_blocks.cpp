// Fused over ranks that have blocks of a Cartesian communicator (blocks.hpp draws them): fused.cpp where not only
// layers are divided. Everything that crosses comes before every step.
#include <memory>

#include "common/lbm/cpu/cpu_facts.hpp"
#include "mpi/lbm/blocks.hpp"
#include "mpi/lbm/strip_types.hpp"
#include "mpi/lbm/variants.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

struct Nothing {};

template <class T, class L>
class FusedBlock : public Strip<T, L> {
 public:
  FusedBlock(const Problem& problem, int first, int layers, bool halo_layers, const LayerPart& part, Nothing)
      : Strip<T, L>(problem, first, layers, halo_layers, part) {}

  void init_layers(int begin, int end) {
    Strip<T, L>::init_layers(begin, end);
    this->accelerate_start(begin, end);
  }

  void add_exchanges(const RanksGrid& grid, BlockExchanges& exchanges) {
    const int columns = this->columns(), rows = this->rows(), layers = this->layers();
    for (int parity = 0; parity < 2; ++parity) {  // even and odd steps read different grids
      const auto at = [&](int x, int y, int layer) { return this->segment(0, layer, y, parity) + x; };
      if (grid.is_divided(0))
        exchanges.add<T>(parity, 0, {at(columns - 2, 0, 0), at(0, 0, 0), crossing_columns<T, L>(+1, *this)},
                         {at(1, 0, 0), at(columns - 1, 0, 0), crossing_columns<T, L>(-1, *this)});
      if (L::dimension == 3 && grid.is_divided(1))
        exchanges.add<T>(parity, 1, {at(0, rows - 2, 0), at(0, 0, 0), crossing_rows<T, L>(+1, *this)},
                         {at(0, 1, 0), at(0, rows - 1, 0), crossing_rows<T, L>(-1, *this)});
      if (grid.is_divided(L::dimension - 1))
        exchanges.add<T>(parity, L::dimension - 1,
                         {at(0, 0, layers - 1), at(0, 0, -1), crossing_layers<T, L>(+1, *this)},
                         {at(0, 0, 0), at(0, 0, layers), crossing_layers<T, L>(-1, *this)});
    }
  }

  static RunFacts facts(Nothing) { return cpu_facts<T, L>(2, {{"vector_lanes", Strip<T, L>::lanes}}); }
};

template <class T, class L>
using FusedBlocks = BlockSolver<FusedBlock<T, L>, L, Nothing>;

}  // namespace

std::unique_ptr<Solver> make_fused_blocks(const Problem& problem, Precision precision,
                                          const RanksShape& shape, const std::string& halo,
                                          std::optional<int> threads) {
  return make_solver<FusedBlocks>(problem, precision, shape, halo, threads, Nothing{});
}

}  // namespace boltzmark::mpi
