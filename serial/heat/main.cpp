#include "common/heat/cpu/wavefront.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const heat::Variant textbook, swapped, vectors;
const heat::Variant wavefront = heat::wavefront_of(one_worker);
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, heat::workload, "serial", "on one core", {&textbook, &swapped, &vectors, &wavefront},
                    "wavefront");
}
