// Rates of arithmetic of a device.
#include <fmt/core.h>

#include "analysis/peaks/device/open_device.hpp"
#include "analysis/peaks/figures.hpp"
#include "analysis/peaks/harness.hpp"
#include "common/target/random.h"

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

struct Arithmetic {
  Precision precision;
  bool fma = false;
  std::string operation = operation::multiply_add;
};

/// A kernel and the buffer that it never writes to; a kernel does not keep its buffers alive.
struct Chains {
  Kernel kernel;
  Buffer sink;
};

template <class T>
Chains make_chains(OpenDevice& opened, const Arithmetic& what, int lanes, int chains) {
  const bool is_root = what.operation == operation::root;
  const Module module =
      opened.build(flops_source, fmt::format("-D LANES={} -D CHAINS={} -D OPERATION={}{}", lanes, chains,
                                             is_root                                 ? "ROOT"
                                             : what.operation == operation::division ? "DIVISION"
                                                                                     : "MULTIPLY_ADD",
                                             sizeof(T) == 8 ? " -D DOUBLES" : ""));
  return attempt("set up the FLOP kernel", [&] {
    const Buffer sink = opened.context()->allocate(opened.group_items() * sizeof(T));
    if (what.operation == operation::wide_multiplication)
      return Chains{Kernel(module, "wide", 0, sink, PHILOX_MULTIPLIER, ~std::uint64_t{0}), sink};
    const bool is_separate = what.operation == operation::multiply_add && !what.fma;
    const T factor = is_root ? 0x1p-20 : 1.0 - 0x1p-20, summand = is_root ? 1.37 : 0x1p-20;
    return Chains{Kernel(module, is_separate ? "separate" : "chains", 0, sink, factor, summand), sink};
  });
}

/// Throws Error (unavailable) when the device cannot do it.
void check_ability(const ComputeDevice& device, const Arithmetic& what) {
  if (what.precision == Precision::f64 && !device.has_doubles) throw unavailable("this device has no double precision");
  // Double precision always has it.
  if (what.precision == Precision::f32 && what.fma && !device.has_fma)
    throw unavailable("this device has no fused multiply-add in single precision");
}

Workload compute(OpenDevice& opened, const Arithmetic& what) {
  check_ability(opened.device, what);
  // Words of 64 bits hold the products.
  const bool is_wide = what.operation == operation::wide_multiplication;
  const int lanes = opened.is_cpu() ? opened.device.native_lanes(is_wide ? Precision::f64 : what.precision) : 1;
  const int chains = what.operation == operation::multiply_add ? chains_of(opened, what.precision, lanes) : 8;
  const Chains made = what.precision == Precision::f32 ? make_chains<float>(opened, what, lanes, chains)
                                                       : make_chains<double>(opened, what, lanes, chains);
  // Twice what is resident, so that no unit runs dry at the end of the others.
  const std::size_t items = opened.group_items(), all_items = 2 * opened.resident_groups() * items;
  const auto run = opened.rounds_of(made.kernel, Range(all_items));
  return {.items_a_round = static_cast<double>(all_items) * lanes * chains * links * (what.fma ? 2.0 : 1.0),
          .batch_seconds = opened.batch_seconds(),
          .run = [run, sink = made.sink](long rounds) { return run(rounds); }};
}

}  // namespace

void add_compute(int number, const std::shared_ptr<OpenDevice>& opened) {
  const auto add = [&](const Arithmetic& what) {
    std::vector<std::pair<std::string, std::string>> labels = {
        {"device", std::to_string(number)},
        {"precision", precision_of(what.operation, to_string(what.precision))},
        {"fma", what.fma ? "1" : "0"}};
    if (what.operation != operation::multiply_add) labels.insert(labels.begin(), {"operation", what.operation});
    add_benchmark(benchmark_name("compute", labels), [=] { return compute(*opened, what); });
  };
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const bool fma : {true, false}) add({precision, fma});
    for (const char* const operation : {operation::division, operation::root}) add({precision, false, operation});
  }
  add({Precision::f32, false, operation::wide_multiplication});
}

}  // namespace boltzmark::peaks
