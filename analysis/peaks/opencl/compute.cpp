// FLOP rates of a device.
#include <fmt/core.h>

#include "analysis/peaks/harness.hpp"
#include "analysis/peaks/opencl/session.hpp"
#include "analysis/peaks/samples.hpp"
#include "opencl/runtime/program.hpp"

namespace boltzmark {
namespace {

constexpr int links = 16;  // LINKS of flops.cl

/// Chains in a work-item: on a CPU more than latency times units, as many as registers allow; a GPU's unit
/// has many items to choose from.
int chains_of(Session& session, Precision precision, int lanes) {
  const bool has_many_registers = lanes * bytes_of(precision) >= 64;  // 32 of 512 bits
  return session.is_cpu() && has_many_registers ? 24 : 12;
}

/// A kernel and the buffer that it never writes to; a kernel does not keep its buffers alive.
struct Chains {
  cl::Kernel kernel;
  cl::Buffer sink;
};

template <class T>
Chains make_chains(Session& session, bool fma, int lanes, int chains) {
  const cl::Program program = build_program(
      session.context(), session.device, flops_source,
      fmt::format("-D LANES={} -D CHAINS={}{}", lanes, chains, sizeof(T) == 8 ? " -D DOUBLES" : ""));
  return attempt("set up the FLOP kernel", [&] {
    Chains made{cl::Kernel(program, fma ? "fused" : "separate"),
                cl::Buffer(session.context(), CL_MEM_READ_WRITE, session.group_items() * sizeof(T))};
    made.kernel.setArg(0, made.sink);
    made.kernel.setArg(2, T(1.0 - 0x1p-20));
    made.kernel.setArg(3, T(0x1p-20));
    return made;
  });
}

/// Throws Error (unavailable) when the device cannot do it.
void check_ability(const ComputeDevice& device, Precision precision, bool fma) {
  if (precision == Precision::f64 && !device.has_doubles)
    throw unavailable("this device has no double precision");
  // Double precision always has it.
  if (precision == Precision::f32 && fma &&
      !(device.handle.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_FMA))
    throw unavailable("this device has no fused multiply-add in single precision");
}

Workload compute(Session& session, Precision precision, bool fma) {
  check_ability(session.device, precision, fma);
  const int lanes = session.is_cpu() ? session.device.native_lanes(precision) : 1;
  const int chains = chains_of(session, precision, lanes);
  Chains made = precision == Precision::f32 ? make_chains<float>(session, fma, lanes, chains)
                                            : make_chains<double>(session, fma, lanes, chains);
  // Twice what is resident, so that no unit runs dry at the end of the others.
  const std::size_t items = session.group_items(), all_items = 2 * session.resident_groups() * items;
  Workload work;
  work.items_a_round = static_cast<double>(all_items) * lanes * chains * links * (fma ? 2.0 : 1.0);
  work.batch_seconds = session.batch_seconds();
  work.run = [=, &session](long all_rounds) mutable {
    return Batch{session.device_seconds(
        all_rounds, [&](cl::CommandQueue& queue, long rounds, cl::Event* event, cl::Event* last) {
          made.kernel.setArg(1, static_cast<cl_uint>(rounds));
          queue.enqueueNDRangeKernel(made.kernel, cl::NullRange, cl::NDRange(all_items), cl::NDRange(items),
                                     nullptr, event);
          if (last) *last = *event;
        })};
  };
  return work;
}

}  // namespace

void add_compute(int number, const std::shared_ptr<Session>& session) {
  for (const Precision precision : {Precision::f32, Precision::f64})
    for (const bool fma : {true, false})
      add_benchmark(benchmark_name("compute", {{"device", std::to_string(number)},
                                               {"precision", to_string(precision)},
                                               {"fma", fma ? "1" : "0"}}),
                    [=] { return compute(*session, precision, fma); });
}

}  // namespace boltzmark
