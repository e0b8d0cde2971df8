// Where CUDA's toolkit is, of which some libraries and the compiler nvcc are used where they are installed.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <initializer_list>
#include <vector>

#include "common/base/error.hpp"

namespace boltzmark::cuda {

/// $CUDA_HOME, $CUDA_PATH, /usr/local/cuda: those that are set, whether they are there or not.
std::vector<std::filesystem::path> toolkit_folders();

/// Opens the first of these libraries that there is, where the loader looks and then in the toolkit; nullptr where
/// there is none. It stays open to the end.
void* open_library(std::initializer_list<const char*> names);

/// Throws Error (unavailable) where the library has no function of this name.
template <class Function>
void find_function(const char* of, void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (!function) throw unavailable("{}: the installed library has no {}; it is too old", of, name);
}

}  // namespace boltzmark::cuda
