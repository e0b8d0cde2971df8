#include "common/heat/device/program.hpp"

#include <fmt/core.h>

#include <array>
#include <numeric>
#include <optional>

#include "common/cpu/split_tiling.hpp"
#include "common/device/array_program.hpp"
#include "common/device/host_values.hpp"
#include "common/device/step_sums.hpp"
#include "common/heat/device/geometry.hpp"
#include "common/heat/traffic.hpp"

namespace boltzmark::heat {

using namespace device;

extern const std::string_view array_source, handwritten_source, cells_source, tile_source, strip_source, rows_source,
    split_tiling_source, time_block_source;

namespace {

class DeviceSolver;

/// Parts of a variant.
struct HeatKernels {
  std::string_view source;
  Geometry (*geometry)(const DeviceCase&);
  /// Adds the launches of a step from one grid to the other.
  void (*add)(DeviceSolver&, const Buffer& here, const Buffer& there);
  bool copies_back = false;   ///< a step ends in the grid where it began
  bool sums_changes = false;  ///< by a separate kernel
  bool in_turns = false;      ///< the steps of a launch alternate between the grids; else there is a single grid
};

class DeviceSolver final : public DeviceStrip {
 public:
  DeviceSolver(const Options& options, const HeatKernels& kernels) : array_(options), kernels_(kernels) {}

  std::string shortage(double bytes) override {
    if (kernels_.copies_back) bytes *= 1.5;
    return array_.shortage(bytes, bytes / 2);
  }
  void init(const Plate& plate, int steps) override { init_strip(plate, {0, plate.height}, {}, steps); }
  int launch_steps(const Plate& whole) const override {
    return kernels_.geometry({array_.device(), whole, array_.options()}).time_block;
  }
  void init_strip(const Plate& whole, boltzmark::Range own, const HaloPlan& plan, int steps) override {
    plan_ = plan;
    whole_ = whole;
    steps_ = steps;
    plate_ = whole;
    plate_.height = own.size() + plan.south_halo + plan.north_halo;
    first_ = own.begin - plan.south_halo;
    counted_ = {plan.south_halo, plan.south_halo + own.size()};
    const int ends = plan.has_inside() ? (plan.south_halo > 0) + (plan.north_halo > 0) : 0;
    geometry_ = kernels_.geometry({array_.device(), plate_, array_.options(), ends});
    launch_items_.clear();
    launch_sums_ = {0};
    for (const Bands& bands : has_halo() ? plan.largest() : std::vector<Bands>{}) {
      launch_items_.push_back(items_of(bands));
      launch_sums_.push_back(launch_sums_.back() + static_cast<int>(groups_in(launch_items_.back(), geometry_.group)));
    }
    array_.build(kernels_.source, shape());
    allocate(steps);
    if (sums_) attempt("set up the kernels", [&] { sums_->set_up(array_.module(), array_.device()); });
    for (int from = 0; from < 2; ++from) {
      kernels_.add(*this, grids_[from], grids_[1 - from]);
      if (sums_ && !has_halo()) rebind_sums();
    }
    now_ = 0;
    first_sum_ = 0;
    count_ = 1;
    has_halo() ? launch_first() : array_.run_first();
    if (sums_) array_.session().spoil({sums_->buffers().back()});
    fill(whole);
  }
  void advance(std::span<double> deltas) override {
    attempt("run time steps", [&] {
      if (sums_)
        return sums_->run(
            array_.session().queue(), static_cast<int>(deltas.size()), 1.0, most_pending,
            [&](int, int count, int first_sum) { step(first_sum, count); }, deltas);
      for (double& delta : deltas) {
        step(0, 1);
        delta = sum_of_changes();
      }
    });
  }
  int steps_per_look() const override { return geometry_.delay; }
  void collect() override {
    attempt("read the temperatures", [&] {
      result_ = HostValues(array_.precision(), grid_values());
      array_.session().queue()->read(grids_[now_], 0, result_.bytes(), result_.data());
    });
  }
  void read(std::int64_t row, std::span<double> values) const override {
    result_.read((row + 1) * geometry_.pitch + geometry_.lead, values);
  }
  RunFacts facts() const override {
    Settings settings = geometry_.settings;
    settings["work_group"] = to_string(geometry_.group);
    RunFacts facts = array_.session().facts(settings);
    facts.bytes_per_update = geometry_.values_per_update * static_cast<double>(array_.value_bytes());
    facts.steps_per_launch = has_halo() ? plan_.launch_steps : geometry_.time_block;
    facts.write_allocate = array_.is_cpu();
    facts.fetched_per_update = geometry_.values_fetched * static_cast<double>(array_.value_bytes());
    if (geometry_.time_block > 1) facts.traffic = traffic();
    return facts;
  }

