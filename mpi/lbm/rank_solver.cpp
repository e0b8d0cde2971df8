#include "mpi/lbm/rank_solver.hpp"

namespace boltzmark::mpi {
using namespace lbm;

void RankSolver::partition(const Problem& problem, std::span<const std::int64_t> costs) {
  fluid_cells_ = static_cast<double>(problem.fluid_cells());
  dimension_ = problem.parameters.dimension;
  ranks_.emplace(problem.parameters, shape_.value_or(strips_of_ranks(dimension_)), costs);
}

void RankSolver::collect(State& state) {
  // A first strip's cells are the first of the whole grid: rank 0 writes them where they belong.
  const bool is_there = ranks_->is_root() && ranks_->are_strips();
  State block;
  if (!is_there) block.resize(ranks_->framed_cells(), dimension_);
  const Fields from = fields_of(is_there ? state : block), to = fields_of(state);
  const auto own = [&](std::span<double> field) {
    return field.empty() ? field : field.first(static_cast<std::size_t>(ranks_->framed_cells()));
  };
  collect_strip({own(from.ux), own(from.uy), own(from.density), own(from.uz)});
  for (auto field : {&Fields::ux, &Fields::uy, &Fields::density, &Fields::uz})
    if (!(from.*field).empty()) ranks_->gather_field((from.*field).data(), (to.*field).data());
}

void RankSolver::report_halo(double seconds) { halo_seconds_ = seconds_of_all(seconds); }

void RankSolver::add_facts(RunFacts& facts) const {
  facts.ranks = ranks_->size();
  facts.settings["local"] = local_;
  facts.settings["ranks_grid"] = to_string(ranks_->shape(), dimension_);
  facts.settings["halo"] = halo_;
  facts.settings["halo_seconds"] = halo_seconds_.mean;
  facts.settings["halo_seconds_most"] = halo_seconds_.most;
  facts.settings["strip_rows_fewest"] = ranks_->fewest_layers();
  facts.settings["strip_rows_most"] = ranks_->most_layers();
}

}  // namespace boltzmark::mpi
