// Our STREAM triad compared with a plain one, serial and with OpenMP, in memory allocated as in our programs and by
// malloc. On a machine with other work, interleave: --benchmark_enable_random_interleaving --benchmark_repetitions=9
// --benchmark_min_time=0.1 --benchmark_report_aggregates_only
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "common/cpu/aligned.hpp"
#include "common/cpu/openmp.hpp"
#include "common/cpu/processors.hpp"
#include "common/stream/array_kernels.hpp"
#include "plain_triad.hpp"

namespace boltzmark {
namespace {

/// Elements that four times the last-level caches hold, as the stream programs take; a default where they are unknown.
template <class T>
std::int64_t elements() {
  constexpr std::int64_t otherwise = std::int64_t{1} << 25;
  const auto bytes = static_cast<std::int64_t>(last_level_cache_bytes(usable_processors()));
  return bytes > 0 ? 4 * bytes / static_cast<std::int64_t>(sizeof(T)) : otherwise;
}

template <class T, class Triad>
void time(benchmark::State& state, Triad&& triad) {
  for (auto _ : state) {
    triad();
    benchmark::ClobberMemory();
  }
  const auto bytes =
      stream::all_kernels[static_cast<std::size_t>(stream::Operation::triad)].bytes(elements<T>(), sizeof(T));
  state.SetBytesProcessed(state.iterations() * bytes);
}

/// The models' triad: each thread takes the stretch that it touched first.
template <class T>
void ours(benchmark::State& state, int threads) {
  check_threads(threads);
  stream::Arrays<T> arrays(elements<T>());
  const auto on_threads = [&](auto&& work) {
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
    work(range_of_pages(arrays.size(), omp_get_thread_num(), threads, sizeof(T)));
#else
    work(Range{0, arrays.size()});
#endif
  };
  on_threads([&](Range mine) { arrays.init(mine); });
  time<T>(state, [&] { on_threads([&](Range mine) { arrays.triad(mine); }); });
}

template <class T>
void plain(benchmark::State& state, void (*init)(PlainArrays<T>), void (*triad)(PlainArrays<T>)) {
  const auto size = static_cast<std::size_t>(elements<T>());
  AlignedArray<T> a(size), b(size), c(size);
  const PlainArrays<T> arrays = {a.data(), b.data(), c.data(), elements<T>()};
  init(arrays);
  time<T>(state, [&] { triad(arrays); });
}

template <class T>
void plain_malloc(benchmark::State& state, void (*init)(PlainArrays<T>), void (*triad)(PlainArrays<T>)) {
  const auto allocate = [] {
    return std::unique_ptr<T, decltype(&std::free)>(
        static_cast<T*>(std::malloc(static_cast<std::size_t>(elements<T>()) * sizeof(T))), &std::free);
  };
  const auto a = allocate(), b = allocate(), c = allocate();
  if (!a || !b || !c) throw std::bad_alloc();
  const PlainArrays<T> arrays = {a.get(), b.get(), c.get(), elements<T>()};
  init(arrays);
  time<T>(state, [&] { triad(arrays); });
}

template <class T>
void add_benchmarks(const std::string& type) {
  const auto add = [&](const std::string& name, auto&& work) {
    benchmark::RegisterBenchmark((name + '/' + type).c_str(), work)->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  add("serial/ours", [](benchmark::State& state) { ours<T>(state, 1); });
  add("serial/plain", [](benchmark::State& state) { plain<T>(state, plain_init, plain_triad); });
  add("serial/plain_malloc", [](benchmark::State& state) { plain_malloc<T>(state, plain_init, plain_triad); });
#ifdef _OPENMP
  add("openmp/ours", [](benchmark::State& state) { ours<T>(state, omp_get_max_threads()); });
  add("openmp/plain", [](benchmark::State& state) { plain<T>(state, plain_init_openmp, plain_triad_openmp); });
  add("openmp/plain_malloc",
      [](benchmark::State& state) { plain_malloc<T>(state, plain_init_openmp, plain_triad_openmp); });
#endif
}

const bool added = (add_benchmarks<float>("f32"), add_benchmarks<double>("f64"), true);

}  // namespace
}  // namespace boltzmark
