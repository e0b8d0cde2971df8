// Original: the collision of each site in turn, as in the code from which targetDP started.
#include "common/binary_fluid/original.hpp"

namespace boltzmark::serial {
namespace {

const Variant original = binary_fluid::original_variant(made_of<target::Run, binary_fluid::OriginalFluid>);

}  // namespace

target::RunLayer run_layer;  // layer/layer.cpp

}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  return serial::run_layer(argc, argv, binary_fluid::workload, binary_fluid::on_host, {&serial::original});
}
