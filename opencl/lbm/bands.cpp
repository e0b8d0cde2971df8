#include "opencl/lbm/bands.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>

#include "common/base/error.hpp"
#include "common/cpu/wavefront.hpp"
#include "common/lbm/counting.hpp"
#include "common/lbm/cpu/lane_row.hpp"
#include "common/lbm/cpu/stretches.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "opencl/lbm/next_best.hpp"
#include "opencl/lbm/row_layout.hpp"
#include "opencl/lbm/sources.hpp"
#include "opencl/lbm/waiting_groups.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/session.hpp"
#include "opencl/runtime/step_sums.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;
namespace {

constexpr int most_depth = 64;

/// A band that stays in the cache between sweeps needs no deep ones, in which groups wait longer for one another.
int sweep_depth(std::size_t row_bytes, int rows) {
  constexpr int enough = 8;
  const int most = default_time_block(row_bytes);
  return row_bytes * rows <= core_caches().l2 / 2 ? std::min(most, enough) : most;
}

template <class T>
class BandSolver final : public Solver {
 public:
  BandSolver(bool is_resident, const ComputeDevice& device, const LbmOptions& options)
      : is_resident_(is_resident), device_(device), options_(options) {}

  void init(const Problem& problem) override;
  void run(int steps, std::span<double> av_vels) override;
  void collect(State& state) override;
  RunFacts facts() const override;

 private:
  const Parameters& grid() const { return problem_->parameters; }
  int first_row(int group) const {
    return static_cast<int>(static_cast<std::int64_t>(grid().ny) * group / plan_.groups);
  }
  /// Number in memory of row `row` of the grid as a group has it, also of those round its band.
  std::size_t stored_row(int group, int row) const {
    if (is_resident_) return static_cast<std::size_t>((row + grid().ny) % grid().ny);
    return static_cast<std::size_t>(group) * (plan_.rows + 2 * plan_.depth) +
           (row - first_row(group) + plan_.depth);
  }
  /// Place of population i of column x in a row.
  std::size_t place(int i, int x) const {
    const LaneRow columns = {grid().nx, plan_.lanes};
    return columns.values(1) + columns.place(i, x);  // behind the ghost vector
  }
  int most_launch_steps() const;
  std::string defines() const;
  void find_solid_cells();
  void allocate();
  void set_up_kernels();
  void launch_first();
  void start();
  void enqueue(int count, int first_sum, bool is_end, int driven_row);

