#include "cuda/runtime/nccl.hpp"

#include <fmt/core.h>

#include "common/device/api.hpp"

namespace boltzmark::cuda {
namespace {

Nccl open_nccl(const char* user) {
  void* const library = open_library({"libnccl.so.2", "libnccl.so"});
  if (!library)
    throw unavailable(
        "{}: expected the library libnccl.so.2, found none; install NVIDIA's NCCL (package libnccl2), or name its "
        "folder in LD_LIBRARY_PATH",
        user);
  Nccl opened;
#define FIND(name, ...) find_function(user, library, "nccl" #name, opened.name);
  BOLTZMARK_NCCL_FUNCTIONS(FIND)
#undef FIND
  find_function(user, library, "ncclGetErrorString", opened.GetErrorString);
  return opened;
}

}  // namespace

const Nccl& nccl(const char* user) {
  static const Nccl opened = open_nccl(user);
  return opened;
}

std::string nccl_version(const Nccl& library) {
  int version = 0;
  check(library, library.GetVersion(&version), "GetVersion");
  const int major = version < 10000 ? version / 1000 : version / 10000;  // 2708 is 2.7.8, from 2.9 on 20901 2.9.1
  const int rest = version < 10000 ? version % 1000 : version % 10000;
  return fmt::format("NCCL {}.{}.{}", major, rest / 100, rest % 100);
}

void check(const Nccl& library, int status, const char* call) {
  if (status == 0) return;
  const char* const meaning = library.GetErrorString(status);
  throw device::Failure(device::Failure::Kind::other, fmt::format("status {}", status),
                        fmt::format("{} from nccl{}", meaning ? meaning : "an unknown error", call));
}

}  // namespace boltzmark::cuda
