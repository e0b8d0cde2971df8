// What a kernel's launch costs, and how fast bytes travel between host and device.
#include <cstdint>
#include <cstring>

#include "analysis/peaks/device/open_device.hpp"
#include "analysis/peaks/figures.hpp"
#include "analysis/peaks/harness.hpp"

namespace boltzmark::peaks {

using namespace device;

namespace {

constexpr std::size_t transfer_bytes = std::size_t{64} << 20;

Workload launches(OpenDevice& opened) {
  const std::size_t items = opened.group_items();
  const Module module = opened.build(launch_source, "");
  Buffer counts;  // captured below: a kernel does not keep its buffers alive
  const Kernel kernel = attempt("set up a small kernel", [&] {
    counts = opened.context()->allocate(items * sizeof(std::uint32_t));
    opened.queue()->fill(counts, 0, 0, items * sizeof(std::uint32_t));
    return Kernel(module, "count_launches", counts);
  });
  const auto run = [items, kernel, counts, &opened](long rounds) {
    return Batch{opened.host_seconds([&](const Queue& queue) {
      for (long launch = 0; launch < rounds; ++launch) queue->launch(kernel, Range(items), Range(items));
    })};
  };
  return {.items_a_round = 1.0, .batch_seconds = opened.batch_seconds(), .run = run};
}

/// A buffer on the device and as much memory of the host in the form that the driver prefers (page-locked
/// where that matters).
struct Transfer {
  explicit Transfer(OpenDevice& opened) {
    attempt("allocate 64 MiB on " + opened.device.name + " and the host", [&] {
      remote = opened.context()->allocate(transfer_bytes);
      pinned = opened.context()->allocate(transfer_bytes, MemoryKind::pinned);
    });
    std::memset(pinned.host(), 0, transfer_bytes);
  }

  Buffer remote, pinned;
};

Workload transfers(OpenDevice& opened, bool to_device) {
  const auto transfer = std::make_shared<Transfer>(opened);
  const auto run = [=, &opened](long rounds) {
    return Batch{opened.host_seconds([&](const Queue& queue) {
      for (long i = 0; i < rounds; ++i)
        if (to_device)
          queue->start_write(transfer->remote, {0, transfer_bytes}, transfer->pinned.host());
        else
          queue->start_read(transfer->remote, {0, transfer_bytes}, transfer->pinned.host());
    })};
  };
  return {.bytes_a_round = static_cast<double>(transfer_bytes), .batch_seconds = opened.batch_seconds(), .run = run};
}

}  // namespace

void add_launch_and_transfer(int number, const std::shared_ptr<OpenDevice>& opened) {
  const std::string device = std::to_string(number);
  add_benchmark(benchmark_name("launch", {{"device", device}}), [=] { return launches(*opened); });
  for (const bool to_device : {true, false})
    add_benchmark(benchmark_name("transfer", {{"device", device}, {"direction", to_device ? "to" : "from"}}),
                  [=] { return transfers(*opened, to_device); });
}

}  // namespace boltzmark::peaks
