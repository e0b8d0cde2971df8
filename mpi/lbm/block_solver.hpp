// Shared by the variants on processors that exchange halo cells: the division of a rank's cells among its threads, the
// exchanges before each step, the sums of speeds, and the record. A rank has a strip of layers (rows, in three
// dimensions planes) or, with --ranks-grid, a block whose rows or columns are divided, too:
//
//        frame row, from the block to the north          the layers' own halo is that of a strip; along the other
//      +---+-----------------------------+---+           axes that are divided the block has a frame of cells that
//      | f | own rows and columns        | f |           count as solid and hold copies
//      +---+-----------------------------+---+
//        frame row, from the block to the south
//
// The axes are exchanged in turn, each including the cells received along the axes before, so populations of diagonal
// directions arrive from the blocks at the corners without separate messages. Only populations that cross are sent:
// three directions per face in two dimensions, five in three. An undivided axis needs no exchange.
//
// The layers are divided over a rank's threads; the first thread is the one that calls MPI. In every step of a strip
// the layers at its ends are first, so that their messages travel while the rest is computed:
//
//   layer layers-1 [2]  by the last thread             [1] first thread: finish the exchange for this step
//   ...            [4]                                 [2] the layers at the ends
//   ...            [4]  each thread its own            [3] first thread: start the exchange for the next step
//   layer 0        [2]  by the first thread            [4] the layers between
//
// Every layer of another block needs its frame, so a step begins when all exchanges are finished.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/cpu/progress.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/layer_part.hpp"
#include "common/lbm/cpu/row_costs.hpp"
#include "common/lbm/solver.hpp"
#include "mpi/exchange.hpp"
#include "mpi/lbm/ranks.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {

// Shared by all engines: a block of the grid's cells on each rank, by default a strip of layers (rows, in three
// dimensions planes), the gathering of results, and facts of the exchanges for the record.

using namespace lbm;

class RankSolver : public Solver {
 public:
  /// local: cpu, opencl or cuda. halo: one of halo_methods(); on devices none, host, ipc or nccl. shape: of the ranks;
  /// empty: strips.
  RankSolver(const std::string& local, const std::string& halo, std::optional<Extents> shape = {})
      : local_(local), halo_(halo), shape_(shape) {}

  void collect(State& state) final {
    // The cells of the first strip are the first of the whole grid, so rank 0 writes them in place.
    const bool is_there = ranks_->is_root() && ranks_->are_strips();
    State block;
    if (!is_there) block.resize(ranks_->framed_cells(), dimension_);
    const Fields from = fields_of(is_there ? state : block), to = fields_of(state);
    const auto own = [&](std::span<double> field) {
      return field.empty() ? field : field.first(static_cast<std::size_t>(ranks_->framed_cells()));
    };
    collect_strip({own(from.ux), own(from.uy), own(from.density), own(from.uz)});
    for (auto field : {&Fields::ux, &Fields::uy, &Fields::density, &Fields::uz})
      if (!(from.*field).empty()) ranks_->gather_field((from.*field).data(), (to.*field).data());
  }

 protected:
  /// Density and velocity of this rank's cells after the run, including those of a frame, which have no meaning.
  virtual void collect_strip(Fields fields) = 0;

  /// Divides the grid over the ranks, its layers by cost. Throws Error (bad_input) if there are more ranks than layers.
  void partition(const Problem& problem, std::span<const std::int64_t> costs) {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    dimension_ = problem.parameters.dimension;
    hosts_ = hosts_of_ranks();
    ranks_.emplace(problem.parameters, shape_.value_or(strips_of_ranks(dimension_)), costs);
  }

  const Ranks& ranks() const { return *ranks_; }
  double fluid_cells() const { return fluid_cells_; }
  /// Method of an exchange.
  const std::string& halo() const { return halo_; }
  void set_halo(const std::string& halo) { halo_ = halo; }

