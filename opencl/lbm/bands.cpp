// One solver for both lattices. Groups proceed layer by layer: a layer is a row in two dimensions, with bands of layers
// for groups, and a plane in three, with bands of rows of every plane. Layout and plan are those of the CPU models
// (common/lbm/cpu/vector_row.hpp, plane_wavefront.hpp).
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "common/base/print.hpp"
#include "common/cpu/wavefront.hpp"
#include "common/device/build.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/cpu/plane_wavefront.hpp"
#include "common/lbm/cpu/vector_row.hpp"
#include "common/lbm/device/program.hpp"
#include "common/lbm/device/row_strip.hpp"
#include "common/lbm/device/strip.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {
extern const std::string_view bands_source, plane_bands_source;
}

namespace boltzmark::opencl {

using namespace device;
using namespace lbm;

extern const Variant resident_wavefront, overlapped_wavefront;

namespace {

constexpr int deepest_sweep = 64;

// Work-groups that wait for one another (kernels/waits.h).
/// Polls of a wait, each of some tenths of a microsecond: a minute, and for the first meeting some seconds.
constexpr const char* wait_defines = " -D MAX_POLLS=0x8000000ul -D MEET_POLLS=0x1000000ul";
constexpr std::size_t progress_words = 32;  ///< from one group's count to the next's

/// Thrown if work-groups that wait for each other are not all resident.
class NotResident : public Error {
 public:
  explicit NotResident(const std::string& line) : Error(ExitStatus::unavailable, line) {}
};

/// Whether the device's compiler can compile the kernels of such groups. PoCL 3.1's can; that of 5.0 (Ubuntu 24.04)
/// ends the process with a failed assertion in LLVM.
bool compiles_waiting_groups(const ComputeDevice& device) {
  const std::string pocl = "Portable Computing Language ";
  const std::size_t at = device.driver.find(pocl);
  return at == std::string::npos || std::atoi(device.driver.c_str() + at + pocl.size()) < 5;
}

/// Division of a grid into bands.
struct BandPlan {
  int groups = 1, depth = 2;  ///< work-groups, and steps of a sweep
  int tile = 0;               ///< rows of a plane that a group takes at a time, 0: all of its own
  std::string pieces = "", defines = "";
};

/// --groups, or one for each compute unit. Throws Error (bad_input) for more than `most`, explained by `limit`, and, if
/// they wait for one another, Error (unavailable) for more than compute units.
int groups_of(const ComputeDevice& device, const LbmOptions& options, int most, const std::string& limit,
              bool is_resident) {
  if (options.groups && *options.groups > most)
    throw bad_input("--groups: expected at most {}, {}, found {}", most, limit, *options.groups);
  if (is_resident && options.groups && *options.groups > device.units)
    throw unavailable(
        "--groups: expected at most one for each of {}'s {} compute units, as groups wait for one another, found {}",
        device.name, device.units, *options.groups);
  return std::clamp(options.groups.value_or(device.units), 1, most);
}

/// A band that stays in the cache between sweeps needs no deep sweeps, in which groups wait longer for one another.
int sweep_depth(std::size_t row_bytes, int rows) {
  constexpr int enough = 8;
  const int most = default_time_block(row_bytes);
  return row_bytes * rows <= core_caches().l2 / 2 ? std::min(most, enough) : most;
}

BandPlan plan_bands(bool is_resident, const ComputeDevice& device, const LbmOptions& options, const Parameters& p,
                    const GridLayout<D2Q9>& layout) {
  BandPlan plan;
  plan.groups = groups_of(device, options, std::max(1, p.ny / 2), "bands of two rows", is_resident);
  // A band has at least as many rows as the sweep has steps, or as the first launch leaves to the second.
  const int rows = divide_up(p.ny, plan.groups), fewest = p.ny / plan.groups;
  const auto value_bytes = static_cast<std::size_t>(bytes_of(options.precision));
  const int wanted = options.time_block.value_or(sweep_depth(layout.pitch * value_bytes, rows));
  plan.depth = std::max(2, std::min(wanted, is_resident ? fewest : fewest / 2 + 1) / 2 * 2);
  if (plan.groups == 1 && options.time_block) plan.depth = wanted;
  plan.pieces = fmt::format("bands of {} rows", rows);
  if (is_resident) plan.defines = " -D RESIDENT";
  return plan;
}

BandPlan plan_bands(bool, const ComputeDevice& device, const LbmOptions& options, const Parameters& p,
                    const GridLayout<D3Q19>& layout) {
  const auto value_bytes = static_cast<std::size_t>(bytes_of(options.precision));
  const int groups = groups_of(device, options, p.ny, "one for each row of a plane", true);
  const PlaneWavefront order = plan_plane_wavefront(p.ny, p.nz, layout.pitch * value_bytes,
                                                    layout.plane_pitch * value_bytes, groups, options.time_block);
  return {.groups = order.workers(),
          .depth = order.depth(),
          .tile = order.tile(),
          .pieces = order.tile() > 0 ? fmt::format("tiles of {} rows", order.tile()) : "rows of whole planes",
          .defines =
              fmt::format(" -D LATTICE_D3Q19 -D NZ={} -D TILE={} -D PLANE_PITCH={} -D ROWS_AHEAD={}", p.nz,
                          order.tile(), layout.plane_pitch, GridLayout<D3Q19>::rows_ahead(layout.pitch * value_bytes))};
}

/// Solid cells: a word for each vector, and for each row where its numbers in `stretches` begin, -1 if all is solid.
struct SolidRows {
  std::vector<std::uint32_t> words;
  std::vector<std::int32_t> stretches, first_stretches;
};

template <class L>
SolidRows find_solid_rows(const Problem& problem, const VectorRow<L>& columns) {
  const auto nx = static_cast<std::size_t>(columns.nx), vectors = static_cast<std::size_t>(columns.vectors());
  const auto rows = static_cast<std::size_t>(problem.cells()) / nx;
  const auto layer_rows = rows / static_cast<std::size_t>(problem.parameters.layers());
  SolidRows solid;
  solid.words.assign(vectors * rows, 0);
  std::vector<std::uint8_t> mask;
  for (std::size_t y = 0; y < rows; ++y) {
    if (y % layer_rows == 0) mask = problem.solid_mask(static_cast<int>(y / layer_rows), 1);
    const auto row = std::span(mask).subspan(y % layer_rows * nx, nx);
    const auto words = std::span(solid.words).subspan(y * vectors, vectors);
    columns.find_solid(row, words);
    const bool is_all_solid = std::all_of(row.begin(), row.end(), [](auto cell) { return cell != 0; });
    const auto own = vector_runs(words);
    auto& all = solid.stretches;
    // Most rows have the same numbers as the row before them.
    if (!is_all_solid && (all.size() < own.size() || !std::equal(own.rbegin(), own.rend(), all.rbegin())))
      all.insert(all.end(), own.begin(), own.end());
    solid.first_stretches.push_back(is_all_solid ? -1 : static_cast<std::int32_t>(all.size() - own.size()));
  }
  if (solid.stretches.empty()) solid.stretches.push_back(0);  // a buffer has at least one
  return solid;
}

template <class T>
BufferRequest request_of(Buffer& buffer, const std::vector<T>& content) {
  return {&buffer, content.size() * sizeof(T), content.data()};
}

template <class L>
class BandSolver final : public GridRun {
 public:
  BandSolver(bool is_resident, const ComputeDevice& device, const LbmOptions& options)
      : GridRun(device, options), is_resident_(is_resident) {
    if (is_resident && !compiles_waiting_groups(device))
      throw unavailable("resident-wavefront: the compiler of {} crashes on its kernels; {} has others", device.driver,
                        alternative);
  }

