#include "analysis/roofline/shortfall.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/roofline/comparison.hpp"
#include "analysis/roofline/roofline.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

constexpr const char* reference_model = "openmp";
constexpr double falls_short = 0.9;

bool is_on_processor(const Row& row) {
  return row.is_right() && row.record && row.record->device_type == "cpu";
}

/// The fastest of OpenMP in the same case, on the same machine.
const Row* reference_of(const Row& row, const std::vector<Row>& rows) {
  for (const Row& other : rows)
    if (other.is_best_of_model && other.key.model == reference_model && other.source == row.source &&
        case_of(other) == case_of(row) && is_on_processor(other) &&
        other.record->provenance.host == row.record->provenance.host)
      return &other;
  return nullptr;
}

/// Something that takes time in every step, and what it is.
struct Cost {
  double seconds = 0.0;
  std::string what;
};

Cost launch_cost(const Row& row, const Peaks* peaks) {
  const DevicePeaks* const device = peaks ? find_device(*peaks, row.record->device) : nullptr;
  if (!device || row.record->work.steps_per_launch < 1) return {};
  const double start = device->launch_seconds.median,
               launches = 1.0 / double(row.record->work.steps_per_launch);
  return {start * launches, fmt::format("starting kernels, {} for every {}", microseconds(start),
                                        counted(row.record->work.steps_per_launch, "step"))};
}

Cost halo_cost(const Row& row, double step) {
  if (!row.halo_share) return {};
  return {*row.halo_share * step,
          fmt::format("halo exchanges, {:.0f} % of the time", 100.0 * *row.halo_share)};
}

/// Of a step by itself where the reference takes several through the caches.
Cost memory_cost(const Row& row, const Row& reference, double step) {
  const RooflineAnalysis& r = row.roofline;
  if (!r.share_of_roof || row.record->work.steps_per_launch > 1 ||
      reference.record->work.steps_per_launch == 1)
    return {};
  return {
      std::min(1.0, *r.share_of_roof) * step,
      fmt::format(
          "moving all data through {} in every step, at {:.0f} % of a copy, where OpenMP takes {} in a sweep",
          r.roof, 100.0 * *r.share_of_roof, counted(reference.record->work.steps_per_launch, "step"))};
}

/// In one sentence, with the figures of the largest cost that explains half of what is missing.
std::string behind(const Row& row, const Row& reference, const Peaks* peaks) {
  const auto steps = static_cast<double>(std::max<std::int64_t>(1, row.steps()));
  const double step = row.time.median / steps, gap = step - reference.time.median / steps;
  const bool has_workers = row.record->threads > 0;
  const std::string how_much =
      fmt::format("of a step's {}, {} are beyond OpenMP's", microseconds(step), microseconds(gap));
  if (has_workers && row.workers() < reference.workers())
    return fmt::format("{}: {} where OpenMP has {}", how_much, counted(row.workers(), "worker"),
                       reference.workers());
  const Cost costs[] = {launch_cost(row, peaks), halo_cost(row, step), memory_cost(row, reference, step)};
  const Cost& largest = *std::max_element(std::begin(costs), std::end(costs),
                                          [](const Cost& a, const Cost& b) { return a.seconds < b.seconds; });
  if (largest.seconds > 0.5 * gap)
    return fmt::format("{}; {} of them are {}", how_much, microseconds(std::min(gap, largest.seconds)),
                       largest.what);
  return fmt::format(
      "{}; launches, exchanges and memory explain {} of them at most, so it is the update itself and waiting: {:.4g} GFLOP/s "
      "where OpenMP has {:.4g}",
      how_much, microseconds(largest.seconds), row.gflop_per_s.median, reference.gflop_per_s.median);
}

}  // namespace

void add_shortfalls(std::vector<Row>& rows, const Peaks* peaks) {
  for (Row& row : rows) {
    if (!row.is_best_of_model || row.key.model == reference_model || !is_on_processor(row)) continue;
    const Row* const reference = reference_of(row, rows);
    if (!reference) continue;
    row.of_openmp = reference->time.median / row.time.median;
    if (*row.of_openmp < falls_short) row.behind_openmp = behind(row, *reference, peaks);
  }
}

}  // namespace boltzmark
