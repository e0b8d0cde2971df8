// reduce-mpi: an array of which each rank has a part and reduces it; MPI_Allreduce combines their results.
//
//     result of mine = values[first] (op) ... (op) values[last];   MPI_Allreduce(result of mine, result, op)
#include "common/reduce/host_reducer.hpp"
#include "common/reduce/vectors.hpp"
#include "common/run/cpu_device.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
namespace {

MPI_Op library_operator(reduce::Operator op) {
  switch (op) {
    case reduce::Operator::product:
      return MPI_PROD;
    case reduce::Operator::min:
      return MPI_MIN;
    case reduce::Operator::max:
      return MPI_MAX;
    case reduce::Operator::bit_and:
      return MPI_BAND;
    case reduce::Operator::bit_or:
      return MPI_BOR;
    case reduce::Operator::bit_xor:
      return MPI_BXOR;
    default:
      return MPI_SUM;
  }
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

class RankReducer : public reduce::HostReducer {
 public:
  explicit RankReducer(const Options& asked) : threads_(threads_of_rank(asked.number("threads"))) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }
  std::string shortage(double bytes) override { return shortage_of_ranks(static_cast<std::uint64_t>(bytes / ranks_)); }
  void init(const reduce::Task& task) override {
    make_array(task, range_of_pages(task.elements, rank_, ranks_, task.is_wide ? 8 : 4));
    on_threads(threads_, [this](int me) { fill(part_of(me)); });
  }
  RunFacts facts() const override {
    return {.device = cpu_name(), .driver = library_version(), .threads = threads_, .ranks = ranks_};
  }

 protected:
  Range part_of(int thread) const { return range_of_pages(size(), thread, threads_, value_bytes()); }

  int threads_, rank_ = 0, ranks_ = 1;
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
      on_threads(threads_, [&](int me) { totals[me] = reduce_vectors(op, values, part_of(me)); });
      for (std::size_t thread = 1; thread < totals.size(); ++thread) totals[0].take(totals[thread]);
      return all_reduce(op, totals[0].result());
    });
  }
};

const reduce::Variant textbook = {
    .name = "textbook",
    .summary = "one loop over a rank's part, then MPI_Allreduce; one thread",
    .role = Role::textbook,
    .make = [](const Options& asked) -> std::unique_ptr<reduce::Reducer> { return std::make_unique<Textbook>(asked); }};
const reduce::Variant vectors = {
    .name = "vectors",
    .summary = "eight vectors at a time on each thread, then MPI_Allreduce",
    .role = Role::like_for_like,
    .options = {threads_option("1")},
    .make = [](const Options& asked) -> std::unique_ptr<reduce::Reducer> { return std::make_unique<Vectors>(asked); }};

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_ranks_program<reduce::Variant>(
      argc, argv,
      {.model = "mpi",
       .summary = "Reduction of an array on the ranks of an MPI launcher (one rank without)",
       .build = BOLTZMARK_BUILD_INFO,
       .variants = {textbook, vectors},
       .default_variant = "vectors",
       .devices = cpu_devices,
       .warning = crowding});
}
