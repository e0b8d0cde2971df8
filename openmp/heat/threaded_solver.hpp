// Grids whose rows were first touched by the threads that update them.
#pragma once

#include <fmt/core.h>

#include "common/heat/host_solver.hpp"
#include "common/run/provenance.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::openmp {
using namespace heat;

template <class T>
class ThreadedSolver : public HostSolver<T> {
 public:
  explicit ThreadedSolver(std::optional<int> threads) : team_(threads) {}

  void init(const Plate& plate, int) override {
    this->make_grids(plate);
    team_.run([&](int me) { this->fill_rows(me, team_.size()); });
  }

 protected:
  RunFacts facts_with(double values_per_update, const Settings& settings = {}) const {
    return {.device = cpu_name(),
            .driver = fmt::format("OpenMP {}", _OPENMP),
            .threads = team_.size(),
            .bytes_per_update = values_per_update * sizeof(T),
            .settings = settings};
  }

  ThreadTeam team_;
};

}  // namespace boltzmark::openmp
