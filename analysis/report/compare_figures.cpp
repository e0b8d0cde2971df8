#include "analysis/report/compare_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/report/pair_up.hpp"
#include "analysis/report/table_cells.hpp"
#include "analysis/run/comparison_output.hpp"

namespace boltzmark {
namespace {

constexpr const char* rule_of_figures =
    "A difference counts when the medians differ by more than the spreads of both sides together.";

/// A named figure of one side.
struct SpreadFigure {
  std::string group, name, unit;
  Spread value;
};

bool same_figure(const SpreadFigure& a, const SpreadFigure& b) {
  return a.group == b.group && a.name == b.name;
}

void add_figure(const Pair<SpreadFigure>& pair, ReportTable& table) {
  const auto& [a, b] = pair;
  const SpreadFigure& any = a ? *a : *b;
  const auto cell = [](const SpreadFigure* figure) {
    return number_cell(figure ? std::optional(figure->value.median) : std::nullopt, 4);
  };
  std::optional<double> ratio;
  std::string difference = !a ? "only in B" : !b ? "only in A" : "-";
  if (a && b && a->value.median > 0.0) {
    ratio = b->value.median / a->value.median;
    difference = verdict_words(decide(a->value, b->value).verdict, *ratio > 1.0, "higher");
  }
  table.rows.push_back({any.group, any.name, any.unit, cell(a), cell(b), number_cell(ratio, 3), difference});
}

ReportTable figure_table(const std::string& first_header, const std::vector<SpreadFigure>& a,
                         const std::vector<SpreadFigure>& b) {
  ReportTable table;
  table.columns = {left(first_header, true), left("figure"),    left("unit"),      right("A\nmedian"),
                   right("B\nmedian"),       right("B over A"), left("difference")};
  for (const auto& pair : pair_up<SpreadFigure>(a, b, {same_figure})) add_figure(pair, table);
  table.note(rule_of_figures);
  return table;
}

/// Rates of a kernel over its executions, from its shortest, median and longest.
Spread rates_of(const StreamKernelResult& kernel) {
  const double gigabytes = kernel.gb_per_s * kernel.min_seconds;
  const double slowest = kernel.max_seconds > 0.0 ? gigabytes / kernel.max_seconds : kernel.gb_per_s_median;
  return {kernel.gb_per_s_median, slowest, kernel.gb_per_s};
}

/// " 1x2"; "" for what the device decides.
std::string workers_words(const StreamResult& stream) {
  const std::string workers = workers_of(stream.ranks, stream.threads);
  return workers == "-" ? "" : ' ' + workers;
}

std::vector<Pair<StreamResult>> stream_pairs(const Results& a, const Results& b) {
  const auto same = [](const StreamResult& x, const StreamResult& y) {
    return x.model == y.model && x.precision == y.precision && x.device_type == y.device_type;
  };
  const auto same_workers = [same](const StreamResult& x, const StreamResult& y) {
    return same(x, y) && x.threads == y.threads && x.ranks == y.ranks;
  };
  const auto same_arrays = [same_workers](const StreamResult& x, const StreamResult& y) {
    return same_workers(x, y) && x.elements == y.elements;
  };
  const auto same_device = [same_arrays](const StreamResult& x, const StreamResult& y) {
    return same_arrays(x, y) && x.device == y.device;
  };
  return pair_up<StreamResult>(a.streams, b.streams, {same_device, same_arrays, same_workers, same});
}

/// The kernels of a run as figures of that group.
void add_kernels(const std::string& group, const StreamResult* stream, std::vector<SpreadFigure>& figures) {
  if (!stream) return;
  for (const auto& kernel : stream->kernels)
    figures.push_back({group, kernel.name, "GB/s", rates_of(kernel)});
}

/// Says of one side what the table has no room for.
void note_stream(char side, const StreamResult* stream, ReportTable& table) {
  if (!stream) return;
  table.note(fmt::format("{}: {} {}{} on {}, {} elements{}", side, stream->model, stream->precision,
                         workers_words(*stream), plain_device(stream->device), stream->elements,
                         stream->passed ? "" : "; its check failed"));
}

std::string cores_words(int cores, int all) {
  if (cores == 0) return "";
  return cores == 1 ? ", one core" : cores == all ? ", all cores" : fmt::format(", {} cores", cores);
}

void add_peaks(const std::string& group, int cores, const std::vector<BandwidthPeak>& bandwidths,
               const std::vector<ComputePeak>& computes, std::vector<SpreadFigure>& figures) {
  for (const auto& peak : bandwidths)
    figures.push_back({group,
                       fmt::format("{} {}{}", peak.level, peak.pattern, cores_words(peak.cores, cores)),
                       "GB/s", peak.gb_per_s});
  for (const auto& peak : computes) {
    const std::string width = peak.vector_bits > 0 ? fmt::format(", {} bits", peak.vector_bits) : "";
    figures.push_back({group,
                       fmt::format("{} {}{}{}", peak.precision, peak.fma ? "FMA" : "without FMA", width,
                                   cores_words(peak.cores, cores)),
                       "GFLOP/s", peak.gflop_per_s});
  }
}

/// "OpenCL GPU 2": devices have other names on other machines, so they are known by type and number.
std::vector<std::string> device_groups(const Peaks& peaks) {
  std::vector<std::string> groups;
  std::map<std::string, int> count;
  for (const auto& device : peaks.devices)
    groups.push_back(fmt::format("OpenCL {} {}", type_words(device.type), ++count[device.type]));
  return groups;
}

/// peaks.json has zeros for what was not.
bool was_measured(const Spread& spread) { return spread.maximum > 0.0; }

std::vector<SpreadFigure> figures_of(const std::optional<Peaks>& peaks) {
  std::vector<SpreadFigure> figures;
  if (!peaks) return figures;
  const ProcessorPeaks& processor = peaks->processor;
  add_peaks("processor", processor.cores, processor.bandwidths, processor.computes, figures);
  const auto groups = device_groups(*peaks);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const DevicePeaks& device = peaks->devices[i];
    add_peaks(groups[i], 0, device.bandwidths, device.computes, figures);
    const std::pair<const char*, const Spread&> rates[] = {
        {"copy to the device", device.to_device_gb_per_s},
        {"copy from the device", device.from_device_gb_per_s}};
    if (was_measured(device.launch_seconds))
      figures.push_back({groups[i], "kernel launch", "s", device.launch_seconds});
    for (const auto& [name, rate] : rates)
      if (was_measured(rate)) figures.push_back({groups[i], name, "GB/s", rate});
  }
  return figures;
}

void note_peaks(char side, const std::optional<Peaks>& peaks, ReportTable& table) {
  if (!peaks) {
    table.note(fmt::format("{}: no peaks among these results; `boltzmark peaks` measures them.", side));
    return;
  }
  table.note(fmt::format("{}: processor: {}, {} cores", side, peaks->processor.name, peaks->processor.cores));
  for (const auto& note : peaks->processor.notes) table.note(fmt::format("{}: processor: {}", side, note));
  const auto groups = device_groups(*peaks);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    table.note(fmt::format("{}: {}: {}", side, groups[i], peaks->devices[i].name));
    for (const auto& note : peaks->devices[i].notes)
      table.note(fmt::format("{}: {}: {}", side, groups[i], note));
  }
}

}  // namespace

