// Shared by the variants of this model: the system on which Thrust runs its algorithms, its memory, and facts for the
// record. Must be included first, because the kernels in common/ are compiled for that system.
#pragma once

#ifdef __CUDACC__
#define KERNEL_FN __host__ __device__ __forceinline__
#define KERNEL_LAMBDA [=] __host__ __device__
#else
#define KERNEL_LAMBDA [=]
#endif

#ifdef _OPENMP
#include <omp.h>
namespace boltzmark::by_thrust {
/// Threads of every parallel region. Not omp_get_max_threads(): within a region that is the number of nested ones.
inline int team_size = 1;
inline int threads_of_openmp() { return team_size; }
}  // namespace boltzmark::by_thrust
#define omp_get_num_procs ::boltzmark::by_thrust::threads_of_openmp  // parts of reductions: else 1 if bound
#endif
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
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
#endif
#include <fmt/core.h>

#include <cstdlib>
#include <optional>
#include <vector>

#include "common/cpu/openmp.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/cpu_device.hpp"
#include "common/run/workers.hpp"

/// Not `thrust`, the library's namespace.
namespace boltzmark::by_thrust {

inline constexpr bool is_gpu = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA;
using Numbers = thrust::counting_iterator<std::int64_t>;

/// The execution policy of algorithms, which return when they are done. Memory that an algorithm requests while it runs
/// is kept for the next, because allocating a GPU's memory takes longer than many a kernel. It is never freed, because
/// at the end of a process CUDA may be gone already.
inline auto on_system() {
  using Pool = thrust::mr::disjoint_unsynchronized_pool_resource<thrust::device_memory_resource,
                                                                 thrust::mr::new_delete_resource>;
  static auto& memory = *new thrust::mr::allocator<char, Pool>(
      new Pool(thrust::mr::get_global_resource<thrust::device_memory_resource>(),
               thrust::mr::get_global_resource<thrust::mr::new_delete_resource>()));
  return thrust::device(memory);
}

/// An array in this machine's memory for algorithms: the array itself on a processor, a copy of it in a GPU's memory.
template <class T>
struct InSystem {
  T* host = nullptr;
  std::int64_t count = 0;
  thrust::device_vector<T> copy = is_gpu ? thrust::device_vector<T>(host, host + count) : thrust::device_vector<T>();

  void upload() { thrust::copy_n(host, copy.size(), copy.begin()); }
  void download() const { thrust::copy(copy.begin(), copy.end(), host); }
  T* data() { return is_gpu ? thrust::raw_pointer_cast(copy.data()) : host; }
  auto begin() { return thrust::device_pointer_cast(data()); }
  auto end() { return begin() + count; }
};

/// work(i) for i = 0 .. count - 1, in parallel.
template <class Work>
void for_each_number(std::int64_t count, const Work& work) {
  thrust::for_each(on_system(), Numbers(0), Numbers(count), work);
}

/// part(0), part(1) .. part(count - 1), each called once and joined in order, on processors. Unlike transform_reduce,
/// it gives the same sum on any number of threads, and with OpenMP takes one parallel region instead of two.
template <class Part, class Join>
auto joined(std::int64_t count, const Part& part, const Join& join) {
  using Result = decltype(part(count));
  std::vector<Result> parts(static_cast<std::size_t>(count));
  thrust::tabulate(on_system(), parts.data(), parts.data() + count, part);
  return thrust::reduce(thrust::seq, parts.begin(), parts.end(), Result(), join);
}

// The system's name, its threads, which start() sets and binds, and the device that algorithms run on.
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
inline constexpr const char* system_name = "OpenMP";
inline int threads() { return threads_of_openmp(); }
inline void start(const Options& asked) {
  team_size = check_threads(asked.number("threads"));
  omp_set_num_threads(team_size);
  // Binds cores first, so that no thread leaves behind the rows of its last kernel.
  const std::vector<int> processors = usable_processors_by_core();
  if (std::getenv("OMP_PROC_BIND") || threads() < 2 || threads() > static_cast<int>(processors.size())) return;
#pragma omp parallel
  bind_thread(processors[static_cast<std::size_t>(number_in_team_of(threads()))]);
}
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB
inline constexpr const char* system_name = "TBB";
constexpr auto parallelism = tbb::global_control::max_allowed_parallelism;
inline int threads() { return static_cast<int>(tbb::global_control::active_value(parallelism)); }
inline void start(const Options& asked) {
  static std::optional<tbb::global_control> control;
  control.reset();  // that of the run before
  control.emplace(parallelism, std::size_t(asked.number("threads").value_or(std::min(threads(), usable_cores()))));
}
#else
inline constexpr const char* system_name = is_gpu ? "CUDA" : "C++";
inline int threads() { return 1; }
inline void start(const Options&) {}
#endif
inline std::vector<Device> devices() {
#ifdef __CUDACC__
  cudaDeviceProp gpu;
  if (cudaGetDeviceProperties(&gpu, 0) != cudaSuccess) return {};
  return {{"gpu", gpu.name, counted(gpu.multiProcessorCount, "multiprocessor")}};
#else
  return cpu_devices();
#endif
}

inline std::string library_name() {
  return fmt::format("Thrust {}.{}.{}, {}", THRUST_VERSION / 100000, THRUST_VERSION / 100 % 1000, THRUST_VERSION % 100,
                     system_name);
}

/// The system's threads; one for a GPU, whose arrays this machine only fills.
inline Workers start_workers(const Options&) {
  const Device device = devices().front();
  Workers workers;
#ifndef __CUDACC__
  workers.count = threads();
  workers.run = [](const Workers::Work& work) {
    for_each_number(threads(), [&](std::int64_t me) { work(static_cast<int>(me)); });
  };
#endif
  workers.facts = {.device = device.name,
                   .device_type = device.type,
                   .driver = library_name(),
                   .threads = is_gpu ? 0 : threads(),
                   .write_allocate = !is_gpu};
  return workers;
}

/// The main of a program of this model. The last variant is the default.
inline int run_on_system(int argc, char** argv, const WorkloadEntry& workload, const Variants& variants) {
  const auto start_system = [](const Options& asked) {
    if (devices().empty()) throw unavailable("expected a GPU that CUDA can use, found none");
    start(asked);
  };
  Program program =
      cpu_program(workload, "thrust", "in Thrust", before_each(variants, start_system), variants.back()->name.c_str());
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP || THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB
  program.options = {threads_option("what the system says")};
#endif
  program.devices = devices;
  return run_program(argc, argv, program);
}

}  // namespace boltzmark::by_thrust
