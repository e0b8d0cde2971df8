// Tells CMake whether a compiler offloads: compiled for the same targets and with the same flags as the model. Prints
// the folder of the offload runtime; exit status 0 if a region ran on an offload device.
#include <dlfcn.h>
#include <omp.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace {

#pragma omp begin declare target
float root(float value) { return std::sqrt(value); }
#pragma omp end declare target

/// The file that contains code, empty if there is none.
std::string file_of(void* code) {
  Dl_info found = {};
  return code && dladdr(code, &found) && found.dli_fname ? found.dli_fname : "";
}

}  // namespace

int main() {
  const std::string runtime = file_of(dlsym(RTLD_DEFAULT, "__tgt_register_lib"));
  std::printf("%s", runtime.substr(0, runtime.rfind('/')).c_str());
  if (omp_get_num_devices() == 0) return 1;

  int on_host = 1;
  float value = 2.0f;
  std::uintptr_t code = 0;
#pragma omp target map(tofrom : on_host, value, code)
  {
    on_host = omp_is_initial_device();
    value = root(value);
    code = reinterpret_cast<std::uintptr_t>(&root);
  }
  // LLVM 16 leaves the file from which it loaded an image for the processor itself.
  const std::string image = file_of(reinterpret_cast<void*>(code));
  if (image.find("/tmpfile_") != std::string::npos) std::remove(image.c_str());
  return on_host != 0 || std::span(&value, 1)[0] < 1.0f;
}
