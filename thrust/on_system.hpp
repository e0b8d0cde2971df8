// What the variants of this model have in common: the system that Thrust runs its algorithms on, memory there, and what
// the record says of both. To be included first: the kernels in common/ are compiled for that system.
#pragma once

#ifdef __CUDACC__
#define KERNEL_FN __host__ __device__ __forceinline__
#endif

#ifdef _OPENMP
#include <omp.h>
#define omp_get_num_procs omp_get_max_threads  // the parts of Thrust's reductions: of a bound thread it is 1
#endif
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/disjoint_pool.h>
#include <thrust/mr/new.h>
#include <thrust/reduce.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/version.h>
#undef omp_get_num_procs

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#endif
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "common/base/compensated_sum.hpp"
#include "common/cpu/aligned.hpp"
#include "common/cpu/bind_thread.hpp"
#include "common/cpu/lanes.hpp"
#include "common/cpu/processors.hpp"
#include "common/cpu/range.hpp"
#include "common/cpu/threads.hpp"
#include "common/run/cpu_device.hpp"

/// Not `thrust`, which is the library's.
namespace boltzmark::by_thrust {

inline constexpr bool is_gpu = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA;
inline constexpr bool has_threads =
    THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP || THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB;
inline constexpr const char* system_name = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA  ? "CUDA"
                                           : THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP ? "OpenMP"
                                           : THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB ? "TBB"
                                                                                              : "C++";

/// What an index of a vectorised kernel takes: a vector of a processor, one value of a GPU's thread.
template <class T>
using Lanes = LanesOn<!is_gpu, T>;
template <class T>
constexpr int lanes_of = lanes_in<Lanes<T>>;

/// Where algorithms run; they return when they are done. What memory one asks for while it runs is kept for the next: a
/// GPU's takes longer to get than many a kernel. It is never freed, for at a process's end CUDA may be gone before.
inline auto on_system() {
  using Pool = thrust::mr::disjoint_unsynchronized_pool_resource<thrust::device_memory_resource,
                                                                 thrust::mr::new_delete_resource>;
  static auto& memory = *new thrust::mr::allocator<char, Pool>(
      new Pool(thrust::mr::get_global_resource<thrust::device_memory_resource>(),
               thrust::mr::get_global_resource<thrust::mr::new_delete_resource>()));
  return thrust::device(memory);
}

/// Memory that the kernel which first writes it places near its threads, a processor's in huge pages.
template <class T>
struct Untouched : thrust::device_allocator<T> {
  using Base = thrust::device_allocator<T>;
  using typename Base::pointer, typename Base::size_type;
  template <class U>
  struct rebind {
    using other = Untouched<U>;
  };

