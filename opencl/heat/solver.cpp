#include "opencl/heat/solver.hpp"

#include <fmt/core.h>

#include <array>
#include <numeric>
#include <optional>

#include "common/base/error.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/session.hpp"
#include "opencl/runtime/step_sums.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

template <class T>
class DeviceSolver final : public Solver {
 public:
  DeviceSolver(const ComputeDevice& device, const Options& options)
      : way_(way_named(options.variant)), device_(device), options_(options) {}

  std::string shortage(double bytes) override {
    if (way_.is_array()) bytes *= 1.5;
    return device_shortage(device_, bytes, bytes / 2);
  }

  void init(const Plate& plate, int steps) override {
    plate_ = plate;
    plan_ = plan_for(way_, device_, plate, options_);
    now_ = 0;
    session_.emplace(device_, build_options(options_));
    const cl::Program program = session_->build(*way_.source, kernel_shape());
    allocate(steps);
    attempt("set up the kernels", [&] { set_up(program); });
    session_->first_launches(plan_.group, [&] { enqueue(0, 0, 1); });
    fill();
  }

  void advance(std::span<double> deltas) override {
    attempt("run time steps", [&] {
      if (sums_)
        sums_->run(
            session_->queue(), static_cast<int>(deltas.size()), 1.0, most_pending,
            [&](int, int count, int first_sum) {
              enqueue(now_, first_sum, count);
              now_ = (now_ + 1) % grids_in_turn();
            },
            deltas);
      else
        for (double& delta : deltas) {
          enqueue(now_, 0, 1);
          now_ = (now_ + 1) % grids_in_turn();
          delta = sum_of_changes();
        }
    });
  }
  int steps_per_look() const override { return plan_.delay; }

