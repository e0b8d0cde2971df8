// STREAM on one core: each kernel is one loop over whole arrays.
#include "common/run/cpu_device.hpp"
#include "common/stream/host_kernels.hpp"

namespace boltzmark::serial {
using namespace stream;
namespace {

template <class T>
class SerialStream : public HostKernels<T> {
 public:
  void init(std::int64_t elements) override {
    arrays_ = Arrays<T>(elements);
    arrays_.init(whole());
  }
  void copy() override { arrays_.copy(whole()); }
  void mul() override { arrays_.mul(whole()); }
  void add() override { arrays_.add(whole()); }
  void triad() override { arrays_.triad(whole()); }
  double dot() override { return arrays_.dot(whole()); }

  RunFacts facts() const override {
    return {.device = cpu_name(), .settings = {{"vector_lanes", native_lanes<T>}}};
  }

 private:
  using HostKernels<T>::arrays_;
  Stretch whole() const { return {0, arrays_.size()}; }
};

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  stream::Program program;
  program.model = "serial";
  program.summary = "STREAM on one core";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {stream::plain_variant};
  program.devices = cpu_devices;
  program.make = [](const Options& options) -> std::unique_ptr<stream::Kernels> {
    if (options.precision == Precision::f64) return std::make_unique<serial::SerialStream<double>>();
    return std::make_unique<serial::SerialStream<float>>();
  };
  return stream::run_program(argc, argv, program);
}