  /// Records the data that this rank sends in an exchange; all ranks send about as much.
  void report_traffic(int messages, double bytes) { messages_ = messages, bytes_ = bytes; }

  /// Records the seconds that halo rows cost this rank. Collective.
  void report_halo(double seconds) {
    MPI_Reduce(&seconds, &halo_seconds_, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&seconds, &most_halo_seconds_, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  }

  /// Adds the facts common to all engines to the record.
  void add_facts(RunFacts& facts) const {
    facts.ranks = ranks_->size();
    facts.settings["local"] = local_;
    facts.settings["ranks_grid"] = to_string(ranks_->shape(), dimension_);
    facts.settings["halo"] = halo_;
    facts.settings["halo_seconds"] = halo_seconds_ / ranks_->size();
    facts.settings["halo_seconds_most"] = most_halo_seconds_;
    if (messages_ > 0) {
      facts.settings["halo_messages"] = messages_;
      facts.settings["halo_bytes"] = bytes_;
      facts.settings["hosts"] = hosts_;
    }
    facts.settings["strip_rows_fewest"] = ranks_->fewest_layers();
    facts.settings["strip_rows_most"] = ranks_->most_layers();
  }

 private:
  std::string local_, halo_;
  std::optional<Extents> shape_;
  int dimension_ = 2, hosts_ = 1, messages_ = 0;
  double bytes_ = 0.0;
  double fluid_cells_ = 0.0;
  std::optional<Ranks> ranks_;
  double halo_seconds_ = 0.0, most_halo_seconds_ = 0.0;  ///< of all ranks together, of the slowest; on rank 0
};

/// --halo, and its value.
inline ModelOption halo_option() {
  return {.name = "halo",
          .value = "METHOD",
          .help = "how ranks exchange halo rows; default: persistent",
          .choices = halo_methods()};
}
inline std::string asked_halo(const Options& asked) { return asked.has("halo") ? asked.text("halo") : "persistent"; }

/// The directions that cross a face along an axis of lattice L, where c = 1 northwards, -1 southwards.
template <class L>
std::vector<int> directions_across(int axis, int c) {
  const auto& c_i = axis == 0 ? L::cx : axis == 1 ? L::cy : L::cz;
  std::vector<int> found;
  for (int i = 0; i < L::directions; ++i)
    if (c_i[i] == c) found.push_back(i);
  return found;
}

/// Type of the data crossing a face along an axis, from that of its first row: for every row (one in two dimensions) of
/// every layer of the face.
template <class L>
OwnedType face_type(int axis, OwnedType of_row, int rows, std::size_t row_bytes, int layers, std::size_t layer_bytes) {
  constexpr int layer_axis = L::dimension - 1;
  const bool has_all_rows = L::dimension == 3 && axis != 1;
  OwnedType of_layer = has_all_rows ? OwnedType(rows, row_bytes, of_row) : std::move(of_row);
  return axis == layer_axis ? std::move(of_layer) : OwnedType(layers, layer_bytes, of_layer);
}

class BlockSolver : public RankSolver {
 public:
  /// Updates a layer and returns its speeds. One call for many cells, so that the surrounding code is compiled once.
  using Update = std::function<double(int layer, int step)>;

  /// halo: one of halo_methods(). Throws Error (unavailable) if there are fewer threads.
  BlockSolver(const std::string& halo, const Options& asked, const Extents& shape)
      : RankSolver("cpu", halo, shape), workers_(start_workers(asked)) {}

