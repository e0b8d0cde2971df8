#include "cuda/runtime/toolkit.hpp"

#include <cstdlib>

namespace boltzmark::cuda {

namespace fs = std::filesystem;

std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> folders;
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const named = std::getenv(variable); named && *named) folders.emplace_back(named);
  folders.emplace_back("/usr/local/cuda");
  return folders;
}

void* open_library(std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  for (const fs::path& folder : toolkit_folders())
    for (const char* const name : names)
      if (void* const library = dlopen((folder / "lib64" / name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

}  // namespace boltzmark::cuda
