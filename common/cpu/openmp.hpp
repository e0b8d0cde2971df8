// What the environment says to OpenMP's runtime, GCC's or LLVM's, and what a program says when its threads cannot start.
#pragma once

#include <string>

namespace boltzmark {

/// More threads than this overflow the stack of GCC's runtime, somewhere beyond 32000.
inline constexpr int most_threads = 16384;

/// Threads of the first parallel region by OMP_NUM_THREADS, "4" or "4,2" for nested regions; 0 where it is not set. A
/// program that is linked with this function has taken one that is no such list out of the environment, and a size of
/// stacks that is none, with a line on standard error, before any runtime read it.
int told_threads();

/// Threads where no option names them: as many as the runtime would take, of which without OMP_NUM_THREADS a control
/// group may leave fewer.
int default_threads(int of_runtime);

/// " (OMP_NUM_THREADS=4, OMP_THREAD_LIMIT=1)": the variables of runtimes that are set; "" where there are none.
std::string set_variables();

/// While this exists threads are started for the first time. A runtime that has no room for them, or takes a variable
/// amiss, ends the process: GCC's by exit(1), the status of a wrong result, LLVM's by abort(). Either becomes a line and
/// `unavailable`.
class FirstThreads {
 public:
  FirstThreads();
  ~FirstThreads();
  FirstThreads(const FirstThreads&) = delete;
  FirstThreads& operator=(const FirstThreads&) = delete;
};

/// In a region that has not the threads its work was divided for: ends the process with a line and `unavailable`, since
/// nothing can be thrown out of a region.
[[noreturn]] void end_with_other_threads(int found, int expected);

}  // namespace boltzmark
