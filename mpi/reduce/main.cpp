// reduce-mpi: each rank reduces its part of an array by its threads or with its device; MPI_Allreduce combines the
// results.
//
//     result of mine = values[first] (op) ... (op) values[last];   MPI_Allreduce(result of mine, result, op)
#include "common/reduce/array_reducer.hpp"
#include "common/reduce/cpu/vectors.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
namespace {

MPI_Op library_operator(reduce::Operator op) {
  const MPI_Op of_each[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND, MPI_BOR, MPI_BXOR};
  return of_each[static_cast<std::size_t>(op)];
}

/// The ranks' results combined, on every rank. Collective. Numbers travel in double precision, words as wide ones; the
/// result of a rank without values is neutral.
template <class Op>
reduce::Result all_reduce(Op, const reduce::Result& mine) {
  reduce::Result all;
  if constexpr (Op::op < reduce::Operator::bit_and)
    MPI_Allreduce(&mine.number, &all.number, 1, MPI_DOUBLE, library_operator(Op::op), MPI_COMM_WORLD);
  else
    MPI_Allreduce(&mine.word, &all.word, 1, MPI_UINT64_T, library_operator(Op::op), MPI_COMM_WORLD);
  return all;
}

/// Textbook: a rank's part in one loop. Each step waits for the one before.
struct Textbook {
  template <class Op, class T>
  static reduce::Result reduce(Op op, const T* values, std::int64_t elements, const Workers&) {
    T result = Op::template neutral<T>;
    for (std::int64_t i = 0; i < elements; ++i) result = Op::of(result, values[i]);
    return all_reduce(op, reduce::result_of(result));
  }
};

/// Vectors: each thread reduces its part in vectors (common/reduce/cpu/vectors.hpp); then the threads' totals are
/// joined in order.
struct Vectors {
  template <class Op, class T>
  static reduce::Result reduce(Op op, const T* values, std::int64_t elements, const Workers& workers) {
    std::vector<reduce::Total<Op, T>> totals(static_cast<std::size_t>(workers.count));
    on_threads(workers.count,
               [&](int me) { totals[me] = reduce_vectors(op, values, workers.pages_of(me, elements, sizeof(T))); });
    return all_reduce(op, joined(totals).result());
  }
};

class DeviceReducer : public OnRankDevices<reduce::Reducer> {
 public:
  using OnRankDevices::OnRankDevices;
  void init(const reduce::Task& task) override {
    const Range mine = part_of_rank(task.elements);
    task_ = task;
    task_.elements = mine.size();
    task_.first = mine.begin;
    own_->init(task_);
  }
  reduce::Result reduce() override {
    const reduce::Result mine = own_->reduce();
    return reduce::with_operator(task_, [&]<class Op, class T>(Op op, T) { return all_reduce(op, mine); });
  }

 private:
  reduce::Task task_;
};

const reduce::Variant textbook = textbook_of("one loop over a rank's part, then MPI_Allreduce; one thread per rank",
                                             reduce::by<Textbook>(start_workers));
const reduce::Variant vectors = {.name = "vectors",
                                 .summary = "eight vectors at a time on each thread, then MPI_Allreduce",
                                 .role = Role::like_for_like,
                                 .options = {threads_option("1")},
                                 .make = reduce::by<Vectors>(start_workers)};

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_local(
      argc, argv, "reduce-mpi",
      [] {
        return cpu_ranks(reduce::workload, {&textbook, &vectors}, "vectors");
      },
      [] { return on_each_device<DeviceReducer>(reduce::device_program()); });
}
