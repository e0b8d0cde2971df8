// Matrices whose rows were first touched by the threads that share the work.
#pragma once

#include <fmt/core.h>

#include "common/matmul/host_multiplier.hpp"
#include "common/run/provenance.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::openmp {
using namespace matmul;

template <class T>
class ThreadedMultiplier : public HostMultiplier<T> {
 public:
  explicit ThreadedMultiplier(std::optional<int> threads) : team_(threads) {}

  void init(const Shape& shape, const Entries& entries) override {
    this->make_arrays(shape);
    team_.run([&](int me) { this->fill_rows(entries, me, team_.size()); });
  }

 protected:
  RunFacts facts_with(double bytes_per_update, const Settings& settings = {}) const {
    return {.device = cpu_name(),
            .driver = fmt::format("OpenMP {}", _OPENMP),
            .threads = team_.size(),
            .bytes_per_update = bytes_per_update,
            .settings = settings};
  }

  ThreadTeam team_;
};

}  // namespace boltzmark::openmp
