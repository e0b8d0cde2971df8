// OpenBLAS on one thread: the peer.
#include "common/magnetic_field/openblas.hpp"

namespace boltzmark::serial {
namespace {

const Variant openblas = magnetic_field::openblas(one_worker);

}  // namespace

target::RunLayer run_layer;  // layer/layer.cpp

}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  return serial::run_layer(argc, argv, magnetic_field::workload, magnetic_field::on_host, {&serial::openblas});
}
