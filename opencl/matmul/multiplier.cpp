#include "opencl/matmul/multiplier.hpp"

#include <fmt/core.h>

#include <optional>

#include "common/base/error.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/session.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

template <class T>
class DeviceMultiplier final : public Multiplier {
 public:
  DeviceMultiplier(const ComputeDevice& device, const Options& options)
      : rung_(rung_named(options.variant)), device_(device), options_(options) {}

  std::string shortage(double bytes) override {
    const double copies = rung_.form == Form::packed ? 2.0 : 1.0;
    return device_shortage(device_, copies * bytes, bytes / 3);
  }

  void init(const Shape& shape, const Entries& entries) override {
    shape_ = shape;
    plan_ = plan_for(rung_, device_, shape, options_);
    session_.emplace(device_, build_options(options_));
    const cl::Program program = session_->build(*rung_.source, kernel_shape());
    allocate(entries);
    attempt("set up the kernels", [&] { set_up(program); });
    session_->first_launches(plan_.group, [&] { enqueue(); });
  }

  void multiply() override {
    attempt("multiply", [&] {
      enqueue();
      session_->queue().finish();
    });
  }

  void collect() override {
    result_.resize(static_cast<std::size_t>(plan_.padded.m * plan_.padded.n));
    attempt("read C", [&] {
      session_->queue().enqueueReadBuffer(c_, CL_TRUE, 0, result_.size() * sizeof(T), result_.data());
    });
  }

  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = result_.data() + row * plan_.padded.n;
    std::copy(from, from + values.size(), values.begin());
  }

  RunFacts facts() const override {
    const WorkGroup group = plan_.group;
    Settings settings = {{"work_group", to_string(WorkGroup{group.x, group.y})}};
    if (rung_.has_slices) settings["slices"] = group.z;
    if (plan_.tile_rows * plan_.tile_columns > 1) {
      settings["tile"] = fmt::format("{}x{}", plan_.tile_rows, plan_.tile_columns);
      settings["block_depth"] = plan_.block_depth;
      settings["vector_lanes"] = plan_.lanes;
    }
    RunFacts facts = session_->facts(settings);
    facts.bytes_per_update = plan_.bytes_per_update;
    facts.write_allocate = device_.type == DeviceType::cpu;
    return facts;
  }

 private:
  struct Launch {
    cl::Kernel kernel;
    cl::NDRange global, local;
  };

  KernelShape kernel_shape() const {
    const Plan& p = plan_;
    KernelShape shape = {.group = p.group, .lanes = p.lanes};
    shape.defines = fmt::format(
        "-D ROW_AXIS={} -D DEPTH={} -D TILE_ROWS={} -D TILE_COLUMNS={} -D BLOCK_DEPTH={} -D BLOCK_ROWS={} "
        "-D BLOCK_COLUMNS={}",
        rung_.row_axis, rung_.keeps_row ? shape_.k : 1, p.tile_rows, p.tile_columns, p.block_depth,
        p.block_rows, p.block_columns);
    if (rung_.has_slices && device_.has_asynchronous_copies()) shape.defines += " -D ASYNCHRONOUS_COPIES";
    if (*rung_.defines) shape.defines += fmt::format(" {}", rung_.defines);
    return shape;
  }

  /// Matrices filled up with zeros, and C with what no product has.
  void allocate(const Entries& entries) {
    const auto [m, n, k] = plan_.padded;
    const auto matrix = [](std::int64_t rows, std::int64_t columns, T value) {
      return std::vector<T>(static_cast<std::size_t>(rows * columns), value);
    };
    std::vector<T> a = matrix(m, k, 0), b = matrix(k, n, 0), c = matrix(m, n, T(0.5));
    entries.fill(Matrix::a, a.data(), k, 0, shape_.m, 0, shape_.k);
    entries.fill(Matrix::b, b.data(), n, 0, shape_.k, 0, shape_.n);
    const std::size_t a_bytes = a.size() * sizeof(T), b_bytes = b.size() * sizeof(T);
    std::vector<BufferRequest> requests = {
        {&a_, a_bytes, a.data()}, {&b_, b_bytes, b.data()}, {&c_, c.size() * sizeof(T), c.data()}};
    if (rung_.form == Form::packed) {
      requests.push_back({&packed_a_, a_bytes});
      requests.push_back({&packed_b_, b_bytes});
    }
    session_->allocate(requests);
  }

  void set_up(const cl::Program& program) {
    const auto m = static_cast<cl_int>(plan_.padded.m), n = static_cast<cl_int>(plan_.padded.n),
               k = static_cast<cl_int>(plan_.padded.k);
    const auto size = [](std::int64_t value) { return static_cast<std::size_t>(value); };
    launches_.clear();
    if (rung_.form == Form::packed) {
      launches_.push_back({call_of(program, "pack_a", k, a_, packed_a_),
                           cl::NDRange(size(m / plan_.tile_rows)), cl::NDRange(1)});
      launches_.push_back({call_of(program, "pack_b", n, k, b_, packed_b_),
                           cl::NDRange(size(n / plan_.tile_columns)), cl::NDRange(1)});
    }
    const bool is_packed = rung_.form == Form::packed;
    const std::size_t columns = size(round_up(plan_.columns, plan_.group.x)),
                      rows = size(round_up(plan_.rows, plan_.group.y)), slices = size(plan_.group.z);
    launches_.push_back(
        {call_of(program, "multiply", m, n, k, is_packed ? packed_a_ : a_, is_packed ? packed_b_ : b_, c_),
         cl::NDRange(columns, rows, slices), cl::NDRange(size(plan_.group.x), size(plan_.group.y), slices)});
  }

  void enqueue() {
    for (const Launch& launch : launches_)
      session_->queue().enqueueNDRangeKernel(launch.kernel, cl::NullRange, launch.global, launch.local);
  }

  const Rung& rung_;
  ComputeDevice device_;
  Options options_;
  Shape shape_;
  Plan plan_;
  std::optional<Session> session_;
  cl::Buffer a_, b_, c_, packed_a_, packed_b_;
  std::vector<Launch> launches_;
  std::vector<T> result_;
};

}  // namespace

std::unique_ptr<Multiplier> make_multiplier(const Options& options) {
  const ComputeDevice device = device_for(options);
  if (options.precision == Precision::f64) return std::make_unique<DeviceMultiplier<double>>(device, options);
  return std::make_unique<DeviceMultiplier<float>>(device, options);
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
