// Textbook: lattice Boltzmann as a student of OpenCL writes it, with the C++ bindings and textbook.cl. Two grids on the
// device; a time step is two launches, or three with moving walls, and a read:
//
//   accelerate_flow  `from`  read and write    the body force on the driven row
//   time_step        `from`  read              pull: each population from the neighbour it comes from
//                    `to`    write             collided, or bounced back where solid; a sum of |u| for each work-group
//   push_walls       `to`    read and write    what moving walls give to the populations that leave them
//   host             adds up the sums of the work-groups; then the grids are swapped
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <fmt/core.h>

#include <CL/opencl.hpp>
#include <numeric>

#include "common/lbm/counting.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/start_state.hpp"
#include "opencl/runtime/calls.hpp"

namespace boltzmark::opencl {
using namespace lbm;

extern const std::string_view textbook_source;  // textbook.cl

namespace {

template <class T, class L>
class Textbook : public Solver {
 public:
  explicit Textbook(const Options& asked)
      : device_(device::device_for(asked)), compiler_options_(asked.text("cl-options")) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    const Parameters& p = problem.parameters;
    c_ = make_relaxation<T, L>(p);
    global_ = cl::NDRange(round_up(p.nx, group_x), round_up(p.ny, group_y), p.nz);
    guarded("set up the textbook", [&] {
      build(p);
      allocate();
      // Drivers finish compiling a kernel at its first launch; it is done here so that no timed run includes it.
      double ignored;
      run(1, {&ignored, 1});
      const auto start = start_grid<T, L>(problem);
      queue_.enqueueWriteBuffer(from_, CL_TRUE, 0, start.size() * sizeof(T), start.data());
    });
  }

  void run(int steps, std::span<double> av_vels) override {
    const Parameters& p = problem_->parameters;
    guarded("run the time steps", [&] {
      const cl::EnqueueArgs row(queue_, cl::NDRange(p.nx, p.nz)), pushes(queue_, cl::NDRange(push_count_));
      const cl::EnqueueArgs cells(queue_, global_, cl::NDRange(group_x, group_y, 1));
      for (int t = 0; t < steps; ++t) {
        if (p.driven_row() >= 0) (*accelerate_flow_)(row, c_, solid_, from_);
        (*time_step_)(cells, c_, solid_, from_, to_, sums_);
        if (push_count_ > 0) (*push_walls_)(pushes, pushes_, to_);
        queue_.enqueueReadBuffer(sums_, CL_TRUE, 0, group_sums_.size() * sizeof(T), group_sums_.data());
        const double sum = std::accumulate(group_sums_.begin(), group_sums_.end(), 0.0);
        av_vels[t] = sum / static_cast<double>(problem_->fluid_cells());
        std::swap(from_, to_);
      }
    });
  }

  void collect(State& state) override {
    const Parameters& p = problem_->parameters;
    const std::int64_t cells = problem_->cells(), nx = p.nx;
    std::vector<T> populations(cells * L::directions);
    guarded("read the final state",
            [&] { queue_.enqueueReadBuffer(from_, CL_TRUE, 0, populations.size() * sizeof(T), populations.data()); });
    collect_fields<L>(p.nx, p.ny * p.nz, p.density, fields_of(state),
                      [&](int i, int x, int row) { return populations[i * cells + x + row * nx]; });
  }

  RunFacts facts() const override {
    return {.device = device_.name,
            .device_type = to_string(device_.type),
            .pci_address = device_.pci_address,
            .driver = device_.driver,
            .threads = 0,
            .bytes_per_update = 2.0 * L::directions * sizeof(T),
            .flops_per_update = counted_cell_flops<L>(),
            .write_allocate = device_.type == device::DeviceType::cpu,
            .fetched_per_update = 1.0 * L::directions * sizeof(T),
            .settings = {{"work_group", fmt::format("{}x{}", group_x, group_y)}}};
  }

 private:
  static constexpr int group_x = 32, group_y = 4;

  struct Push {
    cl_long cell;
    cl_int direction;
    T momentum;
  };

  /// A failing call of OpenCL becomes one line.
  template <class Work>
  static void guarded(const char* doing, Work&& work) {
    try {
      work();
    } catch (const cl::BuildError& error) {
      throw unavailable("cannot {}: {}", doing, error.getBuildLog().front().second);
    } catch (const cl::Error& error) {
      throw unavailable("cannot {}: {} from {}", doing, status_name(error.err()), error.what());
    }
  }

  static std::size_t round_up(int count, int to) { return std::size_t((count + to - 1) / to * to); }

  void build(const Parameters& p) {
    const cl::Device device(id_of(device_));
    context_ = cl::Context(device);
    queue_ = cl::CommandQueue(context_, device);
    const cl::Program program(context_, std::string(textbook_source));
    const std::string options =
        fmt::format("-D REAL={} -D NX={} -D NY={} -D NZ={} -D DRIVEN_ROW={} -D GROUP_X={} -D GROUP_Y={} {} {}",
                    sizeof(T) == 8 ? "double" : "float", p.nx, p.ny, p.nz, p.driven_row(), group_x, group_y,
                    L::dimension == 3 ? "-D LATTICE_D3Q19" : "", compiler_options_);
    program.build(device, options.c_str());
    accelerate_flow_.emplace(program, "accelerate_flow");
    time_step_.emplace(program, "time_step");
    push_walls_.emplace(program, "push_walls");
  }

  void allocate() {
    const std::size_t bytes = sizeof(T) * L::directions * static_cast<std::size_t>(problem_->cells());
    const std::string shortage =
        device::device_shortage(device_, 2.0 * static_cast<double>(bytes), static_cast<double>(bytes));
    if (!shortage.empty()) throw unavailable("expected a device that holds two grids, found {}", shortage);
    from_ = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes);
    to_ = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes);
    queue_.enqueueFillBuffer(from_, T(0), 0, bytes);
    std::vector<std::uint8_t> solid = problem_->solid_mask();
    solid_ = cl::Buffer(queue_, solid.begin(), solid.end(), true);
    std::vector<Push> pushes;
    for (const WallPush& push : wall_pushes<L>(*problem_))
      pushes.push_back({push.cell, push.direction, static_cast<T>(push.momentum)});
    push_count_ = pushes.size();
    if (push_count_ > 0) pushes_ = cl::Buffer(queue_, pushes.begin(), pushes.end(), true);
    group_sums_.resize(global_[0] / group_x * (global_[1] / group_y) * global_[2]);
    sums_ = cl::Buffer(context_, CL_MEM_READ_WRITE, group_sums_.size() * sizeof(T));
  }

  device::ComputeDevice device_;
  std::string compiler_options_;
  const Problem* problem_ = nullptr;
  Relaxation<T, L> c_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::optional<cl::KernelFunctor<Relaxation<T, L>, cl::Buffer, cl::Buffer>> accelerate_flow_;
  std::optional<cl::KernelFunctor<Relaxation<T, L>, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer>> time_step_;
  std::optional<cl::KernelFunctor<cl::Buffer, cl::Buffer>> push_walls_;
  cl::NDRange global_;
  cl::Buffer from_, to_, solid_, pushes_, sums_;
  std::vector<T> group_sums_;
  std::size_t push_count_ = 0;
};

}  // namespace

extern const Variant textbook = textbook_of<Textbook>(
    "OpenCL as a student writes it: two grids, one work-item per cell, a tree reduction in local memory");

}  // namespace boltzmark::opencl
