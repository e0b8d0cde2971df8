// The STREAM kernels of a process over its threads: each thread takes the same stretch of the arrays every
// time, the one that it touched first.
#pragma once

#include "common/cpu/worker_sums.hpp"
#include "common/stream/host_kernels.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::openmp {
using namespace stream;

template <class T>
class ThreadedKernels : public HostKernels<T> {
 public:
  explicit ThreadedKernels(std::optional<int> threads) : team_(threads) {}

  void copy() override {
    on_all_threads([this](Stretch mine) { arrays_.copy(mine); });
  }
  void mul() override {
    on_all_threads([this](Stretch mine) { arrays_.mul(mine); });
  }
  void add() override {
    on_all_threads([this](Stretch mine) { arrays_.add(mine); });
  }
  void triad() override {
    on_all_threads([this](Stretch mine) { arrays_.triad(mine); });
  }

 protected:
  using HostKernels<T>::arrays_;

  int threads() const { return team_.size(); }

  /// Makes the arrays, with `elements` elements in this process. `by_one_thread`: the first thread touches all of them, so
  /// that they lie near it and far from the others.
  void make_arrays(std::int64_t elements, bool by_one_thread = false) {
    arrays_ = Arrays<T>(elements);
    if (by_one_thread) return arrays_.init({0, elements});
    on_all_threads([this](Stretch mine) { arrays_.init(mine); });
  }

  /// The dot product of this process's elements, added up in the order of the threads.
  double dot_here() {
    WorkerSums sums(threads());
    team_.run([&](int me) { *sums.start(me, 1) = arrays_.dot(stretch(me)); });
    double sum = 0.0;
    sums.add_up(1.0, {&sum, 1});
    return sum;
  }

 private:
  Stretch stretch(int thread) const { return stretch_of(arrays_.size(), thread, threads(), sizeof(T)); }
  template <class Work>
  void on_all_threads(Work work) const {
    team_.run([&](int me) { work(stretch(me)); });
  }

  ThreadTeam team_;
};

}  // namespace boltzmark::openmp
