// One grid in memory that all ranks share, updated in place: like in-place of openmp/lbm, but over ranks and their
// threads. No halo, no exchange: a rank reads and writes its neighbours' rows in place.
//
//   rank r     thread t    worker r * threads + t of the wavefront over rows (common/cpu/wavefront.hpp), in three
//                          dimensions over planes (common/lbm/cpu/plane_wavefront.hpp)
//
// The progress of each is also in shared memory; a worker waits for nothing else. MPI provides the memory
// (mpi/shared_window.hpp), adds up the average velocities once at the end, and is not called in between. Each worker
// sets the start state of its own rows, so that these are in the memory of its NUMA node. A single rank has a private
// grid.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "mpi/lbm/ranks.hpp"
#include "mpi/shared_window.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

template <class T, class L>
class Shared final : public Solver {
 public:
  Shared(Workers workers, const Options& asked)
      : workers_(std::move(workers)),
        kernels_(row_kernels<T, L>(asked.number("vvl"))),
        time_block_(asked.number("time-block")) {}

  void init(const Problem& problem) override {
    expect_layers(problem.parameters, workers_.ranks);
    problem_ = &problem;
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    sweeps_.emplace(problem, kernels_, workers_.ranks * workers_.count, time_block_, common_memory());
    on_own_workers([this](int me, int) { sweeps_->init(me); });
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void run(int steps, std::span<double> av_vels) override {
    WorkerSums sums(own_workers());
    on_own_workers([&](int me, int thread) {
      sweeps_->run(me, steps, {sums.start(thread, steps), static_cast<std::size_t>(steps)});
    });
    sums.add_up(sweeps_->speed_unit() / fluid_cells_, av_vels);
    add_up_ranks(av_vels);  // a reduction of all ranks: afterwards the grid is finished
    steps_ = steps;
  }

  void collect(State& state) override {
    if (workers_.rank == 0) sweeps_->collect(steps_, fields_of(state));
  }

  RunFacts facts() const override {
    RunFacts facts = workers_.with(in_place_facts(kernels_, sweeps_->depth()));
    facts.traffic = sweeps_->traffic(*problem_, steps_);
    facts.settings["local"] = "cpu";
    facts.settings["halo"] = "none";
    return facts;
  }

 private:
  /// The ranks' memory for the grid and the progress of workers, ready when all ranks have passed a barrier.
  SharedByProcesses<T> common_memory() {
    SharedByProcesses<T> shared = {
        .agreed =
            [](int mine) {
              MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
              return mine;
            },
        .last_level_cache = [] { return static_cast<std::size_t>(last_level_cache_bytes(Neighbours().processors())); }};
    if (workers_.ranks == 1) return shared;
    shared.grid = [this](std::size_t values) { return static_cast<T*>(grid_.emplace(values * sizeof(T)).data()); };
    shared.counts = [this](std::size_t size) {
      auto* const first = static_cast<Progress*>(counts_.emplace(size * sizeof(Progress)).data());
      if (workers_.rank == 0) std::uninitialized_default_construct_n(first, size);
      return first;
    };
    return shared;
  }

  int first_worker() const { return workers_.rank * workers_.count; }
  /// Threads of this rank that have rows.
  int own_workers() const { return std::clamp(sweeps_->workers() - first_worker(), 0, workers_.count); }
  /// Calls work(worker, thread) on each of them.
  template <class Work>
  void on_own_workers(Work&& work) const {
    workers_.run([&](int thread) {
      if (thread < own_workers()) work(first_worker() + thread, thread);
    });
  }

  Workers workers_;
  const RowKernels<T, L>& kernels_;
  std::optional<int> time_block_;
  const Problem* problem_ = nullptr;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<SharedWindow> grid_, counts_;
  std::optional<Sweeps<T, L>> sweeps_;
};

}  // namespace

extern const Variant shared = {
    .name = "shared",
    .summary = "in place, several steps in one sweep, over one grid in memory that the ranks of a machine share",
    .kinds = {D3Q19::name},
    .options = {threads_option("1"), vector_length_option(), storage_option(),
                time_block_option({"1", "2", "4", "8", "16", "32", "64"})},
    .make = stored_by<Shared>(start_workers)};

}  // namespace boltzmark::mpi
