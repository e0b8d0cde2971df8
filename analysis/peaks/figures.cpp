#include "analysis/peaks/figures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "analysis/peaks/plateau.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

constexpr double giga = 1e9;
constexpr double usual_share = 0.9;  // of what clock and units allow

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

/// Whether the sample has figures of this kind; a note says why not. `what` names it to a reader.
bool is_measured(const Sample& sample, const std::vector<double>& figures, const std::string& what,
                 std::vector<std::string>& notes) {
  if (sample.error.empty() && !figures.empty()) return true;
  notes.push_back(fmt::format("{}: not measured: {}", what, sample.error.empty() ? "no figure" : sample.error));
  return false;
}

std::string described(const ComputePeak& peak) {
  std::string text = fmt::format("{} {}", peak.precision, peak.fma ? "with FMA" : "without FMA");
  if (peak.vector_bits > 0) text += fmt::format(", {} bits", peak.vector_bits);
  if (peak.cores > 0) text += ", " + counted(peak.cores, "core");
  return text;
}

MeasuredPoint point_of(const Sample& sample, int cores) {
  return {.pattern = sample.label("pattern"),
          .cores = cores,
          .working_set_bytes = sample.number("bytes"),
          .gb_per_s = scaled(sample.bytes_per_second, 1.0 / giga)};
}

int bits_of(const std::string& precision) { return precision == "f64" ? 64 : 32; }

/// FLOPs of one vector instruction.
double flops_of_instruction(const ComputePeak& peak) {
  return peak.vector_bits / bits_of(peak.precision) * (peak.fma ? 2.0 : 1.0);
}

/// What tells kernels apart, whatever the cores.
using KernelKey = std::tuple<std::string, bool, int>;
KernelKey key_of(const ComputePeak& peak) { return {peak.precision, peak.fma, peak.vector_bits}; }

/// Units of a core by kernel: the most that any repetition's fastest batch showed, on one core or on all.
class Units {
 public:
  void add(const ComputePeak& peak, const std::vector<double>& flops_per_cycle) {
    double& most = units_[key_of(peak)];
    for (const double flops : flops_per_cycle)
      most = std::max(most, units_from(flops / (peak.cores * flops_of_instruction(peak))));
  }
  /// Fills in what the clock allows.
  void add_expectation(ComputePeak& peak) const {
    const auto at = units_.find(key_of(peak));
    if (at != units_.end() && at->second > 0.0 && peak.clock_ghz)
      peak.expected_gflop_per_s = peak.cores * *peak.clock_ghz * flops_of_instruction(peak) * at->second;
  }

 private:
  std::map<KernelKey, double> units_;
};

/// Rates well below what the clock allows say that something else was at work. One line, with the worst.
void note_disturbance(ProcessorPeaks& processor) {
  const ComputePeak* worst = nullptr;
  double least = usual_share;
  int disturbed = 0;
  for (const ComputePeak& peak : processor.computes) {
    if (!peak.expected_gflop_per_s) continue;
    const double share = peak.gflop_per_s.median / *peak.expected_gflop_per_s;
    if (share < usual_share) ++disturbed;
    if (share < least) {
      least = share;
      worst = &peak;
    }
  }
  if (!worst) return;
  processor.notes.push_back(fmt::format(
      "{} of {} FLOP rates are below {:.0f} % of what clock and units allow ({}: {:.0f} %): the machine was "
      "not "
      "idle, or is shared; --fresh measures again",
      disturbed, processor.computes.size(), 100.0 * usual_share, described(*worst), 100.0 * least));
}

ComputePeak compute_of(const Sample& sample, int cores, int vector_bits) {
  ComputePeak peak{.precision = sample.label("precision"),
                   .fma = sample.number("fma") != 0,
                   .cores = cores,
                   .vector_bits = vector_bits,
                   .gflop_per_s = {},
                   .clock_ghz = {},
                   .expected_gflop_per_s = {}};
  if (!sample.items_per_second.empty()) peak.gflop_per_s = spread_of(scaled(sample.items_per_second, 1.0 / giga));
  if (!sample.clock_hz.empty()) peak.clock_ghz = spread_of(sample.clock_hz).median / giga;
  return peak;
}

DevicePeaks& device_of(const Sample& sample, Peaks& peaks) {
  const long number = sample.number("device");
  if (number < 0 || number >= static_cast<long>(peaks.devices.size()))
    throw bad_input("benchmark {}: expected a device below {}, found {}", sample.kind, peaks.devices.size(), number);
  return peaks.devices[static_cast<std::size_t>(number)];
}

void add_compute(const Sample& sample, DevicePeaks& device) {
  const ComputePeak peak = compute_of(sample, 0, 0);
  if (is_measured(sample, sample.items_per_second, described(peak), device.notes)) device.computes.push_back(peak);
}

