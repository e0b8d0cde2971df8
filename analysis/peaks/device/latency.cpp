// Latency of a device's memories, each by a working set that it alone holds.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/peaks/circle.hpp"
#include "analysis/peaks/device/open_device.hpp"
#include "analysis/peaks/figures.hpp"
#include "analysis/peaks/harness.hpp"

namespace boltzmark::peaks {

using namespace device;

namespace {

constexpr std::uint64_t line_bytes = 128, local_places = 256;

Workload loads(OpenDevice& opened, const std::string& level, std::uint64_t bytes) {
  const Module module =
      opened.build(latency_source, fmt::format("-D LOADS={} -D PLACES={}", loads_a_round, local_places));
  Buffer at, next;  // captured below: a kernel does not keep its buffers alive
  Kernel kernel = attempt("set up loads of " + level, [&] {
    at = opened.context()->allocate(sizeof(std::uint32_t));
    opened.queue()->fill(at, 0, 0, sizeof(std::uint32_t));
    if (level == "local") return Kernel(module, "chase_local", 0, at);
    constexpr std::uint32_t apart = line_bytes / sizeof(std::uint32_t);
    const auto circle = random_circle(bytes / line_bytes);
    std::vector<std::uint32_t> places(circle.size() * apart);
    for (std::size_t i = 0; i < circle.size(); ++i) places[i * apart] = circle[i] * apart;
    next = opened.context()->allocate(bytes);
    opened.queue()->write(next, 0, bytes, places.data());
    return Kernel(module, "chase", 0, next, at);
  });
  const auto run = [kernel, at, next, &opened](long all_rounds) mutable {
    return Batch{opened.device_seconds(all_rounds, [&](const Queue& queue, long rounds, Event* event, Event* last) {
      kernel.rebind(static_cast<std::uint32_t>(rounds));
      queue->launch(kernel, Range(1), Range(1), {}, event);
      if (last) *last = *event;
    })};
  };
  return {.items_a_round = loads_a_round, .batch_seconds = opened.batch_seconds(), .run = run};
}

}  // namespace

void add_latency(int number, const std::shared_ptr<OpenDevice>& opened) {
  constexpr std::uint64_t kib = 1 << 10, mib = 1 << 20;
  const ComputeDevice& device = opened->device;
  const std::uint64_t memory =
      std::min({(opened->is_cpu() ? 256 : 1024) * mib, device.largest_buffer_bytes, device.global_bytes / 16});
  const std::pair<const char*, std::uint64_t> levels[] = {{"local", local_places * sizeof(std::uint32_t)},
                                                          {"first cache", 16 * kib},
                                                          {"cache", std::min(4 * mib, memory)},
                                                          {"memory", memory / line_bytes * line_bytes}};
  const bool has_local = !opened->is_cpu() && device.has_local_memory;  // else its bandwidth says why not
  for (const auto& [level, bytes] : std::span(levels).subspan(has_local ? 0 : 1))
    add_benchmark(
        benchmark_name("latency",
                       {{"device", std::to_string(number)}, {"level", level}, {"bytes", std::to_string(bytes)}}),
        [opened, level = std::string(level), bytes = bytes] { return loads(*opened, level, bytes); });
}

}  // namespace boltzmark::peaks
