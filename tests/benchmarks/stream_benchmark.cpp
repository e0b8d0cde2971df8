// Our STREAM triad beside a plain one, serial and with OpenMP, in memory as ours has it and as malloc gives
// it. On a machine with other work, interleave: --benchmark_enable_random_interleaving
// --benchmark_repetitions=9
// --benchmark_min_time=0.1 --benchmark_report_aggregates_only
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "common/cpu/aligned.hpp"
#include "common/stream/stream.hpp"
#include "openmp/lbm/variants.hpp"
#include "plain_triad.hpp"
#include "serial/lbm/variants.hpp"

namespace boltzmark {
namespace {

template <class T>
constexpr Precision precision = sizeof(T) == sizeof(float) ? Precision::f32 : Precision::f64;

/// Elements that four times the last-level caches hold, as `lbm-MODEL --stream` takes.
template <class T>
std::int64_t elements() {
  static const std::int64_t chosen =
      choose_stream_elements(*serial::make_stream(precision<T>), {}, precision<T>);
  return chosen;
}

template <class T, class Triad>
void time(benchmark::State& state, Triad&& triad) {
  for (auto _ : state) {
    triad();
    benchmark::ClobberMemory();
  }
  const auto bytes =
      stream_kernels[static_cast<std::size_t>(StreamOperation::triad)].bytes(elements<T>(), sizeof(T));
  state.SetBytesProcessed(state.iterations() * bytes);
}

template <class T>
void ours(benchmark::State& state, std::unique_ptr<Stream> stream) {
  stream->init(elements<T>());
  time<T>(state, [&] { stream->triad(); });
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
    benchmark::RegisterBenchmark((name + '/' + type).c_str(), work)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("serial/ours", [](benchmark::State& state) { ours<T>(state, serial::make_stream(precision<T>)); });
  add("serial/plain", [](benchmark::State& state) { plain<T>(state, plain_init, plain_triad); });
  add("serial/plain_malloc",
      [](benchmark::State& state) { plain_malloc<T>(state, plain_init, plain_triad); });
#ifdef _OPENMP
  add("openmp/ours", [](benchmark::State& state) { ours<T>(state, openmp::make_stream(precision<T>, {})); });
  add("openmp/plain",
      [](benchmark::State& state) { plain<T>(state, plain_init_openmp, plain_triad_openmp); });
  add("openmp/plain_malloc",
      [](benchmark::State& state) { plain_malloc<T>(state, plain_init_openmp, plain_triad_openmp); });
#endif
}

const bool added = (add_benchmarks<float>("f32"), add_benchmarks<double>("f64"), true);

}  // namespace
}  // namespace boltzmark
