// FLOP rates of a device.
#include <fmt/core.h>

#include "analysis/peaks/device/open_device.hpp"
#include "analysis/peaks/figures.hpp"
#include "analysis/peaks/harness.hpp"

namespace boltzmark::peaks {

using namespace device;

namespace {

constexpr int links = 16;  // LINKS of flops.cl

/// Chains in a work-item: on a CPU more than latency times units, as many as registers allow; a GPU's unit
/// has many items to choose from.
int chains_of(OpenDevice& opened, Precision precision, int lanes) {
  const bool has_many_registers = lanes * bytes_of(precision) >= 64;  // 32 of 512 bits
  return opened.is_cpu() && has_many_registers ? 24 : 12;
}

/// A kernel and the buffer that it never writes to; a kernel does not keep its buffers alive.
struct Chains {
  Kernel kernel;
  Buffer sink;
};

template <class T>
Chains make_chains(OpenDevice& opened, bool fma, int lanes, int chains) {
  const Module module = opened.build(
      flops_source, fmt::format("-D LANES={} -D CHAINS={}{}", lanes, chains, sizeof(T) == 8 ? " -D DOUBLES" : ""));
  return attempt("set up the FLOP kernel", [&] {
    const Buffer sink = opened.context()->allocate(opened.group_items() * sizeof(T));
    return Chains{Kernel(module, fma ? "fused" : "separate", 0, sink, T(1.0 - 0x1p-20), T(0x1p-20)), sink};
  });
}

/// Throws Error (unavailable) when the device cannot do it.
void check_ability(const ComputeDevice& device, Precision precision, bool fma) {
  if (precision == Precision::f64 && !device.has_doubles) throw unavailable("this device has no double precision");
  // Double precision always has it.
  if (precision == Precision::f32 && fma && !device.has_fma)
    throw unavailable("this device has no fused multiply-add in single precision");
}

Workload compute(OpenDevice& opened, Precision precision, bool fma) {
  check_ability(opened.device, precision, fma);
  const int lanes = opened.is_cpu() ? opened.device.native_lanes(precision) : 1;
  const int chains = chains_of(opened, precision, lanes);
  const Chains made = precision == Precision::f32 ? make_chains<float>(opened, fma, lanes, chains)
                                                  : make_chains<double>(opened, fma, lanes, chains);
  // Twice what is resident, so that no unit runs dry at the end of the others.
  const std::size_t items = opened.group_items(), all_items = 2 * opened.resident_groups() * items;
  const auto run = opened.rounds_of(made.kernel, Range(all_items));
  return {.items_a_round = static_cast<double>(all_items) * lanes * chains * links * (fma ? 2.0 : 1.0),
          .batch_seconds = opened.batch_seconds(),
          .run = [run, sink = made.sink](long rounds) { return run(rounds); }};
}

}  // namespace

void add_compute(int number, const std::shared_ptr<OpenDevice>& opened) {
  for (const Precision precision : {Precision::f32, Precision::f64})
    for (const bool fma : {true, false})
      add_benchmark(benchmark_name("compute", {{"device", std::to_string(number)},
                                               {"precision", to_string(precision)},
                                               {"fma", fma ? "1" : "0"}}),
                    [=] { return compute(*opened, precision, fma); });
}

}  // namespace boltzmark::peaks
