// STREAM on a device of OpenCL or CUDA: the arrays stay on it, each kernel is one launch, and only the dot product's
// partial sums, one per work-group, come to the host.
#include <algorithm>
#include <array>
#include <limits>

#include "common/base/compensated_sum.hpp"
#include "common/cpu/aligned.hpp"
#include "common/cpu/caches.hpp"
#include "common/cpu/processors.hpp"
#include "common/stream/kernels.hpp"
#include "opencl/runtime/describe.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/kernel_build.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/program.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace stream;

extern const std::string_view stream_source;

namespace {

/// How the vectors of the arrays are split over the work-groups of a launch.
struct Partition {
  int vectors_per_item = 1;
  std::int64_t groups = 1;
};

template <class T>
class DeviceStream final : public Kernels {
 public:
  DeviceStream(ComputeDevice device, BuildOptions options)
      : device_(std::move(device)), options_(std::move(options)) {
    // On a GPU 16 bytes an item and no loop; on a CPU a work-group is one item, which walks along a stretch.
    lanes_ = is_cpu() ? device_.native_lanes(precision) : static_cast<int>(16 / sizeof(T));
    group_size_ = is_cpu() ? 1 : static_cast<int>(std::min<std::size_t>(256, device_.max_work_group));
  }

  Memory memory() override {
    const std::uint64_t own = device_.cache_bytes;
    if (device_.has_own_memory()) return {.of_device = true, .cache_bytes = own};
    return {.cache_bytes = std::max(own, last_level_cache_bytes(usable_processors()))};
  }

  std::string shortage(std::int64_t elements) override {
    const auto bytes = static_cast<double>(bytes_of(vectors_for(elements)));
    return device_shortage(device_, 3 * bytes, bytes);
  }

  void init(std::int64_t elements) override {
    elements_ = elements;
    vectors_ = vectors_for(elements);
    split();
    attempt("open " + device_.name, [&] {
      context_ = cl::Context(device_.handle);
      queue_ = cl::CommandQueue(context_, device_.handle);
    });
    allocate();
    build();
    attempt("set the start values", [&] { launch(init_, partition_); });
  }

  void copy() override { run("run STREAM copy", copy_); }
  void mul() override { run("run STREAM mul", mul_); }
  void add() override { run("run STREAM add", add_); }
  void triad() override { run("run STREAM triad", triad_); }

  double dot() override {
    attempt("run STREAM dot", [&] {
      enqueue(dot_, dot_partition_);
      queue_.enqueueReadBuffer(partial_sums_, CL_TRUE, 0, sums_.size() * sizeof(T), sums_.data());
    });
    CompensatedSum sum;
    for (const T partial : sums_) sum.add(static_cast<double>(partial));
    return sum.value();
  }

  std::int64_t part() const override { return elements_; }

  void read(Array array, std::int64_t first, std::span<double> values) override {
    std::vector<T> read(values.size());
    attempt("read a STREAM array", [&] {
      queue_.enqueueReadBuffer(arrays_[static_cast<std::size_t>(array)], CL_TRUE,
                               static_cast<std::size_t>(first) * sizeof(T), read.size() * sizeof(T),
                               read.data());
    });
    std::copy(read.begin(), read.end(), values.begin());
  }

  RunFacts facts() const override {
    return {.device = device_.name,
            .device_type = to_string(device_.type),
            .pci_address = device_.pci_address,
            .driver = device_.driver,
            .threads = 0,
            .write_allocate = is_cpu(),
            .settings = {{"work_group", fmt::format("{}x1", group_size_)},
                         {"vector_width", lanes_},
                         {"vectors_per_item", partition_.vectors_per_item},
                         {"vectors_per_item_dot", dot_partition_.vectors_per_item}}};
  }

 private:
  static constexpr Precision precision = sizeof(T) == sizeof(float) ? Precision::f32 : Precision::f64;
  static constexpr int dot_chain = 32;  ///< CHAIN of kernels/stream.cl

  bool is_cpu() const { return device_.type == DeviceType::cpu; }
  std::int64_t vectors_for(std::int64_t elements) const { return (elements + lanes_ - 1) / lanes_; }
  std::uint64_t bytes_of(std::int64_t vectors) const {
    return static_cast<std::uint64_t>(vectors) * static_cast<std::uint64_t>(lanes_) * sizeof(T);
  }

