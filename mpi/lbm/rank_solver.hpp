// Shared by all engines: a block of the grid's cells on each rank, by default a strip of layers (rows, in three
// dimensions planes), the gathering of results, and facts of the exchanges for the record.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "common/lbm/solver.hpp"
#include "mpi/exchange.hpp"
#include "mpi/lbm/ranks.hpp"
#include "mpi/neighbours.hpp"

namespace boltzmark::mpi {
using namespace lbm;

class RankSolver : public Solver {
 public:
  /// local: cpu, opencl or cuda. halo: one of halo_methods(); on devices none, host, ipc or nccl. shape: of the ranks;
  /// empty: strips.
  RankSolver(const std::string& local, const std::string& halo, std::optional<Extents> shape = {})
      : local_(local), halo_(halo), shape_(shape) {}

  void collect(State& state) final {
    // The cells of the first strip are the first of the whole grid, so rank 0 writes them in place.
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

 protected:
  /// Density and velocity of this rank's cells after the run, including those of a frame, which have no meaning.
  virtual void collect_strip(Fields fields) = 0;

  /// Divides the grid over the ranks, its layers by cost. Throws Error (bad_input) if there are more ranks than layers.
  void partition(const Problem& problem, std::span<const std::int64_t> costs) {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    dimension_ = problem.parameters.dimension;
    hosts_ = hosts_of_ranks();
    ranks_.emplace(problem.parameters, shape_.value_or(strips_of_ranks(dimension_)), costs);
  }

  const Ranks& ranks() const { return *ranks_; }
  double fluid_cells() const { return fluid_cells_; }
  /// Method of an exchange.
  const std::string& halo() const { return halo_; }
  void set_halo(const std::string& halo) { halo_ = halo; }

  /// Records the data that this rank sends in an exchange; all ranks send about as much.
  void report_traffic(int messages, double bytes) { messages_ = messages, bytes_ = bytes; }

  /// Records the seconds that halo rows cost this rank. Collective.
  void report_halo(double seconds) {
    MPI_Reduce(&seconds, &halo_seconds_, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&seconds, &most_halo_seconds_, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  }

  /// Adds the facts common to all engines to the record.
  void add_facts(RunFacts& facts) const {
    facts.ranks = ranks_->size();
    facts.settings["local"] = local_;
    facts.settings["ranks_grid"] = to_string(ranks_->shape(), dimension_);
    facts.settings["halo"] = halo_;
    facts.settings["halo_seconds"] = halo_seconds_ / ranks_->size();
    facts.settings["halo_seconds_most"] = most_halo_seconds_;
    if (messages_ > 0) {
      facts.settings["halo_messages"] = messages_;
      facts.settings["halo_bytes"] = bytes_;
      facts.settings["hosts"] = hosts_;
    }
    facts.settings["strip_rows_fewest"] = ranks_->fewest_layers();
    facts.settings["strip_rows_most"] = ranks_->most_layers();
  }

 private:
  std::string local_, halo_;
  std::optional<Extents> shape_;
  int dimension_ = 2, hosts_ = 1, messages_ = 0;
  double bytes_ = 0.0;
  double fluid_cells_ = 0.0;
  std::optional<Ranks> ranks_;
  double halo_seconds_ = 0.0, most_halo_seconds_ = 0.0;  ///< of all ranks together, of the slowest; on rank 0
};

}  // namespace boltzmark::mpi
