// resident_wavefront in three dimensions: kernels/plane_bands.cl. Layout and plan are those of the CPU models
// (common/lbm/cpu/lane_row.hpp, plane_wavefront.hpp).
#include <fmt/core.h>

#include <algorithm>
#include <climits>
#include <optional>

#include "common/base/error.hpp"
#include "common/lbm/counting.hpp"
#include "common/lbm/cpu/lane_row.hpp"
#include "common/lbm/cpu/plane_wavefront.hpp"
#include "common/lbm/cpu/stretches.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"
#include "opencl/lbm/bands.hpp"
#include "opencl/lbm/next_best.hpp"
#include "opencl/lbm/row_layout.hpp"
#include "opencl/lbm/sources.hpp"
#include "opencl/lbm/variants.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/session.hpp"
#include "opencl/runtime/step_sums.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;
namespace {

constexpr const char* needs_no_waiting = "wavefront";

template <class T>
class PlaneBandSolver final : public Solver {
 public:
  PlaneBandSolver(const ComputeDevice& device, const LbmOptions& options)
      : device_(device), options_(options) {}

  void init(const Problem& problem) override;
  void run(int steps, std::span<double> av_vels) override;
  void collect(State& state) override;
  RunFacts facts() const override;

 private:
  using L = D3Q19;

  const Parameters& grid() const { return problem_->parameters; }
  std::size_t plane_bytes() const { return layout_->plane_pitch * sizeof(T); }
  std::size_t place(int i, int x, int y) const {
    return layout_->pitch * static_cast<std::size_t>(y) + layout_->columns.place(i, x);
  }
  static int wrapped(int number, int count) { return (number + count) % count; }
  void make_plan();
  int most_launch_steps() const;
  std::string defines() const;
  void find_solid_cells();
  void find_pushes();
  void allocate();
  void launch_first();
  void start();
  void enqueue(int count, int first_sum, bool is_end, int driven_row);

