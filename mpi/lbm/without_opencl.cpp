// The engine on OpenCL devices where there is none.
#include "common/base/error.hpp"
#include "mpi/lbm/engines.hpp"

namespace boltzmark::mpi::opencl {

lbm::Program device_engine() {
  throw unavailable(
      "--local opencl: this program was built without OpenCL; install ocl-icd-opencl-dev and "
      "opencl-clhpp-headers and build it again");
}

}  // namespace boltzmark::mpi::opencl
