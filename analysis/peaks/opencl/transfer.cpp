// What a kernel's launch costs, and how fast bytes travel between host and device.
#include <cstdint>
#include <cstring>

#include "analysis/peaks/harness.hpp"
#include "analysis/peaks/opencl/session.hpp"
#include "analysis/peaks/samples.hpp"
#include "opencl/runtime/program.hpp"

namespace boltzmark {
namespace {

constexpr std::size_t transfer_bytes = std::size_t{64} << 20;

Workload launches(Session& session) {
  const std::size_t items = session.group_items();
  const cl::Program program = build_program(session.context(), session.device, launch_source, "");
  cl::Buffer counts;  // captured below: a kernel does not keep its buffers alive
  const cl::Kernel kernel = attempt("set up a small kernel", [&] {
    counts = cl::Buffer(session.context(), CL_MEM_READ_WRITE, items * sizeof(cl_uint));
    session.queue().enqueueFillBuffer(counts, cl_uint(0), 0, items * sizeof(cl_uint));
    cl::Kernel made(program, "count_launches");
    made.setArg(0, counts);
    return made;
  });
  Workload work;
  work.items_a_round = 1.0;
  work.batch_seconds = session.batch_seconds();
  work.run = [items, kernel, counts, &session](long rounds) {
    return Batch{session.host_seconds([&](cl::CommandQueue& queue) {
      for (long launch = 0; launch < rounds; ++launch)
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items), cl::NDRange(items));
    })};
  };
  return work;
}

/// A buffer on the device and as much memory of the host in the form that the driver prefers (page-locked
/// where that matters).
struct Transfer {
  explicit Transfer(Session& session) {
    attempt("allocate 64 MiB on " + session.device.name + " and the host", [&] {
      remote = cl::Buffer(session.context(), CL_MEM_READ_WRITE, transfer_bytes);
      pinned = cl::Buffer(session.context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, transfer_bytes);
      host = session.queue().enqueueMapBuffer(pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, transfer_bytes);
    });
    std::memset(host, 0, transfer_bytes);
  }

  cl::Buffer remote, pinned;
  void* host = nullptr;
};

Workload transfers(Session& session, bool to_device) {
  const auto transfer = std::make_shared<Transfer>(session);
  Workload work;
  work.bytes_a_round = static_cast<double>(transfer_bytes);
  work.batch_seconds = session.batch_seconds();
  work.run = [=, &session](long rounds) {
    return Batch{session.host_seconds([&](cl::CommandQueue& queue) {
      for (long i = 0; i < rounds; ++i)
        if (to_device)
          queue.enqueueWriteBuffer(transfer->remote, CL_FALSE, 0, transfer_bytes, transfer->host);
        else
          queue.enqueueReadBuffer(transfer->remote, CL_FALSE, 0, transfer_bytes, transfer->host);
    })};
  };
  return work;
}

}  // namespace

void add_launch_and_transfer(int number, const std::shared_ptr<Session>& session) {
  const std::string device = std::to_string(number);
  add_benchmark(benchmark_name("launch", {{"device", device}}), [=] { return launches(*session); });
  for (const bool to_device : {true, false})
    add_benchmark(benchmark_name("transfer", {{"device", device}, {"direction", to_device ? "to" : "from"}}),
                  [=] { return transfers(*session, to_device); });
}

}  // namespace boltzmark
