// scan-serial: prefix sums on one core.
#include <numeric>

#include "common/run/cpu_device.hpp"
#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/vectors.hpp"

namespace boltzmark::serial {
namespace {

/// Textbook: each sum is the previous one plus a value. Every addition waits for the one before.
struct Textbook {
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    T sum = 0;
    for (std::int64_t i = 0; i < elements; ++i) sums[i] = sum = sum + values[i];
  }
};

/// The library's function, as the peer.
struct StdScan {
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    std::inclusive_scan(values, values + elements, sums);
  }
};

/// Vectors: the prefix sums within a vector in a few steps, and one addition between vectors
/// (common/scan/cpu/vectors.hpp).
struct Vectors {
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    scan::scan_range(values, sums, {0, elements}, T(0));
  }
};

const scan::Variant textbook = textbook_of("one loop, each sum from the previous one", scan::by<Textbook>(one_worker));
const scan::Variant std_scan = {.name = "std-scan",
                                .summary = "std::inclusive_scan of the standard library (peer)",
                                .role = Role::peer,
                                .make = scan::by<StdScan>(one_worker)};
const scan::Variant vectors =
    like_for_like_of("vectors", "the prefix sums of a vector at a time", scan::by<Vectors>(one_worker));

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, scan::workload, "serial", "on one core", {&textbook, &std_scan, &vectors}, "vectors");
}
