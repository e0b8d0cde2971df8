// What the user is told of the threads before a run.
#pragma once

#include <optional>
#include <string>

namespace boltzmark::openmp {

/// One line on what slows the threads down that `asked` comes to (as in models.hpp): more of them than
/// processors, or none of them bound to one. "" when nothing does. OMP_* is left as the user has it.
std::string thread_advice(std::optional<int> asked);

}  // namespace boltzmark::openmp
