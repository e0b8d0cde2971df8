// scan-serial: prefix sums on one core.
#include <numeric>

#include "common/run/cpu_device.hpp"
#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"

namespace boltzmark::serial {
namespace {

/// Textbook: each sum is the one before and a value. Every addition waits for the one before.
template <class T>
class Textbook : public scan::HostScanner<T> {
 public:
  void scan() override {
    T sum = 0;
    for (std::int64_t i = 0; i < this->part(); ++i) this->sums_[i] = sum = sum + this->values_[i];
  }
};

/// The library's function, as the peer.
template <class T>
class StdScan : public scan::HostScanner<T> {
 public:
  void scan() override {
    std::inclusive_scan(this->values_.data(), this->values_.data() + this->part(), this->sums_.data());
  }
};

/// Vectors: a vector's own prefix sums in a few steps, and one addition between vectors (common/scan/vectors.hpp).
template <class T>
class Vectors : public scan::HostScanner<T> {
 public:
  void scan() override { scan::scan_range(this->values_.data(), this->sums_.data(), {0, this->part()}, T(0)); }
};

const scan::Variant textbook = textbook_of<scan::Scanner, Textbook>("one loop, each sum from the one before");
const scan::Variant std_scan = {.name = "std-scan",
                                .summary = "the library's std::inclusive_scan: the peer",
                                .role = Role::peer,
                                .make = made_of<scan::Scanner, StdScan>};
const scan::Variant vectors =
    like_for_like_of<scan::Scanner, Vectors>("vectors", "the prefix sums of a vector at a time");

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, scan::workload, "serial", "on one core", {&textbook, &std_scan, &vectors}, "vectors");
}
