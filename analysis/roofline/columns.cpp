#include "analysis/roofline/columns.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/support/table.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;
using Text = std::string;

Text number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
Text number(std::int64_t value) { return fmt::format("{}", value); }
Text number(int value) { return fmt::format("{}", value); }
template <class T>
Text number(const std::optional<T>& value) {
  return value ? number(*value) : "";
}
Text truth(bool value) { return value ? "true" : "false"; }
Text truth(const std::optional<bool>& value) { return value ? truth(*value) : ""; }
Text number(const std::optional<Spread>& spread, double Spread::*which) {
  return spread ? number((*spread).*which) : "";
}
/// What only rows with times have.
template <class T>
Text timed(const Row& row, const T& value) {
  return row.has_figures() ? number(value) : "";
}

Text of_update(const Row& row, double amount) { return timed(row, amount / row.work.updates); }
Text of_conventional(const Row& row, double per) {
  return row.has_figures() && row.work.conventional_flops ? number(*row.work.conventional_flops / per) : "";
}
Text axis(const Row& row, std::size_t which) {
  return row.record && which < row.record->case_.extent.size() ? number(row.record->case_.extent[which]) : "";
}
Text elements(const Row& row) {
  if (!row.record || row.record->case_.extent.empty()) return "";
  double product = 1.0;
  for (const std::int64_t length : row.record->case_.extent) product *= static_cast<double>(length);
  return number(product);
}

/// JSON that holds on any text.
Text dumped(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

/// A figure of the median of a row's joules, where they were counted.
template <class Figure>
Text of_energy(const Row& row, Figure figure) {
  return row.joules.empty() ? Text() : timed(row, figure(median(row.joules)));
}

Text deviations(const Row& row) {
  json all = json::object();
  for (const Deviation& one : row.check.deviations) all[one.of] = one.value ? json(*one.value) : json();
  return dumped(all);
}
Text deviation_at(const Row& row) {
  if (!row.is_checked()) return "";
  const Deviation& worst = row.check.worst();
  return worst.at.empty() ? worst.of : worst.of + ", " + worst.at;
}
Text metrics(const Row& row) {
  json all = json::object();
  if (row.record)
    for (const Metric& one : row.record->metrics)
      all[one.name] = {{"value", one.value ? json(*one.value) : json()}, {"unit", one.unit}};
  return dumped(all);
}

template <auto Member>
Text provenance(const Row& row) {
  return row.record ? fmt::format("{}", row.record->provenance.*Member) : "";
}
template <class T>
Text recorded(const Row& row, const T& value) {
  return row.record ? number(value(*row.record)) : "";
}

}  // namespace

