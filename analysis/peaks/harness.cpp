#include "analysis/peaks/harness.hpp"

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>
#include <string_view>

#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

double min_time_seconds = 0.01;  // --min-time; read once the command line is

/// Rounds that fill a batch: so many that none of a few tries is short. A single one may have been
/// interrupted, and what waits for an interrupted core or device looks like much work.
long rounds_in_batch(const Workload& work) {
  constexpr int tries = 3;
  const double least = 0.7 * std::min(work.batch_seconds, min_time_seconds);
  work.run(1);  // whatever is slower the first time
  for (long rounds = 1;; rounds *= 2) {
    int long_ones = 0;
    while (long_ones < tries && work.run(rounds).seconds >= least) ++long_ones;
    if (long_ones == tries) return rounds;
  }
}

/// A benchmark with what is found out before its first batch.
class Benchmark {
 public:
  explicit Benchmark(std::function<Workload()> make) : make_(std::move(make)) {}

  void repeat(benchmark::State& state) {
    try {
      prepare();
      Batch sum, fastest{.seconds = std::numeric_limits<double>::infinity()};
      for ([[maybe_unused]] auto batch : state) {
        const Batch done = work_->run(rounds_);
        state.SetIterationTime(done.seconds);
        sum.clock_hz += done.clock_hz;
        if (done.seconds < fastest.seconds) fastest = done;
      }
      report(state, sum, fastest);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  }

 private:
  void prepare() {
    if (work_) return;
    work_ = make_();
    rounds_ = rounds_in_batch(*work_);
  }

  void report(benchmark::State& state, const Batch& sum, const Batch& fastest) const {
    const auto batches = static_cast<double>(state.iterations()), rounds = static_cast<double>(rounds_);
    const auto whole = [](double value) { return static_cast<std::int64_t>(value); };
    if (work_->bytes_a_round > 0.0) state.SetBytesProcessed(whole(batches * rounds * work_->bytes_a_round));
    if (work_->items_a_round > 0.0) state.SetItemsProcessed(whole(batches * rounds * work_->items_a_round));
    if (fastest.clock_hz <= 0.0) return;
    state.counters["clock_hz"] = sum.clock_hz / batches;
    state.counters["items_per_cycle"] = rounds * work_->items_a_round / (fastest.seconds * fastest.clock_hz);
  }

  std::function<Workload()> make_;
  std::optional<Workload> work_;
  long rounds_ = 1;
};

/// Our own options; Google Benchmark has taken its own out already.
struct Options {
  bool describe = false, stop = false;
};

Options parse(int argc, char** argv, const MeasuringProgram& program) {
  Options options;
  CLI::App app(program.summary, program.name);
  app.set_help_flag();  // Google Benchmark's
  app.set_version_flag("--version", fmt::format("{} {}", program.name, version_line()));
  app.add_flag("--describe", options.describe);
  app.add_option("--min-time", min_time_seconds)->check(CLI::Range(1e-6, 1e3));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& version) {
    print("{}\n", version.what());
    options.stop = true;
  } catch (const CLI::ParseError& error) {
    throw bad_input("{}; see --help", error.what());
  }
  return options;
}

void print_help() {
  print(
      "Measures what a machine can do; `boltzmark peaks` runs it and reads what it writes.\n"
      "  --describe    print the machine and measure nothing\n"
      "  --min-time S  seconds that a repetition lasts at least; default {}\n"
      "  --version\n"
      "and the options of Google Benchmark:\n",
      min_time_seconds);
  std::fflush(stdout);
  benchmark::PrintDefaultHelp();
}

Peaks described(const MeasuringProgram& program) {
  Peaks peaks = program.describe();
  const Provenance here = provenance_now();
  peaks.host = here.host;
  peaks.date = here.date;
  peaks.revision = here.revision;
  peaks.compiler = program.build.compiler;
  peaks.flags = program.build.flags;
  return peaks;
}

int run(int argc, char** argv, const MeasuringProgram& program) {
  // For people the description is kilobytes of noise.
  const bool is_for_a_program = std::any_of(argv, argv + argc, [](std::string_view word) {
    return word.starts_with("--benchmark_out=") || word == "--benchmark_format=json";
  });
  benchmark::Initialize(&argc, argv, print_help);
  const Options options = parse(argc, argv, program);
  if (options.stop) return 0;
  const nlohmann::json description = described(program);
  if (options.describe) {
    print("{}\n", description.dump(1));
    return 0;
  }
  if (is_for_a_program) benchmark::AddCustomContext("boltzmark", description.dump());
  program.add_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace

void add_benchmark(const std::string& name, std::function<Workload()> make) {
  const auto kept = std::make_shared<Benchmark>(std::move(make));
  benchmark::RegisterBenchmark(name.c_str(), [kept](benchmark::State& state) { kept->repeat(state); })
      ->UseManualTime()
      ->MinTime(min_time_seconds)
      ->Unit(benchmark::kMicrosecond);
}

int measuring_main(int argc, char** argv, const MeasuringProgram& program) {
  try {
    const int status = run(argc, argv, program);
    std::cout.flush();  // Google Benchmark's tables go there
    if (std::cout.good() && flush_output()) return status;
    throw bad_input("expected to write to standard output, found that some of it was lost");
  } catch (const Error& error) {
    print_error(program.name, error.what());
    return static_cast<int>(error.status());
  } catch (const std::exception& error) {
    print_error(program.name, error.what());
    return static_cast<int>(ExitStatus::bad_input);
  }
}

}  // namespace boltzmark
