// The OpenMP target variants.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "common/lbm/solver.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {

// Without `threads` (of a team) the device's own number is used. init throws Error (unavailable) where the
// device gives other threads than asked for, or has too little memory; so does run where teams timed out.

/// Mapped arrays, one loop nest per step and the compiler's reduction, in one file.
std::unique_ptr<lbm::Solver> make_textbook(const lbm::Problem& problem, Precision precision,
                                           const OffloadDevice& device, std::optional<int> threads);

/// Any other variant of main.cpp's list, by its name.
std::unique_ptr<lbm::Solver> make_solver(const lbm::Problem& problem, const std::string& variant,
                                         Precision precision, const OffloadDevice& device,
                                         std::optional<int> threads);

/// The variant that is fastest for this problem on this device.
std::string fastest_variant(const lbm::Problem& problem, Precision precision, const OffloadDevice& device);

}  // namespace boltzmark::openmp_target