  bool is_resident_;
  ComputeDevice device_;
  LbmOptions options_;
  int delay_ = options_.delay.value_or(INT_MAX);
  const Problem* problem_ = nullptr;
  BandPlan plan_;
  std::vector<cl_uint> solid_words_;
  std::vector<cl_int> stretches_, first_stretches_;
  std::optional<Session> session_;
  std::optional<StepSums<T>> sums_;
  cl::Program program_;
  std::array<cl::Kernel, 2> steps_;  ///< from one half of the edges to the other, and back
  cl::Buffer populations_, solid_bits_, stretch_list_, stretch_starts_;
  WaitingGroups waiting_ = {device_, overlapped_wavefront};
  std::array<cl::Buffer, 2> edges_;
  int steps_done_ = 0, launches_ = 0, steps_per_launch_ = 1;
};

template <class T>
void BandSolver<T>::init(const Problem& problem) {
  check_flat(options_);
  if (is_resident_) expect_waiting_groups_compile(device_, overlapped_wavefront);
  problem_ = &problem;
  plan_ = plan_bands(is_resident_, device_, options_, problem.parameters);
  find_solid_cells();
  session_.emplace(device_, options_);
  program_ = session_->build(
      bands_source,
      {.group = {1, 1}, .reduction = default_reduction(device_), .lanes = plan_.lanes, .defines = defines()});
  allocate();
  attempt("set up the kernels", [&] { set_up_kernels(); });
  session_->first_launches({1, 1}, [&] { launch_first(); });
  session_->upload([&] { start(); });
}

/// Those of a launch: whole sweeps, and not so many that the count of waves would leave an int.
template <class T>
int BandSolver<T>::most_launch_steps() const {
  if (!is_resident_) return plan_.depth;
  constexpr int most_steps = 4096, most_waves = 1 << 30;
  const int sweeps = most_waves / (grid().ny + 2 * plan_.depth);
  return plan_.depth * std::clamp(sweeps, 1, most_steps / plan_.depth);
}

template <class T>
std::string BandSolver<T>::defines() const {
  std::string text =
      fmt::format("-D NX={} -D NY={} -D GROUPS={} -D DEPTH={} -D ROW_VECTORS={} -D ROW_PITCH={}", grid().nx,
                  grid().ny, plan_.groups, plan_.depth, plan_.vectors, plan_.pitch);
  if (is_resident_) return text + " -D RESIDENT" + WaitingGroups::defines();
  return text + fmt::format(" -D BAND_ROWS={}", plan_.rows);
}

template <class T>
void BandSolver<T>::find_solid_cells() {
  const int nx = grid().nx, vectors = plan_.vectors;
  const LaneRow columns = {nx, plan_.lanes};
  const auto mask = problem_->solid_mask(0, grid().ny);
  solid_words_.assign(static_cast<std::size_t>(vectors) * grid().ny, 0);
  stretches_.clear(), first_stretches_.clear();
  for (int y = 0; y < grid().ny; ++y) {
    const auto row = std::span(mask).subspan(static_cast<std::size_t>(y) * nx, nx);
    const auto words = std::span(solid_words_).subspan(static_cast<std::size_t>(y) * vectors, vectors);
    columns.find_solid(row, words);
    const bool is_all_solid = std::all_of(row.begin(), row.end(), [](auto cell) { return cell != 0; });
    first_stretches_.push_back(is_all_solid ? -1 : static_cast<cl_int>(stretches_.size()));
    if (is_all_solid) continue;
    const auto stretches = stretches_of(words);
    stretches_.insert(stretches_.end(), stretches.begin(), stretches.end());
  }
  if (stretches_.empty()) stretches_.push_back(0);  // a buffer has at least one
}

template <class T>
void BandSolver<T>::allocate() {
  sums_.emplace(static_cast<std::size_t>(plan_.groups), delay_, most_launch_steps());
  auto requests = sums_->buffers();
  requests.push_back({&populations_, plan_.stored_rows(grid().ny) * plan_.pitch * sizeof(T)});
  requests.push_back({&solid_bits_, solid_words_.size() * sizeof(cl_uint), solid_words_.data()});
  requests.push_back({&stretch_list_, stretches_.size() * sizeof(cl_int), stretches_.data()});
  requests.push_back({&stretch_starts_, first_stretches_.size() * sizeof(cl_int), first_stretches_.data()});
  if (is_resident_) {
    const auto more = waiting_.buffers(plan_.groups);
    requests.insert(requests.end(), more.begin(), more.end());
  } else {
    for (auto& edges : edges_)
      requests.push_back({&edges, std::size_t{2} * plan_.groups * plan_.depth * plan_.pitch * sizeof(T)});
  }
  session_->allocate(requests);
}

template <class T>
void BandSolver<T>::set_up_kernels() {
  const Relaxation<T> relaxation = make_relaxation<T>(grid());
  for (std::size_t i = 0; i < 2; ++i)
    if (is_resident_)
      steps_[i] = call_of(program_, "band_steps", 0, 0, 0, 0, 0, populations_, solid_bits_, stretch_list_,
                          stretch_starts_, sums_->partial_sums(), relaxation, waiting_.progress(),
                          waiting_.failures());
    else
      steps_[i] = call_of(program_, "band_steps", 0, 0, 0, 0, 0, edges_[i], edges_[1 - i], populations_,
                          solid_bits_, stretch_list_, stretch_starts_, sums_->partial_sums(), relaxation);
  sums_->set_up(program_, device_);
}

template <class T>
void BandSolver<T>::enqueue(int count, int first_sum, bool is_end, int driven_row) {
  cl::CommandQueue& queue = session_->queue();
  cl::Kernel& kernel = steps_[launches_++ % 2];
  set_arguments(kernel, first_sum, count, steps_done_ % 2, cl_int{is_end}, driven_row);
  if (is_resident_) waiting_.start(*session_);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(plan_.groups), cl::NDRange(1));
  steps_done_ += count;
  steps_per_launch_ = std::max(steps_per_launch_, count);
}

/// Two steps of a grid at rest, which stays at rest without body force, once groups have met.
template <class T>
void BandSolver<T>::launch_first() {
  if (is_resident_) waiting_.meet(*session_, program_);
  for (int i = 0; i < 2; ++i) enqueue(2, 0, true, -1);
  sums_->enqueue_sums(session_->queue(), 0, 1);
  if (is_resident_) waiting_.expect_no_failures(*session_);
}

/// The state at rest is all zeros; then the body force of the first step.
template <class T>
void BandSolver<T>::start() {
  steps_done_ = launches_ = 0;
  const int y = grid().driven_row(), nx = grid().nx;
  if (y < 0) return;
  const auto relaxation = make_relaxation<T>(grid());
  const auto solid = problem_->solid_mask(y, 1);
  std::vector<T> row(plan_.pitch);
  for (int x = 0; x < nx; ++x) {
    const auto pushed = accelerate(Populations<T>{}, !solid[x], relaxation);
    for (int i = 0; i < Lattice::directions; ++i) row[place(i, x)] = pushed.f[i];
  }
  int group = 0;
  while (first_row(group + 1) <= y) ++group;
  const std::size_t bytes = plan_.pitch * sizeof(T);
  session_->queue().enqueueWriteBuffer(populations_, CL_TRUE, stored_row(group, y) * bytes, bytes,
                                       row.data());
  if (is_resident_) return;
  const int depth = plan_.depth, from_first = y - first_row(group), from_end = first_row(group + 1) - y;
  const int slot = from_first < depth  ? from_first
                   : from_end <= depth ? 2 * depth - from_end
                                       : -1;  // as edge_slot()
  if (slot >= 0)
    session_->queue().enqueueWriteBuffer(
        edges_[0], CL_TRUE, static_cast<std::size_t>(2 * depth * group + slot) * bytes, bytes, row.data());
}