  void init(const Problem& problem) override {
    problem_ = &problem;
    const int vvl = options_.vvl.value_or(device_.native_lanes(options_.precision));
    layout_ = {grid().nx, layer_rows(grid()), vvl, value_bytes()};
    plan_ = plan_bands(is_resident_, device_, options_, grid(), layout_);
    const SolidRows solid = find_solid_rows(problem, layout_.columns);
    const Pushes pushes = find_pushes();
    std::vector<BufferRequest> buffers;
    if (is_resident_) buffers = exchange_buffers(static_cast<std::size_t>(plan_.groups) * progress_words, plan_.groups);
    buffers.insert(buffers.end(), {{&grids_[0], grid_bytes()},
                                   request_of(solid_bits_, solid.words),
                                   request_of(stretch_list_, solid.stretches),
                                   request_of(stretch_starts_, solid.first_stretches)});
    HostValues momentum(storage_of(options_), pushes.momentum.size());
    if (!is_planar) {
      for (std::size_t i = 0; i < pushes.momentum.size(); ++i) momentum.set(i, pushes.momentum[i]);
      buffers.insert(buffers.end(), {request_of(push_starts_, pushes.starts),
                                     request_of(push_places_, pushes.places),
                                     {&push_momentum_, momentum.bytes(), momentum.data()}});
    }
    push_count_ = static_cast<std::int32_t>(pushes.momentum.size());
    const std::string defines =
        fmt::format("-D NX={} -D NY={} -D GROUPS={} -D DEPTH={} -D ROW_VECTORS={} -D ROW_PITCH={}{}{}{}", grid().nx,
                    grid().ny, plan_.groups, plan_.depth, layout_.columns.vectors(), layout_.pitch, plan_.defines,
                    pushes.starts.size() > 1 ? " -D WALLS" : "", is_resident_ ? wait_defines : "");
    prepare(is_planar ? bands_source : plane_bands_source,
            {.group = {1, 1}, .reduction = default_reduction(device_), .lanes = vvl, .defines = defines},
            StepSums(options_.precision, static_cast<std::size_t>(plan_.groups), options_.delay, most_launch_steps()),
            buffers);
  }

