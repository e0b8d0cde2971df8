// A stand-in for the part of SYCL 2020 that the programs of sycl/ use, so that they can be compiled and checked without
// a SYCL compiler. It is no implementation of SYCL, and is never installed.
//
// It has two devices: a processor, and a "GPU" with separate memory. Everything runs here, one item after the other,
// and as late as SYCL allows: commands run when the host waits. The items of a group are coroutines that take turns at
// barriers, in rising and in falling order, so that a missing barrier shows. New memory is not a number.
#pragma once

#undef _FORTIFY_SOURCE  // whose longjmp stays on one stack
#include <setjmp.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sycl {

using exception = std::runtime_error;
using exception_list = std::vector<std::exception_ptr>;
using async_handler = std::function<void(const exception_list&)>;
enum class aspect { fp64, usm_system_allocations };
enum class memory_order { relaxed };
enum class memory_scope { device };
namespace access {
enum class address_space { global_space };
}
namespace property::queue {
struct in_order {};
}  // namespace property::queue
struct property_list {
  property_list(property::queue::in_order) {}
};

namespace host {
[[noreturn]] inline void stop(const char* why) { std::fprintf(stderr, "host_sycl: %s\n", why), std::abort(); }

inline std::map<const char*, std::size_t> memory;  ///< of devices: where, and how many bytes
inline bool is_device_memory(const void* at, std::size_t bytes) {
  const auto after = memory.upper_bound(static_cast<const char*>(at));
  if (after == memory.begin()) return false;
  const auto& [begin, size] = *std::prev(after);
  if (static_cast<const char*>(at) >= begin + size) return false;
  if (static_cast<const char*>(at) + bytes > begin + size) stop("a command goes beyond the memory that it is given");
  return true;
}

/// With BOLTZMARK_TEST_LOSE="FIRST COUNT" in the environment: whether this kernel, counted from 0 on, does nothing.
inline bool is_lost() {
  static long kernels = 0, first = 0, count = 0;
  if (kernels == 0)
    if (const char* const text = std::getenv("BOLTZMARK_TEST_LOSE")) std::sscanf(text, "%ld %ld", &first, &count);
  const long number = kernels++;
  return number >= first && number < first + count;
}

/// The items of a group. Each has its stack for all groups, and they take turns by jumps.
class Items {
 public:
  void run(std::size_t count, const std::function<void(std::size_t)>& work) {
    is_done_.assign(count, false);
    if (count == 1) return work(0);  // without a stack of its own, for which a processor's unit is too large
    work_ = &work;
    if (items_.size() < count) items_.resize(count);
    for (std::size_t done = 0; done < count;) {
      is_rising_ = !is_rising_;
      for (std::size_t i = 0; i < count; ++i) resume(is_rising_ ? i : count - 1 - i);
      done = 0;
      for (const bool is_done : is_done_) done += is_done;
      if (done > 0 && done < count) stop("some items of a group ended before a barrier");
    }
  }
  void wait() {
    if (is_done_.size() == 1) return;
    if (_setjmp(items_[current_].place) == 0) _longjmp(host_, 1);
  }

 private:
  static constexpr std::size_t stack_bytes = 1 << 17;
  struct Item {
    jmp_buf place;
    std::unique_ptr<char[]> stack;
  };

  static void begin();
  void resume(std::size_t number) {
    current_ = number;
    if (_setjmp(host_) != 0) return;
    Item& item = items_[number];
    if (item.stack) _longjmp(item.place, 1);
    item.stack.reset(new char[stack_bytes]);
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = item.stack.get();
    context.uc_stack.ss_size = stack_bytes;
    makecontext(&context, begin, 0);
    setcontext(&context);
  }

  std::vector<Item> items_;
  std::vector<bool> is_done_;
  jmp_buf host_;
  std::size_t current_ = 0;
  bool is_rising_ = false;
  const std::function<void(std::size_t)>* work_ = nullptr;
};
inline Items items;
inline void Items::begin() {
  for (;; items.wait()) {
    (*items.work_)(items.current_);
    items.is_done_[items.current_] = true;
  }
}
}  // namespace host

