// Settings of OpenMP's runtime (GCC's or LLVM's) in the environment, and the message if threads cannot start.
#pragma once

#include <string>

namespace boltzmark {

/// More threads than this overflow the stack of GCC's runtime, somewhere beyond 32000.
inline constexpr int most_threads = 16384;

/// Threads of the first parallel region by OMP_NUM_THREADS, "4" or "4,2" for nested regions; 0 if it is not set. A
/// program linked with this function removes an invalid list, or an invalid stack size, from the environment before any
/// runtime reads it, with a line on standard error.
int told_threads();

/// Number of threads if no option states it: the runtime's own choice, which without OMP_NUM_THREADS a control group
/// may reduce.
int default_threads(int of_runtime);

/// " (OMP_NUM_THREADS=4, OMP_THREAD_LIMIT=1)": the runtimes' variables that are set; "" if none is.
std::string set_variables();

/// Exists while threads are started for the first time. A runtime without room for them, or with a variable that it
/// rejects, ends the process: GCC's by exit(1), the status of a wrong result, LLVM's by abort(). Both are turned into a
/// line and `unavailable`.
class FirstThreads {
 public:
  FirstThreads();
  ~FirstThreads();
  FirstThreads(const FirstThreads&) = delete;
  FirstThreads& operator=(const FirstThreads&) = delete;
};

/// For a region with fewer threads than its work was divided for: ends the process with a line and `unavailable`, since
/// nothing can be thrown out of a region.
[[noreturn]] void end_with_other_threads(int found, int expected);

}  // namespace boltzmark
