// STREAM arrays in this machine's memory: what the CPU models' streams have in common.
#pragma once

#include "common/cpu/caches.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/on_host.hpp"
#include "common/stream/arrays.hpp"

namespace boltzmark::stream {

template <class T>
class HostKernels : public OnHost<Kernels> {
 public:
  Memory memory() override { return {.cache_bytes = last_level_cache_bytes(usable_processors())}; }
  std::string shortage(std::int64_t elements) override { return memory_shortage(bytes_of_three(elements)); }
  std::int64_t part() const override { return arrays_.size(); }
  void read(Array array, std::int64_t first, std::span<double> values) override { arrays_.read(array, first, values); }

 protected:
  static std::uint64_t bytes_of_three(std::int64_t elements) {
    return 3 * sizeof(T) * static_cast<std::uint64_t>(elements);
  }

  Arrays<T> arrays_;
};

}  // namespace boltzmark::stream
