// STREAM on one core: each kernel is one loop over whole arrays (Arrays of common/stream/host_kernels.hpp).
#include "common/run/cpu_device.hpp"
#include "common/stream/host_kernels.hpp"

namespace boltzmark::serial {
using namespace stream;

const stream::Variant plain = like_for_like_of<Kernels, HostKernels>("plain", "each kernel one loop over whole arrays");

}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  return run_on_cpu(argc, argv, stream::workload, "serial", "on one core",
                    {&serial::plain, stream::past_caches<stream::HostKernels>()});
}
