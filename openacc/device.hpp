// Shared by the variants of this model: the device on which loops run, its arrays, and facts for the record.
#pragma once

#include <openacc.h>

#include <string>
#include <utility>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/run/program.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark::openacc {

/// A device that --device can choose: a GPU for which the program was compiled, or this machine's processor, on which
/// loops run on one thread.
struct AccDevice {
  acc_device_t kind = acc_device_host;
  int number = 0;  ///< among those of its kind

  bool is_gpu() const { return kind != acc_device_host; }
  Device described() const;
};

/// Selects the device for the rest of this thread: that of the options, else a GPU if there is one, else the processor,
/// unless ACC_DEVICE_TYPE requests a GPU. Throws Error.
AccDevice choose_device(const Options& asked);

/// Values in this machine's memory and in the device's, which is the same memory for the processor.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : host_(size) {
    if (size > 0) acc_create(host_.data(), bytes());
  }
  DeviceArray(DeviceArray&& other) noexcept { std::swap(host_, other.host_); }
  DeviceArray& operator=(DeviceArray&& other) noexcept { return std::swap(host_, other.host_), *this; }
  ~DeviceArray() {
    if (bytes() > 0) acc_delete(host_.data(), bytes());
  }

  T* data() { return host_.data(); }
  const T* data() const { return host_.data(); }
  std::int64_t size() const { return static_cast<std::int64_t>(host_.size()); }
  void to_device() { acc_update_device(host_.data(), bytes()); }
  void to_host() { acc_update_self(host_.data(), bytes()); }

 private:
  std::size_t bytes() const { return host_.size() * sizeof(T); }

  AlignedArray<T> host_;
};

/// Adds the facts of a run on the device.
RunFacts facts_on(const AccDevice& device, RunFacts facts);

/// Throws Error (unavailable) if a GPU has less free memory.
void require_memory_on(const AccDevice& device, double bytes);

std::vector<Device> devices();
/// "" for a GPU; for the processor, a line that loops run there, and why.
std::string device_advice(const Options& asked);

/// The main of a program of this model. The last variant is the default.
inline int run_on_device(int argc, char** argv, const WorkloadEntry& workload, Variants variants) {
  Program program = {.workload = &workload, .model = "openacc", .where = "in OpenACC", .variants = std::move(variants)};
  program.default_variant = program.variants.back()->name.c_str();
  program.options = {device_option()};
  program.devices = devices;
  program.warning = device_advice;
  return run_program(argc, argv, program);
}

}  // namespace boltzmark::openacc
