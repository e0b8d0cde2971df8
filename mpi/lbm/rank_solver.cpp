#include "mpi/lbm/rank_solver.hpp"

#include "mpi/lbm/ranks_grid.hpp"

namespace boltzmark::mpi {
using namespace lbm;

void RankSolver::partition(const Problem& problem, std::span<const std::int64_t> costs) {
  fluid_cells_ = static_cast<double>(problem.fluid_cells());
  dimension_ = problem.parameters.dimension;
  ranks_.emplace(problem.parameters, costs);
}

void RankSolver::collect(State& state) {
  State strip;  // of the other ranks; rank 0, whose layers come first, writes its own where they belong
  if (!ranks_->is_root()) strip.resize(ranks_->cells(), dimension_);
  const Fields fields = fields_of(ranks_->is_root() ? state : strip);
  const auto cells = static_cast<std::size_t>(ranks_->cells());
  const auto own = [&](std::span<double> field) { return field.empty() ? field : field.first(cells); };
  collect_strip({own(fields.ux), own(fields.uy), own(fields.density), own(fields.uz)});
  for (const auto& field : {fields.ux, fields.uy, fields.density, fields.uz})
    if (!field.empty()) ranks_->gather_field(field.data());
}

void RankSolver::report_halo(double seconds) { halo_seconds_ = seconds_of_all(seconds); }

void RankSolver::add_facts(RunFacts& facts) const {
  facts.ranks = ranks_->size();
  facts.settings["local"] = local_;
  const int size = ranks_->size();
  facts.settings["ranks_grid"] =
      to_string(dimension_ == 2 ? RanksShape{1, size, 1} : RanksShape{1, 1, size}, dimension_);
  facts.settings["halo"] = halo_;
  facts.settings["halo_seconds"] = halo_seconds_.mean;
  facts.settings["halo_seconds_most"] = halo_seconds_.most;
  facts.settings["strip_rows_fewest"] = ranks_->fewest_layers();
  facts.settings["strip_rows_most"] = ranks_->most_layers();
}

}  // namespace boltzmark::mpi