  void collect(State& state) override {
    // After an odd number of steps results are in the places from which the neighbours' local step would read them.
    const bool has_moved = steps_done_ % 2 != 0;
    const int nx = grid().nx, rows = layer_rows(grid()), layers = grid().layers();
    // Layers with their neighbours, many at a time: to wait for a read takes as long as to go through a layer.
    constexpr std::size_t most_bytes = std::size_t{16} << 20;
    const int most = std::clamp(static_cast<int>(most_bytes / layer_bytes()), 1, layers);
    HostValues values(storage_of(options_), static_cast<std::size_t>(most + 2) * layout_.plane_pitch);
    const std::vector<std::size_t> places = layout_.columns.places();
    const auto lanes = static_cast<std::size_t>(layout_.columns.lanes);
    const auto row_start = [&](int layer, int y) {
      return layout_.plane_pitch * static_cast<std::size_t>(layer) + layout_.pitch * static_cast<std::size_t>(y);
    };
    for (int first = 0; first < layers; first += most) {
      const int count = std::min(most, layers - first);
      attempt("read the final state", [&] {
        for (const auto& [to, number] : {std::pair{-1, 1}, {0, count}, {count, 1}})
          session_->queue()->start_read(grids_[0], {layer_start(first + to), layer_bytes() * number},
                                        static_cast<std::byte*>(values.data()) + layer_bytes() * (1 + to));
        session_->queue()->finish();
      });
      for (int layer = 0; layer < count; ++layer)
        collect_fields<L>(nx, rows, grid().density, from_row(fields_of(state), (first + layer) * rows, nx),
                          [&](int i, int x, int y) {
                            if (!has_moved) return values[row_start(1 + layer, y) + places[x] + i * lanes];
                            return values[row_start(1 + layer + layer_step(i), wrapped(y + row_step(i), rows)) +
                                          places[wrapped(x + L::cx[i], nx)] + L::opposite[i] * lanes];
                          });
    }
  }

 private:
  static constexpr bool is_planar = L::dimension == 2;
  static constexpr const char* alternative = is_planar ? "overlapped-wavefront" : "wavefront";
  /// Of direction i.
  static int layer_step(int i) { return is_planar ? L::cy[i] : L::cz[i]; }
  static int row_step(int i) { return is_planar ? 0 : L::cy[i]; }
  static int wrapped(int number, int count) { return (number + count) % count; }

