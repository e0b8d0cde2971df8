// The updates of single rows, without threads, time blocks or a time loop round them: how fast the cores of
// the variants are where memory is no limit. One core. MLUPS are million cell updates a second, bytes those
// of the algorithm's own count: nine populations read and nine written.
//
//   in-place/TYPE/VECTORS/LANES/CACHE/STEP   every vector length of this processor
//   (common/lbm/cpu/row_kernels.hpp), on a
//                                            grid that lies in L1 or L2; from-neighbours: even steps,
//                                            from-own: odd
//   fused/TYPE/LANES/CACHE                   two grids (common/lbm/cpu/strip.hpp)
//   textbook/TYPE/CACHE                      five loops over an array of structs, with the average velocity
//   rows/TYPE/VARIANT/ROWS                   the same rows free of obstacles on a grid without any
//   (free-alone) and
//                                            on one with obstacles in other rows (free-among-obstacles), and
//                                            with some of their own (mixed)
//
// On a machine with other work, interleave: --benchmark_enable_random_interleaving --benchmark_repetitions=9
// --benchmark_min_time=0.05 --benchmark_report_aggregates_only
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "common/cpu/processors.hpp"
#include "common/lbm/cpu/in_place_grid.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark {
namespace serial {
extern const lbm::Variant textbook;
}
using namespace lbm;
namespace {

template <class T>
constexpr const char* type_name = sizeof(T) == sizeof(float) ? "f32" : "f64";

Problem empty_problem(int nx, int ny) {
  Problem problem;
  problem.parameters = {
      .nx = nx, .ny = ny, .iterations = 1, .reynolds_dim = 1, .density = 0.1, .accel = 0.005, .omega = 1.85};
  return problem;
}

/// A grid without obstacles whose populations, in `grids` copies, take at most this share of the cache. Four
/// rows of as many columns as have them in L1; in L2 as many more such rows as it holds.
template <class T>
Problem problem_in(const std::string& cache, int grids) {
  constexpr int whole_vectors = 64, fewest_rows = 4;
  constexpr double share = 0.75;
  const double cell = D2Q9::directions * sizeof(T) * grids;
  const auto fitting = [](double bytes, double unit) { return static_cast<int>(share * bytes / unit); };
  const int columns = fitting(static_cast<double>(core_caches().l1), fewest_rows * cell);
  const int nx = std::max(whole_vectors, columns / whole_vectors * whole_vectors);
  const int rows = cache == "L1" ? fewest_rows : fitting(static_cast<double>(core_caches().l2), nx * cell);
  return empty_problem(nx, std::max(fewest_rows, rows));
}

/// Times `step`, which updates this many cells. Sums of speeds are kept, or the compiler could leave them out.
template <class T>
void time(benchmark::State& state, double cells, const std::function<double()>& step) {
  flush_denormals();
  for (auto _ : state) benchmark::DoNotOptimize(step());
  const double updates = cells * static_cast<double>(state.iterations());
  state.SetBytesProcessed(static_cast<std::int64_t>(updates * 2 * D2Q9::directions * sizeof(T)));
  state.counters["MLUPS"] = benchmark::Counter(1e-6 * updates, benchmark::Counter::kIsRate);
}

/// Rows of an InPlaceGrid; `parity` 0 reads and writes the neighbours, 1 the cells' own. Done over and over,
/// either is a collision with the populations turned round in between: ordinary numbers, whatever the number
/// of steps.
template <class T>
void in_place(benchmark::State& state, const Problem& problem, const RowKernels<T>& kernels, int parity,
              const std::vector<int>& rows) {
  const int ny = problem.parameters.ny;
  InPlaceGrid<T, D2Q9> grid(problem, 0, ny, 0, kernels);
  grid.init_layers(0, ny);
  const double cells = static_cast<double>(problem.parameters.nx) * static_cast<double>(rows.size());
  time<T>(state, cells, [&] {
    double sum = 0.0;
    for (const int y : rows) sum += grid.update_layer(y, parity, true);
    return sum;
  });
}

/// Rows of a Strip, step after step.
template <class T>
void fused(benchmark::State& state, const Problem& problem, const std::vector<int>& rows) {
  const int ny = problem.parameters.ny;
  Strip<T> strip(problem, 0, ny, false);
  strip.init_layers(0, ny);
  const double cells = static_cast<double>(problem.parameters.nx) * static_cast<double>(rows.size());
  int number = 0;
  time<T>(state, cells, [&] {
    double sum = 0.0;
    for (const int y : rows) sum += strip.update_layers(y, y + 1, number, true);
    number ^= 1;
    return sum;
  });
}

template <class T>
void textbook(benchmark::State& state, const Problem& problem) {
  Options asked;
  asked.precision = sizeof(T) == sizeof(float) ? Precision::f32 : Precision::f64;
  const auto model = as_made<Solver>(serial::textbook.make(AnyCase(problem), asked));
  model->init(problem);
  double average = 0.0;
  time<T>(state, static_cast<double>(problem.cells()), [&] {
    model->run(1, {&average, 1});
    return average;
  });
}

template <class Work>
void add(const std::string& name, Work work) {
  benchmark::RegisterBenchmark(name.c_str(), work)->Unit(benchmark::kMicrosecond);
}

std::vector<int> all_rows(const Problem& problem) {
  std::vector<int> rows(static_cast<std::size_t>(problem.parameters.ny));
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = static_cast<int>(y);
  return rows;
}

template <class T>
void add_in_place(const std::string& cache) {
  for (const RowKernels<T>* kernels : row_kernels_here<T>())
    for (const int parity : {0, 1}) {
      std::string vectors = kernels->name;
      std::replace(vectors.begin(), vectors.end(), ' ', '-');
      add(fmt::format("in-place/{}/{}/{}/{}/{}", type_name<T>, vectors, kernels->lanes, cache,
                      parity == 0 ? "from-neighbours" : "from-own"),
          [=](benchmark::State& state) {
            const Problem problem = problem_in<T>(cache, 1);
            in_place(state, problem, *kernels, parity, all_rows(problem));
          });
    }
}

/// The same rows (every fourth) of a grid of L2 size, with and without obstacles in them and in the others.
Problem row_problem(const std::string& kind) {
  constexpr int nx = 1024, ny = 12;
  Problem problem = empty_problem(nx, ny);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const bool elsewhere = y % 4 == 0 && x % 7 == 0, here = y % 4 == 2 && (x == 0 || x == nx / 3 || x == nx - 1);
      if ((elsewhere && kind != "free-alone") || (here && kind == "mixed"))
        problem.solid.push_back(std::int64_t{y} * nx + x);
    }
  return problem;
}
const std::vector<int> measured_rows = {2, 6, 10};