 protected:
  /// Divides the grid over the ranks, and this rank's layers over its threads, by the cost of layers (row_costs) with
  /// vectors of `vvl` cells, whose cells are neighbours or, if spread, columns at a constant distance. Throws Error
  /// (bad_input) if there are more ranks than layers.
  void partition(const Problem& problem, int vvl, bool are_spread) {
    const Parameters& p = problem.parameters;
    const int vectors = (p.nx + vvl - 1) / vvl;
    const auto of_rows = row_costs(problem, vectors, [=](int x) { return are_spread ? x % vectors : x / vvl; });
    std::vector<std::int64_t> of_grid(static_cast<std::size_t>(p.layers()));
    for (std::size_t row = 0; row < of_rows.size(); ++row)
      of_grid[row * of_grid.size() / of_rows.size()] += of_rows[row];  // in the order of rows
    RankSolver::partition(problem, of_grid);
    const auto mine = of_grid.begin() + ranks().first_layer();
    costs_.assign(mine, mine + ranks().layers());
    starts_ = partition_rows(costs_, std::min(workers_.count, ranks().layers()));
    part_ = whole_layer(p);
    part_.x = ranks().begin(0), part_.nx = ranks().count(0), part_.frame_x = ranks().is_divided(0);
    if (p.dimension == 3)
      part_.y = ranks().begin(1), part_.ny = ranks().count(1), part_.frame_y = ranks().is_divided(1);
  }

  /// This rank's part of every layer, and whether there are halo layers.
  const LayerPart& part() const { return part_; }
  bool has_halo_layers() const { return ranks().is_divided(ranks().layer_axis()); }
  /// Threads that have layers.
  int workers() const { return static_cast<int>(starts_.size()) - 1; }
  /// Costs of this rank's layers.
  const std::vector<std::int64_t>& costs() const { return costs_; }

  /// Calls work(begin, end) on every thread that has layers: begin .. end-1, at the ends with `halo` more.
  void on_parts(int halo, const std::function<void(int begin, int end)>& work) const {
    workers_.run([&](int me) {
      if (me < workers()) work(starts_[me] - (me == 0 ? halo : 0), starts_[me + 1] + (me == workers() - 1 ? halo : 0));
    });
  }

  /// Makes the exchanges of `cells`, which has at(x, y, layer, parity), the first value of a cell (in two dimensions y
  /// is 0), and crossing(axis, c), the type of the data crossing a face along an axis in direction c. These are sent to
  /// the neighbours before every step; for cells updated in place only before even steps, and before odd steps they are
  /// returned, along the axes in the opposite order.
  template <class Cells>
  void connect(Cells& cells, bool are_in_place) {
    connect([&](int x, int y, int layer, int parity) { return cells.at(x, y, layer, parity); },
            [&](int axis, int c) { return cells.crossing(axis, c); }, are_in_place);
  }
  void connect(const std::function<void*(int x, int y, int layer, int parity)>& at_cell,
               const std::function<OwnedType(int axis, int c)>& crossing, bool are_in_place) {
    std::vector<int> axes;
    for (int axis = 0; axis <= ranks().layer_axis(); ++axis)
      if (ranks().is_divided(axis)) axes.push_back(axis);
    const auto add = [&](int parity, int axis, bool is_return) {
      const int layer_axis = ranks().layer_axis(), first = axis == layer_axis ? 0 : 1,
                last = first + ranks().count(axis) - 1;
      const auto at = [&](int position) {
        if (axis == layer_axis) return at_cell(0, 0, position, parity);
        return axis == 0 ? at_cell(position, 0, 0, parity) : at_cell(0, position, 0, parity);
      };
      const int back = is_return ? -1 : +1;
      Face northward = {at(last), at(first - 1), crossing(axis, back)},
           southward = {at(first), at(last + 1), crossing(axis, -back)};
      if (is_return) {
        northward.send = at(last + 1), northward.receive = at(first);
        southward.send = at(first - 1), southward.receive = at(last);
      }
      exchanges_[parity].push_back(
          make_exchange(halo(), ranks().along(axis), 2 * axis + parity, std::move(northward), std::move(southward)));
    };
    for (auto& list : exchanges_) list.clear();
    for (const int axis : axes) add(0, axis, false);
    if (are_in_place) std::reverse(axes.begin(), axes.end());
    for (const int axis : axes) add(1, axis, are_in_place);
    double bytes = 0.0;
    for (const auto& one : exchanges_[0]) bytes += one->bytes();
    // A single rank records the messages that it would send to others.
    if (axes.empty()) bytes = 2.0 * bytes_in(crossing(ranks().layer_axis(), 1));
    report_traffic(2 * std::max(1, static_cast<int>(axes.size())), bytes);
  }

