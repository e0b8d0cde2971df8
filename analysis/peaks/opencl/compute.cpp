// FLOP rates of a device.
#include <fmt/format.h>

#include "analysis/peaks/harness.hpp"
#include "analysis/peaks/opencl/session.hpp"
#include "analysis/peaks/samples.hpp"
#include "opencl/program.hpp"

namespace boltzmark {
namespace {

constexpr int chains = 12, links = 16;  // flops.cl

template <class T>
cl::Kernel make_kernel(Session& session, Precision precision, bool fma, int lanes) {
  const cl::Program program = build_program(session.context(), session.device, flops_source,
                                            fmt::format("-D LANES={} -D CHAINS={}{}", lanes, chains,
                                                        precision == Precision::f64 ? " -D DOUBLES" : ""));
  return attempt("set up the FLOP kernel", [&] {
    cl::Kernel kernel(program, fma ? "fused" : "separate");
    kernel.setArg(0, cl::Buffer(session.context(), CL_MEM_READ_WRITE, session.group_items() * sizeof(T)));
    kernel.setArg(2, T(1.0 - 0x1p-20));
    kernel.setArg(3, T(0x1p-20));
    return kernel;
  });
}

/// Throws Error (unavailable) when the device cannot do it.
void check_ability(const OpenclDevice& device, Precision precision, bool fma) {
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
  cl::Kernel kernel = precision == Precision::f32 ? make_kernel<float>(session, precision, fma, lanes)
                                                  : make_kernel<double>(session, precision, fma, lanes);
  // Twice what is resident, so that no unit runs dry at the end of the others.
  const std::size_t items = session.group_items(), all_items = 2 * session.resident_groups() * items;
  return {.bytes_a_round = 0.0,
          .items_a_round = static_cast<double>(all_items) * lanes * chains * links * (fma ? 2.0 : 1.0),
          .batch_seconds = device_batch_seconds,
          .run = [=, &session](long rounds) mutable {
            return Batch{session.seconds([&](cl::CommandQueue& queue) {
              kernel.setArg(1, static_cast<cl_uint>(rounds));
              queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(all_items), cl::NDRange(items));
            })};
          }};
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
