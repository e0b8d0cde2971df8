#include "mpi/rank_model.hpp"

#include <algorithm>

#include "common/counting.hpp"
#include "common/cpu/row_costs.hpp"
#include "common/lattice.hpp"
#include "common/provenance.hpp"
#include "mpi/library.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {

RankModel::RankModel(const std::string& halo, std::optional<int> threads)
    : halo_(halo), team_(threads_of_rank(threads)) {}

void RankModel::deal(const Problem& problem, int vectors, const std::function<int(int x)>& vector_of) {
  fluid_cells_ = static_cast<double>(problem.fluid_cells());
  const auto of_grid = row_costs(problem, vectors, vector_of);
  ranks_.emplace(problem.parameters.nx, of_grid);
  const auto mine = of_grid.begin() + ranks_->first_row();
  costs_.assign(mine, mine + ranks_->rows());
  starts_ = deal_rows(costs_, std::min(team_.size(), ranks_->rows()));
}

void RankModel::report_halo(double seconds) {
  double sum = 0.0;
  MPI_Reduce(&seconds, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&seconds, &most_halo_seconds_, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  halo_seconds_ = sum / ranks_->size();
}

RunFacts RankModel::common_facts(std::size_t value_bytes) const {
  return {.device = provenance_now().cpu,
          .driver = library_version(),
          .threads = team_.size(),
          .ranks = ranks_->size(),
          .bytes_per_update = 2.0 * Lattice::directions * static_cast<double>(value_bytes),
          .flops_per_update = counted_cell_flops(),
          .extra = {{"halo", halo_},
                    {"halo_seconds", halo_seconds_},
                    {"halo_seconds_most", most_halo_seconds_},
                    {"strip_rows_fewest", ranks_->fewest_rows()},
                    {"strip_rows_most", ranks_->most_rows()}}};
}

}  // namespace boltzmark::mpi
