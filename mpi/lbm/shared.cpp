// One grid in memory that all ranks share, updated where it lies: what openmp/lbm/in_place.cpp and in_place_3d.cpp do
// over threads is done here over ranks and their threads. No halo, no exchange: a rank reads and writes its
// neighbours' rows where they are.
//
//   rank r     thread t    worker r * threads + t of the wavefront over rows (common/cpu/wavefront.hpp), in three
//                          dimensions over planes (common/lbm/cpu/plane_wavefront.hpp)
//
// How far each has come stands in shared memory too; a worker waits for nothing else. MPI gives the memory
// (mpi/shared_window.hpp), adds up the average velocities once at the end, and is not called in between. Each worker
// sets the start state of its own rows, so that they lie in its memory. A rank that is alone has a grid of its own.
#include <algorithm>
#include <memory>
#include <new>

#include "common/cpu/wavefront.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/in_place_planes.hpp"
#include "common/lbm/cpu/in_place_strip.hpp"
#include "common/lbm/cpu/plane_wavefront.hpp"
#include "mpi/lbm/ranks.hpp"
#include "mpi/lbm/variants.hpp"
#include "mpi/library.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/shared_window.hpp"
#include "mpi/workers.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

/// The ranks' common memory: a grid, and how far workers are.
class CommonMemory {
 public:
  CommonMemory(int ranks, bool is_root) : is_shared_(ranks > 1), is_root_(is_root) {}

  /// For a grid's constructor.
  template <class T>
  GridMemory<T> for_grid() {
    if (!is_shared_) return {};
    return [this](std::size_t values) {
      grid_ = std::make_unique<SharedWindow>(values * sizeof(T));
      return static_cast<T*>(grid_->data());
    };
  }
  /// So many counts, all zero; nullptr for a rank that is alone. Ready when all ranks have passed a barrier.
  Progress* counts(std::size_t size) {
    if (!is_shared_) return nullptr;
    counts_ = std::make_unique<SharedWindow>(size * sizeof(Progress));
    auto* const first = static_cast<Progress*>(counts_->data());
    if (is_root_) std::uninitialized_default_construct_n(first, size);
    return first;
  }

 private:
  bool is_shared_, is_root_;
  std::unique_ptr<SharedWindow> grid_, counts_;
};

/// The same on every rank: what rank 0 has found.
int agreed(int mine) {
  MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return mine;
}

/// A grid of rows or planes, and its sweeps by all workers.
template <class T, class L>
class Sweeps;

template <class T>
class Sweeps<T, D2Q9> {
 public:
  Sweeps(const Problem& problem, const RowKernels<T>& kernels, int workers, std::optional<int> depth,
         CommonMemory& memory)
      : grid_(problem, 0, problem.parameters.ny, 0, kernels, memory.for_grid<T>()),
        plan_(grid_.rows(), workers, agreed(depth.value_or(default_time_block(grid_.pitch() * sizeof(T))))),
        clock_(plan_.rows(), 0, plan_.workers(), memory.counts(static_cast<std::size_t>(plan_.rows()))) {}

  /// The start state of a worker's rows.
  void init(int me) { grid_.init_rows(plan_.begin(me), plan_.begin(me + 1)); }
  /// What must be known of the rows beyond those of this process, whose last worker is `end`-1, because it will do them.
  void init_beyond(int end) { grid_.know_rows(plan_.begin(end), plan_.begin(end) + plan_.depth()); }
  void run(int me, int steps, std::span<double> sums) {
    run_wavefront(plan_, me, steps, clock_,
                  [&](int y, int step) { sums[step] += grid_.update_row(y, step, step == steps - 1); });
  }

  InPlaceStrip<T>& grid() { return grid_; }
  const WavefrontPlan& plan() const { return plan_; }

 private:
  InPlaceStrip<T> grid_;
  WavefrontPlan plan_;
  RowClock clock_;
};

