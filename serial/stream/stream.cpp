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

  RunFacts facts() const override { return this->on_machine({.settings = {{"vvl", native_lanes<T>}}}); }

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
  return run_on_cpu<stream::Variant>(argc, argv, "serial", "STREAM on one core", BOLTZMARK_BUILD_INFO, {plain});
}
