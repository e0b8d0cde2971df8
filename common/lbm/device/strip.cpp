#include "common/lbm/device/strip.hpp"

#include <algorithm>
#include <utility>

#include "common/lbm/cell.h"
#include "common/lbm/counting.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

using namespace device;

void GridRun::prepare(std::string_view source, const KernelShape& shape, std::optional<StepSums> sums,
                      const std::vector<BufferRequest>& buffers) {
  session_.emplace(device_, options_);
  module_ = session_->build(source, shape);
  sums_ = std::move(sums);
  auto requests = sums_ ? sums_->buffers() : std::vector<BufferRequest>{};
  requests.insert(requests.end(), buffers.begin(), buffers.end());
  session_->allocate(requests);
  attempt("set up the kernels", [&] {
    make_kernels();
    if (sums_) sums_->set_up(module_, device_);
  });
  session_->first_launches(shape.group, [&] {
    launch_first();
    if (sums_) sums_->enqueue_sums(session_->queue(), 0, 1);
  });
  // Only the sums of steps: groups of some kernels leave their partial sums unchanged, at zero.
  if (sums_) session_->spoil({sums_->buffers().back()});
  session_->upload([&] { start(); });
}

void GridRun::run_steps(int steps, const StepSums::EnqueueSteps& enqueue_steps, std::span<double> av_vels,
                        int most_pending) {
  run_steps_ = steps;
  attempt("run the time steps", [&] {
    sums_->run(session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), most_pending, enqueue_steps,
               av_vels);
  });
}

void GridRun::run(int steps, std::span<double> av_vels) {
  run_steps(
      steps, [&](int step, int count, int first_sum) { enqueue(count, first_sum, step + count == steps); }, av_vels);
  if (attempt("read whether all waits ended", [&] { return has_timed_out(); })) fail_by_timeout();
}

bool GridRun::has_timed_out() const {
  std::int32_t failures = 0;
  if (failures_) session_->queue()->read(failures_, 0, sizeof failures, &failures);
  return failures != 0;
}

void GridRun::fail_by_timeout() const {
  throw unavailable(
      "persistent: a work-group timed out waiting for another one on {}: not all {} of them were resident at once, or "
      "the run is unstable; use another variant",
      device_.name, waiting_groups_);
}

RunFacts GridRun::facts() const {
  RunFacts facts = session_->facts({});
  if (sums_) facts.settings["delay"] = options_.delay == INT_MAX ? "all" : std::to_string(options_.delay);
  const int directions = is_flat() ? D2Q9::directions : D3Q19::directions;
  facts.bytes_per_update = 2.0 * directions * static_cast<double>(stored_bytes());
  if (is_half()) facts.tolerance = half_tolerance;
  facts.flops_per_update = is_flat() ? counted_cell_flops<D2Q9>() : counted_cell_flops<D3Q19>();
  facts.steps_per_launch = steps_per_launch_;
  facts.write_allocate = is_cpu();
  add_facts(facts);
  if (facts.grids == 2) facts.fetched_per_update = 0.5 * facts.bytes_per_update;
  return facts;
}

std::vector<BufferRequest> GridRun::exchange_buffers(std::size_t mailbox_words, int groups) {
  mailbox_words_ = mailbox_words;
  waiting_groups_ = groups;
  return {{&mailbox_, mailbox_bytes()}, {&failures_, sizeof(std::int32_t)}};
}

void expect_walls_that_stand(const Problem& problem, const std::string& variant) {
  if (!problem.moving.empty())
    throw bad_input("--variant {}: moving walls need one launch per step; use two-grid or in-place", variant);
}

void Walls::set_up(Session& session, const Module& module, const Problem& problem, const Window& window,
                   Precision precision, double units, const std::array<Buffer, 2>& grids, bool is_in_place,
                   const Place& place) {
  using L = D3Q19;  // in two dimensions no wall moves
  const Parameters& p = problem.parameters;
  const auto pushes = problem.moving.empty() ? std::vector<WallPush>{} : wall_pushes<L>(problem);
  if (pushes.empty()) return;
  std::vector<double> momentum;
  std::array<std::vector<std::uint64_t>, 2> places;
  const int planes = window.rows + 2 * window.halo;
  first_ = {0};
  for (int plane = 0; plane < planes; ++plane) {
    const std::int64_t z = ((window.first_row - window.halo + plane) % p.nz + p.nz) % p.nz;
    const auto before = [](const WallPush& push, std::int64_t cell) { return push.cell < cell; };
    const auto begin = std::lower_bound(pushes.begin(), pushes.end(), z * p.layer_cells(), before);
    const auto end = std::lower_bound(begin, pushes.end(), (z + 1) * p.layer_cells(), before);
    for (auto push = begin; push != end; ++push) {
      const int i = push->direction;
      const auto x = static_cast<int>(push->cell % p.nx), y = static_cast<int>(push->cell / p.nx % p.ny);
      momentum.push_back(push->momentum * units);
      places[0].push_back(place(x, y, plane, i));
      places[1].push_back(!is_in_place ? places[0].back()
                                       : place((x + L::cx[i] + p.nx) % p.nx, (y + L::cy[i] + p.ny) % p.ny,
                                               (plane + L::cz[i] + p.nz) % p.nz, L::opposite[i]));
    }
    first_.push_back(static_cast<int>(momentum.size()));
  }
  if (momentum.empty()) {  // another rank has them
    first_.clear();
    return;
  }
  HostValues stored(device::storage_of(precision), momentum.size());
  for (std::size_t push = 0; push < momentum.size(); ++push) stored.set(push, momentum[push]);
  const std::size_t place_bytes = momentum.size() * sizeof places[0][0];
  session.allocate({{&momentum_, stored.bytes(), stored.data()},
                    {&places_[0], place_bytes, places[0].data()},
                    {&places_[1], place_bytes, places[1].data()}});
  for (int i = 0; i < 2; ++i) push_[i] = Kernel(module, "push_from_walls", 0, 0, places_[i], momentum_, grids[i]);
}

void Walls::enqueue(const Queue& queue, int state, const Bands& bands, Event* done) const {
  if (first_.empty()) return;
  for (const auto& [layer, layers] : {std::pair{bands.south, bands.south_rows}, {bands.north, bands.north_rows}}) {
    const int push = first_[layer], end = first_[layer + layers];
    if (end == push) continue;
    push_[state].rebind(push, end);
    queue->launch(push_[state], Range(static_cast<std::size_t>(end - push)), {}, {}, done);
  }
}

void DeviceStrip::init(const Problem& problem) {
  init(problem, whole_grid(problem.parameters),
       {{.south = 0, .south_rows = problem.parameters.layers(), .north = 0, .north_rows = 0}});
}

void DeviceStrip::init(const Problem& problem, const Window& window, const std::vector<Bands>& launches) {
  problem_ = &problem;
  window_ = window;
  launches_ = launches;
  init_strip();
}

void DeviceStrip::enqueue(int count, int first_sum, bool is_end) {
  enqueue({.bands = launches_.front(), .source = state_, .steps = count, .first_sum = first_sum, .is_end = is_end});
}

}  // namespace boltzmark::lbm