template <class T>
class Sweeps<T, D3Q19> {
 public:
  Sweeps(const Problem& problem, const RowKernels<T, D3Q19>& kernels, int workers, std::optional<int> depth,
         CommonMemory& memory)
      : grid_(problem, 0, problem.parameters.nz, 0, kernels, memory.for_grid<T>()),
        plan_(agreed_plan(workers, depth)),
        run_(plan_, memory.counts(PlaneRun::counts(plan_))) {}

  void init(int me) { grid_.init_rows(plan_.begin(me), plan_.begin(me + 1)); }
  void init_beyond(int /*end*/) {}  // a grid of planes knows all of them
  void run(int me, int steps, std::span<double> sums) { run_(me, steps, grid_, sums); }

  InPlacePlanes<T>& grid() { return grid_; }
  const PlaneWavefront& plan() const { return plan_; }

 private:
  PlaneWavefront agreed_plan(int workers, std::optional<int> depth) {
    const auto cache = static_cast<std::size_t>(last_level_cache_bytes(Neighbours().processors()));
    const PlaneWavefront mine = plan_plane_wavefront(grid_.rows(), grid_.planes(), grid_.row_bytes(),
                                                     grid_.plane_bytes(), workers, depth, cache);
    return {grid_.rows(), grid_.planes(), workers, agreed(mine.depth()), agreed(mine.tile())};
  }

  InPlacePlanes<T> grid_;
  PlaneWavefront plan_;
  PlaneRun run_;
};

template <class T, class L>
class Shared : public Solver {
 public:
  Shared(std::optional<int> lanes, std::optional<int> threads, std::optional<int> time_block)
      : kernels_(row_kernels<T, L>(lanes)), team_(threads_of_rank(threads)), time_block_(time_block) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  void init(const Problem& problem) override {
    expect_layers(problem.parameters, ranks_);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    memory_.emplace(ranks_, rank_ == 0);
    sweeps_.emplace(problem, kernels_, ranks_ * team_.size(), time_block_, *memory_);
    on_workers([this](int me, int) { sweeps_->init(me); });
    if (ranks_ > 1 && workers() > 0) sweeps_->init_beyond(first_worker() + workers());
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void run(int steps, std::span<double> av_vels) override {
    WorkerSums sums(workers());
    on_workers([&](int me, int thread) {
      sweeps_->run(me, steps, {sums.start(thread, steps), static_cast<std::size_t>(steps)});
    });
    sums.add_up(sweeps_->grid().speed_unit() / fluid_cells_, av_vels);
    add_up_ranks(av_vels);  // rank 0 has heard of all others then: the grid is done
    steps_ = steps;
  }

  void collect(State& state) override {
    if (rank_ == 0) sweeps_->grid().collect(steps_, fields_of(state));
  }

  RunFacts facts() const override {
    RunFacts facts = in_place_facts(kernels_, sweeps_->plan().depth());
    facts.driver = library_version();
    facts.threads = team_.size();
    facts.ranks = ranks_;
    facts.settings["local"] = "cpu";
    facts.settings["halo"] = "none";
    return facts;
  }

 private:
  int first_worker() const { return rank_ * team_.size(); }
  /// Threads of this rank that have rows.
  int workers() const { return std::clamp(sweeps_->plan().workers() - first_worker(), 0, team_.size()); }
  /// Calls work(worker, thread) on each of them.
  template <class Work>
  void on_workers(Work&& work) const {
    team_.run([&](int thread) {
      if (thread < workers()) work(first_worker() + thread, thread);
    });
  }

  const RowKernels<T, L>& kernels_;
  openmp::ThreadTeam team_;
  std::optional<int> time_block_;
  int rank_ = 0, ranks_ = 1, steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<CommonMemory> memory_;
  std::optional<Sweeps<T, L>> sweeps_;
};

}  // namespace

std::unique_ptr<Solver> make_shared(const Problem& problem, Precision precision, std::optional<int> threads,
                                    std::optional<int> lanes, std::optional<int> time_block) {
  return make_solver<Shared>(problem, precision, lanes, threads, time_block);
}

}  // namespace boltzmark::mpi