const std::vector<FigureColumn<Row>>& figure_columns() {
  using R = const Row&;
  static const std::vector<FigureColumn<Row>> columns = {
      {"source", "", "runs, or tuning: what a tuner tried, where seconds_min is the figure",
       [](R r) { return r.source; }},
      {"workload", "", "what was computed", [](R r) { return r.key.workload; }},
      {"model", "", "how it was programmed", [](R r) { return r.key.model; }},
      {"variant", "", "how far that was taken", [](R r) { return r.variant; }},
      {"role", "", "of the variant: textbook, like-for-like, peer or nothing",
       [](R r) { return r.record ? r.record->role : Text(); }},
      {"part", "", "of a run, timed by itself, e.g. a kernel of STREAM", [](R r) { return r.part; }},
      {"precision", "", "f32 or f64", [](R r) { return r.key.precision; }},
      {"case", "", "what the user calls the problem or size", [](R r) { return r.case_name; }},
      {"case_digest", "", "equal for equal cases, whatever they are called",
       [](R r) { return r.case_digest(); }},
      {"nx", "", "cells or elements along the first axis", [](R r) { return axis(r, 0); }},
      {"ny", "", "along the second", [](R r) { return axis(r, 1); }},
      {"nz", "", "along the third", [](R r) { return axis(r, 2); }},
      {"elements", "", "cells or elements in all", elements},
      {"steps", "", "time steps of a repeat", [](R r) { return number(r.steps()); }},
      {"setting", "", "what else tells the row from others of its variant: work-group, options, build",
       [](R r) { return r.setting; }},
      {"tuned", "", "options that were taken from a tuner's file", [](R r) { return r.tuned; }},
      {"options", "JSON", "list of the words that were asked for",
       [](R r) { return dumped(json(r.key.options)); }},
      {"work_group_asked", "", "work-group that was asked for; the one that ran is in settings",
       [](R r) { return r.key.work_group; }},
      {"settings", "JSON", "object of what the model says of itself",
       [](R r) { return r.record ? dumped(r.record->settings) : Text("{}"); }},
      {"build", "", "the plan's name for the build of the program", [](R r) { return r.key.build; }},
      {"launcher", "", "command that started the ranks", [](R r) { return r.key.launcher; }},
      {"device", "", "where it ran, as the runtime reports it", [](R r) { return r.device; }},
      {"device_type", "", "cpu, gpu or accelerator",
       [](R r) { return r.record ? r.record->device_type : Text(); }},
      {"driver", "", "runtime or driver behind it", [](R r) { return r.record ? r.record->driver : Text(); }},
      {"threads", "", "of a rank; 0 where the device decides", [](R r) { return number(r.threads); }},
      {"ranks", "", "processes", [](R r) { return number(r.ranks); }},
      {"workers", "", "ranks times threads; one for each rank where the device decides",
       [](R r) { return number(r.workers()); }},

      {"status", "", "ok, skipped, impossible, timeout, failed, wrong: the worst of its rounds",
       [](R r) { return to_string(r.status); }},
      {"reason", "", "why it is not ok", [](R r) { return r.reason; }},
      {"worst_round", "", "the round that this is said of", [](R r) { return number(r.worst_round); }},
      {"rounds", "", "how often it was started", [](R r) { return number(r.rounds); }},
      {"repeats", "", "timed repeats of all rounds",
       [](R r) { return number(static_cast<int>(r.seconds.size())); }},
      {"seconds", "JSON", "list of what each of them took", [](R r) { return dumped(r.seconds); }},
      {"seconds_median", "s", "compute time of a repeat, median",
       [](R r) { return timed(r, r.time.median); }},
      {"seconds_min", "s", "the shortest", [](R r) { return timed(r, r.time.minimum); }},
      {"seconds_max", "s", "the longest", [](R r) { return timed(r, r.time.maximum); }},
      {"seconds_low", "s",
       "lower end of the median's 95 % interval by order statistics; of fewer than six repeats the shortest",
       [](R r) { return timed(r, r.time_interval.minimum); }},
      {"seconds_high", "s", "its upper end; of fewer than six repeats the longest",
       [](R r) { return timed(r, r.time_interval.maximum); }},
      {"init_seconds", "s", "before it, median", [](R r) { return timed(r, r.init_seconds); }},
      {"collate_seconds", "s", "after it, until results are on one host, median",
       [](R r) { return timed(r, r.collate_seconds); }},

      {"rate", "rate_unit", "of the workload, at the median; of a part GB/s",
       [](R r) { return number(r.rate, &Spread::median); }},
      {"rate_min", "rate_unit", "of the slowest repeat",
       [](R r) { return number(r.rate, &Spread::minimum); }},
      {"rate_max", "rate_unit", "of the fastest", [](R r) { return number(r.rate, &Spread::maximum); }},
      {"rate_unit", "", "of these three", [](R r) { return r.rate_unit; }},
      {"update", "", "what is counted", [](R r) { return r.record ? r.record->work.update : Text(); }},
      {"updates", "", "in a repeat", [](R r) { return timed(r, r.work.updates); }},
      {"bytes_per_update", "bytes", "moved to and from memory, by the algorithm's own count",
       [](R r) { return of_update(r, r.work.bytes); }},
      {"flops_per_update", "FLOP", "counted by running the code on a counting type",
       [](R r) { return of_update(r, r.work.flops); }},
      {"conventional_flops_per_update", "FLOP", "as published work counts them",
       [](R r) { return of_conventional(r, r.work.updates); }},
      {"bytes_held", "bytes", "of the case's data",
       [](R r) { return recorded(r, [](const Record& record) { return record.work.bytes_held; }); }},
      {"steps_per_launch", "", "time steps in one launch, region or sweep",
       [](R r) { return recorded(r, [](const Record& record) { return record.work.steps_per_launch; }); }},
      {"gb_per_s", "GB/s", "by that count, at the median", [](R r) { return timed(r, r.gb_per_s.median); }},
      {"gb_per_s_min", "GB/s", "of the slowest repeat", [](R r) { return timed(r, r.gb_per_s.minimum); }},
      {"gb_per_s_max", "GB/s", "of the fastest, which is what STREAM reports",
       [](R r) { return timed(r, r.gb_per_s.maximum); }},
      {"moved_gb_per_s", "GB/s",
       "of a part, at the median, with the lines that are read because they will be written",
       [](R r) {
         return r.work.bytes_moved ? timed(r, 1e-9 * *r.work.bytes_moved / r.time.median) : Text();
       }},
      {"gflop_per_s", "GFLOP/s", "of the FLOPs counted, at the median",
       [](R r) { return timed(r, r.gflop_per_s.median); }},
      {"gflop_per_s_min", "GFLOP/s", "of the slowest repeat",
       [](R r) { return timed(r, r.gflop_per_s.minimum); }},
      {"gflop_per_s_max", "GFLOP/s", "of the fastest", [](R r) { return timed(r, r.gflop_per_s.maximum); }},
      {"conventional_gflop_per_s", "GFLOP/s", "as published work counts FLOPs, at the median",
       [](R r) { return of_conventional(r, 1e9 * r.time.median); }},
      {"flop_per_byte", "FLOP/byte", "operational intensity",
       [](R r) { return timed(r, r.work.flops / r.work.bytes); }},
      {"conventional_flop_per_byte", "FLOP/byte", "as published work counts FLOPs",
       [](R r) { return of_conventional(r, r.work.bytes); }},

      {"joules", "J", "of a repeat, median: of the processors of the machine, or of the GPU and its memory",
       [](R r) { return of_energy(r, [](double joules) { return joules; }); }},
      {"watts", "W", "that over the median of the seconds",
       [](R r) { return of_energy(r, [&r](double joules) { return joules / r.time.median; }); }},
      {"updates_per_joule", "", "cell updates, or elements, of a repeat over its joules",
       [](R r) { return of_energy(r, [&r](double joules) { return r.work.updates / joules; }); }},
      {"why_no_joules", "", "what keeps them from being counted", [](R r) { return r.why_no_joules; }},

      {"peaks_of", "", "`of` in peaks.csv: whose peaks it is held against",
       [](R r) { return r.roofline.peaks_of; }},
      {"roof", "", "level of memory that holds the data", [](R r) { return r.roofline.roof; }},
      {"roof_gb_per_s", "GB/s", "copy bandwidth of that level for as many workers, median",
       [](R r) { return number(r.roofline.roof_gb_per_s, &Spread::median); }},
      {"roof_gb_per_s_min", "GB/s", "its smallest repetition",
       [](R r) { return number(r.roofline.roof_gb_per_s, &Spread::minimum); }},
      {"roof_gb_per_s_max", "GB/s", "its largest",
       [](R r) { return number(r.roofline.roof_gb_per_s, &Spread::maximum); }},
      {"share_of_roof", "", "gb_per_s over roof_gb_per_s",
       [](R r) { return number(r.roofline.share_of_roof); }},
      {"stream_triad_gb_per_s", "GB/s", "STREAM's triad at its median, on the same model, device and workers",
       [](R r) { return number(r.triad_gb_per_s); }},
      {"share_of_stream_triad", "", "gb_per_s over that",
       [](R r) { return r.triad_gb_per_s ? number(r.gb_per_s.median / *r.triad_gb_per_s) : Text(); }},
      {"peak_gflop_per_s", "GFLOP/s", "of multiply-adds in that precision for as many workers",
       [](R r) { return number(r.roofline.peak_gflop_per_s); }},
      {"share_of_peak", "", "gflop_per_s over that", [](R r) { return number(r.roofline.share_of_peak); }},
      {"ridge_flop_per_byte", "FLOP/byte", "where that roof meets that peak",
       [](R r) { return number(r.roofline.ridge_flop_per_byte); }},
      {"bound", "",
       "what limits it: memory, cache, compute, launch, synchronisation, above-memory-roof, code, unknown",
       [](R r) { return r.has_figures() ? to_string(r.roofline.bound) : Text(); }},
      {"why", "", "the same in a sentence with the figures", [](R r) { return r.roofline.why; }},

      {"best_of_model", "", "the fastest right row of its model for this case, precision and part",
       [](R r) { return truth(r.is_best_of_model); }},
      {"of_openmp", "",
       "of the fastest of its model on a processor: rate over that of OpenMP's fastest there",
       [](R r) { return number(r.of_openmp); }},
      {"behind_openmp", "", "what holds it back where that is less than 0.9, in a sentence with the figures",
       [](R r) { return r.behind_openmp; }},
      {"speed_up_over_textbook", "", "seconds of the serial textbook over the median here",
       [](R r) { return number(r.over_textbook, &Spread::median); }},
      {"speed_up_over_textbook_min", "", "with the ends of both medians' 95 % intervals that make it least",
       [](R r) { return number(r.over_textbook, &Spread::minimum); }},
      {"speed_up_over_textbook_max", "", "with those that make it most",
       [](R r) { return number(r.over_textbook, &Spread::maximum); }},
      {"speed_up_over_like_for_like", "", "seconds of serial's like-for-like variant over the median here",
       [](R r) { return number(r.over_like_for_like, &Spread::median); }},
      {"speed_up_over_like_for_like_min", "",
       "with the ends of both medians' 95 % intervals that make it least",
       [](R r) { return number(r.over_like_for_like, &Spread::minimum); }},
      {"speed_up_over_like_for_like_max", "", "with those that make it most",
       [](R r) { return number(r.over_like_for_like, &Spread::maximum); }},
      {"speed_up_over_build", "", "seconds of the first build of the same over those here",
       [](R r) { return number(r.over_first_build); }},
      {"strong_speed_up", "", "over one worker, same case; for the fastest row of each number of workers",
       [](R r) { return r.strong ? number(r.strong->speed_up) : Text(); }},
      {"strong_efficiency", "", "that over the workers",
       [](R r) { return r.strong ? number(r.strong->efficiency) : Text(); }},
      {"weak_line", "", "the case of one worker, where the slowest axis grows with the workers",
       [](R r) { return r.weak_line; }},
      {"weak_speed_up", "", "of the updates a second over one worker's",
       [](R r) { return r.weak ? number(r.weak->speed_up) : Text(); }},
      {"weak_efficiency", "", "that over the workers",
       [](R r) { return r.weak ? number(r.weak->efficiency) : Text(); }},
      {"portability", "",
       "Pennycook's performance portability: harmonic mean of share_of_roof over the devices that the same model, "
       "variant and setting ran this case on, of each the fastest row",
       [](R r) { return r.portability ? number(r.portability->mean_share) : Text(); }},
      {"portability_devices", "", "how many devices that is the mean over",
       [](R r) { return r.portability ? number(r.portability->devices) : Text(); }},
      {"workers_unit", "", "what its line of scaling has several of: ranks or threads",
       [](R r) { return r.workers_unit; }},
      {"halo_share", "", "of the time in halo exchanges, mean over ranks",
       [](R r) { return number(r.halo_share); }},
      {"halo_share_most", "", "of the rank that spends most", [](R r) { return number(r.halo_share_most); }},

      {"check", "", "what results were held against: oracle, a file prefix, none; empty without a check",
       [](R r) { return r.check.passed ? r.check.against : Text(); }},
      {"passed", "", "whether all were within the tolerance", [](R r) { return truth(r.check.passed); }},
      {"tolerance", "", "largest relative deviation that counts as right",
       [](R r) { return r.check.passed ? number(r.check.tolerance) : Text(); }},
      {"deviation", "", "the worst, relative; empty also for one that is not a number",
       [](R r) { return r.is_checked() ? number(r.check.worst().value) : Text(); }},
      {"deviation_at", "", "of what that is, and where: speed, cell 5 7", deviation_at},
      {"deviations", "JSON", "object of each", deviations},
      {"metrics", "JSON", "object of the workload's figures in the last round: value and unit", metrics},
      {"date", "", "start of the last round, UTC", provenance<&Provenance::date>},
      {"version", "", "of the suite", provenance<&Provenance::version>},
      {"revision", "", "of git", provenance<&Provenance::revision>},
      {"compiler", "", "that the program was built with", provenance<&Provenance::compiler>},
      {"flags", "", "of it", provenance<&Provenance::flags>},
      {"host", "", "name of the machine", provenance<&Provenance::host>},
      {"cpu", "", "its processor", provenance<&Provenance::cpu>},
      {"cores", "", "processors that the process could use", provenance<&Provenance::cores>},
      {"system", "", "operating system and kernel", provenance<&Provenance::system>},
      {"command", "", "the command line", provenance<&Provenance::command>},
      {"notes", "", "what to know of the figures",
       [](R r) { return fmt::format("{}", fmt::join(r.notes, "; ")); }},
  };
  return columns;
}

