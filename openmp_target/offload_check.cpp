// Tells CMake whether a compiler offloads: compiled for the same targets and with the same flags as the
// model. Prints the folder of the offload runtime; exit status 0 when a region ran on an offload device.
#include <dlfcn.h>
#include <omp.h>

#include <cmath>
#include <cstdio>
#include <span>
#include <string>

int main() {
  Dl_info runtime = {};
  void* const symbol = dlsym(RTLD_DEFAULT, "__tgt_register_lib");
  if (!symbol || !dladdr(symbol, &runtime)) return 2;
  const std::string file = runtime.dli_fname;
  std::printf("%s", file.substr(0, file.rfind('/')).c_str());
  if (omp_get_num_devices() == 0) return 1;

  int on_host = 1;
  float value = 2.0f;
#pragma omp target map(tofrom : on_host, value)
  {
    on_host = omp_is_initial_device();
    value = std::sqrt(value);
  }
  return on_host != 0 || std::span(&value, 1)[0] < 1.0f;
}
