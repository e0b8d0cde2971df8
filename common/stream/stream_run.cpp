#include "common/stream/stream_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/output.hpp"
#include "common/stages.hpp"
#include "common/stream/stream_record.hpp"

namespace boltzmark {
namespace {

/// One call: a stage a function, in the order of `execute`.
class StreamRun {
 public:
  StreamRun(const Backend& backend, Team& team, const Options& options, const std::string& command)
      : backend_(backend), team_(team), stages_(backend, team), options_(options), result_{backend, options} {
    result_.command = command;
  }

  int execute() {
    result_.provenance = provenance_now();
    if (const int status = stages_.together([this] { stream_ = backend_.make_stream(options_); }))
      return status;
    if (const int status = stages_.together([this] { choose_size(); })) return status;
    if (const int status = stages_.together([this] { stream_->init(result_.elements); })) return status;
    if (const int status = stages_.together([this] {
          if (team_.is_root() && !options_.json.empty()) expect_writable(options_.json);
        }))
      return status;
    stages_.warn(options_);
    stages_.alone([this] {
      time_kernels();
      check_arrays();
      result_.facts = stream_->facts();
    });
    return team_.is_root() ? finish() : 0;
  }

 private:
  static constexpr int usual_repeats = 20;  // steady, and a few seconds at most

  void choose_size() {
    result_.memory = stream_->memory();
    result_.elements = choose_stream_elements(*stream_, options_.stream_elements, options_.precision);
  }

  void time_kernels() {
    const int repeats = options_.repeat.value_or(usual_repeats);
    result_.warm_up_runs = 1;
    for (int turn = -result_.warm_up_runs; turn < repeats; ++turn) {
      expected_.turn(options_.precision);
      for (std::size_t number = 0; number < stream_kernels.size(); ++number) {
        const double seconds = time_kernel(static_cast<StreamOperation>(number));
        if (turn >= 0) result_.kernels[number].seconds.push_back(seconds);
      }
    }
  }

  /// Seconds from the moment when all ranks are ready to the end of the slowest.
  double time_kernel(StreamOperation operation) {
    constexpr double clock_tick = 1e-9;
    team_.barrier();
    const auto start = Clock::now();
    const double sum = boltzmark::execute(*stream_, operation);
    const double seconds = team_.largest(seconds_since(start));
    if (operation == StreamOperation::dot) {
      const double expected = static_cast<double>(result_.elements) * expected_.a * expected_.b;
      double& error = times_of(operation).error;
      error = std::max(error, relative_error(sum, expected));
    }
    return std::max(seconds, clock_tick);
  }

  /// What is left in an array tells of all executions before: each turn begins with what the last one left. A
  /// copy is only seen in `b`, which was made from it.
  void check_arrays() {
    const double a = error_of(StreamArray::a, expected_.a), b = error_of(StreamArray::b, expected_.b),
                 c = error_of(StreamArray::c, expected_.c);
    times_of(StreamOperation::copy).error = times_of(StreamOperation::mul).error = b;
    times_of(StreamOperation::add).error = c;
    times_of(StreamOperation::triad).error = a;
  }
  double error_of(StreamArray array, double expected) {
    return team_.largest(stream_error(*stream_, array, expected));
  }

  StreamTimes& times_of(StreamOperation operation) {
    return result_.kernels[static_cast<std::size_t>(operation)];
  }

  /// Writes, prints and judges on the root rank.
  int finish() const {
    const auto failure = attempt([this] {
      if (!options_.json.empty()) append_line(options_.json, make_stream_record(result_).dump());
    });
    if (failure.status) {
      print_error(backend_, failure.line);
      return failure.status;
    }
    if (!options_.quiet) report();
    if (result_.passed()) return 0;
    for (std::size_t number = 0; number < stream_kernels.size(); ++number)
      if (!result_.passed(result_.kernels[number])) {
        print_error(
            backend_,
            fmt::format("the result is wrong: {} deviates by {:.2e}, where {:.1e} is allowed",
                        stream_kernels[number].name, result_.kernels[number].error, result_.tolerance()));
        break;
      }
    return static_cast<int>(ExitStatus::wrong_result);
  }

  void report() const {
    constexpr double mib = 1 << 20;
    const StreamFacts& facts = result_.facts;
    fmt::print("model:\t\t{} {}, {} rank{} x {}\n", backend_.name, to_string(options_.precision), facts.ranks,
               facts.ranks == 1 ? "" : "s",
               facts.threads == 0   ? "as many threads as the device decides"
               : facts.threads == 1 ? "1 thread"
                                    : fmt::format("{} threads", facts.threads));
    fmt::print("device:\t\t{}\n", facts.device);
    fmt::print("arrays:\t\t3 of {} elements, {:.4g} MiB each; last-level cache {}\n", result_.elements,
               static_cast<double>(result_.elements) * result_.value_bytes() / mib,
               result_.memory.cache_bytes > 0
                   ? fmt::format("{:.4g} MiB", static_cast<double>(result_.memory.cache_bytes) / mib)
                   : "unknown");
    fmt::print("bytes:\t\t{}\n",
               facts.write_allocate ? "as STREAM counts; \"moved\" adds the lines that are read because they "
                                      "will be written"
                                    : "as STREAM counts, which is what the hardware moves");
    fmt::print("{:<8}{:>10}{:>10}{:>14}{:>14}{:>14}  {}\n", "kernel", "GB/s", "moved", "min s", "median s",
               "max s", "check");
    for (std::size_t number = 0; number < stream_kernels.size(); ++number) {
      const StreamTimes& times = result_.kernels[number];
      fmt::print("{:<8}{:>10.2f}{:>10.2f}{:>14.6f}{:>14.6f}{:>14.6f}  {}\n", stream_kernels[number].name,
                 result_.gb_per_s(number, times.least()),
                 1e-9 * static_cast<double>(result_.bytes_moved(number)) / times.least(), times.least(),
                 times.median_seconds(), times.most(), result_.passed(times) ? "right" : "WRONG");
    }
  }

  const Backend& backend_;
  Team& team_;
  Stages stages_;
  const Options& options_;
  std::unique_ptr<Stream> stream_;
  StreamOutcome result_;
  StreamValues expected_ = StreamValues::start(options_.precision);
};

}  // namespace

int run_stream(const Backend& backend, Team& team, const Options& options, const std::string& command) {
  return StreamRun(backend, team, options, command).execute();
}

}  // namespace boltzmark
