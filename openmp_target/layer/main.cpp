// The program of each workload that is written once in common/target's layer, in target regions of OpenMP.
#include "common/target/layer.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {
std::unique_ptr<target::Run> make_f32(const target::Rung& rung, const Options& asked);  // f32.cpp
std::unique_ptr<target::Run> make_f64(const target::Rung& rung, const Options& asked);  // f64.cpp

namespace {
std::unique_ptr<target::Run> make_layer(const target::Rung& rung, const Options& asked) {
  return asked.precision == Precision::f64 ? make_f64(rung, asked) : make_f32(rung, asked);
}
}  // namespace
}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  return openmp_target::run_on_device(
      argc, argv, target::variants(openmp_target::make_layer, {target::order_option()}),
      openmp_target::usual_by_device(target::usual_variant(true), target::usual_variant(false)));
}