  ComputeDevice device_;
  LbmOptions options_;
  const Problem* problem_ = nullptr;
  std::optional<PlaneLayout> layout_;
  std::optional<PlaneWavefront> plan_;
  std::vector<cl_uint> solid_words_;
  std::vector<cl_int> stretches_, first_stretches_, first_pushes_;
  std::vector<cl_ulong> push_places_;  ///< after steps of even number, then of odd
  std::vector<T> pushes_;
  bool has_walls_ = false;  ///< that move
  std::optional<Session> session_;
  std::optional<StepSums<T>> sums_;
  cl::Program program_;
  cl::Kernel steps_;
  cl::Buffer populations_, solid_bits_, stretch_list_, stretch_starts_, push_starts_, place_list_, push_list_;
  WaitingGroups waiting_ = {device_, needs_no_waiting};
  int steps_done_ = 0, steps_per_launch_ = 1;
};

template <class T>
void PlaneBandSolver<T>::init(const Problem& problem) {
  expect_waiting_groups_compile(device_, needs_no_waiting);
  problem_ = &problem;
  make_plan();
  find_solid_cells();
  find_pushes();
  session_.emplace(device_, options_);
  program_ = session_->build(plane_bands_source, {.group = {1, 1},
                                                  .reduction = default_reduction(device_),
                                                  .lanes = layout_->columns.lanes,
                                                  .defines = defines()});
  allocate();
  attempt("set up the kernels", [&] {
    const auto push_count = static_cast<cl_int>(pushes_.size());
    steps_ =
        call_of(program_, "plane_steps", 0, 0, 0, 0, 0, populations_, solid_bits_, stretch_list_,
                stretch_starts_, push_starts_, place_list_, push_list_, push_count, sums_->partial_sums(),
                make_relaxation<T, L>(grid()), waiting_.progress(), waiting_.failures());
    sums_->set_up(program_, device_);
  });
  session_->first_launches({1, 1}, [&] { launch_first(); });
  session_->upload([&] { start(); });
}

template <class T>
void PlaneBandSolver<T>::make_plan() {
  constexpr int most_sweep = 64;
  const Parameters& p = grid();
  if (options_.time_block && (*options_.time_block < 1 || *options_.time_block > most_sweep))
    throw bad_input("--time-block: expected a number from 1 to {} in three dimensions, found {}", most_sweep,
                    *options_.time_block);
  const int groups = groups_of(device_, options_, p.ny, "one for each row of a plane", true);
  layout_.emplace(p.nx, p.ny, lanes_of(device_, options_), sizeof(T));
  plan_ = plan_plane_wavefront(p.ny, p.nz, layout_->pitch * sizeof(T), plane_bytes(), groups,
                               options_.time_block);
}

/// Those of a launch: whole sweeps, and not so many that the count of items would leave an int.
template <class T>
int PlaneBandSolver<T>::most_launch_steps() const {
  constexpr int most_steps = 4096, most_items = 1 << 30;
  const int depth = plan_->depth(), sweeps = most_items / (grid().nz * depth + 1);
  return depth * std::clamp(sweeps, 1, most_steps / depth);
}

template <class T>
std::string PlaneBandSolver<T>::defines() const {
  return fmt::format(
             "-D LATTICE_D3Q19 -D NX={} -D NY={} -D NZ={} -D GROUPS={} -D DEPTH={} -D TILE={} -D ROW_VECTORS={} "
             "-D ROW_PITCH={} -D PLANE_PITCH={} -D ROWS_AHEAD={}{}",
             grid().nx, grid().ny, grid().nz, plan_->workers(), plan_->depth(), plan_->tile(),
             layout_->columns.vectors(), layout_->pitch, layout_->plane_pitch,
             PlaneLayout::rows_ahead(layout_->pitch * sizeof(T)), has_walls_ ? " -D WALLS" : "") +
         WaitingGroups::defines();
}

template <class T>
void PlaneBandSolver<T>::find_solid_cells() {
  const auto nx = static_cast<std::size_t>(grid().nx), ny = static_cast<std::size_t>(grid().ny),
             vectors = static_cast<std::size_t>(layout_->columns.vectors());
  solid_words_.assign(vectors * ny * static_cast<std::size_t>(grid().nz), 0);
  stretches_.clear(), first_stretches_.clear();
  for (int z = 0; z < grid().nz; ++z) {
    const auto mask = problem_->solid_mask(z, 1);
    for (std::size_t y = 0; y < ny; ++y) {
      const auto row = std::span(mask).subspan(y * nx, nx);
      const auto words =
          std::span(solid_words_).subspan((static_cast<std::size_t>(z) * ny + y) * vectors, vectors);
      layout_->columns.find_solid(row, words);
      const bool is_all_solid = std::all_of(row.begin(), row.end(), [](auto cell) { return cell != 0; });
      const auto own = stretches_of(words);
      // Most rows have the stretches of the row before them.
      if (!is_all_solid &&
          (stretches_.size() < own.size() || !std::equal(own.rbegin(), own.rend(), stretches_.rbegin())))
        stretches_.insert(stretches_.end(), own.begin(), own.end());
      first_stretches_.push_back(is_all_solid ? -1 : static_cast<cl_int>(stretches_.size() - own.size()));
    }
  }
  if (stretches_.empty()) stretches_.push_back(0);  // a buffer has at least one
}

/// What walls add that move, row after row of their cells. A step of even number has left a population where it moves to, in
/// the opposite one's place; one of odd number in its own cell.
template <class T>
void PlaneBandSolver<T>::find_pushes() {
  const int nx = grid().nx, ny = grid().ny, nz = grid().nz;
  const auto pushes = problem_->moving.empty() ? std::vector<WallPush>{} : wall_pushes<L>(*problem_);
  has_walls_ = !pushes.empty();
  pushes_.clear(), push_places_.clear();
  first_pushes_.assign(has_walls_ ? static_cast<std::size_t>(ny) * nz + 1 : 1, 0);
  std::vector<cl_ulong> own;
  for (const WallPush& push : pushes) {
    const auto row = static_cast<std::size_t>(push.cell / nx);
    const int x = static_cast<int>(push.cell % nx), y = static_cast<int>(row % ny),
              z = static_cast<int>(row / ny), i = push.direction;
    const int to_x = wrapped(x + L::cx[i], nx), to_y = wrapped(y + L::cy[i], ny),
              to_z = wrapped(z + L::cz[i], nz);
    push_places_.push_back(layout_->plane_pitch * to_z + place(L::opposite[i], to_x, to_y));
    own.push_back(layout_->plane_pitch * z + place(i, x, y));
    pushes_.push_back(static_cast<T>(push.momentum));
    ++first_pushes_[row + 1];
  }
  for (std::size_t row = 1; row < first_pushes_.size(); ++row) first_pushes_[row] += first_pushes_[row - 1];
  push_places_.insert(push_places_.end(), own.begin(), own.end());
  if (has_walls_) return;
  push_places_.push_back(0), pushes_.push_back(T(0));  // a buffer has at least one
}

template <class T>
void PlaneBandSolver<T>::allocate() {
  sums_.emplace(static_cast<std::size_t>(plan_->workers()), options_.delay.value_or(INT_MAX),
                most_launch_steps());
  auto requests = sums_->buffers();
  requests.push_back({&populations_, plane_bytes() * static_cast<std::size_t>(grid().nz)});
  requests.push_back({&solid_bits_, solid_words_.size() * sizeof(cl_uint), solid_words_.data()});
  requests.push_back({&stretch_list_, stretches_.size() * sizeof(cl_int), stretches_.data()});
  requests.push_back({&stretch_starts_, first_stretches_.size() * sizeof(cl_int), first_stretches_.data()});
  requests.push_back({&push_starts_, first_pushes_.size() * sizeof(cl_int), first_pushes_.data()});
  requests.push_back({&place_list_, push_places_.size() * sizeof(cl_ulong), push_places_.data()});
  requests.push_back({&push_list_, pushes_.size() * sizeof(T), pushes_.data()});
  const auto more = waiting_.buffers(plan_->workers());
  requests.insert(requests.end(), more.begin(), more.end());
  session_->allocate(requests);
}

template <class T>
void PlaneBandSolver<T>::enqueue(int count, int first_sum, bool is_end, int driven_row) {
  set_arguments(steps_, first_sum, count, steps_done_ % 2, cl_int{is_end}, driven_row);
  waiting_.start(*session_);
  session_->queue().enqueueNDRangeKernel(steps_, cl::NullRange, cl::NDRange(plan_->workers()),
                                         cl::NDRange(1));
  steps_done_ += count;
  steps_per_launch_ = std::max(steps_per_launch_, count);
}

/// A step of a grid at rest, once groups have met; start() follows it.
template <class T>
void PlaneBandSolver<T>::launch_first() {
  waiting_.meet(*session_, program_);
  enqueue(1, 0, true, -1);
  sums_->enqueue_sums(session_->queue(), 0, 1);
  waiting_.expect_no_failures(*session_);
}

/// The start state, and the body force of the first step. At rest all is zero but for what that force gives, and for what
/// moving walls have given in the first launch.
template <class T>
void PlaneBandSolver<T>::start() {
  steps_done_ = 0;
  const Parameters& p = grid();
  const auto relaxation = make_relaxation<T, L>(p);
  session_->zero(populations_, plane_bytes() * static_cast<std::size_t>(p.nz));
  const bool is_at_rest = starts_at_rest(p);
  const int first = is_at_rest ? std::max(p.driven_row(), 0) : 0;
  const int end = is_at_rest ? p.driven_row() + 1 : p.ny;
  if (end == 0) return;
  std::vector<T> rows(layout_->pitch * static_cast<std::size_t>(end - first));
  for (int z = 0; z < p.nz; ++z) {
    const auto solid = problem_->solid_mask(z, 1);
    for (int y = first; y < end; ++y)
      for (int x = 0; x < p.nx; ++x) {
        const bool is_solid = solid[static_cast<std::size_t>(y) * p.nx + x] != 0;
        const auto cell = start_populations<L>(p, x, y, z, is_solid);
        Populations<T, L> a;
        for (int i = 0; i < L::directions; ++i) a.f[i] = static_cast<T>(cell.f[i]);
        if (y == p.driven_row()) a = accelerate(a, !is_solid, relaxation);
        for (int i = 0; i < L::directions; ++i) rows[place(i, x, y - first)] = a.f[i];
      }
    session_->queue().enqueueWriteBuffer(
        populations_, CL_TRUE,
        plane_bytes() * z + layout_->pitch * static_cast<std::size_t>(first) * sizeof(T),
        rows.size() * sizeof(T), rows.data());
  }
}

template <class T>
void PlaneBandSolver<T>::run(int steps, std::span<double> av_vels) {
  constexpr int most_pending = 4096;
  attempt("run the time steps", [&] {
    sums_->run(
        session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), most_pending,
        [&](int step, int count, int first_sum) {
          enqueue(count, first_sum, step + count == steps, grid().driven_row());
        },
        av_vels);
    waiting_.expect_no_failures(*session_);
  });
}

