// In place and wavefront over ranks: strips of rows, in three dimensions of planes, of one grid that is updated in
// place (common/lbm/cpu/in_place_grid.hpp).
//
// in-place: an even step reads and writes the neighbouring rows, so each rank borrows three populations of the row
// beyond either end of its strip, and returns the values that it wrote there. An odd step needs no other ranks. The
// methods are in exchange.hpp, blocks of a grid of ranks and the order of work in block_solver.hpp.
//
//   rank r+1    row 0         --- 4, 7, 8 --->  even step of rank r's last row  --- 4, 7, 8 --->  back
//   rank r      row rows-1    --- 2, 5, 6 --->  even step of rank r+1's row 0   --- 2, 5, 6 --->  back
//
// In three dimensions five populations of a plane's cells cross it: those of directions with c_z = 1, or -1.
//
// wavefront: as many halo rows at either end as steps in one sweep (`depth`), exchanged completely before the sweep.
// Strips with too few rows for two steps are updated as by in-place.
//
// The halo rows are updated like the strip's own, one fewer at either end with each step: work done twice for
// fewer and larger messages. The depth is even, so that populations are back in their own rows afterwards.
//
//             halo         rows of the strip         halo
//   step 0    [ - s s s ]  [ s s s s i i i i i i n n n n ]  [ n n n - ]
//   step 1    [ - - s s ]  [ s s s s s i i i i n n n n n ]  [ n n - - ]
//   step 2    [ - - - s ]  [ s s s s s s i i n n n n n n ]  [ n - - - ]
//   step 3    [ - - - - ]  [ s s s s s s s n n n n n n n ]  [ - - - - ]
//
// i: rows that need no halo row, which are updated while halo rows travel. They begin one row further in than the rows
// sent, because an update writes to the neighbouring rows. Then the south (s), leaning north, and the north (n),
// leaning south. Each of the three is a sweep of several steps over its rows (common/cpu/wavefront.hpp). A strip with
// too few rows for that waits for its halo rows and does everything in one sweep.
//
// Each thread has a part of the rows i; the first thread, which calls MPI, also does s, and the last one n.
#include "common/cpu/wavefront.hpp"
#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/traffic.hpp"
#include "mpi/lbm/block_solver.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

/// The order of work in the wavefront variant, and the worker of each row.
class DeepHaloPlan {
 public:
  DeepHaloPlan() = default;
  /// costs: of the strip's rows. depth: at most their number.
  DeepHaloPlan(std::vector<std::int64_t> costs, int depth, int workers)
      : rows_(static_cast<int>(costs.size())), depth_(depth), workers_(workers) {
    const int inside = inside_end() - inside_begin();
    overlaps_ = inside >= std::max(2 * depth_, workers_);
    if (!overlaps_) return;
    // The ends count as additional cost of the first and the last inner row.
    std::int64_t total = 0;
    for (const std::int64_t cost : costs) total += cost;
    const std::int64_t both_ends = total / rows_ * 2 * depth_;
    std::vector<std::int64_t> inner(costs.begin() + inside_begin(), costs.begin() + inside_end());
    inner.front() += both_ends;
    inner.back() += both_ends / 2;  // the last part does not lean beyond its rows
    inside_starts_ = partition_rows(inner, workers_);
  }

