#include "mpi/lbm/rank_model.hpp"

namespace boltzmark::mpi {
using namespace lbm;

void RankModel::deal(const Problem& problem, std::span<const std::int64_t> costs) {
  fluid_cells_ = static_cast<double>(problem.fluid_cells());
  ranks_.emplace(problem.parameters.nx, costs);
}

void RankModel::report_halo(double seconds) {
  double sum = 0.0;
  MPI_Reduce(&seconds, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&seconds, &most_halo_seconds_, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  halo_seconds_ = sum / ranks_->size();
}

void RankModel::add_facts(RunFacts& facts) const {
  facts.ranks = ranks_->size();
  facts.settings["local"] = local_;
  facts.settings["halo"] = halo_;
  facts.settings["halo_seconds"] = halo_seconds_;
  facts.settings["halo_seconds_most"] = most_halo_seconds_;
  facts.settings["strip_rows_fewest"] = ranks_->fewest_rows();
  facts.settings["strip_rows_most"] = ranks_->most_rows();
}

}  // namespace boltzmark::mpi