  pointer allocate(size_type count) {
    if constexpr (is_gpu) return Base::allocate(count);
    void* const memory = ::operator new (count * sizeof(T), std::align_val_t{huge_page_bytes});
    advise_huge_pages(memory, count * sizeof(T));
    return thrust::device_pointer_cast(static_cast<T*>(memory));
  }
  void deallocate(pointer memory, size_type count) {
    if constexpr (is_gpu)
      Base::deallocate(memory, count);
    else
      ::operator delete (memory.get(), std::align_val_t{huge_page_bytes});
  }
  KERNEL_FN void construct(T*) {}
};
template <class T>
using Values = thrust::device_vector<T, Untouched<T>>;

template <class T>
T* data_of(Values<T>& values) {
  return thrust::raw_pointer_cast(values.data());
}
template <class T>
const T* data_of(const Values<T>& values) {
  return thrust::raw_pointer_cast(values.data());
}
template <class T>
Values<T> in_system(const std::vector<T>& values) {
  return Values<T>(values.begin(), values.end());
}
template <class T>
std::vector<T> on_host(const Values<T>& values) {
  std::vector<T> host(values.size());
  thrust::copy(values.begin(), values.end(), host.begin());
  return host;
}
/// Values of an array from number `first` on.
template <class T>
void read_values(const Values<T>& array, std::int64_t first, std::span<double> values) {
  std::vector<T> part(values.size());
  thrust::copy_n(array.begin() + first, part.size(), part.begin());
  std::copy(part.begin(), part.end(), values.begin());
}
template <class T>
void fill_with(Values<T>& values, T value) {
  thrust::fill(on_system(), values.begin(), values.end(), value);
}

/// work(i) for i = 0 .. count - 1, in parallel.
template <class Work>
void for_each_number(std::int64_t count, const Work& work) {
  const thrust::counting_iterator<std::int64_t> first(0);
  thrust::for_each(on_system(), first, first + count, work);
}

/// part(0) .. part(count - 1), each called once, joined. On processors parts are kept and joined in their order:
/// transform_reduce is two parallel regions with OpenMP, and the same sum on any number of threads only here.
template <class Result, class Part, class Join>
Result joined(std::int64_t count, const Part& part, const Join& join) {
  const thrust::counting_iterator<std::int64_t> first(0);
  if constexpr (is_gpu) return thrust::transform_reduce(on_system(), first, first + count, part, Result(), join);
  std::vector<Result> parts(static_cast<std::size_t>(count));
  thrust::transform(on_system(), first, first + count, parts.data(), part);
  return thrust::reduce(thrust::seq, parts.begin(), parts.end(), Result(), join);
}

/// A sum that is taken into another: CompensatedSum, and the totals of common/reduce.
struct Merged {
  KERNEL_FN CompensatedSum operator()(CompensatedSum sum, const CompensatedSum& other) const {
    sum.add(other);
    return sum;
  }
  template <class Total>
  KERNEL_FN Total operator()(Total total, const Total& other) const {
    total.take(other);
    return total;
  }
};

/// Starts the threads of the system, once in a process, and returns their number.
inline int start(const Options& asked) {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
  const int threads = check_threads(asked.number("threads"));
  omp_set_num_threads(threads);
  // Bound, cores first, so that none leaves the rows behind that it had in the last kernel.
  const std::vector<int> processors = usable_processors_by_core();
  if (!std::getenv("OMP_PROC_BIND") && threads > 1 && threads <= static_cast<int>(processors.size())) {
#pragma omp parallel num_threads(threads)
    bind_thread(processors[static_cast<std::size_t>(omp_get_thread_num())]);
  }
  return threads;
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB
  static const int threads = asked.number("threads").value_or(tbb::info::default_concurrency());
  static const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                           static_cast<std::size_t>(threads));
  return threads;
#else
  (void)asked;
  return is_gpu ? 0 : 1;
#endif
}

inline std::vector<Device> devices() {
#ifdef __CUDACC__
  std::vector<Device> found;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, number) != cudaSuccess) continue;
    found.push_back({"gpu", properties.name, counted(properties.multiProcessorCount, "multiprocessor")});
  }
  return found;
#else
  return cpu_devices();
#endif
}

/// A `Workload`, a solver's interface, on the system.
template <class Workload>
class OnSystem : public Workload {
 public:
  explicit OnSystem(const Options& asked) : threads_(start(asked)) {
    const std::vector<Device> found = devices();
    if (found.empty()) throw unavailable("expected a GPU that CUDA can use, found none");
    device_ = found.front().name;
  }
  RunFacts facts() const override { return on_system_of({}); }

 protected:
  /// These facts with what is to be said of the system: its name, the library's version, threads and device.
  RunFacts on_system_of(RunFacts facts) const {
    facts.device = device_;
    facts.device_type = is_gpu ? "gpu" : "cpu";
    facts.driver = fmt::format("Thrust {}.{}.{}, {}", THRUST_VERSION / 100000, THRUST_VERSION / 100 % 1000,
                               THRUST_VERSION % 100, system_name);
    facts.threads = threads_;
    return facts;
  }

  int threads_;

 private:
  std::string device_;
};

/// The main of a program here.
template <class V>
int run_on_system(int argc, char** argv, std::initializer_list<V> variants, const char* usual = nullptr) {
  auto program = cpu_program<V>("thrust", "in Thrust", variants, usual);
  if (has_threads) program.options = {threads_option("what the system says")};
  program.devices = devices;
  return run_program(argc, argv, program);
}

}  // namespace boltzmark::by_thrust
