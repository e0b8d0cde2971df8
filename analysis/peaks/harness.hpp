// Shared by the measuring programs: their command line, and manually timed benchmarks.
#pragma once

#include "analysis/store/peaks.hpp"
#include "common/run/program.hpp"

namespace boltzmark {

struct MeasuringProgram {
  std::string name;
  std::function<Peaks()> describe;  ///< the machine, without figures, for --describe; may throw Error
  std::function<void()> add_benchmarks;
};

/// Parses Google Benchmark's options and ours, then measures or describes. Returns the exit status.
int measuring_main(int argc, char** argv, const MeasuringProgram& program);

/// Result of a timed batch of work.
struct Batch {
  double seconds = 0.0;
  double clock_hz = 0.0;         ///< 0: not measured
  double visible_seconds = 0.0;  ///< part of `seconds` not hidden by other work; 0: no other work
};

/// Work that is measured in batches of equal rounds.
struct TimedWork {
  double bytes_a_round = 0.0;   ///< moved, as STREAM counts
  double items_a_round = 0.0;   ///< FLOPs, or kernel launches
  double batch_seconds = 1e-3;  ///< target duration of a batch, at which its start and end do not matter
  std::function<Batch(long rounds)> run;
};

/// Registers a benchmark under that name. `make` is called before the first batch; an Error it throws, or one of the
/// batches, is the benchmark's result. A batch has as many rounds as take a millisecond; a repetition has as many
/// batches as fill --min-time. `repetitions`: their number, independent of the command line.
void add_benchmark(const std::string& name, std::function<TimedWork()> make, int repetitions = 0);

}  // namespace boltzmark
