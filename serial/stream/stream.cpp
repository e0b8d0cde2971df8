// STREAM on one core: each kernel is one loop over whole arrays (Arrays of common/stream/array_kernels.hpp).
#include "common/run/cpu_device.hpp"
#include "common/stream/array_kernels.hpp"

namespace boltzmark::serial {
using namespace stream;

const stream::Variant plain =
    like_for_like_of("plain", "each kernel one loop over whole arrays", by<InParts>(one_worker));
const stream::Variant nt = past_caches<InParts>(one_worker);

}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  return run_on_cpu(argc, argv, stream::workload, "serial", "on one core", {&serial::plain, &serial::nt});
}