  void collect() override {
    result_.resize(grid_values());
    attempt("read the temperatures", [&] {
      session_->queue().enqueueReadBuffer(grids_[now_], CL_TRUE, 0, result_.size() * sizeof(T),
                                          result_.data());
    });
  }

  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = result_.data() + (row + 1) * plan_.pitch + plan_.lead;
    std::copy(from, from + values.size(), values.begin());
  }

  RunFacts facts() const override {
    Settings settings = {{"work_group", to_string(plan_.group)}};
    if (way_.is_delayed) settings["delay"] = plan_.delay;
    if (plan_.lanes > 1) settings["vector_lanes"] = plan_.lanes;
    if (way_.form == Form::strip || way_.form == Form::rows || way_.form == Form::steps)
      settings["rows"] = plan_.rows;
    RunFacts facts = session_->facts(settings);
    facts.bytes_per_update = plan_.values_per_update * sizeof(T);
    facts.steps_per_launch = plan_.time_block;
    facts.write_allocate = device_.type == DeviceType::cpu;
    return facts;
  }

 private:
  static constexpr int most_pending = 4096, sum_items = 128;

  /// One launch, or two: the grid that holds the temperatures before it is grid `number` of launches_.
  struct Launch {
    cl::Kernel kernel;
    cl::NDRange global, local;
  };

  /// Arrays copy back; all others take turns.
  int grids_in_turn() const { return way_.is_array() ? 1 : 2; }
  std::size_t grid_values() const { return static_cast<std::size_t>(plate_.height + 2) * plan_.pitch; }
  std::size_t change_values() const {
    return static_cast<std::size_t>(way_.is_array() ? plate_.width * plate_.height : plate_.width);
  }
  cl::NDRange local() const {
    return {static_cast<std::size_t>(plan_.group.x), static_cast<std::size_t>(plan_.group.y)};
  }
  cl::NDRange global() const {
    return {static_cast<std::size_t>(round_up(plan_.columns, plan_.group.x)),
            static_cast<std::size_t>(round_up(plan_.items_down, plan_.group.y))};
  }
  std::size_t sum_groups() const { return (change_values() + sum_items - 1) / sum_items; }

  KernelShape kernel_shape() const {
    KernelShape shape = {.group = plan_.group, .reduction = plan_.reduction, .lanes = plan_.lanes};
    shape.defines = fmt::format(
        "-D ROW_AXIS={} -D WIDTH={} -D HEIGHT={} -D PITCH={} -D LEAD={} -D ROWS={} -D ROWS_AT_ONCE={} "
        "-D TIME_BLOCK={} -D SUM_ITEMS={}",
        way_.row_axis, plate_.width, plate_.height, plan_.pitch, plan_.lead, plan_.rows, plan_.rows_at_once,
        plan_.time_block, sum_items);
    return shape;
  }

  void allocate(int steps) {
    const std::size_t bytes = grid_values() * sizeof(T);
    std::vector<BufferRequest> requests = {{&grids_[0], bytes}, {&grids_[1], bytes}};
    if (way_.is_array() || way_.form == Form::column)
      requests.push_back({&changes_, (change_values() * sizeof(T) + 3) / 4 * 4});
    if (way_.form != Form::array && way_.form != Form::column) {
      const std::size_t groups =
          way_.form == Form::array_summed ? sum_groups() : groups_in(global(), plan_.group);
      sums_.emplace(groups, std::min(plan_.delay, std::max(steps, plan_.time_block)), plan_.time_block);
      for (const BufferRequest& request : sums_->buffers()) requests.push_back(request);
    } else {
      host_changes_.resize(change_values());
    }
    session_->allocate(requests);
  }

  void set_up(const cl::Program& program) {
    launches_.clear();
    if (sums_) sums_->set_up(program, device_);
    const auto scratch = cl::Local(plan_.scratch_values * sizeof(T));
    const auto add = [&](cl::Kernel kernel) { launches_.push_back({std::move(kernel), global(), local()}); };
    if (way_.is_array()) {
      add(call_of(program, "to_work", grids_[0], grids_[1]));
      add(call_of(program, "to_plate", grids_[0], grids_[1], changes_));
      if (sums_)
        launches_.push_back(
            {call_of(program, "sum_changes", 0, changes_, static_cast<cl_ulong>(change_values()),
                     sums_->partial_sums(), cl::Local(sum_items * sizeof(T))),
             cl::NDRange(sum_groups() * sum_items), cl::NDRange(sum_items)});
      return;
    }
    for (int from = 0; from < 2; ++from) {
      const cl::Buffer &here = grids_[from], &there = grids_[1 - from];
      if (way_.form == Form::column)
        add(call_of(program, "advance", here, there, changes_));
      else if (way_.form == Form::rows)
        add(call_of(program, "advance", 0, here, there, sums_->partial_sums()));
      else if (way_.form == Form::steps)
        add(call_of(program, "advance_block", 0, 1, here, there, sums_->partial_sums(), scratch));
      else
        add(call_of(program, "advance", 0, here, there, sums_->partial_sums(), scratch));
    }
  }

  /// `count` steps from grid `from` on, with their partial sums from index `first_sum` on.
  void enqueue(int from, int first_sum, int count) {
    const auto launch = [&](const Launch& one) {
      session_->queue().enqueueNDRangeKernel(one.kernel, cl::NullRange, one.global, one.local);
    };
    if (way_.is_array()) {
      if (sums_) set_arguments(launches_.back().kernel, static_cast<cl_int>(first_sum));
      for (const Launch& one : launches_) launch(one);
      return;
    }
    Launch& one = launches_[static_cast<std::size_t>(from)];
    if (way_.form == Form::steps)
      set_arguments(one.kernel, static_cast<cl_int>(first_sum), static_cast<cl_int>(count));
    else if (sums_)
      set_arguments(one.kernel, static_cast<cl_int>(first_sum));
    launch(one);
  }

  double sum_of_changes() {
    session_->queue().enqueueReadBuffer(changes_, CL_TRUE, 0, host_changes_.size() * sizeof(T),
                                        host_changes_.data());
    return std::accumulate(host_changes_.begin(), host_changes_.end(), 0.0);
  }

  /// Both grids begin with the plate: what no kernel writes is the border.
  void fill() {
    std::vector<T> values(grid_values(), T(0));
    for (std::int64_t row = -1; row <= plate_.height; ++row)
      plate_.fill(row, values.data() + (row + 1) * plan_.pitch + plan_.lead - 1);
    session_->upload([&] {
      for (const cl::Buffer& grid : grids_)
        session_->queue().enqueueWriteBuffer(grid, CL_TRUE, 0, values.size() * sizeof(T), values.data());
    });
  }

  const Way& way_;
  ComputeDevice device_;
  Options options_;
  Plate plate_;
  Plan plan_;
  int now_ = 0;  ///< the grid that holds the temperatures of now
  std::optional<Session> session_;
  std::array<cl::Buffer, 2> grids_;
  cl::Buffer changes_;
  std::optional<StepSums<T>> sums_;
  std::vector<Launch> launches_;
  std::vector<T> host_changes_, result_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(const Options& options) {
  const ComputeDevice device = device_for(options);
  if (options.precision == Precision::f64) return std::make_unique<DeviceSolver<double>>(device, options);
  return std::make_unique<DeviceSolver<float>>(device, options);
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