  std::size_t layer_bytes() const { return layout_.plane_pitch * value_bytes(); }
  std::size_t grid_bytes() const { return layer_bytes() * static_cast<std::size_t>(grid().layers()); }
  /// First byte of a layer, which may be one beyond the ends.
  std::size_t layer_start(int layer) const {
    return layer_bytes() * static_cast<std::size_t>(wrapped(layer, grid().layers()));
  }
  /// Place of population i of column x of row y of a layer.
  std::size_t place(int i, int x, int y, int layer) const {
    return layout_.plane_pitch * static_cast<std::size_t>(layer) + layout_.pitch * static_cast<std::size_t>(y) +
           layout_.columns.place(i, x);
  }

  /// Steps enqueued together: whole sweeps, few enough that the waves, or their parts, fit an int.
  int most_launch_steps() const {
    if (!is_resident_) return plan_.depth;
    constexpr int most_steps = 4096, most_items = 1 << 30;
    const int sweep_items = is_planar ? grid().ny + 2 * plan_.depth : grid().nz * plan_.depth + 1;
    return plan_.depth * std::clamp(most_items / sweep_items, 1, most_steps / plan_.depth);
  }

  /// Pushes of moving walls, row after row of their cells. After even steps a population is at its destination, in the
  /// slot of the opposite one; after odd steps in its own cell. `places` lists those after even steps, then those after
  /// odd ones.
  struct Pushes {
    std::vector<std::int32_t> starts;
    std::vector<std::uint64_t> places;
    std::vector<double> momentum;
  };
  Pushes find_pushes() const {
    const int nx = grid().nx, ny = grid().ny;
    const auto found = problem_->moving.empty() ? std::vector<WallPush>{} : wall_pushes<L>(*problem_);
    Pushes pushes;
    pushes.starts.assign(found.empty() ? 1 : static_cast<std::size_t>(ny) * grid().nz + 1, 0);
    std::vector<std::uint64_t> own;
    for (const WallPush& push : found) {
      const auto row = static_cast<std::size_t>(push.cell / nx);
      const int x = static_cast<int>(push.cell % nx), y = static_cast<int>(row % ny), z = static_cast<int>(row / ny);
      const int i = push.direction;
      pushes.places.push_back(place(L::opposite[i], wrapped(x + L::cx[i], nx), wrapped(y + row_step(i), ny),
                                    wrapped(z + layer_step(i), grid().nz)));
      own.push_back(place(i, x, y, z));
      pushes.momentum.push_back(push.momentum);
      ++pushes.starts[row + 1];
    }
    for (std::size_t row = 1; row < pushes.starts.size(); ++row) pushes.starts[row] += pushes.starts[row - 1];
    pushes.places.insert(pushes.places.end(), own.begin(), own.end());
    if (found.empty()) pushes.places.push_back(0), pushes.momentum.push_back(0.0);  // a buffer has at least one
    return pushes;
  }

  void make_kernels() override {
    const Value c = relaxation_value(grid(), options_);
    const auto kernel = [&](const char* name, const auto&... others) {
      return Kernel(module_, name, 0, 0, 0, 0, 0, grids_[0], solid_bits_, stretch_list_, stretch_starts_,
                    sums_->partial_sums(), c, others...);
    };
    if (!is_resident_)
      for (int i = 0; i < 2; ++i) steps_[i] = kernel("band_steps", i);  // the two launches of a sweep
    else if (is_planar)
      steps_[0] = kernel("band_steps", mailbox_, failures_);
    else
      steps_[0] = kernel("plane_steps", mailbox_, failures_, push_starts_, push_places_, push_momentum_, push_count_);
  }

  void enqueue(int count, int first_sum, bool is_end) override {
    launch(count, first_sum, is_end, grid().driven_row());
  }

  void launch(int count, int first_sum, bool is_end, int driven_row) {
    if (is_resident_) session_->zero(mailbox_, mailbox_bytes());
    for (const Kernel& kernel : std::span(steps_).first(is_resident_ ? 1 : 2)) {
      kernel.rebind(first_sum, count, steps_done_ % 2, std::int32_t{is_end}, driven_row);
      session_->queue()->launch(kernel, Range(plan_.groups), Range(1));
    }
    steps_done_ += count;
    steps_per_launch_ = std::max(steps_per_launch_, count);
  }

