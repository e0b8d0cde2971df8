// OpenBLAS, called by each thread: the peer.
#include "common/magnetic_field/openblas.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

const Variant openblas = magnetic_field::openblas(start_workers);

}  // namespace

target::RunLayer run_layer;  // layer/layer.cpp

}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  return openmp::run_layer(argc, argv, magnetic_field::workload, magnetic_field::on_host, {&openmp::openblas});
}
