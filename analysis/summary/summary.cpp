#include "analysis/summary/summary.hpp"

#include <fmt/core.h>

#include <cmath>
#include <functional>

#include "analysis/roofline/row_text.hpp"
#include "common/lbm/check.hpp"

namespace boltzmark {
namespace {

using Fits = std::function<bool(const Row&)>;

const Row* fastest(const std::vector<Row>& rows, const Fits& fits, double (*rate)(const Row&)) {
  const Row* best = nullptr;
  for (const Row& row : rows)
    if (row.source != "tuning" && row.is_right() && fits(row) && (!best || rate(row) > rate(*best))) best = &row;
  return best;
}

/// A rate at its row's median and at the ends of the median's interval.
Spread with_interval(const Row& row, double rate) {
  const Spread& time = row.time_interval;
  return {rate, rate * time.median / time.maximum, rate * time.median / time.minimum};
}

void add_peaks(const Peaks& peaks, std::vector<MachineFigure>& figures) {
  const ProcessorPeaks& processor = peaks.processor;
  for (const int cores : {1, processor.cores}) {
    if (cores == 1 && processor.cores == 1) continue;
    const std::string on = cores == 1 ? "one core" : "all cores";
    if (const auto* copy = find_bandwidth(processor.bandwidths, "DRAM", "copy", cores))
      figures.push_back({"memory, copy, " + on, "GB/s", copy->gb_per_s, ""});
    for (const char* precision : {"f32", "f64"})
      if (const auto* fma = find_compute(processor.computes, precision, true, cores))
        figures.push_back({fmt::format("multiply-adds {}, {}", precision, on), "GFLOP/s", fma->gflop_per_s, ""});
  }
  for (const DevicePeaks& device : peaks.devices) {
    const std::string name = device.type == "cpu" ? device.platform : plain_device(device.name);
    if (const auto* copy = find_bandwidth(device.bandwidths, "memory", "copy", 0))
      figures.push_back({name + ", copy", "GB/s", copy->gb_per_s, ""});
    for (const char* precision : {"f32", "f64"})
      if (const auto* fma = find_compute(device.computes, precision, true, 0))
        figures.push_back({fmt::format("{}, multiply-adds {}", name, precision), "GFLOP/s", fma->gflop_per_s, ""});
  }
}

void add_stream(const std::vector<Row>& rows, std::vector<MachineFigure>& figures) {
  for (const char* precision : {"f32", "f64"}) {
    const auto fits = [&](const Row& row) {
      return row.key.workload == "stream" && row.part == "triad" && row.key.precision == precision;
    };
    if (const Row* row = fastest(rows, fits, [](const Row& r) { return r.gb_per_s.median; }))
      figures.push_back({fmt::format("STREAM triad {}", precision), "GB/s", with_interval(*row, row->gb_per_s.median),
                         program_words(*row)});
  }
}

void add_lbm(const std::vector<Row>& rows, std::vector<MachineFigure>& figures) {
  for (const char* precision : {"f32", "f64"}) {
    for (const bool like_for_like : {true, false})
      for (const char* problem : standard_problems)
        if (const Row* row = fastest_run(rows, problem, precision, like_for_like))
          figures.push_back({fmt::format("lbm {} {}, {}", problem, precision, like_for_like ? "like for like" : "best"),
                             "MLUPS", with_interval(*row, row->rate->median), program_words(*row)});
    if (const auto mean = machine_mean(rows, precision))
      figures.push_back({fmt::format("lbm {}, geometric mean", precision), "MLUPS", *mean, ""});
  }
}

}  // namespace

std::string program_words(const Row& row) {
  const std::string on = row.record->device_type == "cpu" ? "" : " on " + plain_device(row.device);
  const std::string workers = workers_words(row), setting = row.setting.empty() ? "" : ' ' + row.setting;
  return fmt::format("{} {}{}{}{}", row.key.model, row.variant, setting, workers == "-" ? "" : ' ' + workers, on);
}

const Row* fastest_run(const std::vector<Row>& rows, const std::string& problem, const std::string& precision,
                       bool like_for_like) {
  const double most = lbm::tolerance(precision == "f64" ? Precision::f64 : Precision::f32);
  const auto fits = [&](const Row& row) {
    return row.key.workload == "lbm" && row.case_name == problem && row.key.precision == precision && row.rate &&
           row.record->case_.extent.size() == 2 && row.check.tolerance <= most &&
           (!like_for_like || row.record->role == "like-for-like");
  };
  return fastest(rows, fits, [](const Row& row) { return row.rate->median; });
}

std::optional<Spread> machine_mean(const std::vector<Row>& rows, const std::string& precision) {
  Spread logs;
  bool has_interval = true;
  for (const char* problem : standard_problems) {
    const Row* const row = fastest_run(rows, problem, precision, false);
    if (!row) return {};
    const Spread rate = with_interval(*row, row->rate->median);
    if (rate.minimum == rate.maximum) has_interval = false;
    logs.median += std::log(rate.median);
    logs.minimum += std::log(rate.minimum);
    logs.maximum += std::log(rate.maximum);
  }
  const auto mean = [](double sum) { return std::exp(sum / static_cast<double>(standard_problems.size())); };
  if (!has_interval) return Spread{mean(logs.median), mean(logs.median), mean(logs.median)};
  return Spread{mean(logs.median), mean(logs.minimum), mean(logs.maximum)};
}

std::vector<MachineFigure> machine_figures(const Results& results, const std::vector<Row>& rows) {
  std::vector<MachineFigure> figures;
  if (results.peaks) add_peaks(*results.peaks, figures);
  add_stream(rows, figures);
  add_lbm(rows, figures);
  return figures;
}

}  // namespace boltzmark
