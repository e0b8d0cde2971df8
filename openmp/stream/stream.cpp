// STREAM over threads: every kernel is a parallel region.
#include <fmt/core.h>

#include "common/run/cpu_device.hpp"
#include "openmp/advice.hpp"
#include "openmp/stream/threaded_kernels.hpp"

namespace boltzmark::openmp {
using namespace stream;
namespace {

constexpr const char *touched_by_all = "all", *touched_by_one = "one";

/// Only to show what it costs on several NUMA nodes to get it wrong.
ModelOption first_touch_option() {
  return {.name = "first-touch",
          .value = "all|one",
          .help = "who touches the arrays first: each thread its own part (default), or one thread all",
          .choices = {touched_by_all, touched_by_one},
          .in_every_variant = true};
}

template <class T>
class OpenmpStream : public ThreadedKernels<T> {
 public:
  OpenmpStream(std::optional<int> threads, bool by_one)
      : ThreadedKernels<T>(threads), touched_by_one_(by_one) {}

  void init(std::int64_t elements) override { this->make_arrays(elements, touched_by_one_); }
  double dot() override { return this->dot_here(); }

  RunFacts facts() const override {
    return {.device = cpu_name(),
            .driver = fmt::format("OpenMP {}", _OPENMP),
            .threads = this->threads(),
            .settings = {{"vector_lanes", native_lanes<T>},
                         {"first_touch", touched_by_one_ ? touched_by_one : touched_by_all}}};
  }

 private:
  bool touched_by_one_;
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
  program.options = {threads_option("what the runtime says"), openmp::first_touch_option()};
  program.devices = cpu_devices;
  program.warning = [](const Options& options) { return openmp::thread_advice(options.number("threads")); };
  program.make = [](const Options& options) -> std::unique_ptr<stream::Kernels> {
    const auto threads = options.number("threads");
    const bool by_one = options.text("first-touch") == openmp::touched_by_one;
    if (options.precision == Precision::f64)
      return std::make_unique<openmp::OpenmpStream<double>>(threads, by_one);
    return std::make_unique<openmp::OpenmpStream<float>>(threads, by_one);
  };
  return stream::run_program(argc, argv, program);
}
