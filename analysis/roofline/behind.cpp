// What a model's fastest run has of the fastest there, and by which facts of both records it is behind.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/roofline/rows.hpp"
#include "analysis/support/json.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// A fact that differs, and how many times as slow it can make a run.
struct Cause {
  double times = 1.0;
  std::string words;
};

/// Of a run that has `more` times as much of what takes this part of its time.
double times_slower(double more, double part) { return 1.0 / (1.0 - std::clamp(part, 0.0, 1.0) * (1.0 - 1.0 / more)); }

class Causes {
 public:
  Causes(const Row& row, const Row& best, const Peaks* peaks)
      : row_(row), best_(best), device_(peaks ? find_device(*peaks, row.record->device) : nullptr) {}

  /// The largest until they explain half of what is missing, which is counted in factors; none where all do not.
  std::string words(double share) {
    add_workers();
    add_traffic();
    add_calls();
    add_halo();
    add_vectors();
    std::ranges::stable_sort(found_, std::greater(), &Cause::times);
    std::vector<std::string> said;
    double open = 0.5 * std::log(1.0 / share);
    for (const Cause& cause : found_) {
      if (open <= 0.0) break;
      said.push_back(cause.words);
      open -= std::log(cause.times);
    }
    return open <= 0.0 ? join(said, "; ") : "";
  }

 private:
  void add(double times, const std::string& words) {
    constexpr double counts = 1.1;
    if (times > counts) found_.push_back({times, words});
  }

  /// Known of processors; a device decides itself.
  void add_workers() {
    if (row_.threads == 0 || best_.threads == 0 || row_.workers() >= best_.workers()) return;
    add(static_cast<double>(best_.workers()) / row_.workers(),
        fmt::format("{} of {}", counted(row_.workers(), row_.ranks * best_.ranks > 1 ? "worker" : "thread"),
                    best_.workers()));
  }

  /// A pass through memory for fewer steps, or more bytes in a pass, by the part of its time that a copy of them takes.
  void add_traffic() {
    const auto steps = [](const Row& row) { return std::max<std::int64_t>(1, row.record->work.steps_per_launch); };
    const auto bytes = [](const Row& row) {
      const double own = number_in(row.record->settings, "memory_bytes_per_update").value_or(0.0);
      return own > 0.0 ? own : row.work.bytes / row.work.updates;
    };
    const double part = row_.roofline.share_of_roof.value_or(1.0) / static_cast<double>(steps(row_));
    if (steps(row_) < steps(best_))
      add(times_slower(static_cast<double>(steps(best_)) / static_cast<double>(steps(row_)), part),
          fmt::format("{} a sweep, best {}", counted(steps(row_), "step"), steps(best_)));
    else if (const double more = bytes(row_) / bytes(best_); more > 1.0)
      add(times_slower(more, part), fmt::format("moves {:.1f} times the bytes", more));
  }

  /// More launches, or waits of the host, of which each takes what starting a kernel does; where that is not known, as
  /// long as the run has of each at most so much time. A best run that counts none starts none. Of parts nobody counts
  /// them, but each has a launch that is waited for where the run has as many.
  void add_calls() {
    constexpr double short_call = 50e-6;
    if (!row_.record->calls) return;
    const double start = device_ ? device_->launch_seconds.median : 0.0, seconds = row_.time.median;
    const auto& theirs = best_.record->calls;
    if (!theirs && device_ && device_->wait_seconds.median > 0.0) return add_starts();
    if (!row_.part.empty()) return;
    const auto add_one = [&](const char* name, std::int64_t now, std::int64_t of_best, double each) {
      const double more = static_cast<double>(now) / static_cast<double>(std::max<std::int64_t>(1, of_best));
      if (now > of_best && (each > 0.0 || seconds < short_call * static_cast<double>(now)))
        add(times_slower(more, each > 0.0 ? each * static_cast<double>(now) / seconds : 1.0),
            fmt::format("{} {}, best {}", now, name, of_best));
    };
    const Calls& mine = *row_.record->calls;
    if (theirs) {
      add_one("launches", mine.launches, theirs->launches, start);
      add_one("waits", mine.waits, theirs->waits, 0.0);
    } else if (start > 0.0) {
      add(1.0 / (1.0 - std::min(0.99, start * static_cast<double>(mine.launches) / seconds)),
          fmt::format("{} of {}", counted(mine.launches, "kernel start"), microseconds(start)));
    }
  }

  /// Of the launches as many are waited for as the host waits.
  void add_starts() {
    const auto parts = static_cast<std::int64_t>(row_.record->parts.size());
    Calls calls = *row_.record->calls;
    if (!row_.part.empty()) calls = calls.launches < parts || calls.waits < parts ? Calls() : Calls{1, 1};
    const std::int64_t awaited = std::min(calls.launches, calls.waits), others = calls.launches - awaited;
    const double wait = device_->wait_seconds.median, start = device_->launch_seconds.median;
    const double all = wait * static_cast<double>(awaited) + start * static_cast<double>(others);
    std::string words = fmt::format("{} with a wait of {}", counted(awaited, "kernel start"), microseconds(wait));
    if (others > 0) words += fmt::format(", {} of {}", others, microseconds(start));
    add(1.0 / (1.0 - std::min(0.99, all / row_.time.median)), words);
  }

  void add_halo() {
    if (row_.halo_share)
      add(1.0 / (1.0 - std::min(*row_.halo_share, 0.99)),
          fmt::format("halo exchanges take {:.0f} % of its time", 100.0 * *row_.halo_share));
  }

  void add_vectors() {
    const auto lanes = [](const Row& row) {
      const auto& settings = row.record->settings;
      return number_in(settings, "vvl").value_or(number_in(settings, "vector_lanes").value_or(0.0));
    };
    const double mine = lanes(row_), theirs = lanes(best_);
    const bool are_alike = row_.record->device_type == best_.record->device_type;
    if (are_alike && mine > 0.0 && mine < theirs)
      add(theirs / mine, fmt::format("vectors of {:.0f}, best {:.0f}", mine, theirs));
  }

  const Row &row_, &best_;
  const DevicePeaks* device_;
  std::vector<Cause> found_;
};

/// Model and type of device.
std::string column_of(const Row& row) { return row.key.model + '|' + row.record->device_type; }

}  // namespace

std::string problem_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}|{}", row.source, row.key.workload, row.case_name, row.key.precision, row.part);
}

void add_shares(std::vector<Row>& rows, const Peaks* peaks) {
  ByName<ByName<Row*>> problems;  // the fastest of each column
  for (Row& row : rows) {
    row.share_of_best.reset();
    row.behind.clear();
    if (!row.is_right() || row.record->role == "peer" || row.source != "runs") continue;
    keep_faster(problems[problem_of(row)][column_of(row)], row);
  }
  for (const auto& [problem, columns] : problems) {
    const Row& best = *std::ranges::max_element(columns, {}, [](const auto& column) {
                         return updates_per_second(*column.second);
                       })->second;
    for (const auto& [column, row] : columns) {
      row->share_of_best = updates_per_second(*row) / updates_per_second(best);
      if (*row->share_of_best < behind_below) row->behind = Causes(*row, best, peaks).words(*row->share_of_best);
    }
  }
}

}  // namespace boltzmark
