// STREAM on an offload device: arrays allocated there once, one target region a kernel.
#include <fmt/format.h>

#include "common/base/error.hpp"
#include "common/cpu/memory.hpp"
#include "openmp_target/lbm/variants.hpp"
#include "openmp_target/stream/kernels.hpp"

namespace boltzmark::openmp_target {
using namespace stream;
namespace {

template <class T>
class TargetStream : public Kernels {
 public:
  TargetStream(const OffloadDevice& device, std::optional<int> threads) : device_(device), asked_(threads) {}

  Memory memory() override {
    if (device_.inside.is_gpu()) return {.of_device = true};
    return {.cache_bytes = last_level_cache_bytes(usable_processors())};
  }

  std::string shortage(std::int64_t elements) override {
    const std::string found = memory_shortage_on(device_, 3.0 * sizeof(T) * static_cast<double>(elements));
    return found.empty() ? "" : fmt::format("{} on {}", found, device_.name());
  }

  void init(std::int64_t elements) override {
    elements_ = elements;
    const int lanes = stream_lanes<T>(device_.inside);
    arrays_ = allocate_stream<T>(elements, launch_for(device_, asked_, (elements + lanes - 1) / lanes),
                                 device_.inside);
    if (!arrays_)
      throw unavailable("{}: expected memory for three arrays of {} elements, found less", device_.name(),
                        elements);
    arrays_->init();
    ask_witness();
  }
  void copy() override { arrays_->copy(); }
  void mul() override { arrays_->mul(); }
  void add() override { arrays_->add(); }
  void triad() override { arrays_->triad(); }
  double dot() override { return arrays_->dot(); }

  std::int64_t part() const override { return elements_; }

  /// The check of the arrays is also the moment to see that every kernel ran on the device.
  void read(Array array, std::int64_t first, std::span<double> values) override {
    ask_witness();
    std::vector<T> read(values.size());
    arrays_->read(static_cast<int>(array), first, static_cast<std::int64_t>(read.size()), read.data());
    std::copy(read.begin(), read.end(), values.begin());
  }

  RunFacts facts() const override {
    const Launch launch = arrays_->launch();
    return {.device = device_.name(),
            .device_type = device_.type(),
            .driver = runtime_version(),
            .threads = device_.inside.is_gpu() ? 0 : launch.teams * launch.threads,
            .write_allocate = !device_.inside.is_gpu(),
            .settings = {{"device_number", device_.number},
                         {"teams", launch.teams},
                         {"threads_per_team", launch.threads},
                         {"regions_on_device", witness_.regions},
                         {"host_waits", device_.waits_in_a_loop ? "in a loop" : "as the runtime does"},
                         {"vector_lanes", stream_lanes<T>(device_.inside)}}};
  }

 private:
  void ask_witness() {
    witness_ = arrays_->witness();
    check_witness(device_, witness_, arrays_->regions(), arrays_->launch());
  }

  OffloadDevice device_;
  std::optional<int> asked_;
  std::int64_t elements_ = 0;
  std::unique_ptr<DeviceStream<T>> arrays_;
  Witness witness_;
};

}  // namespace

std::unique_ptr<Kernels> make_stream(Precision precision, const OffloadDevice& device,
                                    std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<TargetStream<double>>(device, threads);
  return std::make_unique<TargetStream<float>>(device, threads);
}

}  // namespace boltzmark::openmp_target
