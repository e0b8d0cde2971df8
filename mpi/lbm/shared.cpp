// One grid in memory that all ranks share, updated in place: what openmp/lbm/in_place.cpp does over threads is done
// here over ranks and their threads. No halo, no exchange: a rank reads and writes its neighbours' rows where they are.
//
//   rank r     thread t    worker r * threads + t of the wavefront over rows (common/cpu/wavefront.hpp), in three
//                          dimensions over planes (common/lbm/cpu/plane_wavefront.hpp)
//
// The progress of each is in shared memory too; a worker waits for nothing else. MPI provides the memory
// (mpi/shared_window.hpp), adds up the average velocities once at the end, and is not called in between. Each worker
// sets the start state of its own rows, so that these are in the memory of its NUMA node. A single rank has a private
// grid.
#include <algorithm>
#include <memory>
#include <new>

#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "mpi/lbm/ranks.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/shared_window.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

/// The ranks' common memory: a grid, and the progress of workers.
class CommonMemory {
 public:
  CommonMemory(int ranks, bool is_root) : is_shared_(ranks > 1), is_root_(is_root) {}

  /// For a grid and its sweeps.
  template <class T>
  SharedByProcesses<T> for_sweeps() {
    SharedByProcesses<T> shared = {.agreed = agreed, .last_level_cache = [] {
                                     return static_cast<std::size_t>(last_level_cache_bytes(Neighbours().processors()));
                                   }};
    if (!is_shared_) return shared;
    shared.grid = [this](std::size_t values) {
      grid_ = std::make_unique<SharedWindow>(values * sizeof(T));
      return static_cast<T*>(grid_->data());
    };
    shared.counts = [this](std::size_t size) { return counts(size); };
    return shared;
  }

 private:
  /// The same on every rank: what rank 0 has found.
  static int agreed(int mine) {
    MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return mine;
  }
  /// So many counts, all zero. Ready when all ranks have passed a barrier.
  Progress* counts(std::size_t size) {
    counts_ = std::make_unique<SharedWindow>(size * sizeof(Progress));
    auto* const first = static_cast<Progress*>(counts_->data());
    if (is_root_) std::uninitialized_default_construct_n(first, size);
    return first;
  }

  bool is_shared_, is_root_;
  std::unique_ptr<SharedWindow> grid_, counts_;
};

template <class T, class L>
class Shared : public Solver {
 public:
  explicit Shared(const Options& asked)
      : kernels_(row_kernels<T, L>(asked.number("vvl"))),
        threads_(threads_of_rank(asked.number("threads"))),
        time_block_(asked.number("time-block")) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  void init(const Problem& problem) override {
    expect_layers(problem.parameters, ranks_);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    memory_.emplace(ranks_, rank_ == 0);
    sweeps_.emplace(problem, kernels_, ranks_ * threads_, time_block_, memory_->for_sweeps<T>());
    on_workers([this](int me, int) { sweeps_->init(me); });
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void run(int steps, std::span<double> av_vels) override {
    WorkerSums sums(workers());
    on_workers([&](int me, int thread) {
      sweeps_->run(me, steps, {sums.start(thread, steps), static_cast<std::size_t>(steps)});
    });
    sums.add_up(sweeps_->speed_unit() / fluid_cells_, av_vels);
    add_up_ranks(av_vels);  // rank 0 has heard of all others then: the grid is done
    steps_ = steps;
  }

  void collect(State& state) override {
    if (rank_ == 0) sweeps_->collect(steps_, fields_of(state));
  }

  RunFacts facts() const override {
    RunFacts facts = in_place_facts(kernels_, sweeps_->depth());
    facts.driver = library_version();
    facts.threads = threads_;
    facts.ranks = ranks_;
    facts.settings["local"] = "cpu";
    facts.settings["halo"] = "none";
    return facts;
  }

 private:
  int first_worker() const { return rank_ * threads_; }
  /// Threads of this rank that have rows.
  int workers() const { return std::clamp(sweeps_->workers() - first_worker(), 0, threads_); }
  /// Calls work(worker, thread) on each of them.
  template <class Work>
  void on_workers(Work&& work) const {
    on_threads(threads_, [&](int thread) {
      if (thread < workers()) work(first_worker() + thread, thread);
    });
  }

  const RowKernels<T, L>& kernels_;
  int threads_;
  std::optional<int> time_block_;
  int rank_ = 0, ranks_ = 1, steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<CommonMemory> memory_;
  std::optional<Sweeps<T, L>> sweeps_;
};

}  // namespace

extern const Variant shared = {
    .name = "shared",
    .summary = "in place, several steps in one sweep, over one grid in memory that the ranks of a machine share",
    .kinds = {D3Q19::name},
    .options = {threads_option("1"), vector_length_option(), time_block_option({"1", "2", "4", "8", "16", "32", "64"})},
    .make = made_of<Shared>};

}  // namespace boltzmark::mpi