template <class T>
void BandSolver<T>::run(int steps, std::span<double> av_vels) {
  constexpr int most_pending = 4096;
  attempt("run the time steps", [&] {
    sums_->run(
        session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), most_pending,
        [&](int step, int count, int first_sum) {
          enqueue(count, first_sum, step + count == steps, grid().driven_row());
        },
        av_vels);
    if (is_resident_) waiting_.expect_no_failures(*session_);
  });
}

template <class T>
void BandSolver<T>::collect(State& state) {
  const std::size_t bytes = plan_.pitch * sizeof(T);
  const bool has_moved =
      steps_done_ % 2 != 0;  // results are then where the neighbours' local step would read them
  const int nx = grid().nx;
  for (int group = 0; group < plan_.groups; ++group) {
    const int begin = first_row(group), rows = first_row(group + 1) - begin;
    std::vector<T> values(plan_.pitch * static_cast<std::size_t>(rows + 2));
    attempt("read the final state", [&] {
      for (int i = 0; i < rows + 2; ++i)
        session_->queue().enqueueReadBuffer(populations_, i == rows + 1,
                                            stored_row(group, begin + i - 1) * bytes, bytes,
                                            values.data() + plan_.pitch * i);
    });
    collect_fields(nx, rows, grid().density, from_row(fields_of(state), begin, nx), [&](int i, int x, int y) {
      const int to_x = (x + Lattice::cx[i] + nx) % nx, to_y = y + 1 + Lattice::cy[i];
      return has_moved ? values[plan_.pitch * to_y + place(Lattice::opposite[i], to_x)]
                       : values[plan_.pitch * (y + 1) + place(i, x)];
    });
  }
}

template <class T>
RunFacts BandSolver<T>::facts() const {
  RunFacts facts = session_->facts({{"groups", plan_.groups},
                                    {"vector_width", plan_.lanes},
                                    {"pieces", fmt::format("bands of {} rows", plan_.rows)},
                                    {"time_block", plan_.depth},
                                    {"delay", delay_text(delay_)}});
  facts.grids = 1;
  facts.bytes_per_update = 2 * Lattice::directions * sizeof(T);
  facts.flops_per_update = counted_cell_flops();
  facts.steps_per_launch = steps_per_launch_;
  return facts;
}

}  // namespace

std::vector<Variant> band_variants() {
  return {
      {.name = resident_wavefront,
       .summary =
           "for processors: a work-item for each compute unit, which takes its rows (in three dimensions of every "
           "plane) several steps on in cache, up to 4096 steps a launch; they wait for one another",
       .options = {"vvl", "time-block", "delay", "groups"},
       .kinds = {D3Q19::name}},
      {.name = overlapped_wavefront,
       .summary =
           "for processors: the same without waiting; a launch is a sweep of several steps, and rows round a "
           "work-item's own are computed twice",
       .options = {"vvl", "time-block", "groups"}}};
}

BandPlan plan_bands(bool is_resident, const ComputeDevice& device, const LbmOptions& options,
                    const Parameters& grid) {
  BandPlan plan = {.is_resident = is_resident, .lanes = lanes_of(device, options)};
  const auto value_bytes = static_cast<std::size_t>(bytes_of(options.precision));
  const LaneRow columns = {grid.nx, plan.lanes};
  plan.vectors = columns.vectors();
  plan.pitch =
      LaneRow::padded_pitch(columns.values(plan.vectors + 2), value_bytes);  // with the ghost vectors
  if (options.time_block &&
      (*options.time_block < 2 || *options.time_block > most_depth || *options.time_block % 2 != 0))
    throw bad_input("--time-block: expected an even number from 2 to {}, found {}", most_depth,
                    *options.time_block);
  // A band has two rows or more, and no fewer than the sweep has steps.
  plan.groups = groups_of(device, options, std::max(1, grid.ny / 2), "bands of two rows", is_resident);
  const int least_rows = grid.ny / plan.groups;
  plan.rows = (grid.ny + plan.groups - 1) / plan.groups;
  const int wanted = options.time_block.value_or(sweep_depth(plan.pitch * value_bytes, plan.rows));
  plan.depth = std::max(2, std::min(wanted, least_rows) / 2 * 2);
  if (plan.groups == 1 && options.time_block) plan.depth = wanted;
  return plan;
}

std::unique_ptr<Solver> make_bands(const std::string& name, const ComputeDevice& device,
                                   const LbmOptions& options) {
  if (name != resident_wavefront && name != overlapped_wavefront) return nullptr;
  if (options.precision == Precision::f64)
    return std::make_unique<BandSolver<double>>(name == resident_wavefront, device, options);
  return std::make_unique<BandSolver<float>>(name == resident_wavefront, device, options);
}

std::unique_ptr<Solver> make_default_bands(const ComputeDevice& device, const LbmOptions& options) {
  return std::make_unique<OrNextBest>(make_bands(resident_wavefront, device, options), overlapped_wavefront,
                                      [=] { return make_bands(overlapped_wavefront, device, options); });
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
