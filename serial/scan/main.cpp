// scan-serial: prefix sums on one core.
#include <numeric>

#include "common/run/cpu_device.hpp"
#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"

namespace boltzmark::serial {
namespace {

template <class T>
class SerialScanner : public scan::HostScanner<T> {
 public:
  void init(std::int64_t elements) override {
    this->make_arrays({0, elements});
    this->fill({0, elements});
  }
  RunFacts facts() const override { return {.device = cpu_name()}; }
};

/// Textbook: each sum is the one before and a value. Every addition waits for the one before.
template <class T>
class Textbook : public SerialScanner<T> {
 public:
  void scan() override {
    T sum = 0;
    for (std::int64_t i = 0; i < this->part(); ++i) this->sums_[i] = sum = sum + this->values_[i];
  }
};

/// The library's function, as the peer.
template <class T>
class StdScan : public SerialScanner<T> {
 public:
  void scan() override {
    std::inclusive_scan(this->values_.data(), this->values_.data() + this->part(), this->sums_.data());
  }
};

/// Vectors: a vector's own prefix sums in a few steps, and one addition between vectors (common/scan/vectors.hpp).
template <class T>
class Vectors : public SerialScanner<T> {
 public:
  void scan() override {
    scan::scan_stretch(this->values_.data(), this->sums_.data(), {0, this->part()}, T(0));
  }
};

template <class T>
std::unique_ptr<scan::Scanner> make(const std::string& variant) {
  if (variant == "textbook") return std::make_unique<Textbook<T>>();
  if (variant == "std-scan") return std::make_unique<StdScan<T>>();
  return std::make_unique<Vectors<T>>();
}

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  scan::Program program;
  program.model = "serial";
  program.summary = "Prefix sums on one core";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook", .summary = "one loop, each sum from the one before", .role = Role::textbook},
      {.name = "std-scan", .summary = "the library's std::inclusive_scan: the peer"},
      {.name = "vectors", .summary = "the prefix sums of a vector at a time", .role = Role::like_for_like}};
  program.devices = cpu_devices;
  program.default_variant = [](const Options&) { return "vectors"; };
  program.make = [](const Options& options) {
    return options.precision == Precision::f64 ? serial::make<double>(options.variant)
                                               : serial::make<float>(options.variant);
  };
  return scan::run_program(argc, argv, program);
}