  Partition partition(int vectors_per_item) const {
    const std::int64_t of_group = std::int64_t{group_size_} * vectors_per_item;
    return {vectors_per_item, (vectors_ + of_group - 1) / of_group};
  }
  /// A CPU's stretch is long enough to hide the cost of starting a group, and there are enough of them that
  /// every unit has work to the end.
  void split() {
    constexpr int longest = 1024, stretches_a_unit = 16;
    int vectors = 1;
    if (is_cpu())
      while (vectors < longest && vectors_ / (2 * vectors) >= stretches_a_unit * device_.units) vectors *= 2;
    partition_ = partition(vectors);
    dot_partition_ = partition(std::max(vectors, dot_chain));
  }

  void allocate() {
    const std::uint64_t bytes = bytes_of(vectors_);
    attempt("allocate the arrays on " + device_.name, [&] {
      for (std::size_t i = 0; i < arrays_.size(); ++i) {
        if (device_.has_own_memory()) {
          arrays_[i] = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes);
          continue;
        }
        // Memory of our own lies on huge pages, which the driver's does not.
        host_memory_[i] = AlignedArray<T>(bytes / sizeof(T));
        arrays_[i] =
            cl::Buffer(context_, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, host_memory_[i].data());
      }
      sums_.resize(static_cast<std::size_t>(dot_partition_.groups));
      partial_sums_ = cl::Buffer(context_, CL_MEM_READ_WRITE, sums_.size() * sizeof(T));
    });
  }

  cl::Program program_for(const Partition& partition) const {
    const KernelShape shape = {
        .group = {group_size_, 1}, .lanes = lanes_, .vectors = partition.vectors_per_item};
    return build_program(context_, device_, stream_source, compiler_options(device_, options_, shape));
  }

  void build() {
    const cl::Program program = program_for(partition_);
    const cl::Program dot_program = program_for(dot_partition_);
    const auto &a = arrays_[0], &b = arrays_[1], &c = arrays_[2];
    const cl_ulong vectors = static_cast<cl_ulong>(vectors_), elements = static_cast<cl_ulong>(elements_);
    attempt("set up the kernels", [&] {
      init_ = call_of(program, "stream_init", a, b, c, vectors, elements);
      copy_ = call_of(program, "stream_copy", a, c, vectors);
      mul_ = call_of(program, "stream_mul", b, c, vectors);
      add_ = call_of(program, "stream_add", a, b, c, vectors);
      triad_ = call_of(program, "stream_triad", a, b, c, vectors);
      dot_ = call_of(dot_program, "stream_dot", a, b, partial_sums_, vectors,
                     cl::Local(sizeof(T) * static_cast<std::size_t>(group_size_)));
    });
  }

  void enqueue(const cl::Kernel& kernel, const Partition& partition) {
    const auto size = static_cast<std::size_t>(group_size_);
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange,
                                cl::NDRange(static_cast<std::size_t>(partition.groups) * size),
                                cl::NDRange(size));
  }
  void launch(const cl::Kernel& kernel, const Partition& partition) {
    enqueue(kernel, partition);
    queue_.finish();
  }
  void run(const char* doing, const cl::Kernel& kernel) {
    attempt(doing, [&] { launch(kernel, partition_); });
  }

  ComputeDevice device_;
  BuildOptions options_;
  int lanes_ = 1, group_size_ = 1;
  std::int64_t elements_ = 0, vectors_ = 0;
  Partition partition_, dot_partition_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::array<AlignedArray<T>, 3>
      host_memory_;                   ///< of the arrays, where the device uses this machine's memory
  std::array<cl::Buffer, 3> arrays_;  ///< a, b, c, up to the end of the last vector
  cl::Buffer partial_sums_;
  std::vector<T> sums_;
  cl::Kernel init_, copy_, mul_, add_, triad_, dot_;
};

std::unique_ptr<Kernels> make(const Options& options) {
  const ComputeDevice device = device_for(options);
  if (options.precision == Precision::f64)
    return std::make_unique<DeviceStream<double>>(device, build_options(options));
  return std::make_unique<DeviceStream<float>>(device, build_options(options));
}

}  // namespace
}  // namespace boltzmark::BOLTZMARK_DEVICE_API

int main(int argc, char** argv) {
  using namespace boltzmark;
  stream::Program program;
  namespace model = BOLTZMARK_DEVICE_API;
  model::describe(program, "STREAM");
  program.variants = {stream::plain_variant};
  program.options = {device_option(), model::compiler_option()};
  program.make = model::make;
  return stream::run_program(argc, argv, program);
}
