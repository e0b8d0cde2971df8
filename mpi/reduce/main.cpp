// reduce-mpi: an array of which each rank has a stretch and reduces it; MPI_Allreduce joins what they have.
//
//     result of mine = values[first] (op) ... (op) values[last];   MPI_Allreduce(result of mine, result, op)
#include "common/run/cpu_device.hpp"
#include "mpi/library.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/reduce/all_reduce.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"
#include "openmp/reduce/threaded_reducer.hpp"
#include "serial/reduce/textbook.hpp"

namespace boltzmark::mpi {
namespace {

class RankReducer : public openmp::ThreadedReducer {
 public:
  explicit RankReducer(std::optional<int> threads) : openmp::ThreadedReducer(threads_of_rank(threads)) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }
  std::string shortage(double bytes) override {
    return shortage_of_ranks(static_cast<std::uint64_t>(bytes / ranks_));
  }
  void init(const reduce::Task& task) override {
    make_and_fill(task, stretch_of(task.elements, rank_, ranks_, task.is_wide ? 8 : 4));
  }
  RunFacts facts() const override {
    return {.device = cpu_name(), .driver = library_version(), .threads = team_.size(), .ranks = ranks_};
  }

 private:
  int rank_ = 0, ranks_ = 1;
};

/// A rank's stretch in one loop.
class Textbook : public RankReducer {
 public:
  Textbook() : RankReducer(std::nullopt) {}
  reduce::Result reduce() override {
    return with_values([this](auto op, const auto* values) {
      return all_reduce(op, serial::TextbookReduction::reduce(op, values, {0, size()}));
    });
  }
};

class Vectors : public RankReducer {
 public:
  using RankReducer::RankReducer;
  reduce::Result reduce() override {
    const reduce::Result mine = reduce_in_vectors();
    return with_values([&](auto op, const auto*) { return all_reduce(op, mine); });
  }
};

reduce::Program make_program() {
  reduce::Program program;
  program.model = "mpi";
  program.summary = "Reduction of an array on the ranks of an MPI launcher (one rank without)";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook",
                       .summary = "one loop over a rank's stretch, then MPI_Allreduce; one thread",
                       .role = Role::textbook},
                      {.name = "vectors",
                       .summary = "eight vectors at a time on each thread, then MPI_Allreduce",
                       .options = {"threads"},
                       .role = Role::like_for_like}};
  program.options = {threads_option("1")};
  program.options[0].in_every_variant = false;  // a rank of the textbook has one
  program.devices = cpu_devices;
  program.warning = [](const Options& options) { return crowding(options.number("threads").value_or(1)); };
  program.default_variant = [](const Options&) { return "vectors"; };
  program.make = [](const Options& options) -> std::unique_ptr<reduce::Reducer> {
    if (options.variant == "textbook") return std::make_unique<Textbook>();
    return std::make_unique<Vectors>(options.number("threads"));
  };
  return program;
}

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  return mpi::run_on_ranks(
      argc, argv, [&](Team& team) { return reduce::run_program(argc, argv, mpi::make_program(), team); });
}