  /// Worker `me`'s part of `steps` time steps. exchange: of `depth` rows at either end. clock: of the strip and
  /// `depth` halo rows at either end. update(y, step): rows beyond 0 .. rows-1 are halo rows.
  template <class Update>
  void run(int me, int steps, Exchange& exchange, RowClock& clock, Update&& update) const {
    const int rows = rows_, depth = depth_;
    const bool is_first = me == 0, is_last = me == workers_ - 1;
    for (int first = 0; first < steps; first += depth) {
      const int levels = std::min(depth, steps - first);
      const auto do_row = [&](int y, int level) {
        clock.wait_to_do(y, first + level);
        update(y, first + level);
        clock.reach(y, first + level + 1);
      };
      if (is_first) {
        for (int y = 0; y < depth; ++y) {
          clock.wait_for(y, first);
          clock.wait_for(rows - 1 - y, first);
        }
        exchange.start();
      }
      if (overlaps_)
        sweep_north(inside_begin(me), inside_begin(me + 1), inside_end(), levels, [&](int y, int level) {
          do_row(y, level);
          if (is_first && level == 0 && y % rows_between_progress == 0) exchange.progress();
        });
      if (is_first) {
        exchange.finish();
        for (int y = 0; y < depth; ++y) {
          clock.reach(-1 - y, first);
          clock.reach(rows + y, first);
        }
      }
      clock.wait_for(-1, first);
      if (!overlaps_) {
        sweep_north(begin(me, levels), begin(me + 1, levels), rows + levels - 1, levels, do_row);
        continue;
      }
      if (is_first) sweep_north(1 - levels, inside_begin(), no_limit, levels, do_row);
      if (is_last) sweep_south(inside_end(), rows + levels - 1, levels, do_row);
    }
  }

 private:
  /// A call that lets messages progress costs as much as one or two vectors, so it is not made after every row.
  static constexpr int rows_between_progress = 8;

  /// The rows inside, in step 0.
  int inside_begin() const { return depth_ + 1; }
  int inside_end() const { return rows_ - depth_ - 1; }
  /// Start of worker `me`'s part of them.
  int inside_begin(int me) const { return inside_begin() + inside_starts_[me]; }
  /// Start of its part of all rows that are done in step 0 of this many.
  int begin(int me, int steps) const {
    const std::int64_t all = std::int64_t{rows_} + 2 * (steps - 1);
    return static_cast<int>(all * me / workers_) - (steps - 1);
  }
  int rows_ = 0, depth_ = 1, workers_ = 1;
  bool overlaps_ = false;  ///< whether any rows can be done before the halo rows are received
  std::vector<int> inside_starts_;
};

template <class T, class L>
class InPlaceCells : public InPlaceGrid<T, L> {
 public:
  using InPlaceGrid<T, L>::InPlaceGrid;

  T* at(int x, int y, int layer, int /*parity*/ = 0) { return this->row(y, layer) + this->place(0, x); }

  /// Data that an even step of the neighbour reads and writes: one value of each direction along x, else those of all
  /// vectors.
  OwnedType crossing(int axis, int c) const {
    const int vvl = this->vvl();
    std::vector<int> starts;
    for (int vector = 0; vector < (axis == 0 ? 1 : this->vectors()); ++vector)
      for (const int i : directions_across<L>(axis, c)) starts.push_back((vector * L::directions + i) * vvl);
    return face_type<L>(axis, {starts, axis == 0 ? 1 : vvl, value_type<T>()}, this->rows(), this->row_bytes(),
                        this->layers(), this->layer_bytes());
  }

  /// In cache lines, because the number of a plane's values may not fit in an int.
  OwnedType whole_layers(int count) const {
    constexpr std::size_t line_bytes = 64;
    const OwnedType line(line_bytes / sizeof(T), value_type<T>());
    return {count, OwnedType(static_cast<int>(this->layer_bytes() / line_bytes), line.type()).type()};
  }
};