const std::vector<FigureColumn<PeakRow>>& peak_columns() {
  using R = const PeakRow&;
  static const std::vector<FigureColumn<PeakRow>> columns = {
      {"of", "", "processor, or the device's name", [](R r) { return r.of; }},
      {"type", "", "cpu, gpu or accelerator", [](R r) { return r.type; }},
      {"kind", "",
       "bandwidth, compute, launch (start to start of small kernels), to_device, from_device, sweep (what "
       "plateaus are picked from), cache, memory, fact, note",
       [](R r) { return r.kind; }},
      {"level", "", "L1, L2, L3, DRAM; of a device memory, cache, local", [](R r) { return r.level; }},
      {"pattern", "", "read, copy or triad", [](R r) { return r.pattern; }},
      {"precision", "", "f32 or f64", [](R r) { return r.precision; }},
      {"fma", "", "fused multiply-adds, or multiplications and additions by themselves",
       [](R r) { return truth(r.fma); }},
      {"vector_bits", "bits", "width of the registers; 0 where the device decides",
       [](R r) { return number(r.vector_bits); }},
      {"cores", "", "at work; 0: the whole device", [](R r) { return number(r.cores); }},
      {"is_roof", "", "drawn in a roofline chart: a copy, or arithmetic at its widest, on the whole of it",
       [](R r) { return truth(r.is_roof); }},
      {"median", "unit", "of the repetitions", [](R r) { return number(r.value, &Spread::median); }},
      {"min", "unit", "the smallest", [](R r) { return number(r.value, &Spread::minimum); }},
      {"max", "unit", "the largest", [](R r) { return number(r.value, &Spread::maximum); }},
      {"unit", "", "of these three", [](R r) { return r.unit; }},
      {"from_bytes", "bytes", "smallest working set, all cores together",
       [](R r) { return number(r.from_bytes); }},
      {"to_bytes", "bytes", "largest", [](R r) { return number(r.to_bytes); }},
      {"clock_ghz", "GHz", "measured under this load", [](R r) { return number(r.clock_ghz); }},
      {"expected_gflop_per_s", "GFLOP/s", "cores x clock x lanes x units x FLOPs of an operation",
       [](R r) { return number(r.expected_gflop_per_s); }},
      {"text", "", "of a fact or a note", [](R r) { return r.text; }},
      {"date", "", "of the last measurement, UTC", [](R r) { return r.peaks->date; }},
      {"host", "", "name of the machine", [](R r) { return r.peaks->host; }},
      {"compiler", "", "of the measuring programs", [](R r) { return r.peaks->compiler; }},
      {"flags", "", "of it", [](R r) { return r.peaks->flags; }},
      {"revision", "", "of git", [](R r) { return r.peaks->revision; }},
  };
  return columns;
}

