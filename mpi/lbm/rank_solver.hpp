// What all engines have in common: a block of the grid's cells on each rank, by default a strip of layers (rows, in
// three dimensions planes), how results come together, and what the record says of the exchanges.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "common/lbm/solver.hpp"
#include "mpi/lbm/exchange.hpp"
#include "mpi/lbm/ranks.hpp"

namespace boltzmark::mpi {

class RankSolver : public lbm::Solver {
 public:
  /// local: what ranks compute with: cpu, opencl or cuda. halo: sendrecv, persistent or deep; on devices
  /// none, host or ipc.
  /// shape: of the ranks; none: strips.
  RankSolver(const std::string& local, const std::string& halo, std::optional<Extents> shape = {})
      : local_(local), halo_(halo), shape_(shape) {}

  void collect(lbm::State& state) final;

 protected:
  /// Density and velocity of this rank's cells after the run, with those of a frame, which have no meaning.
  virtual void collect_strip(lbm::Fields fields) = 0;

  /// Divides the grid over the ranks, its layers by what they cost. Throws Error (bad_input) when there are more ranks
  /// than layers.
  void partition(const lbm::Problem& problem, std::span<const std::int64_t> costs);

  const Ranks& ranks() const { return *ranks_; }
  double fluid_cells() const { return fluid_cells_; }
  /// How an exchange works; deep halos are exchanged by persistent requests.
  HaloMethod method() const { return halo_ == "sendrecv" ? HaloMethod::sendrecv : HaloMethod::persistent; }

  void set_halo(const std::string& halo) { halo_ = halo; }

  /// Takes the seconds that halo rows cost this rank into the record. Collective.
  void report_halo(double seconds);

  /// Adds to the record's facts what is the same for all engines.
  void add_facts(RunFacts& facts) const;

 private:
  std::string local_, halo_;
  std::optional<Extents> shape_;
  int dimension_ = 2;
  double fluid_cells_ = 0.0;
  std::optional<Ranks> ranks_;
  HaloSeconds halo_seconds_;
};

}  // namespace boltzmark::mpi