template <class T, class L>
class InPlace : public BlockSolver {
 public:
  InPlace(const Options& asked, const Extents& shape)
      : BlockSolver(asked_halo(asked), asked, shape),
        kernels_(row_kernels<T, L>(asked.number("vvl"))),
        most_depth_(asked.variant == "wavefront" ? asked.number("time-block") : 1) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    partition(problem, kernels_.lanes, true);
    depth_ = choose_depth(problem.parameters);
    const int layers = ranks().layers(), halo = depth_ > 1 ? depth_ : has_halo_layers();
    cells_.emplace(problem, ranks().first_layer(), layers, halo, part(), kernels_);
    on_parts(halo, [this](int begin, int end) { cells_->init_layers(begin, end); });
    if (depth_ == 1) return connect(*cells_, true);
    plan_ = DeepHaloPlan(costs(), depth_, workers());
    deep_ = make_exchange(this->halo(), ranks().neighbours(), 0,
                          {cells_->row(0, layers - depth_), cells_->row(0, -depth_), cells_->whole_layers(depth_)},
                          {cells_->row(0, 0), cells_->row(0, layers), cells_->whole_layers(depth_)});
    report_traffic(2, deep_->bytes());
  }

  void run(int steps, std::span<double> av_vels) override {
    const auto update = [&](int layer, int step) {
      return cells_->update_layer(layer, step, step == steps - 1, depth_);
    };
    if (depth_ == 1) {
      run_steps(steps, av_vels, cells_->speed_unit(), update);
    } else {
      RowClock clock(cells_->layers(), depth_, workers());
      run_workers(steps, av_vels, cells_->speed_unit(), [&](int me, double* sums) {
        plan_.run(me, steps, *deep_, clock, [&](int layer, int step) {
          const double sum = update(layer, step);
          if (layer >= 0 && layer < cells_->layers()) sums[step] += sum;
        });
      });
      report_halo(deep_->seconds());
    }
    steps_ = steps;
  }

  void collect_strip(Fields fields) override { cells_->collect(steps_, fields); }

  RunFacts facts() const override {
    RunFacts facts = with_ranks(in_place_facts(kernels_, depth_));
    const double window = double(facts.ranks) * workers() * (depth_ + 1.0) * static_cast<double>(cells_->layer_bytes());
    facts.traffic = swept_grid({*problem_, L::directions * sizeof(T)}, steps_, depth_, window);
    return facts;
  }

 private:
  /// The requested depth, or the best for the caches, but at most the number of layers of the shortest strip, because
  /// halo layers come only from the next rank. Unless requested, also at most the depth at which one in sixteen of a
  /// thread's layers is done twice. The same on every rank, even with different caches.
  int choose_depth(const Parameters& p) const {
    const int layers = ranks().fewest_layers(), of_thread = layers / workers();
    const std::size_t layer_bytes = static_cast<std::size_t>(p.layer_cells()) * L::directions * sizeof(T);
    int cached = 0;
    if constexpr (L::dimension == 2)
      cached = default_time_block(layer_bytes);
    else
      cached = default_plane_block(layer_bytes, of_thread, smallest_last_level() / workers());
    const int wanted = most_depth_.value_or(std::min(cached, std::max(4, of_thread / 16)));
    const int possible = std::min(wanted, layers);
    return over_ranks(possible > 1 ? possible / 2 * 2 : 1, MPI_MIN);
  }

  const RowKernels<T, L>& kernels_;
  std::optional<int> most_depth_;  ///< of a sweep; empty: the best for caches and strips
  int depth_ = 1, steps_ = 0;
  const Problem* problem_ = nullptr;
  std::optional<InPlaceCells<T, L>> cells_;
  // For a depth of more than one step.
  DeepHaloPlan plan_;
  std::unique_ptr<Exchange> deep_;
};

}  // namespace

extern const Variant in_place = {
    .name = "in-place",
    .summary = "one grid, updated in place, one pass per step, strips or blocks over ranks",
    .kinds = {D3Q19::name},
    .options = {threads_option("1"), vector_length_option(), storage_option(), halo_option(), ranks_grid_option()},
    .make = [](const Problem& problem, const Options& asked) {
      return make_stored<InPlace>(problem, asked, asked, asked_shape(problem.parameters, asked));
    }};

extern const Variant wavefront = {
    .name = "wavefront",
    .summary = "in place, several steps in one sweep between exchanges of as many halo rows or planes",
    .kinds = {D3Q19::name},
    .options = {threads_option("1"), vector_length_option(), storage_option(), halo_option(),
                time_block_option({"2", "4", "8", "16", "32", "64"}).within(2, 65536, 2)},
    .make = [](const Problem& problem, const Options& asked) {
      return make_stored<InPlace>(problem, asked, asked, strips_of_ranks(problem.parameters.dimension));
    }};

}  // namespace boltzmark::mpi
