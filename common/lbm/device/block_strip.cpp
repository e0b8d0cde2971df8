#include "common/lbm/device/block_strip.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <climits>

#include "common/device/build.hpp"
#include "common/lbm/cell.h"

namespace boltzmark::lbm {

using namespace device;
namespace {

constexpr std::size_t peer_words = 4 * sizeof(std::uint32_t);  ///< see HaloPeers
std::uint64_t address_of(const Buffer& buffer) { return reinterpret_cast<std::uint64_t>(buffer.native()); }

}  // namespace

bool BlockStrip::let_launches_send() {
  return sends_ = api().has_peers && launch_steps_ > 0 && options_.memory == MemoryKind::device;
}

void BlockStrip::connect(const Peer& south, const Peer& north) {
  const std::uint64_t words = address_of(grids_[0]) + grid_bytes(window_.rows);
  for (std::size_t source = 0; source < peers_.size(); ++source) {
    // A neighbour's own end is the other one, its halo rows at the northern end are its last ones.
    const auto strip_of = [&](const Peer& peer, int halo_row, std::size_t side) {
      const auto cells = grid_cells(peer.rows);
      return PeerStrip{address_of(peer.states[1 - source]), cells, static_cast<std::uint64_t>(halo_row),
                       address_of(peer.states[0]) + grid_bytes(peer.rows) + side * sizeof(std::uint32_t)};
    };
    peers_[source] = {strip_of(south, window_.halo + south.rows, 1), strip_of(north, 0, 0), words,
                      words + peer_words / 2, 0};
  }
}

void BlockStrip::init_strip() {
  Parameters own = grid();
  own.ny = window_.rows;
  plan_ = planner_(device_, options_, own);
  plan_launches();
  std::string defines = fmt::format("-D NX={} -D NY={} {}", own.nx, rows_with_halo(), plan_.defines);
  if (window_.halo > 0)
    defines += fmt::format(" -D PERIOD={} -D DRIVEN_ROW={}", grid().ny, driven_row(grid(), window_));
  if (sends_) defines += " -D SENDS";
  if (is_half()) defines += " -D HALF_STORAGE";
  const auto bits = plain_solid_bits(*problem_, window_);
  std::vector<BufferRequest> buffers;
  const std::size_t bytes = grid_bytes(window_.rows);
  for (auto& grid : grids_) buffers.push_back({&grid, sends_ ? peer_bytes(bytes + peer_words) : bytes});
  buffers.push_back({&solid_bits_, bits.size() * sizeof bits[0], bits.data()});
  if (plan_.is_persistent) {
    const auto more = exchange_buffers(plan_.mailbox_words, plan_.groups);
    buffers.insert(buffers.end(), more.begin(), more.end());
  }
  prepare(plan_.source,
          {.group = {plan_.items, 1},
           .reduction = default_reduction(device_),
           .lanes = plan_.vvl,
           .defines = defines,
           .most_registers = plan_.most_registers,
           .native_math = true},
          StepSums(options_.precision, static_cast<std::size_t>(sums_a_step()), options_.delay,
                   plan_.is_persistent ? INT_MAX : plan_.depth, is_repeated() && !plan_.is_persistent),
          buffers);
}

void BlockStrip::plan_launches() {
  shapes_.clear();
  launch_sums_ = {0};
  if (plan_.strips == 0) {
    shapes_ = {{plan_.groups, 0}};
    launch_sums_.push_back(plan_.sums_a_step);
    return;
  }
  for (const Bands& bands : launches_) {
    int rows = chunk_rows(device_, plan_, rows_in(bands));
    if (bands.north_rows > 0) rows = std::min(rows, bands.south_rows);
    const int sums = plan_.strips * (divide_up(bands.south_rows, rows) + divide_up(bands.north_rows, rows));
    shapes_.push_back({divide_up(sums * warp, plan_.items), rows});
    launch_sums_.push_back(launch_sums_.back() + sums);
  }
}

void BlockStrip::make_kernels() {
  const Value relaxation = relaxation_value(grid(), options_);
  const Buffer& partial_sums = sums_->partial_sums();
  for (std::size_t i = 0; i < 2; ++i) {  // arguments that change between launches come first, see enqueue
    const Buffer &source = grids_[i], &target = grids_[1 - i];
    const auto on_strips = [&](const auto&... peers) {
      return Kernel(module_, plan_.kernel, 0, 0, 0, Bands{}, 0, peers..., source, target, solid_bits_, partial_sums,
                    relaxation, sums_a_step());
    };
    if (plan_.strips > 0)
      steps_[i] = sends_ ? on_strips(HaloPeers{}) : on_strips();
    else if (plan_.is_persistent)
      steps_[i] = Kernel(module_, plan_.kernel, 0, 0, 0, source, target, solid_bits_, partial_sums, relaxation,
                         mailbox_, failures_);
    else
      steps_[i] = Kernel(module_, plan_.kernel, 0, 0, 0, source, target, solid_bits_, partial_sums, relaxation);
  }
  accelerate_start_ = Kernel(module_, "accelerate_start", 0, solid_bits_, grids_[0], relaxation);
}

/// A step in each direction on a grid at rest, which stays at rest without body force.
void BlockStrip::launch_first() {
  for (int number = 0; number < static_cast<int>(launches_.size()); ++number)
    for (int source = 0; source < 2; ++source)
      enqueue({.number = number, .bands = launches_[number], .source = source, .is_end = true});
}

/// The state at rest is all zeros; the body force of the first step is then added.
void BlockStrip::start() {
  state_ = 0;
  const int row = own_driven_row(grid(), window_);
  if (row < 0) return;
  accelerate_start_.rebind(row);
  session_->queue()->launch(accelerate_start_, Range(row_cells()));
}

void BlockStrip::enqueue(const StripLaunch& launch) {
  constexpr std::uint32_t first_word = 0x40000000;  // see kernels/mailbox.h
  const Queue& queue = queue_of(launch);
  if (plan_.is_persistent) queue->fill(mailbox_, first_word, 0, mailbox_bytes());
  const Kernel& kernel = steps_[launch.source];
  const Shape& shape = shapes_[launch.number];
  const int first_sum = launch.first_sum + launch_sums_[launch.number], is_end = launch.is_end;
  HaloPeers& peers = peers_[launch.source];
  if (peers.south.grid) peers.number = ++launches_sent_;
  if (sends_)
    kernel.rebind(first_sum, launch.steps, is_end, launch.bands, shape.chunk_rows, peers);
  else if (plan_.strips > 0)
    kernel.rebind(first_sum, launch.steps, is_end, launch.bands, shape.chunk_rows);
  else
    kernel.rebind(first_sum, launch.steps, is_end);
  const auto items = static_cast<std::size_t>(plan_.items);
  queue->launch(kernel, Range(static_cast<std::size_t>(shape.groups) * items), Range(items), launch.after, launch.done);
  state_ = 1 - launch.source;
  steps_per_launch_ = std::max(steps_per_launch_, launch.steps);
}

Region BlockStrip::rows_of(int row, int count) const {
  const std::size_t row_bytes = row_cells() * stored_bytes(), bytes = static_cast<std::size_t>(count) * row_bytes;
  return {.first = static_cast<std::size_t>(row) * row_bytes,
          .row_bytes = bytes,
          .rows = D2Q9::directions,
          .pitch = grid_cells() * stored_bytes(),
          .host_pitch = bytes};
}

std::vector<Region> BlockStrip::halo_regions(HaloDirection, int layer) const { return {rows_of(layer, window_.halo)}; }

void BlockStrip::collect(const Fields& fields) {
  constexpr std::size_t read_bytes = std::size_t{16} << 20;
  const std::size_t row_bytes = row_cells() * D2Q9::directions * stored_bytes();
  const auto most_rows =
      static_cast<int>(std::clamp<std::size_t>(read_bytes / row_bytes, 1, static_cast<std::size_t>(window_.rows)));
  for (int first = 0; first < window_.rows; first += most_rows) {
    const int rows = std::min(most_rows, window_.rows - first);
    const std::size_t cells = row_cells() * static_cast<std::size_t>(rows);
    HostValues values(storage(), cells * D2Q9::directions);
    attempt("read the final state",
            [&] { session_->queue()->read(grids_[state_], rows_of(window_.halo + first, rows), values.data()); });
    collect_rows(grid(), rows, from_row(fields, first, grid().nx), [&](int i, int x, int y) {
      return values[i * cells + static_cast<std::size_t>(y) * row_cells() + x];
    });
  }
}

void BlockStrip::add_facts(RunFacts& facts) const {
  facts.settings.update({{"work_group", fmt::format("{}x1", plan_.items)},
                         {"groups", shapes_.front().groups},
                         {"pieces", plan_.pieces},
                         {"time_block", plan_.depth},
                         {"storage", is_half() ? "f16" : to_string(options_.precision)}});
  facts.traffic = plan_.is_persistent ? resident_traffic(plan_.words_crossing, plan_.depth)
                                      : launched_steps(grid_bytes_of_all(), run_steps_, plan_.depth, is_cpu(),
                                                       plan_.read_again, plan_.cells_at_work);
  if (api().records && !plan_.is_persistent) facts.settings["launches"] = is_repeated() ? "graphs" : "single";
}

}  // namespace boltzmark::lbm