  /// Steps of a grid at rest, which stays at rest without body force, once groups have met; start() follows, which
  /// clears the pushes of moving walls.
  void launch_first() override {
    if (is_resident_ && plan_.groups > 1) {
      session_->queue()->launch(Kernel(module_, "meet", mailbox_, failures_), Range(plan_.groups), Range(1));
      if (has_timed_out())
        throw NotResident(
            fmt::format("resident-wavefront: {} has {} compute units and does not run {} work-groups at a time, which "
                        "would wait for one another; {} needs no waiting",
                        device_.name, device_.units, plan_.groups, alternative));
    }
    const int launches = is_planar ? 2 : 1, steps = std::min(launches, sums_->most_at_once());
    for (int i = 0; i < launches; ++i) launch(steps, 0, true, -1);
    if (has_timed_out()) fail_by_timeout();
  }

  [[noreturn]] void fail_by_timeout() const override {
    throw NotResident(
        fmt::format("resident-wavefront: a work-group of {} waited too long for another one on {}: not all were "
                    "running all the time; {} needs no waiting",
                    plan_.groups, device_.name, alternative));
  }

  /// The start state, and the body force of the first step. At rest everything is zero except for the effect of that
  /// force.
  void start() override {
    steps_done_ = 0;
    const Parameters& p = grid();
    const int driven = p.driven_row();
    if (!problem_->moving.empty()) session_->zero(grids_[0], grid_bytes());
    if (starts_at_rest(p) && driven < 0) return;
    const bool is_whole = is_planar || !starts_at_rest(p);  // otherwise only the driven row
    for (int layer = 0; layer < p.layers(); ++layer)
      if (!is_planar || layer == driven)
        write_rows(layer, is_whole ? 0 : driven, is_whole ? layer_rows(p) : driven + 1);
  }

  void write_rows(int layer, int first, int end) {
    HostValues values(storage_of(options_), layout_.pitch * static_cast<std::size_t>(end - first));
    if (options_.precision == Precision::f64)
      fill_rows<double>(layer, first, end, values);
    else
      fill_rows<float>(layer, first, end, values);
    const std::size_t row_bytes = layout_.pitch * value_bytes();
    session_->queue()->write(grids_[0], layer_start(layer) + row_bytes * static_cast<std::size_t>(first),
                             values.bytes(), values.data());
  }

  template <class T>
  void fill_rows(int layer, int first, int end, HostValues& values) const {
    const Parameters& p = grid();
    const auto relaxation = make_relaxation<T, L>(p);
    const auto solid = problem_->solid_mask(layer, 1);
    for (int row = first; row < end; ++row)
      for (int x = 0; x < p.nx; ++x) {
        const int y = is_planar ? layer : row, z = is_planar ? 0 : layer;
        const bool is_solid = solid[static_cast<std::size_t>(row) * p.nx + x] != 0;
        const auto a = start_of<T, L>(p, x, y, z, is_solid, y == p.driven_row(), relaxation);
        for (int i = 0; i < L::directions; ++i) values.set(place(i, x, row - first, 0), static_cast<double>(a.f[i]));
      }
  }

  void add_facts(RunFacts& facts) const override {
    facts.settings.update({{"groups", plan_.groups},
                           {"vvl", layout_.columns.lanes},
                           {"pieces", plan_.pieces},
                           {"time_block", plan_.depth}});
    facts.grids = 1;
    facts.traffic = traffic();
  }

  /// Like the sweeps of a processor's threads; without waiting, rows between two bands are visited twice.
  Traffic traffic() const {
    const GridBytes grid = grid_bytes_of_all();
    const double row = static_cast<double>(layout_.pitch * value_bytes());
    const Parameters& p = this->grid();
    if constexpr (!is_planar)
      return sweep_traffic(grid, run_steps_, PlaneWavefront(p.ny, p.nz, plan_.groups, plan_.depth, plan_.tile), row);
    else if (is_resident_)
      return sweep_traffic(grid, run_steps_, WavefrontPlan(p.ny, plan_.groups, plan_.depth), row);
    else
      return swept_grid(grid, run_steps_, plan_.depth, plan_.groups * row * (plan_.depth + 1),
                        {1.0 * plan_.groups * (plan_.depth - 1) / p.ny, 0.5 * grid.all()});
  }

