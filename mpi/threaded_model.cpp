#include "mpi/threaded_model.hpp"

#include <algorithm>

#include "common/counting.hpp"
#include "common/cpu/row_costs.hpp"
#include "common/lattice.hpp"
#include "common/provenance.hpp"
#include "mpi/library.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {

ThreadedModel::ThreadedModel(const std::string& halo, std::optional<int> threads)
    : RankModel("cpu", halo), team_(threads_of_rank(threads)) {}

void ThreadedModel::deal(const Problem& problem, int vectors, const std::function<int(int x)>& vector_of) {
  const auto of_grid = row_costs(problem, vectors, vector_of);
  RankModel::deal(problem, of_grid);
  const auto mine = of_grid.begin() + ranks().first_row();
  costs_.assign(mine, mine + ranks().rows());
  starts_ = deal_rows(costs_, std::min(team_.size(), ranks().rows()));
}

RunFacts ThreadedModel::common_facts(std::size_t value_bytes) const {
  RunFacts facts;
  facts.device = provenance_now().cpu;
  facts.driver = library_version();
  facts.threads = team_.size();
  facts.bytes_per_update = 2.0 * Lattice::directions * static_cast<double>(value_bytes);
  facts.flops_per_update = counted_cell_flops();
  add_facts(facts);
  return facts;
}

}  // namespace boltzmark::mpi
