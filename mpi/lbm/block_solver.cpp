#include "mpi/lbm/block_solver.hpp"

#include "common/lbm/cpu/row_costs.hpp"
#include "common/run/provenance.hpp"
#include "mpi/team.hpp"

namespace boltzmark::mpi {
using namespace lbm;

ModelOption halo_option() {
  return {.name = "halo",
          .value = "METHOD",
          .help = "how ranks exchange halo rows; default: persistent",
          .choices = {"persistent", "sendrecv"}};
}

std::string asked_halo(const Options& asked) { return asked.has("halo") ? asked.text("halo") : "persistent"; }

void BlockSolver::partition(const Problem& problem, int vvl, bool are_spread) {
  const Parameters& p = problem.parameters;
  const int vectors = (p.nx + vvl - 1) / vvl;
  const auto of_rows = row_costs(problem, vectors, [=](int x) { return are_spread ? x % vectors : x / vvl; });
  std::vector<std::int64_t> of_grid(static_cast<std::size_t>(p.layers()));
  for (std::size_t row = 0; row < of_rows.size(); ++row)
    of_grid[row * of_grid.size() / of_rows.size()] += of_rows[row];  // in the order of rows
  RankSolver::partition(problem, of_grid);
  const auto mine = of_grid.begin() + ranks().first_layer();
  costs_.assign(mine, mine + ranks().layers());
  starts_ = partition_rows(costs_, std::min(threads_, ranks().layers()));
  part_ = whole_layer(p);
  part_.x = ranks().begin(0), part_.nx = ranks().count(0), part_.frame_x = ranks().is_divided(0);
  if (p.dimension == 3) part_.y = ranks().begin(1), part_.ny = ranks().count(1), part_.frame_y = ranks().is_divided(1);
}

RunFacts BlockSolver::with_ranks(RunFacts facts) const {
  facts.device = cpu_name();
  facts.driver = library_version();
  facts.threads = threads_;
  add_facts(facts);
  return facts;
}

}  // namespace boltzmark::mpi
