#pragma once

#include <memory>
#include <optional>

#include "common/scan/scanner.hpp"

namespace boltzmark::openmp_target {

std::unique_ptr<scan::Scanner> make_scanner(const Options& options);

}  // namespace boltzmark::openmp_target
