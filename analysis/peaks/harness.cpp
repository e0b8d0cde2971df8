#include "analysis/peaks/harness.hpp"

#include <benchmark/benchmark.h>

#include <iostream>

#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/run/json.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

constexpr std::string_view min_time_option = "--min-time=";
double min_time_seconds = 0.005;  // its value; read once the command line is

double min_time_in(std::string_view text) {
  const auto seconds = parse_number<double>(text);
  if (seconds && *seconds >= 1e-6 && *seconds <= 1e3) return *seconds;
  throw bad_input("--min-time: expected seconds from 1e-6 to 1000, found {}", quoted(text));
}

/// Each of several tries is long enough: a single one may have been interrupted, which looks like more work.
long rounds_in_batch(const TimedWork& work) {
  constexpr int tries = 3;
  const double least = 0.7 * std::min(work.batch_seconds, min_time_seconds);
  const double warm_up = work.run(1).seconds;
  if (warm_up > 10.0 * least) return 1;
  for (long rounds = 1;; rounds *= 2) {
    int long_ones = 0;
    while (long_ones < tries && work.run(rounds).seconds >= least) ++long_ones;
    if (long_ones == tries) return rounds;
  }
}

/// A benchmark: its work and the rounds of a batch are found before its first batch.
struct Benchmark {
  std::function<TimedWork()> make;
  std::optional<TimedWork> work = {};
  long rounds = 1;
};

void repeat(Benchmark& one, benchmark::State& state) {
  if (!one.work) {
    one.work = one.make();
    one.rounds = rounds_in_batch(*one.work);
  }
  double clock_hz = 0.0, visible_seconds = 0.0;
  Batch fastest{.seconds = std::numeric_limits<double>::infinity()};
  for ([[maybe_unused]] auto batch : state) {
    const Batch done = one.work->run(one.rounds);
    state.SetIterationTime(done.seconds);
    clock_hz += done.clock_hz;
    visible_seconds += done.visible_seconds;
    if (done.seconds < fastest.seconds) fastest = done;
  }
  const auto batches = static_cast<double>(state.iterations()), rounds = static_cast<double>(one.rounds);
  const auto whole = [](double value) { return static_cast<std::int64_t>(value); };
  if (one.work->bytes_a_round > 0.0) state.SetBytesProcessed(whole(batches * rounds * one.work->bytes_a_round));
  if (one.work->items_a_round > 0.0) state.SetItemsProcessed(whole(batches * rounds * one.work->items_a_round));
  if (visible_seconds > 0.0) state.counters["visible_seconds"] = visible_seconds / (batches * rounds);
  if (fastest.clock_hz <= 0.0) return;
  state.counters["clock_hz"] = clock_hz / batches;
  state.counters["items_per_cycle"] = rounds * one.work->items_a_round / (fastest.seconds * fastest.clock_hz);
}

void print_help() {
  print(
      "Measures the peak rates of a machine; `boltzmark peaks` runs it and reads its output.\n  --describe    print "
      "the machine without measuring\n  --min-time=S  least duration of a repetition in seconds; default {}\n  "
      "--version\nand the options of Google Benchmark:\n",
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
  peaks.compiler = here.compiler;
  peaks.flags = here.flags;
  return peaks;
}

int run(int argc, char** argv, const MeasuringProgram& program) {
  // Left out for people, for whom the description is kilobytes of noise.
  const bool is_for_a_program = std::any_of(argv, argv + argc, [](std::string_view word) {
    return word.starts_with("--benchmark_out=") || word == "--benchmark_format=json";
  });
  benchmark::Initialize(&argc, argv, print_help);
  bool describe = false;
  for (int i = 1; i < argc; ++i) {  // words that Google Benchmark left
    const std::string_view word = argv[i];
    if (word == "--version") {
      print("{} {}\n", program.name, version_line());
      return 0;
    }
    if (word == "--describe")
      describe = true;
    else if (word.starts_with(min_time_option))
      min_time_seconds = min_time_in(word.substr(min_time_option.size()));
    else
      throw bad_input("expected options that --help lists, found {}", quoted(word));
  }
  const nlohmann::json description = described(program);
  if (describe) {
    print("{}\n", json_line(description, 1));
    return 0;
  }
  if (is_for_a_program) benchmark::AddCustomContext("boltzmark", json_line(description));
  program.add_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace

void add_benchmark(const std::string& name, std::function<TimedWork()> make, int repetitions) {
  // A failed benchmark is left out for good: if its first repetition fails and others do not, as on a busy machine, the
  // library aborts instead of computing statistics.
  const auto timed = [one = std::make_shared<Benchmark>(Benchmark{std::move(make)}),
                      failure = std::make_shared<std::string>()](benchmark::State& state) {
    if (!failure->empty()) return state.SkipWithError(failure->c_str());
    try {
      repeat(*one, state);
    } catch (const std::exception& error) {
      *failure = error.what();
      state.SkipWithError(failure->c_str());
    }
  };
  auto* const added = benchmark::RegisterBenchmark(name.c_str(), timed);
  added->UseManualTime()->MinTime(min_time_seconds)->Unit(benchmark::kMicrosecond);
  if (repetitions > 0) added->Repetitions(repetitions);
}

int measuring_main(int argc, char** argv, const MeasuringProgram& program) {
  return guarded_main(program.name, [&] {
    const int status = run(argc, argv, program);
    std::cout.flush();  // Google Benchmark's tables go there
    if (!std::cout.good()) throw bad_input("standard output: expected to write all of it, found that some was lost");
    return status;
  });
}

}  // namespace boltzmark