  int state() const override { return static_cast<int>(now_); }
  Session& session() override { return array_.session(); }
  int sums_a_step() const override { return launch_sums_.back(); }
  /// One of the plan's.
  void enqueue(const StripLaunch& launch) override {
    const auto number = static_cast<std::size_t>(launch.number);
    const Kernel& kernel = array_.kernel(static_cast<std::size_t>(launch.source));
    rebind(kernel, launch.first_sum + launch_sums_[number], launch.steps, launch.bands);
    const Queue& queue = launch.queue ? *launch.queue : array_.session().queue();
    queue->launch(kernel, launch_items_[number], {geometry_.group.x, geometry_.group.y}, launch.after, launch.done);
    now_ = static_cast<std::size_t>(1 - launch.source);
  }
  void run_steps(int steps, const StepSums::EnqueueSteps& enqueue_steps, std::span<double> deltas) override {
    attempt("run time steps",
            [&] { sums_->run(array_.session().queue(), steps, 1.0, most_pending, enqueue_steps, deltas); });
  }

  /// Adds a launch to those of a step. If the device adds up, the first arguments of the last launch are the index of
  /// its first partial sum and, with several steps at once, their number.
  template <class... Arguments>
  void add(const char* name, const Arguments&... arguments) {
    array_.add_items(geometry_.items(), {geometry_.group.x, geometry_.group.y}, name, arguments...);
  }
  template <class... Arguments>
  void add_sum(const char* name, const Arguments&... arguments) {
    array_.add_items(device::Range(sum_groups() * sum_items), device::Range(sum_items), name, arguments...);
  }
  /// Adds a launch that can update bands of rows; numbers: its first arguments, without those of the bands.
  template <class... Numbers>
  void add_step(const char* name, const Buffer& here, const Buffer& there, Numbers... numbers) {
    const auto add_with = [&](const auto&... first) {
      add(name, first..., here, there, partial_sums(), values_in_local(geometry_.scratch_values));
    };
    has_halo() ? add_with(Bands{}, numbers...) : add_with(numbers...);
  }
  /// Sets, before each run of the latest launch, the place of its partial sums and its number of steps.
  void rebind_sums() {
    array_.before_each([this](const Kernel& last) { rebind(last, first_sum_, count_); });
  }
  const Buffer& changes() const { return changes_; }
  std::uint64_t number_of_changes() const { return static_cast<std::uint64_t>(geometry_.changes); }
  const Buffer& partial_sums() const { return sums_->partial_sums(); }
  Local sum_scratch() const { return values_in_local(sum_items); }

 private:
  static constexpr int most_pending = 4096, sum_items = 128;

  /// Facts of several steps in a launch.
  Traffic traffic() const {
    const int bytes = static_cast<int>(array_.value_bytes());
    if (!kernels_.in_turns) return launched_steps(whole_, bytes, steps_, geometry_.time_block, array_.is_cpu());
    const double row = 2.0 * static_cast<double>(plate_.width) * bytes;
    const SplitTiling tiling(static_cast<int>(plate_.height), false, geometry_.tiles, geometry_.time_block);
    return swept_in_turns(whole_, bytes, steps_, geometry_.time_block,
                          geometry_.tiles * row * (geometry_.time_block + 1), 0.0,
                          {tiling.share_again(), tiling.share_between * grids_bytes(whole_, bytes)});
  }