  /// All time steps with one exchange before each; update(layer, step) returns the speeds of a layer in units of
  /// `unit`.
  void run_steps(int steps, std::span<double> av_vels, double unit, const Update& update) {
    RowClock clock(ranks().layers(), has_halo_layers(), workers());
    Progress frame;
    run_workers(steps, av_vels, unit,
                [&](int me, double* sums) { for_each_step(me, steps, clock, frame, update, sums); });
    double seconds = 0.0;
    for (const auto& list : exchanges_)
      for (const auto& one : list) seconds += one->seconds();
    report_halo(seconds);
  }

  /// Calls work(me, sums) on every thread that has layers; sums: a speed for each step, zero at first. On rank
  /// 0 av_vels becomes their sums over threads and ranks times `unit` over the number of fluid cells.
  void run_workers(int steps, std::span<double> av_vels, double unit,
                   const std::function<void(int me, double* sums)>& work) {
    WorkerSums sums(workers());
    workers_.run([&](int me) {
      if (me < workers()) work(me, sums.start(me, steps));
    });
    sums.add_up(unit / fluid_cells(), av_vels);
    add_up_ranks(av_vels);
  }

  /// These facts, and those of the ranks and their threads.
  RunFacts with_ranks(RunFacts of_cells) const {
    RunFacts facts = workers_.with(std::move(of_cells));
    add_facts(facts);
    return facts;
  }

 private:
  /// Worker `me`'s part of them. clock: of the layers and a halo layer at either end. frame: steps whose frame has been
  /// received.
  void for_each_step(int me, int steps, RowClock& clock, Progress& frame, const Update& update, double* sums) {
    const int layers = starts_.back(), begin = starts_[me], end = starts_[me + 1];
    const bool is_first = begin == 0, is_last = end == layers, travels = ranks().are_strips();
    const auto start = [&](int parity) {
      for (const auto& one : exchanges_[parity]) one->start();
    };
    if (is_first && travels) start(0);
    for (int step = 0; step < steps; ++step) {
      const auto do_layer = [&](int layer) {
        clock.wait_to_do(layer, step);
        sums[step] += update(layer, step);
        clock.reach(layer, step + 1);
      };
      if (is_first) {
        for (int layer = 0; layer < layers && !travels; ++layer) clock.wait_for(layer, step);
        for (const auto& one : exchanges_[step % 2]) {
          if (!travels) one->start();
          one->finish();
        }
        if (has_halo_layers()) {
          clock.reach(-1, step);
          clock.reach(layers, step);
        }
        frame.reach(step + 1);
      }
      if (!travels) frame.wait_for(step + 1);
      if (is_first) do_layer(0);
      if (is_last && layers > 1) do_layer(layers - 1);
      if (is_first && travels && step < steps - 1) {
        if (has_halo_layers()) clock.wait_for(layers - 1, step + 1);
        start((step + 1) % 2);
      }
      for (int layer = std::max(begin, 1); layer < std::min(end, layers - 1); ++layer) do_layer(layer);
    }
  }

  Workers workers_;
  LayerPart part_;
  std::vector<std::int64_t> costs_;
  std::vector<int> starts_;  ///< of each worker's layers, then the number of layers
  /// Before even and before odd steps, in order: each passes on the cells received by those before. A strip has at most
  /// one.
  std::array<std::vector<std::unique_ptr<Exchange>>, 2> exchanges_;
};

}  // namespace boltzmark::mpi
