#include "mpi/lbm/threaded_solver.hpp"

#include <algorithm>

#include "common/lbm/cpu/row_costs.hpp"
#include "mpi/library.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace lbm;

ThreadedSolver::ThreadedSolver(const std::string& halo, std::optional<int> threads)
    : RankSolver("cpu", halo), team_(threads_of_rank(threads)) {}

void ThreadedSolver::partition(const Problem& problem, int vectors,
                               const std::function<int(int x)>& vector_of) {
  const auto of_rows = row_costs(problem, vectors, vector_of);
  std::vector<std::int64_t> of_grid(static_cast<std::size_t>(problem.parameters.layers()));
  for (std::size_t row = 0; row < of_rows.size(); ++row)
    of_grid[row * of_grid.size() / of_rows.size()] += of_rows[row];  // in the order of rows
  RankSolver::partition(problem, of_grid);
  const auto mine = of_grid.begin() + ranks().first_layer();
  costs_.assign(mine, mine + ranks().layers());
  starts_ = partition_rows(costs_, std::min(team_.size(), ranks().layers()));
}

RunFacts ThreadedSolver::with_ranks(RunFacts facts) const {
  facts.driver = library_version();
  facts.threads = team_.size();
  add_facts(facts);
  return facts;
}

}  // namespace boltzmark::mpi