  bool sums_on_host() const { return geometry_.changes > 0 && !kernels_.sums_changes; }
  std::int64_t grid_values() const { return (plate_.height + 2) * geometry_.pitch; }
  std::size_t row_bytes(std::int64_t rows) const {
    return static_cast<std::size_t>(rows * geometry_.pitch) * array_.value_bytes();
  }
  bool has_halo() const { return plan_.halo > 0; }
  template <class... First>
  void rebind(const Kernel& kernel, int first_sum, int count, const First&... first) const {
    geometry_.time_block > 1 ? kernel.rebind(first..., first_sum, count) : kernel.rebind(first..., first_sum);
  }
  /// Work-items of a launch of bands, in whole groups.
  device::Range items_of(const Bands& bands) const {
    const int down =
        static_cast<int>(parts_of(bands.south_rows, geometry_.rows) + parts_of(bands.north_rows, geometry_.rows));
    return {round_up(geometry_.columns, geometry_.group.x), round_up(down, geometry_.group.y)};
  }
  std::vector<Region> rows_passing(std::int64_t first) const { return {{row_bytes(first + 1), row_bytes(plan_.halo)}}; }
  std::int64_t own_end() const { return plan_.south_halo + counted_.size(); }
  std::vector<Region> outgoing(HaloDirection direction) const override {
    return rows_passing(direction == HaloDirection::northward ? own_end() - plan_.halo : plan_.south_halo);
  }
  std::vector<Region> incoming(HaloDirection direction) const override {
    return rows_passing(direction == HaloDirection::northward ? 0 : own_end());
  }
  const Buffer& memory_of(int state) const override { return grids_[static_cast<std::size_t>(state)]; }
  /// The grids are all zeros and do not change.
  void launch_first() {
    array_.session().first_launches(geometry_.group, [&] {
      for (int number = 0; number < static_cast<int>(launch_items_.size()); ++number)
        for (const int source : {0, 1}) enqueue({.number = number, .source = source});
    });
    now_ = 0;
  }

  std::int64_t sum_groups() const { return parts_of(geometry_.changes, sum_items); }
  Local values_in_local(std::int64_t values) const { return {static_cast<std::size_t>(values) * array_.value_bytes()}; }

