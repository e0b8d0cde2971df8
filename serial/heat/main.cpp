#include "common/heat/solver.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const heat::Variant textbook, swapped, vectors, wavefront;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu<heat::Variant>(argc, argv, "serial", "The heat equation on one core", BOLTZMARK_BUILD_INFO,
                                   {textbook, swapped, vectors, wavefront}, "wavefront", Tuned::yes);
}
