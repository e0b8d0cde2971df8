#include <fmt/core.h>

#include "stdpar/counting.hpp"
#if __has_include(<tbb/version.h>) && !defined(__NVCOMPILER)
#include <tbb/version.h>
#endif

namespace boltzmark::stdpar {

std::string library_name() {
#if defined(__NVCOMPILER)
  return fmt::format("std::execution of nvc++ {}.{}", __NVCOMPILER_MAJOR__, __NVCOMPILER_MINOR__);
#elif defined(TBB_VERSION_MAJOR)
  return fmt::format("std::execution on oneTBB {}.{}", TBB_VERSION_MAJOR, TBB_VERSION_MINOR);
#else
  return "std::execution";
#endif
}

}  // namespace boltzmark::stdpar