  KernelShape shape() const {
    const Geometry& g = geometry_;
    const std::string bands = has_halo() ? fmt::format(" -D BANDS -D SUMS_A_STEP={}", sums_a_step()) : "";
    return {.group = g.group,
            .reduction = g.reduction,
            .lanes = g.vvl,
            .defines = fmt::format("-D ROW_AXIS={} -D WIDTH={} -D HEIGHT={} -D PITCH={} -D LEAD={} -D ROWS={} "
                                   "-D ROWS_AT_ONCE={} -D TIME_BLOCK={} -D TILES={} -D SUM_ITEMS={} -D COUNT_BEGIN={} "
                                   "-D COUNT_END={}{}",
                                   g.row_axis, plate_.width, plate_.height, g.pitch, g.lead, g.rows, g.rows_at_once,
                                   g.time_block, g.tiles, sum_items, counted_.begin, counted_.end, bands)};
  }
  void allocate(int steps) {
    const std::size_t value_bytes = array_.value_bytes();
    const std::size_t bytes = static_cast<std::size_t>(grid_values()) * value_bytes;
    std::vector<BufferRequest> requests = {{&grids_[0], bytes}, {&grids_[1], bytes}};
    if (geometry_.changes > 0)
      requests.push_back({&changes_, static_cast<std::size_t>(geometry_.changes) * value_bytes});
    if (sums_on_host()) {
      host_changes_ = HostValues(array_.precision(), geometry_.changes);
    } else {
      const std::size_t groups = has_halo() ? static_cast<std::size_t>(sums_a_step())
                                 : kernels_.sums_changes
                                     ? static_cast<std::size_t>(sum_groups())
                                     : groups_in(geometry_.items(), geometry_.group) * (kernels_.in_turns ? 2 : 1);
      const int at_once = has_halo() ? plan_.halo : geometry_.time_block;
      sums_.emplace(array_.precision(), groups, std::min(geometry_.delay, std::max(steps, at_once)), at_once);
      for (const BufferRequest& request : sums_->buffers()) requests.push_back(request);
    }
    array_.session().allocate(requests);
  }
  /// Both grids begin with the plate, because no kernel writes the border.
  void fill(const Plate& whole) {
    HostValues values(array_.precision(), grid_values());
    values.with([&](auto all) {
      for (std::int64_t row = -1; row <= plate_.height; ++row)
        whole.fill(first_ + row, all.data() + (row + 1) * geometry_.pitch + geometry_.lead - 1);
    });
    array_.session().upload([&] {
      for (const Buffer& grid : grids_) array_.session().queue()->write(grid, 0, values.bytes(), values.data());
    });
  }
  /// `count` steps of one launch, with their partial sums from index `first_sum` on.
  void step(int first_sum, int count) {
    first_sum_ = first_sum;
    count_ = count;
    const std::size_t launches = array_.launches() / 2;
    array_.enqueue(now_ * launches, launches);
    if (!kernels_.copies_back) now_ = (now_ + static_cast<std::size_t>(kernels_.in_turns ? count : 1)) % 2;
  }
  double sum_of_changes() {
    array_.session().queue()->read(changes_, 0, host_changes_.bytes(), host_changes_.data());
    return host_changes_.with([](auto values) { return std::accumulate(values.begin(), values.end(), 0.0); });
  }