template <class T>
void add_rows(const std::string& kind) {
  const std::string name = fmt::format("rows/{}/", type_name<T>);
  for (const int parity : {0, 1})
    add(fmt::format("{}in-place-{}/{}", name, parity == 0 ? "from-neighbours" : "from-own", kind),
        [=](benchmark::State& state) {
          in_place(state, row_problem(kind), row_kernels<T>({}), parity, measured_rows);
        });
  add(fmt::format("{}fused/{}", name, kind),
      [=](benchmark::State& state) { fused<T>(state, row_problem(kind), measured_rows); });
}

template <class T>
void add_benchmarks() {
  for (const std::string cache : {"L1", "L2"}) {
    add_in_place<T>(cache);
    add(fmt::format("fused/{}/{}/{}", type_name<T>, native_lanes<T>, cache), [=](benchmark::State& state) {
      const Problem problem = problem_in<T>(cache, 2);
      fused<T>(state, problem, all_rows(problem));
    });
    add(fmt::format("textbook/{}/{}", type_name<T>, cache),
        [=](benchmark::State& state) { textbook<T>(state, problem_in<T>(cache, 2)); });
  }
  for (const char* kind : {"free-alone", "free-among-obstacles", "mixed"}) add_rows<T>(kind);
}

const bool added = (add_benchmarks<float>(), add_benchmarks<double>(), true);

}  // namespace
}  // namespace boltzmark
