// STREAM on a device: the arrays stay on it, each kernel is one launch, and only the dot product's partial sums, one
// per work-group, come to the host.
#include "common/stream/device/stream.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "common/base/compensated_sum.hpp"
#include "common/cpu/caches.hpp"
#include "common/cpu/processors.hpp"
#include "common/device/session.hpp"

namespace boltzmark::stream {

using namespace device;

extern const std::string_view stream_source;

namespace {

/// How the vectors of the arrays are split over the work-groups of a launch.
struct Partition {
  int vectors_per_item = 1;
  std::int64_t groups = 1;
};

class DeviceStream final : public Kernels {
 public:
  DeviceStream(const ComputeDevice& device, const BuildOptions& options)
      : device_(device), options_(options), value_bytes_(static_cast<std::size_t>(bytes_of(options.precision))) {
    // On a GPU 16 bytes an item and no loop; on a CPU a work-group is one item, which walks along its part.
    lanes_ = is_cpu() ? device_.native_lanes(options_.precision) : static_cast<int>(16 / value_bytes_);
    group_size_ = is_cpu() ? 1 : static_cast<int>(std::min<std::size_t>(256, device_.max_work_group));
  }

  Memory memory() override {
    const std::uint64_t own = device_.cache_bytes;
    if (device_.has_own_memory()) return {.of_device = true, .cache_bytes = own};
    return {.cache_bytes = std::max(own, last_level_cache_bytes(usable_processors()))};
  }

  std::string shortage(double bytes) override { return device_shortage(device_, bytes, bytes / 3.0); }

  void init(std::int64_t elements) override {
    elements_ = elements;
    vectors_ = vectors_for(elements);
    split();
    session_.emplace(device_, options_);
    for (Buffer& array : arrays_) array = session_->array(bytes_of_vectors(vectors_));
    sums_.resize(static_cast<std::size_t>(dot_partition_.groups) * value_bytes_);
    session_->allocate({{&partial_sums_, sums_.size()}});
    build();
    const device::Kernel start(module_, "stream_init", arrays_[0], arrays_[1], arrays_[2], vectors(),
                               static_cast<std::uint64_t>(elements_));
    session_->first_launches({group_size_, 1}, [&] { launch(start, partition_); });
  }

  void copy() override { run("run STREAM copy", copy_); }
  void mul() override { run("run STREAM mul", mul_); }
  void add() override { run("run STREAM add", add_); }
  void triad() override { run("run STREAM triad", triad_); }

  double dot() override {
    attempt("run STREAM dot", [&] {
      launch(dot_, dot_partition_);
      session_->queue().read(partial_sums_, 0, sums_.size(), sums_.data());
    });
    return options_.precision == Precision::f32 ? sum_of<float>() : sum_of<double>();
  }

  std::int64_t part() const override { return elements_; }

  void read(Array array, std::int64_t first, std::span<double> values) override {
    session_->read_values(arrays_[static_cast<std::size_t>(array)], first, values);
  }

  RunFacts facts() const override {
    RunFacts facts = session_->facts({{"work_group", fmt::format("{}x1", group_size_)},
                                      {"vvl", lanes_},
                                      {"vectors_per_item", partition_.vectors_per_item},
                                      {"vectors_per_item_dot", dot_partition_.vectors_per_item}});
    facts.write_allocate = is_cpu();
    return facts;
  }

 private:
  static constexpr int dot_chain = 32;  ///< CHAIN of kernels/stream.cl

  bool is_cpu() const { return device_.type == DeviceType::cpu; }
  std::int64_t vectors_for(std::int64_t elements) const { return (elements + lanes_ - 1) / lanes_; }
  std::uint64_t bytes_of_vectors(std::int64_t vectors) const {
    return static_cast<std::uint64_t>(vectors) * static_cast<std::uint64_t>(lanes_) * value_bytes_;
  }
  std::uint64_t vectors() const { return static_cast<std::uint64_t>(vectors_); }

  Partition partition(int vectors_per_item) const {
    const std::int64_t of_group = std::int64_t{group_size_} * vectors_per_item;
    return {vectors_per_item, (vectors_ + of_group - 1) / of_group};
  }
  /// A CPU's group has vectors enough to hide the cost of starting it, and there are enough groups that every unit has
  /// work to the end.
  void split() {
    constexpr int most = 1024, groups_of_unit = 16;
    int vectors = 1;
    if (is_cpu())
      while (vectors < most && vectors_ / (2 * vectors) >= groups_of_unit * device_.units) vectors *= 2;
    partition_ = partition(vectors);
    dot_partition_ = partition(std::max(vectors, dot_chain));
  }

  Module build_for(const Partition& partition) {
    return session_->build(stream_source,
                           {.group = {group_size_, 1}, .lanes = lanes_, .vectors = partition.vectors_per_item});
  }

  void build() {
    module_ = build_for(partition_);
    const Module dot_module = build_for(dot_partition_);
    const auto& [a, b, c] = arrays_;
    attempt("set up the kernels", [&] {
      copy_ = device::Kernel(module_, "stream_copy", a, c, vectors());
      mul_ = device::Kernel(module_, "stream_mul", b, c, vectors());
      add_ = device::Kernel(module_, "stream_add", a, b, c, vectors());
      triad_ = device::Kernel(module_, "stream_triad", a, b, c, vectors());
      dot_ = device::Kernel(dot_module, "stream_dot", a, b, partial_sums_, vectors(),
                            Local{value_bytes_ * static_cast<std::size_t>(group_size_)});
    });
  }

  template <class T>
  double sum_of() const {
    CompensatedSum sum;
    for (std::size_t at = 0; at < sums_.size(); at += sizeof(T)) {
      T partial;
      std::memcpy(&partial, &sums_[at], sizeof partial);
      sum.add(static_cast<double>(partial));
    }
    return sum.value();
  }

  void launch(const device::Kernel& kernel, const Partition& partition) {
    session_->queue().launch(kernel, Range(partition.groups * group_size_), Range(group_size_));
  }
  void run(const char* doing, const device::Kernel& kernel) {
    attempt(doing, [&] {
      launch(kernel, partition_);
      session_->queue().finish();
    });
  }

  ComputeDevice device_;
  BuildOptions options_;
  std::size_t value_bytes_;
  int lanes_ = 1, group_size_ = 1;
  std::int64_t elements_ = 0, vectors_ = 0;
  Partition partition_, dot_partition_;
  std::optional<Session> session_;
  std::array<Buffer, 3> arrays_;  ///< a, b, c, up to the end of the last vector
  Buffer partial_sums_;
  std::vector<std::byte> sums_;  ///< those, on the host
  Module module_;
  device::Kernel copy_, mul_, add_, triad_, dot_;
};

const Variant plain = {.name = "plain",
                       .summary = "each kernel one launch over whole arrays",
                       .role = Role::like_for_like,
                       .make = [](const Options& options) -> std::unique_ptr<Kernels> {
                         return std::make_unique<DeviceStream>(device_for(options), build_options(options));
                       }};

}  // namespace

ProgramOf<Variant> device_program(const BuildInfo& build) {
  auto program = program_of<Variant>("STREAM", build);
  program.variants = {plain};
  return program;
}

}  // namespace boltzmark::stream