template <class T>
void PlaneBandSolver<T>::collect(State& state) {
  const bool has_moved =
      steps_done_ % 2 != 0;  // results are then where the neighbours' local step would read them
  const int nx = grid().nx, ny = grid().ny, nz = grid().nz;
  std::vector<T> planes(3 * layout_->plane_pitch);  // the one below, this one, and the one above
  for (int z = 0; z < nz; ++z) {
    attempt("read the final state", [&] {
      for (int i = 0; i < 3; ++i)
        session_->queue().enqueueReadBuffer(populations_, i == 2, plane_bytes() * wrapped(z + i - 1, nz),
                                            plane_bytes(), planes.data() + layout_->plane_pitch * i);
    });
    const auto own = from_row(fields_of(state), z * ny, nx);
    collect_fields<L>(nx, ny, grid().density, own, [&](int i, int x, int y) {
      if (!has_moved) return planes[layout_->plane_pitch + place(i, x, y)];
      return planes[layout_->plane_pitch * (1 + L::cz[i]) +
                    place(L::opposite[i], wrapped(x + L::cx[i], nx), wrapped(y + L::cy[i], ny))];
    });
  }
}

template <class T>
RunFacts PlaneBandSolver<T>::facts() const {
  RunFacts facts =
      session_->facts({{"groups", plan_->workers()},
                       {"vector_width", layout_->columns.lanes},
                       {"pieces", plan_->tile() > 0 ? fmt::format("tiles of {} rows", plan_->tile())
                                                    : "rows of whole planes"},
                       {"time_block", plan_->depth()},
                       {"delay", delay_text(options_.delay.value_or(INT_MAX))}});
  facts.grids = 1;
  facts.bytes_per_update = 2 * L::directions * sizeof(T);
  facts.flops_per_update = counted_cell_flops<L>();
  facts.steps_per_launch = steps_per_launch_;
  return facts;
}

}  // namespace

std::unique_ptr<Solver> make_plane_bands(const ComputeDevice& device, const LbmOptions& options) {
  if (options.precision == Precision::f64) return std::make_unique<PlaneBandSolver<double>>(device, options);
  return std::make_unique<PlaneBandSolver<float>>(device, options);
}

std::unique_ptr<Solver> make_default_plane_bands(const Problem& problem, const ComputeDevice& device,
                                                 const LbmOptions& options) {
  return std::make_unique<OrNextBest>(make_plane_bands(device, options), needs_no_waiting, [=, &problem] {
    return make_strip_variant(needs_no_waiting, problem, device, options);
  });
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