void add_local(const Sample& sample, DevicePeaks& device) {
  const std::string pattern = sample.label("pattern");
  if (!is_measured(sample, sample.bytes_per_second, "local memory", device.notes)) return;
  device.bandwidths.push_back({.level = "local",
                               .pattern = pattern,
                               .cores = 0,
                               .gb_per_s = spread_of(scaled(sample.bytes_per_second, 1.0 / giga)),
                               .from_bytes = device.local_bytes,
                               .to_bytes = device.local_bytes});
}

void add_launch(const Sample& sample, DevicePeaks& device) {
  if (!is_measured(sample, sample.items_per_second, "kernel launch", device.notes)) return;
  std::vector<double> seconds;
  for (const double launches_per_s : sample.items_per_second) seconds.push_back(1.0 / launches_per_s);
  device.launch_seconds = spread_of(seconds);
}

void add_transfer(const Sample& sample, DevicePeaks& device) {
  const bool to_device = sample.label("direction") == "to";
  if (!is_measured(sample, sample.bytes_per_second, to_device ? "host to device" : "device to host", device.notes))
    return;
  (to_device ? device.to_device_gb_per_s : device.from_device_gb_per_s) =
      spread_of(scaled(sample.bytes_per_second, 1.0 / giga));
}

/// Benchmarks come in random order; figures stand from the widest and fastest kind on.
bool comes_before(const ComputePeak& a, const ComputePeak& b) {
  return std::tuple(a.precision, !a.fma, -a.vector_bits, a.cores) <
         std::tuple(b.precision, !b.fma, -b.vector_bits, b.cores);
}

}  // namespace

double units_from(double instructions_per_cycle) {
  return instructions_per_cycle < 0.75 ? 0.5 : std::round(instructions_per_cycle);
}

void add_processor_figures(const std::vector<Sample>& samples, Peaks& peaks) {
  ProcessorPeaks& processor = peaks.processor;
  std::vector<MeasuredPoint> points;
  Units units;
  for (const Sample& sample : samples) {
    const int cores = static_cast<int>(sample.number("cores"));
    if (sample.kind == "bandwidth") {
      const std::string what = fmt::format("{} of {} bytes", sample.label("pattern"), sample.label("bytes"));
      if (is_measured(sample, sample.bytes_per_second, what, processor.notes))
        points.push_back(point_of(sample, cores));
    } else if (sample.kind == "compute") {
      const ComputePeak peak = compute_of(sample, cores, static_cast<int>(sample.number("bits")));
      if (!is_measured(sample, sample.items_per_second, described(peak), processor.notes)) continue;
      processor.computes.push_back(peak);
      units.add(peak, sample.items_per_cycle);
    }
  }
  std::sort(processor.computes.begin(), processor.computes.end(), comes_before);
  for (ComputePeak& peak : processor.computes) units.add_expectation(peak);
  note_disturbance(processor);
  if (std::none_of(processor.computes.begin(), processor.computes.end(),
                   [](const ComputePeak& peak) { return peak.fma; }))
    processor.notes.push_back("FMA: left out: this build has no such instruction (see the compiler flags)");
  std::sort(points.begin(), points.end(), [](const MeasuredPoint& a, const MeasuredPoint& b) {
    return std::tie(a.cores, a.pattern, a.working_set_bytes) < std::tie(b.cores, b.pattern, b.working_set_bytes);
  });
  for (const MeasuredPoint& point : points)
    peaks.sweep.push_back({.pattern = point.pattern,
                           .cores = point.cores,
                           .working_set_bytes = point.working_set_bytes,
                           .gb_per_s = spread_of(point.gb_per_s)});
  processor.bandwidths = pick_plateaus(points, processor.caches, processor.notes);
}

void add_device_figures(const std::vector<Sample>& samples, Peaks& peaks) {
  std::map<DevicePeaks*, std::vector<MeasuredPoint>> points;
  for (const Sample& sample : samples) {
    DevicePeaks& device = device_of(sample, peaks);
    if (sample.kind == "bandwidth") {
      const std::string what = fmt::format("{} of {} bytes", sample.label("pattern"), sample.label("bytes"));
      if (is_measured(sample, sample.bytes_per_second, what, device.notes))
        points[&device].push_back(point_of(sample, 0));
    } else if (sample.kind == "compute") {
      add_compute(sample, device);
    } else if (sample.kind == "local") {
      add_local(sample, device);
    } else if (sample.kind == "launch") {
      add_launch(sample, device);
    } else if (sample.kind == "transfer") {
      add_transfer(sample, device);
    }
  }
  for (DevicePeaks& device : peaks.devices) {
    std::sort(device.computes.begin(), device.computes.end(), comes_before);
    const auto plateaus = pick_device_plateaus(points[&device], device.notes);
    device.bandwidths.insert(device.bandwidths.begin(), plateaus.begin(), plateaus.end());
  }
}

}  // namespace boltzmark
