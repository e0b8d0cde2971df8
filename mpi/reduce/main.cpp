// reduce-mpi: an array of which each rank has a part and reduces it, by its threads or with its device; MPI_Allreduce
// combines their results.
//
//     result of mine = values[first] (op) ... (op) values[last];   MPI_Allreduce(result of mine, result, op)
#include "common/reduce/device/program.hpp"
#include "common/reduce/host_reducer.hpp"
#include "common/reduce/vectors.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/on_ranks.hpp"

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

class RankReducer : public OnRanks<reduce::HostReducer> {
 public:
  using OnRanks::OnRanks;
  void init(const reduce::Task& task) override {
    make_array(task, range_of_pages(task.elements, rank_, ranks_, task.is_wide ? 8 : 4));
  }
};

/// Textbook: a rank's part in one loop. Each step waits for the one before.
class Textbook : public RankReducer {
 public:
  using RankReducer::RankReducer;
  reduce::Result reduce() override {
    return with_values([this]<class Op, class T>(Op op, const T* values) {
      T result = Op::template neutral<T>;
      for (std::int64_t i = 0; i < size(); ++i) result = Op::of(result, values[i]);
      return all_reduce(op, reduce::result_of(result));
    });
  }
};

/// Vectors: each thread its part in vectors (common/reduce/vectors.hpp), then the threads' totals in their order.
class Vectors : public RankReducer {
 public:
  using RankReducer::RankReducer;
  reduce::Result reduce() override {
    return with_values([this]<class Op, class T>(Op op, const T* values) {
      std::vector<reduce::Total<Op, T>> totals(static_cast<std::size_t>(threads_));
      on_threads(threads_, [&](int me) { totals[me] = reduce_vectors(op, values, part_of(me, threads_)); });
      for (std::size_t thread = 1; thread < totals.size(); ++thread) totals[0].take(totals[thread]);
      return all_reduce(op, totals[0].result());
    });
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

const reduce::Variant textbook =
    textbook_of<reduce::Reducer, Textbook>("one loop over a rank's part, then MPI_Allreduce; one thread");
const reduce::Variant vectors = {.name = "vectors",
                                 .summary = "eight vectors at a time on each thread, then MPI_Allreduce",
                                 .role = Role::like_for_like,
                                 .options = {threads_option("1")},
                                 .make = made_of<reduce::Reducer, Vectors>};

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
