// What the OpenMP runtime is told before its threads start, and what the user is told of them.
#pragma once

#include <optional>
#include <string>

namespace boltzmark::openmp {

/// To be called before threads are started; `asked` as in models.hpp. Rows belong to threads, so their number
/// must not change under way: OMP_DYNAMIC is switched off. Everything else that the user says through OMP_*
/// stays. Once a process, and unless `quiet`, thread_advice() goes to standard error as a warning.
void settle_threads(std::optional<int> asked, bool quiet);

/// One line on what slows so many threads down: more of them than processors, or none of them bound to one.
/// "" when nothing does.
std::string thread_advice(int threads, int processors, bool bound);

}  // namespace boltzmark::openmp
