// STREAM on an offload device: arrays allocated there once, one target region per kernel.
#include <fmt/core.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/cpu/caches.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/processors.hpp"
#include "common/stream/kernels.hpp"
#include "openmp_target/runtime/device.hpp"
#include "openmp_target/stream/kernels.hpp"

namespace boltzmark::openmp_target {
using namespace stream;
namespace {

template <class T>
class TargetStream : public Kernels {
 public:
  TargetStream(const OffloadDevice& device, std::optional<int> threads)
      : device_(device), asked_threads_(threads) {}

  Memory memory() override {
    if (device_.properties.is_gpu()) return {.of_device = true};
    return {.cache_bytes = last_level_cache_bytes(usable_processors())};
  }

  std::string shortage(std::int64_t elements) override {
    const std::string found = memory_shortage_on(device_, 3.0 * sizeof(T) * static_cast<double>(elements));
    return found.empty() ? "" : fmt::format("{} on {}", found, device_.name());
  }

  void init(std::int64_t elements) override {
    elements_ = elements;
    const int lanes = stream_lanes<T>(device_.properties);
    kernels_ = allocate_stream<T>(
        elements, launch_for(device_, asked_threads_, (elements + lanes - 1) / lanes), device_.properties);
    if (!kernels_)
      throw unavailable("{}: expected memory for three arrays of {} elements, found less", device_.name(),
                        elements);
    kernels_->init();
    check_regions();
  }
  void copy() override { kernels_->copy(); }
  void mul() override { kernels_->mul(); }
  void add() override { kernels_->add(); }
  void triad() override { kernels_->triad(); }
  double dot() override { return kernels_->dot(); }

  std::int64_t part() const override { return elements_; }

  /// The check of the arrays is also the moment to see that every kernel ran on the device.
  void read(Array array, std::int64_t first, std::span<double> values) override {
    check_regions();
    std::vector<T> read(values.size());
    kernels_->read(static_cast<int>(array), first, static_cast<std::int64_t>(read.size()), read.data());
    std::copy(read.begin(), read.end(), values.begin());
  }

  RunFacts facts() const override {
    RunFacts facts = device_facts(device_, kernels_->launch(), record_);
    facts.settings["vector_lanes"] = stream_lanes<T>(device_.properties);
    return facts;
  }

 private:
  void check_regions() {
    record_ = kernels_->record();
    check_launches(device_, record_, kernels_->regions(), kernels_->launch());
  }

  OffloadDevice device_;
  std::optional<int> asked_threads_;
  std::int64_t elements_ = 0;
  std::unique_ptr<DeviceKernels<T>> kernels_;
  LaunchRecord record_;
};

}  // namespace
}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  openmp_target::prepare_runtime(argv);
  stream::Program program;
  program.model = "openmp_target";
  program.summary = "STREAM in OpenMP target regions on an offload device";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {stream::plain_variant};
  program.options = {openmp_target::team_threads_option(), device_option()};
  program.devices = openmp_target::list_devices;
  program.make = [](const Options& options) -> std::unique_ptr<stream::Kernels> {
    const auto device = openmp_target::choose_device(options.text("device"));
    const auto threads = options.number("threads");
    if (options.precision == Precision::f64)
      return std::make_unique<openmp_target::TargetStream<double>>(device, threads);
    return std::make_unique<openmp_target::TargetStream<float>>(device, threads);
  };
  return stream::run_program(argc, argv, program);
}
