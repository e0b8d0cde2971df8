// To be loaded before a program's libraries (LD_PRELOAD): kernels of OpenCL, target regions and parallel regions of
// OpenMP, and algorithms of oneTBB, which those of std::par are too, that are asked for and never run, though every
// call gives success. The environment says which:
//
//   BOLTZMARK_TEST_LOSE="FIRST COUNT"   launches number FIRST to FIRST + COUNT - 1 of the process, from 0 on
//   BOLTZMARK_TEST_LOSE_RUN="RUN"       all of run number RUN, the warm-up being 0. A run begins where the results of
//                                       the one before are overwritten with ones (Implementation::spoil)
//   BOLTZMARK_TEST_LAUNCHES=FILE        at the end the file holds how many launches there were
//
// Of OpenMP also regions that get fewer threads than they were asked for, and a load that a runtime takes threads away for:
//
//   BOLTZMARK_TEST_FEWER="FIRST"        the parallel regions from number FIRST on have one thread
//   BOLTZMARK_TEST_LOAD="FIRST"         the load average, from the question number FIRST on, is beyond all processors
//
// The clock counts how often it was read: a long run is followed by one without warm-ups, and would shift the launches.
#include <dlfcn.h>
#include <errno.h>

#include <CL/cl.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr std::uint32_t ones = 0xffffffff;

class Losses {
 public:
  Losses() {
    // Neither the compilers that the program starts, nor its process image before it replaced itself.
    const std::string program = program_invocation_short_name;
    const auto models = {"-open", "-stdpar", "-tbb"};
    if (std::ranges::none_of(models, [&](auto model) { return program.find(model) != program.npos; })) return;
    are_of_arenas_ = program.find("-tbb") != program.npos;
    if (const char* const text = std::getenv("BOLTZMARK_TEST_LOSE")) std::sscanf(text, "%ld %ld", &first_, &count_);
    if (const char* const text = std::getenv("BOLTZMARK_TEST_LOSE_RUN")) lost_run_ = std::atol(text);
    if (const char* const text = std::getenv("BOLTZMARK_TEST_LAUNCHES")) counted_ = text;
    if (const char* const text = std::getenv("BOLTZMARK_TEST_FEWER")) first_of_one_thread_ = std::atol(text);
    if (const char* const text = std::getenv("BOLTZMARK_TEST_LOAD")) first_loaded_ = std::atol(text);
  }
  ~Losses() {
    std::FILE* const file = counted_.empty() ? nullptr : std::fopen(counted_.c_str(), "w");
    if (!file) return;
    std::fprintf(file, "%ld\n", launches_);
    std::fclose(file);
  }

  bool are_of_arenas() const { return are_of_arenas_; }
  void overwrite() {
    if (is_running_) ++run_;
    is_running_ = false;
  }
  /// Whether the current region has one thread.
  bool has_one_thread() const { return launches_ > first_of_one_thread_; }
  bool is_loaded() { return questions_++ >= first_loaded_; }
  /// Whether the next launch is lost.
  bool loses() {
    is_running_ = true;
    const long number = launches_++;
    return run_ == lost_run_ || (number >= first_ && number < first_ + count_);
  }

 private:
  std::string counted_;
  long first_ = 0, count_ = 0, lost_run_ = -2;
  long first_of_one_thread_ = LONG_MAX, first_loaded_ = LONG_MAX;
  long launches_ = 0, run_ = -1, questions_ = 0;
  bool are_of_arenas_ = false;
  bool is_running_ = true;  ///< launches before the first run are those of init()
};
Losses losses;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

/// A microsecond for each call, however long a run takes.
std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  static std::atomic<long> microseconds;
  return time_point(std::chrono::microseconds(++microseconds));
}

/// A function of oneTBB: each of std::par's algorithms is one call. Those of oneTBB itself may wait several times, as
/// parts are stolen or not; the programs of that model call them in an arena, whose calls count.
namespace tbb::detail {
namespace d1 {
class task;
class task_group_context;
class wait_context;
class task_arena_base;
class delegate_base;
}  // namespace d1
namespace r1 {
void execute_and_wait(d1::task& task, d1::task_group_context& context, d1::wait_context& wait,
                      d1::task_group_context& wait_context);
void execute_and_wait(d1::task& task, d1::task_group_context& context, d1::wait_context& wait,
                      d1::task_group_context& wait_context) {
  constexpr const char* name =
      "_ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_12wait_contextES6_";
  if (losses.are_of_arenas() || !losses.loses())
    next<decltype(execute_and_wait)>(name)(task, context, wait, wait_context);
}
void execute(d1::task_arena_base& arena, d1::delegate_base& work);
void execute(d1::task_arena_base& arena, d1::delegate_base& work) {
  constexpr const char* name = "_ZN3tbb6detail2r17executeERNS0_2d115task_arena_baseERNS2_13delegate_baseE";
  if (!losses.are_of_arenas() || !losses.loses()) next<decltype(execute)>(name)(arena, work);
}
}  // namespace r1
}  // namespace tbb::detail

extern "C" {

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern, size_t pattern_size,
                           size_t offset, size_t size, cl_uint waits, const cl_event* wait_list, cl_event* event) {
  if (pattern_size == sizeof ones && *static_cast<const std::uint32_t*>(pattern) == ones) losses.overwrite();
  return next<decltype(clEnqueueFillBuffer)>("clEnqueueFillBuffer")(queue, buffer, pattern, pattern_size, offset, size,
                                                                    waits, wait_list, event);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                              const size_t* global, const size_t* local, cl_uint waits, const cl_event* wait_list,
                              cl_event* event) {
  if (losses.loses())
    return event ? next<decltype(clEnqueueMarkerWithWaitList)>("clEnqueueMarkerWithWaitList")(queue, waits, wait_list,
                                                                                              event)
                 : CL_SUCCESS;
  return next<decltype(clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel")(queue, kernel, dimensions, offset, global,
                                                                          local, waits, wait_list, event);
}

/// Of GCC's libgomp.
void GOMP_parallel(void (*region)(void*), void* data, unsigned threads, unsigned flags) {
  if (losses.loses()) return;
  next<decltype(GOMP_parallel)>("GOMP_parallel")(region, data, losses.has_one_thread() ? 1 : threads, flags);
}

int getloadavg(double* loads, int count) {
  std::fill_n(loads, count, losses.is_loaded() ? 1e6 : 0.0);
  return count;
}

/// A function of LLVM's libomptarget, from version 15 on.
int __tgt_target_kernel(void* location, std::int64_t device, std::int32_t teams, std::int32_t threads, void* host,
                        void* arguments) {
  if (losses.loses()) return 0;
  using Region = int(void*, std::int64_t, std::int32_t, std::int32_t, void*, void*);
  return next<Region>("__tgt_target_kernel")(location, device, teams, threads, host, arguments);
}
}