  bool is_resident_;
  BandPlan plan_;
  GridLayout<L> layout_ = {0, 0, 1, sizeof(float)};
  Buffer stretch_list_, stretch_starts_, push_starts_, push_places_, push_momentum_;
  std::int32_t push_count_ = 0;
  int steps_done_ = 0;
};

/// Runs `first`, and if that ends with NotResident starts again with the variant `next`, with a line that says so.
/// Times of a restarted run include the failed attempt.
class OrNextBest final : public Solver {
 public:
  OrNextBest(std::unique_ptr<Solver> first, const Variant& next, const Options& asked)
      : solver_(std::move(first)), next_(next), asked_(asked) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    try {
      solver_->init(problem);
    } catch (const NotResident& reason) {
      take_next(reason);
    }
  }

  void run(int steps, std::span<double> av_vels) override {
    try {
      solver_->run(steps, av_vels);
    } catch (const NotResident& reason) {
      take_next(reason);
      solver_->run(steps, av_vels);
    }
  }

  void confirm() override { solver_->confirm(); }
  void collect(State& state) override { solver_->collect(state); }
  RunFacts facts() const override {
    RunFacts facts = solver_->facts();
    if (has_next_) facts.variant = next_.name;
    return facts;
  }

 private:
  void take_next(const NotResident& reason) {
    print_note("lbm-opencl", fmt::format("{}: {} runs in its place", reason.what(), next_.name));
    solver_.reset();  // before the next one takes as much memory
    solver_ = as_made<Solver>(next_.make(AnyCase(*problem_), asked_));
    has_next_ = true;
    solver_->init(*problem_);
  }

  std::unique_ptr<Solver> solver_;
  const Variant& next_;
  Options asked_;
  bool has_next_ = false;
  const Problem* problem_ = nullptr;
};

std::unique_ptr<Solver> make_bands(bool is_resident, const Problem& problem, const Options& asked) {
  const ComputeDevice device = device_for(asked);
  const LbmOptions options = read_options(asked, problem.parameters.dimension);
  if (problem.parameters.dimension == 3) return std::make_unique<BandSolver<D3Q19>>(is_resident, device, options);
  return std::make_unique<BandSolver<D2Q9>>(is_resident, device, options);
}

ModelOption groups_option() {
  return {.name = "groups",
          .value = "N",
          .help = "number of work-groups, each of one work-item with a band of rows; default: one per compute unit",
          .range = {{1, 65536}}};
}

const ModelOption any_depth = time_block_option({"2", "4", "6", "8"}).within(1, deepest_sweep);

}  // namespace

/// Those of them that run on this device, the faster one first.
std::vector<std::string> usable_bands(const ComputeDevice& device) {
  if (!compiles_waiting_groups(device)) return {overlapped_wavefront.name};
  return {resident_wavefront.name, overlapped_wavefront.name};
}

extern const Variant resident_wavefront = {
    .name = "resident-wavefront",
    .summary =
        "for processors: one work-item per compute unit advances its rows (in three dimensions its rows of every "
        "plane) several steps in cache; up to 4096 steps per launch; work-items wait for their neighbours",
    .kinds = {D3Q19::name},
    .options = {vvl_option(), any_depth, delay_option(), groups_option()},
    .fits = [](const Problem& problem, const Options& asked) -> std::string {
      const int steps = asked.number("time-block").value_or(2);
      if (problem.parameters.dimension == 3 || steps % 2 == 0) return "";
      return fmt::format("--time-block: expected an even number in two dimensions, found {}", steps);
    },
    .make = [](const Problem& problem, const Options& asked) -> std::unique_ptr<Solver> {
      auto bands = make_bands(true, problem, asked);
      if (!asked.has_default_variant) return bands;
      return std::make_unique<OrNextBest>(std::move(bands),
                                          problem.parameters.dimension == 3 ? wavefront : overlapped_wavefront, asked);
    }};

extern const Variant overlapped_wavefront = {
    .name = "overlapped-wavefront",
    .summary =
        "for processors: the same without waiting: a sweep of several steps is two launches, the second for the rows "
        "between the bands",
    .options = {vvl_option(), time_block_option({"2", "4", "6", "8"}).within(2, deepest_sweep, 2), groups_option()},
    .make = [](const Problem& problem, const Options& asked) { return make_bands(false, problem, asked); }};

}  // namespace boltzmark::opencl