namespace {

template <class R>
std::string described(const std::vector<FigureColumn<R>>& columns, int width) {
  std::string text;
  for (const auto& column : columns) {
    const std::string unit = *column.unit ? fmt::format(" ({})", column.unit) : "";
    text += wrapped(fmt::format("{}{}: {}", column.name, unit, column.meaning), width, 4);
  }
  return text;
}

}  // namespace

template <class R>
std::string csv_of(const std::vector<FigureColumn<R>>& columns, const std::vector<R>& rows) {
  std::string text;
  for (const auto& column : columns) text += (text.empty() ? "" : ",") + std::string(column.name);
  for (const R& row : rows) {
    text += '\n';
    for (const auto& column : columns)
      text += (&column == &columns.front() ? "" : ",") + csv_cell(clean_utf8(column.value(row)));
  }
  return text + '\n';
}
template std::string csv_of(const std::vector<FigureColumn<Row>>&, const std::vector<Row>&);
template std::string csv_of(const std::vector<FigureColumn<PeakRow>>&, const std::vector<PeakRow>&);

std::string describe_columns(int width) {
  return fmt::format(
      "figures.csv: a row per configuration, or per part of one\n{}\npeaks.csv: a row per figure\n{}",
      described(figure_columns(), width), described(peak_columns(), width));
}

std::string clean_utf8(const std::string& text) {
  const std::string quoted = dumped(json(one_line(text)));
  return json::parse(quoted).get<std::string>();
}

}  // namespace boltzmark