template <int dimensions>
struct range {
  std::size_t sizes[dimensions];
  template <class... Sizes>
  explicit range(Sizes... of) : sizes{static_cast<std::size_t>(of)...} {}
  std::size_t operator[](int axis) const { return sizes[axis]; }
};
template <int dimensions>
struct id {
  std::size_t numbers[dimensions] = {};
  std::size_t operator[](int axis) const { return numbers[axis]; }
  operator std::size_t() const requires(dimensions == 1) { return numbers[0]; }
};
template <int dimensions>
struct nd_range {
  std::size_t global, local;
};
struct group {
  std::size_t number;
};
template <int dimensions>
struct nd_item {
  nd_range<1> all;
  std::size_t in_group, group_number;
  std::size_t get_local_linear_id() const { return in_group; }
  std::size_t get_global_linear_id() const { return group_number * all.local + in_group; }
  std::size_t get_group_linear_id() const { return group_number; }
  std::size_t get_global_range(int) const { return all.global; }
  group get_group() const { return {group_number}; }
};
inline void group_barrier(const group&) { host::items.wait(); }

namespace info::device {
struct name {};
struct driver_version {};
struct max_compute_units {};
struct global_mem_size {};
struct local_mem_size {};
struct max_work_group_size {};
struct sub_group_sizes {};
}  // namespace info::device
namespace info::platform {
struct name {};
}  // namespace info::platform

struct platform {
  bool of_gpu;
  template <class>
  std::string get_info() const {
    return of_gpu ? "host_sycl's other" : "host_sycl";
  }
};
class device {
 public:
  static std::vector<device> get_devices() { return {device(false), device(true)}; }
  bool is_gpu() const { return is_gpu_; }
  bool is_cpu() const { return !is_gpu_; }
  bool has(aspect wanted) const { return wanted == aspect::fp64 || is_cpu(); }
  platform get_platform() const { return {is_gpu_}; }
  template <class What>
  auto get_info() const {
    if constexpr (std::is_same_v<What, info::device::name>)
      return std::string(is_gpu_ ? "no GPU" : "a processor");
    else if constexpr (std::is_same_v<What, info::device::driver_version>)
      return std::string("1");
    else if constexpr (std::is_same_v<What, info::device::sub_group_sizes>)
      return std::vector<std::size_t>();
    else
      return std::size_t{std::is_same_v<What, info::device::max_compute_units>     ? 3u
                         : std::is_same_v<What, info::device::max_work_group_size> ? 1024u
                                                                                   : 1u << 30};
  }

 private:
  explicit device(bool is_gpu) : is_gpu_(is_gpu) {}
  bool is_gpu_;
};

/// Commands that have not run yet.
struct commands {
  std::deque<std::function<void()>> waiting = {};
  void run() {
    for (; !waiting.empty(); waiting.pop_front()) waiting.front()();
  }
};
struct event {};

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T, class Join>
struct reduction_of {
  T* result;
  T identity;
  Join join;
};
template <class T, class Join>
auto reduction(T* result, T identity, Join join) {
  return reduction_of<T, Join>{result, identity, join};
}
template <class T>
auto reduction(T* result, plus<T> join) {
  return reduction_of<T, plus<T>>{result, T(0), join};
}
template <class T, class Join>
struct reducer {
  T value;
  Join join;
  void combine(T other) { value = join(value, other); }
  void operator+=(T other) { combine(other); }
};

class handler {
 public:
  using Local = std::shared_ptr<std::vector<char>>;

  template <class Kernel>
  void parallel_for(range<1> all, Kernel kernel) {
    command_ = [=] {
      for (std::size_t i = 0; i < all[0]; ++i) kernel(id<1>{{i}});
    };
  }
  template <class Kernel>
  void parallel_for(range<2> all, Kernel kernel) {
    command_ = [=] {
      for (std::size_t y = 0; y < all[0]; ++y)
        for (std::size_t x = 0; x < all[1]; ++x) kernel(id<2>{{y, x}});
    };
  }
  template <int dimensions, class T, class Join, class Kernel>
  void parallel_for(range<dimensions> all, reduction_of<T, Join> of, Kernel kernel) {
    auto mine = std::make_shared<reducer<T, Join>>(reducer<T, Join>{of.identity, of.join});
    parallel_for(all, [=](auto number) { kernel(number, *mine); });
    command_ = [=, loop = command_] { loop(), *of.result = of.join(*of.result, mine->value); };
  }
  template <class Kernel>
  void parallel_for(nd_range<1> all, Kernel kernel) {
    if (all.local == 0 || all.global % all.local != 0 || all.local > 1024) throw exception("no range of whole groups");
    command_ = [all, kernel, locals = locals_] {
      for (std::size_t number = 0; number < all.global / all.local; ++number) {
        for (const Local& local : locals) std::fill(local->begin(), local->end(), char(0xff));
        host::items.run(all.local, [&](std::size_t in_group) { kernel(nd_item<1>{all, in_group, number}); });
      }
    };
  }