  ArrayProgram array_;  ///< the launches of a step from the first grid, then of one from the second
  HeatKernels kernels_;
  Plate whole_;
  Plate plate_;             ///< the strip's rows
  std::int64_t first_ = 0;  ///< of these, in the whole plate
  boltzmark::Range counted_;
  HaloPlan plan_;
  std::vector<device::Range> launch_items_;  ///< of the plan's launches of a step
  std::vector<int> launch_sums_;             ///< where the partial sums of each begin, then their number
  Geometry geometry_;
  int steps_ = 0;        ///< of a run
  std::size_t now_ = 0;  ///< the grid that holds the current temperatures
  std::array<Buffer, 2> grids_;
  Buffer changes_;
  std::optional<StepSums> sums_;
  int first_sum_ = 0, count_ = 1;  ///< of the launch being enqueued
  HostValues host_changes_, result_;
};

// The launches of a step, for each of the forms that kernels have.

void add_arrays(DeviceSolver& solver, const Buffer& plate, const Buffer& work) {
  solver.add("to_work", plate, work);
  solver.add("to_plate", plate, work, solver.changes());
}
void add_summed_arrays(DeviceSolver& solver, const Buffer& plate, const Buffer& work) {
  add_arrays(solver, plate, work);
  solver.add_sum("sum_changes", 0, solver.changes(), solver.number_of_changes(), solver.partial_sums(),
                 solver.sum_scratch());
}
void add_columns(DeviceSolver& solver, const Buffer& here, const Buffer& there) {
  solver.add("advance", here, there, solver.changes());
}
void add_cells(DeviceSolver& solver, const Buffer& here, const Buffer& there) {
  solver.add_step("advance", here, there, 0);
}
void add_rows(DeviceSolver& solver, const Buffer& here, const Buffer& there) {
  solver.add("advance", 0, here, there, solver.partial_sums());
}
/// The tiles, then the gaps between them.
void add_tiles(DeviceSolver& solver, const Buffer& here, const Buffer& there) {
  solver.add("advance_tiles", 0, 1, 0, here, there, solver.partial_sums());
  solver.rebind_sums();
  solver.add("advance_tiles", 0, 1, 1, here, there, solver.partial_sums());
}
void add_block(DeviceSolver& solver, const Buffer& here, const Buffer& there) {
  solver.add_step("advance_block", here, there, 0, 1);
}

ModelOption rows_option() {
  return {.name = "rows",
          .value = "N",
          .help = "rows per work-item; default: chosen by the variant",
          .range = {{1, 1 << 20}},
          .worth_trying = {"4", "8", "16", "32", "64", "128", "256", "512"}};
}

ModelOption delay_option() {
  return {.name = "delay",
          .value = "N",
          .help =
              "time steps between two reads of the deltas; default: 200; with --until a run may overshoot by up to N - "
              "1 steps",
          .range = {{1, 1'000'000}},
          .worth_trying = {"1", "10", "100", "1000"}};
}

Variant variant(const char* name, const char* summary, std::vector<ModelOption> options, const HeatKernels& kernels,
                Role role = Role::other) {
  return array_variant<DeviceSolver>(name, summary, kernels, role, std::move(options));
}

}  // namespace

Program device_strip_program() {
  Program program = device_program();
  std::erase_if(program.variants,
                [](const VariantPointer& of) { return of->name != "strip" && of->name != "time-block"; });
  program.default_variant = [](const Options&) -> std::string { return "time-block"; };
  return program;
}

Program device_program() {
  const ModelOption group = work_group_option(), delay = delay_option(), vvl = vvl_option(), rows = rows_option();
  // Half of the columns of a warp with the longest vectors, less one.
  const ModelOption steps = time_block_option({"2", "4", "6", "8", "12", "16"}).within(1, 255);
  auto program = program_of(workload);
  program.default_variant = [](const Options& options) -> std::string {
    return choose_device(options.text("device")).type == DeviceType::cpu ? "split-tiling" : "time-block";
  };
  program.variants = {
      variant("array",
              "published: one kernel per array expression, neighbouring work-items a row apart, sums on the host",
              {group}, {array_source, array_geometry, add_arrays, true}, Role::textbook),
      variant("array-coalesced", "published: the same, neighbouring work-items side by side in memory", {group},
              {array_source, coalesced_geometry, add_arrays, true}),
      variant("array-reduction", "published: the same, sums on the device", {group},
              {array_source, coalesced_geometry, add_summed_arrays, true, true}),
      variant("handwritten", "published: one kernel, one column per work-item, sums of the columns on the host",
              {group}, {handwritten_source, column_geometry, add_columns}),
      variant("cells", "one kernel, one cell per work-item, sums on the device, read in every step", {group},
              {cells_source, cell_geometry, add_cells}),
      variant("delayed", "the same, deltas read once in many steps", {group, delay},
              {cells_source, delayed_geometry, add_cells}),
      variant("tile", "the same, each group's cells and their halo in local memory", {group, delay},
              {tile_source, tile_geometry, add_cells}),
      variant("strip", "each work-item moves down a strip of columns, a few rows at a time in registers",
              {group, vvl, rows, delay}, {strip_source, strip_geometry, add_cells}, Role::like_for_like),
      variant("rows", "for processors: groups of one work-item, which moves along rows", {vvl, rows, delay},
              {rows_source, row_geometry, add_rows}),
      variant("split-tiling",
              "for processors: several steps in two launches, one for tiles of rows and one for the gaps",
              {vvl, time_block_option({"4", "8", "12", "16", "24", "32"}), delay},
              {split_tiling_source, tiling_geometry, add_tiles, false, false, true}),
      variant("time-block", "several steps per launch, the rows of each step in registers",
              {group, vvl, rows, steps, delay}, {time_block_source, block_geometry, add_block})};
  return program;
}

}  // namespace boltzmark::heat
