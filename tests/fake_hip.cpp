// HIP's functions that are not CUDA's by another name (hip/runtime/names.hpp; those are made as the library is linked),
// of the driver in fake_cuda.cpp. Its device is an MI210 in name, with wavefronts of BOLTZMARK_TEST_WAVEFRONT lanes,
// else 64.
#include <cstdlib>
#include <cstring>

#include "cuda/runtime/driver.hpp"

using namespace boltzmark::cuda;

extern "C" {
int cuMemcpy2DAsync_v2(const Copy2D* copy, CUstream stream);

const char* hipGetErrorName(int) { return "hipErrorOfTest"; }
int hipSetDevice(int) { return success; }
int hipDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int integrated = 16, shared_memory = 74, lanes = 87;
  const char* const wavefront = std::getenv("BOLTZMARK_TEST_WAVEFRONT");
  *value = attribute == integrated ? 0 : attribute == shared_memory ? 65536 : 1024;
  if (attribute == lanes) *value = wavefront ? std::atoi(wavefront) : 64;
  return success;
}
int hipGetDeviceProperties(char* properties, int) {
  constexpr int arch_name = 396;  // of version 5
  std::strcpy(properties, "gfx of a name");
  return std::strcpy(properties + arch_name, "gfx90a:sramecc+:xnack-"), success;
}
int hipMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                     std::size_t height, int kind, CUstream stream) {
  const auto side = [](const void* at, std::size_t pitch, bool is_host) {
    return Copy2D::Side{.memory = is_host ? Copy2D::host : Copy2D::device,
                        .host_address = at,
                        .device_address = reinterpret_cast<CUdeviceptr>(at),
                        .pitch = pitch};
  };
  const Copy2D copy = {side(from, from_pitch, kind == 1), side(to, to_pitch, kind == 2), width, height};
  return kind == 1 || kind == 2 ? cuMemcpy2DAsync_v2(&copy, stream) : invalid_value;
}
}
