// Rows of a grid as layout.h has them, and the kernels that walk along them a vector of cells at a time.
#pragma once

#include <array>
#include <climits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "opencl/lbm/device_strip.hpp"
#include "opencl/lbm/plane_plan.hpp"
#include "opencl/lbm/walls.hpp"
#include "opencl/runtime/step_sums.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

/// What tells the variants apart that walk along rows.
struct RowVariant {
  const char* name;
  const char* summary;
  std::string_view source;
  std::array<const char*, 2> kernels;  ///< of the first step and every second one, and of those between
  int grids;                           ///< 2: each step from one to the other; 1: in place
  const char* to_standard_order;  ///< kernel that restores it after an odd number of steps, "" = not needed
  const char* two_steps = "";     ///< kernel that does two in a launch, three dimensions only; "" = none
  bool is_swept = false;          ///< launches are of some layers, and work-groups one layer high
};

const std::vector<RowVariant>& row_table();
/// time-block in three dimensions.
const RowVariant& planes_variant();

/// A part of what passes an end of a strip: `values` of each of `rows` rows, from `first` on, counted from the layers'
/// first value.
struct HaloPiece {
  std::size_t first, values, rows;
};

/// T: of the arithmetic, Stored: in memory. A strip that is no ring needs two grids.
template <class T, class Stored>
class RowStrip final : public DeviceStrip {
 public:
  /// Throws Error (bad_input) for a work-group the device cannot run, Error (unavailable) for a reduction
  /// that needs what it lacks.
  RowStrip(const RowVariant& variant, const ComputeDevice& device, const LbmOptions& options);

  /// Also throws Error (bad_input) for vectors of a length that there is not.
  void init(const Problem& problem, const Window& window, const std::vector<Bands>& launches) override;
  Session& session() override { return *session_; }
  int launch_steps() const override { return launch_steps_; }
  int sums_a_step() const override { return launch_sums_.back(); }
  void enqueue(const Launch& launch) override;
  void run(int steps, const std::function<void(int step, int count, int first_sum)>& enqueue_steps,
           std::span<double> av_vels) override;
  std::size_t halo_bytes(HaloDirection direction) const override;
  void enqueue_read(cl::CommandQueue& queue, HaloDirection direction, int state, void* host,
                    const std::vector<cl::Event>& after, cl::Event& done) override;
  void enqueue_write(cl::CommandQueue& queue, HaloDirection direction, int state, const void* host,
                     cl::Event& done) override;
  void collect(const Fields& fields) override;
  RunFacts facts() const override;

 private:
  static constexpr bool is_half = std::is_same_v<Stored, StoredHalf>;
  /// Of average velocities and fields over the full standard runs; analysis/results/FINDINGS-opencl.md has what was measured.
  static constexpr double half_tolerance = 2e-3;

  int lanes() const;
  int vectors_per_item() const;
  int items_in_row() const { return (layout_.vectors + vectors_per_item_ - 1) / vectors_per_item_; }
  bool is_flat() const { return problem_->parameters.dimension == 2; }
  cl::NDRange global(int layers) const {
    const int columns = round_up(items_in_row(), group_.x);
    return is_flat() ? cl::NDRange(columns, round_up(layers, group_.y))
                     : cl::NDRange(columns, round_up(layout_.ny, group_.y), round_up(layers, group_.z));
  }
  cl::NDRange local() const {
    return is_flat() ? cl::NDRange(group_.x, group_.y) : cl::NDRange(group_.x, group_.y, group_.z);
  }
  bool two_at_once() const { return *variant_.two_steps != 0; }
  /// Whether what is enqueued for a step comes again: not where halo rows are exchanged in between.
  bool is_repeated() const { return !options_.has_single_launches && window_.halo == 0; }
  WorkGroup work_group() const;
  void enqueue_two(cl::CommandQueue& queue, int source, int first_sum, bool is_end);
  std::string defines() const;
  void allocate();
  template <class L>
  void set_up_kernels();
  void start();
  int steps_at_once() const;
  void enqueue_sweep(const Launch& launch);
  void launch_first();
  void enqueue_standard_order();
  std::vector<HaloPiece> halo_pieces(HaloDirection direction) const;
  std::size_t layer_start(int layer) const;

  const RowVariant& variant_;
  ComputeDevice device_;
  LbmOptions options_;
  Reduction reduction_ = options_.reduction.value_or(default_reduction(device_));
  int delay_ = options_.delay.value_or(INT_MAX);
  const Problem* problem_ = nullptr;
  Window window_;
  int lanes_ = 1, vectors_per_item_ = 1;
  int launch_steps_ = 1;
  int driven_row_ = -1;
  Layout layout_ = {};
  WorkGroup group_;
  std::vector<Bands> launches_;
  std::vector<int> launch_rows_;
  std::vector<int>
      launch_sums_;  ///< where the partial sums of each launch begin, and behind them their number
  std::optional<Session> session_;
  std::optional<StepSums<T>> sums_;
  cl::Program program_;
  std::array<cl::Kernel, 2> steps_;
  PlanePlan planes_;                     ///< where two steps are one launch
  std::array<cl::Kernel, 2> two_steps_;  ///< in one launch
  cl::Kernel accelerate_start_, to_standard_order_;
  std::array<cl::Buffer, 2> grids_;
  cl::Buffer solid_bits_;
  Walls<T> walls_;
  /// The newest: one of the grids, or in place 1 after a step that leaves another order than the standard one.
  int state_ = 0;
};

extern template class RowStrip<float, float>;
extern template class RowStrip<float, StoredHalf>;
extern template class RowStrip<double, double>;

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
