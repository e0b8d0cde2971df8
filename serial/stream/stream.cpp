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

  RunFacts facts() const override { return {.device = cpu_name(), .settings = {{"vvl", native_lanes<T>}}}; }

 private:
  using HostKernels<T>::arrays_;
  Range whole() const { return {0, arrays_.size()}; }
};

const Variant plain = {.name = "plain",
                       .summary = "each kernel one loop over whole arrays",
                       .role = Role::like_for_like,
                       .make = made_of<Kernels, SerialStream>};

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_program<stream::Variant>(argc, argv,
                                      {.model = "serial",
                                       .summary = "STREAM on one core",
                                       .build = BOLTZMARK_BUILD_INFO,
                                       .variants = {plain},
                                       .devices = cpu_devices});
}
