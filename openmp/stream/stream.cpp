// STREAM over threads: every kernel is a parallel region.
#include <fmt/format.h>

#include "common/run/cpu_device.hpp"
#include "openmp/advice.hpp"
#include "openmp/stream/threaded_kernels.hpp"

namespace boltzmark::openmp {
using namespace stream;
namespace {

template <class T>
class OpenmpStream : public ThreadedKernels<T> {
 public:
  using ThreadedKernels<T>::ThreadedKernels;

  void init(std::int64_t elements) override { this->make_arrays(elements); }
  double dot() override { return this->dot_here(); }

  RunFacts facts() const override {
    return {.device = cpu_name(),
            .driver = fmt::format("OpenMP {}", _OPENMP),
            .threads = this->threads(),
            .settings = {{"vector_lanes", native_lanes<T>}}};
  }
};

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  stream::Program program;
  program.model = "openmp";
  program.summary = "STREAM on the threads of one machine";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {stream::plain_variant};
  program.options = {threads_option("what the runtime says")};
  program.devices = cpu_devices;
  program.warning = [](const Options& options) { return openmp::thread_advice(options.number("threads")); };
  program.make = [](const Options& options) -> std::unique_ptr<stream::Kernels> {
    const auto threads = options.number("threads");
    if (options.precision == Precision::f64) return std::make_unique<openmp::OpenmpStream<double>>(threads);
    return std::make_unique<openmp::OpenmpStream<float>>(threads);
  };
  return stream::run_program(argc, argv, program);
}