  Local local(std::size_t bytes) {
    locals_.push_back(std::make_shared<std::vector<char>>(bytes));
    return locals_.back();
  }
  const std::function<void()>& command() const { return command_; }

 private:
  std::vector<Local> locals_;
  std::function<void()> command_;
};
template <class T, int dimensions>
class local_accessor {
 public:
  local_accessor(range<1> size, handler& of) : memory_(of.local(size[0] * sizeof(T))) {}
  T& operator[](std::size_t i) const {
    if (i >= memory_->size() / sizeof(T)) host::stop("a local accessor has no such number");
    return reinterpret_cast<T*>(memory_->data())[i];
  }

 private:
  handler::Local memory_;
};

class queue {
 public:
  queue(const device& of, const async_handler&, const property_list&) : device_(of) {}
  device get_device() const { return device_; }
  template <class Group>
  event submit(const Group& group) {
    handler all;
    group(all);
    return put([command = all.command()] {
      if (!host::is_lost()) command();
    });
  }
  template <class... Arguments>
  event parallel_for(const Arguments&... arguments) {
    return submit([&](handler& all) { all.parallel_for(arguments...); });
  }
  event memcpy(void* to, const void* from, std::size_t bytes) {
    return put([=] {
      const bool is_to = host::is_device_memory(to, bytes), is_from = host::is_device_memory(from, bytes);
      if (bytes > 0 && !is_to && !is_from) host::stop("a copy between places that are none of a device");
      std::memcpy(to, from, bytes);
    });
  }
  event memset(void* at, int byte, std::size_t bytes) {
    return put([=] {
      if (bytes > 0 && !host::is_device_memory(at, bytes)) host::stop("memory to fill is none of a device");
      std::memset(at, byte, bytes);
    });
  }
  template <class T>
  event fill(T* at, const T& value, std::size_t count) {
    return put([=] {
      if (count > 0 && !host::is_device_memory(at, count * sizeof(T))) host::stop("memory to fill is none of a device");
      std::fill_n(at, count, value);
    });
  }
  void wait() { commands_->run(); }
  void wait_and_throw() { wait(); }
  bool is_idle() const { return commands_->waiting.empty(); }

 private:
  event put(std::function<void()> command) { return commands_->waiting.push_back(std::move(command)), event(); }

  device device_;
  std::shared_ptr<commands> commands_ = std::make_shared<commands>();
};

inline void* aligned_alloc_device(std::size_t alignment, std::size_t bytes, const queue&) {
  if (std::getenv("BOLTZMARK_TEST_NO_MEMORY")) return nullptr;
  if (bytes % alignment != 0) host::stop("memory to allocate is no multiple of its alignment");
  void* const made = std::aligned_alloc(alignment, bytes);
  std::memset(made, 0xff, bytes);
  host::memory[static_cast<const char*>(made)] = bytes;
  return made;
}
inline void free(void* memory, const queue& of) {
  if (!of.is_idle()) host::stop("memory is freed before the commands that use it have run");
  if (memory && host::memory.erase(static_cast<const char*>(memory)) == 0) host::stop("memory is freed twice");
  std::free(memory);
}

template <class T, memory_order, memory_scope, access::address_space>
class atomic_ref {
 public:
  explicit atomic_ref(T& at) : at_(at) {}
  void store(T value) const { at_ = value; }
  T fetch_add(T value) const {
    const T before = at_;
    return at_ = before + value, before;
  }

 private:
  T& at_;
};

}  // namespace sycl
