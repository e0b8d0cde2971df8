// An array of one process whose threads have touched what they will reduce.
#pragma once

#include "common/reduce/host_reducer.hpp"
#include "common/reduce/vectors.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::openmp {

class ThreadedReducer : public reduce::HostReducer {
 public:
  explicit ThreadedReducer(std::optional<int> threads) : team_(threads) {}

 protected:
  void make_and_fill(const reduce::Task& task, Stretch part) {
    make_array(task, part);
    team_.run([this](int me) { fill(stretch(me)); });
  }
  Stretch stretch(int thread) const { return stretch_of(size(), thread, team_.size(), value_bytes()); }

  /// Vectors: each thread its stretch in vectors (common/reduce/vectors.hpp), then the threads' totals in their order.
  reduce::Result reduce_in_vectors() const {
    return with_values([this]<class Op, class T>(Op op, const T* values) {
      std::vector<reduce::Total<Op, T>> totals(static_cast<std::size_t>(team_.size()));
      team_.run([&](int me) { totals[me] = reduce_vectors(op, values, stretch(me)); });
      for (std::size_t thread = 1; thread < totals.size(); ++thread) totals[0].take(totals[thread]);
      return totals[0].result();
    });
  }

  ThreadTeam team_;
};

}  // namespace boltzmark::openmp