std::string verdict_words(Verdict verdict, bool b_larger, const char* more) {
  if (verdict == Verdict::cannot_tell) return "cannot tell";
  if (verdict == Verdict::within_noise) return "within noise";
  return fmt::format("{} {}", b_larger ? 'B' : 'A', more);
}

ReportTable compare_streams(const Results& a, const Results& b) {
  const auto pairs = stream_pairs(a, b);
  std::vector<SpreadFigure> of_a, of_b;
  for (const auto& [x, y] : pairs) {
    const StreamResult& any = x ? *x : *y;
    std::string group =
        fmt::format("{} {} {}{}", any.model, any.precision, type_words(any.device_type), workers_words(any));
    if (x && y && workers_words(*x) != workers_words(*y)) group += "," + workers_words(*y);
    add_kernels(group, x, of_a);
    add_kernels(group, y, of_b);
  }
  ReportTable table = figure_table("model, ranks x threads", of_a, of_b);
  table.id = "compare-stream";
  table.title = "STREAM";
  table.caption = "Median rates over the executions of each kernel.";
  for (const auto& [x, y] : pairs) {
    note_stream('A', x, table);
    note_stream('B', y, table);
  }
  if (pairs.empty()) table.note("No STREAM run on either side.");
  return table;
}

ReportTable compare_peaks(const Results& a, const Results& b) {
  ReportTable table = figure_table("of", figures_of(a.peaks), figures_of(b.peaks));
  table.id = "compare-peaks";
  table.title = "Peaks";
  table.caption = "Medians of what boltzmark peaks measured.";
  note_peaks('A', a.peaks, table);
  note_peaks('B', b.peaks, table);
  return table;
}

}  // namespace boltzmark
