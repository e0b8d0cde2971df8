#include "analysis/roofline/figures.hpp"

#include <cmath>

#include "analysis/support/commands.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/files.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;
using Text = std::string;
using R = const Row&;
using Figures = FigureColumns<Row>;

/// The text with U+FFFD for what is not UTF-8, and a question mark for each control character.
std::string clean_utf8(const std::string& text) { return parse_json(json_line(one_line(text))).get<std::string>(); }

template <class T>
std::optional<T> optionally(T value) {
  return value;
}
template <class T>
std::optional<T> optionally(std::optional<T> value) {
  return value;
}
/// Nothing in rows without times.
template <class Of>
auto timed(Of of) {
  return [of](R r) {
    using Found = decltype(optionally(std::invoke(of, r)));
    return r.has_figures() ? optionally(std::invoke(of, r)) : Found();
  };
}
/// Nothing in rows without a record.
template <class Of>
auto recorded(Of of) {
  return [of](R r) {
    using Found = decltype(optionally(std::invoke(of, *r.record)));
    return r.record ? optionally(std::invoke(of, *r.record)) : Found();
  };
}
template <class Member>
auto provenance(Member member) {
  return recorded([member](const Record& record) { return record.provenance.*member; });
}
/// A figure of the median of a row's joules, where they were counted.
template <class Figure>
auto of_joules(Figure figure) {
  return [figure](R r) {
    return r.joules.empty() || !r.has_figures() ? std::nullopt : std::optional(figure(r, median(r.joules)));
  };
}
/// An amount that the hardware counted, of an update: median of the last round's repeats.
auto counted_of(std::vector<double> CounterRecord::*amount) {
  return timed([amount](R r) {
    const auto found = r.record->counters.value_or(CounterRecord()).*amount;
    return found.empty() || !r.part.empty() ? std::nullopt : std::optional(median(found) / r.work.updates);
  });
}
/// Conventional FLOPs over an amount, where the workload has such.
template <class Per>
auto conventional(Per per) {
  return timed([per](R r) { return if_any(r.work.conventional_flops, [&](double flops) { return flops / per(r); }); });
}
auto called(std::int64_t Calls::*number) {
  return recorded([number](const Record& record) { return if_any(record.calls, number); });
}
auto axis(std::size_t which) {
  return recorded([which](const Record& record) {
    const auto& extent = record.case_.extent;
    return which < extent.size() ? std::optional(extent[which]) : std::nullopt;
  });
}

std::optional<double> elements(const Record& record) {
  double product = 1.0;
  for (const std::int64_t length : record.case_.extent) product *= static_cast<double>(length);
  return record.case_.extent.empty() ? std::nullopt : std::optional(product);
}

json deviations(R r) {
  json all = json::object();
  for (const Deviation& one : r.check.deviations) all[one.of] = one.value;
  return all;
}
Text deviation_at(R r) {
  if (!r.is_checked()) return "";
  const Deviation& worst = r.check.worst();
  return worst.at.empty() ? worst.of : worst.of + ", " + worst.at;
}
json limits(R r) {
  json all = json::object();
  for (const Limit& one : r.roofline.limits) all[one.name] = one.seconds / r.time.median;
  return all;
}
json metrics(R r) {
  json all = json::object();
  if (r.record)
    for (const Metric& one : r.record->metrics) all[one.name] = {{"value", one.value}, {"unit", one.unit}};
  return all;
}

/// NAME, NAME_min and NAME_max.
template <class Of>
Figures spread(const std::string& name, const char* unit, Of of, const char* median, const char* least,
               const char* most) {
  const auto part = [&](double Spread::*which) {
    return [of, which](R r) { return if_any(std::optional<Spread>(std::invoke(of, r)), which); };
  };
  const std::string of_unit = *unit ? fmt::format(" ({}): ", unit) : ": ";
  return {{name + of_unit + median, part(&Spread::median)},
          {name + "_min" + of_unit + least, part(&Spread::minimum)},
          {name + "_max" + of_unit + most, part(&Spread::maximum)}};
}
auto end_of_interval(double Spread::*end) {
  return timed([end](R r) { return r.coverage > 0.0 ? std::optional(r.time_interval.*end) : std::nullopt; });
}
/// Over a baseline; its ends only where the row's median has an interval.
Figures speed_up(const std::string& name, std::optional<Spread> Row::*over, const char* median) {
  const auto end = [over](double Spread::*which) {
    return [=](R r) { return r.coverage > 0.0 ? if_any(r.*over, which) : std::nullopt; };
  };
  return {{name + ": " + median, [over](R r) { return if_any(r.*over, &Spread::median); }},
          {name + "_min: with the ends of both medians' intervals that make it least", end(&Spread::minimum)},
          {name + "_max: with those that make it most", end(&Spread::maximum)}};
}
/// A spread that only rows with times have.
auto when_timed(Spread Row::*member) {
  return [member](R r) { return r.has_figures() ? std::optional(r.*member) : std::nullopt; };
}

}  // namespace

const Figures& figure_columns() {
  const auto roofline = [](auto member) { return [member](R r) { return r.roofline.*member; }; };
  const std::vector<Figures> what_ran = {{
      {"source: runs, or tuning: what a tuner tried, where seconds_min is the figure", &Row::source},
      {"workload: what was computed", [](R r) { return r.key.workload; }},
      {"model: how it was programmed", [](R r) { return r.key.model; }},
      {"variant: implementation of the workload in that model", &Row::variant},
      {"role: of the variant: textbook, like-for-like (the same algorithm), peer or nothing", recorded(&Record::role)},
      {"part: of a run, timed by itself, e.g. a kernel of STREAM", &Row::part},
      {"precision: f32 or f64", [](R r) { return r.key.precision; }},
      {"case: what the user calls the problem or size", &Row::case_name},
      {"case_digest: equal for equal cases, whatever they are called", &Row::case_digest},
      {"nx: cells or elements along the first axis", axis(0)},
      {"ny: along the second", axis(1)},
      {"nz: along the third", axis(2)},
      {"elements: cells or elements in all", recorded(elements)},
      {"steps: time steps of a repeat", &Row::steps},
      {"setting: what else tells the row from others of its variant: work-group, options, build", &Row::setting},
      {"tuned: options that were taken from a tuner's file", &Row::tuned},
      {"options (JSON): list of the words that were asked for", [](R r) { return r.key.options; }},
      {"work_group_asked: work-group that was asked for; the one that ran is in settings",
       [](R r) { return r.key.work_group; }},
      {"settings (JSON): object of what the model says of itself",
       [](R r) { return r.record ? r.record->settings : json::object(); }},
      {"build: the plan's name for the build of the program", [](R r) { return r.key.build; }},
      {"launcher: command that started the ranks", [](R r) { return r.key.launcher; }},
      {"device: where it ran, as the runtime reports it", &Row::device},
      {"device_type: cpu, gpu or accelerator", recorded(&Record::device_type)},
      {"driver: runtime or driver behind it", recorded(&Record::driver)},
      {"threads: of a rank; 0 where the device decides", &Row::threads},
      {"ranks: processes", &Row::ranks},
      {"workers: ranks times threads; one for each rank where the device decides", &Row::workers},

      {"status: ok, skipped, impossible, timeout, failed, wrong: the worst of its rounds",
       [](R r) { return to_string(r.status); }},
      {"reason: why it is not ok", &Row::reason},
      {"worst_round: the round that this is said of", &Row::worst_round},
      {"rounds: how often it was started", &Row::rounds},
      {"repeats: timed repeats of all rounds", [](R r) { return r.seconds.size(); }},
      {"repeats_left_out: not among these: throttled, or more than 2 % of their time lost to others; only where three "
       "others are left",
       &Row::repeats_left_out},
      {"repeats_disturbed: among these, for fewer than three others are left", &Row::repeats_disturbed},
      {"seconds (JSON): list of what each of them took", &Row::seconds},
      {"seconds_median (s): compute time of a repeat, median of the rounds' medians",
       timed([](R r) { return r.time.median; })},
      {"seconds_min (s): the shortest", timed([](R r) { return r.time.minimum; })},
      {"seconds_max (s): the longest", timed([](R r) { return r.time.maximum; })},
      {"seconds_low (s): lower end of the median's interval by order statistics of the rounds; of fewer than six the "
       "shortest; empty of a single round, which has no interval",
       end_of_interval(&Spread::minimum)},
      {"seconds_high (s): its upper end; of fewer than six rounds the longest", end_of_interval(&Spread::maximum)},
      {"seconds_coverage: how often such an interval has the median: 0.95, of three rounds 0.75; 0 of a single round, "
       "which has none",
       timed([](R r) { return r.coverage; })},
      {"spread: of the rounds' medians, the longest less the shortest, over their median; of one round of its repeats",
       timed(&Row::spread)},
      {"init_seconds (s): before it, median", timed(&Row::init_seconds)},
      {"collate_seconds (s): after it, until results are on one host, median", timed(&Row::collate_seconds)},
  }};
  const std::vector<Figures> rates = {
      spread("rate", "rate_unit", &Row::rate, "of the workload, at the median; of a part GB/s", "of the slowest repeat",
             "of the fastest"),
      {{"rate_unit: of these three", &Row::rate_unit},
       {"update: what is counted", recorded([](const Record& record) { return record.work.update; })},
       {"updates: in a repeat", timed([](R r) { return r.work.updates; })},
       {"bytes_per_update (bytes): moved to and from memory, by the algorithm's own count",
        timed([](R r) { return r.work.bytes / r.work.updates; })},
       {"flops_per_update (FLOP): counted by running the code on a counting type",
        timed([](R r) { return r.work.flops / r.work.updates; })},
       {"measured_bytes_per_update (bytes): to and from memory by the processor's counters (--counters), median",
        counted_of(&CounterRecord::bytes)},
       {"measured_flops_per_update (FLOP): likewise", counted_of(&CounterRecord::flops)},
       {"why_not_measured: what keeps bytes or FLOPs from being counted by them", recorded([](const Record& record) {
          const CounterRecord found = record.counters.value_or(CounterRecord());
          return found.why_no_bytes.empty() ? found.why_no_flops : found.why_no_bytes;
        })},
       {"conventional_flops_per_update (FLOP): as published work counts them",
        conventional([](R r) { return r.work.updates; })},
       {"bytes_held (bytes): of the case's data",
        recorded([](const Record& record) { return record.work.bytes_held; })},
       {"steps_per_launch: time steps in one launch, region or sweep",
        recorded([](const Record& record) { return record.work.steps_per_launch; })},
       {"launches: kernels, recorded graphs or target regions that the host started in a repeat",
        called(&Calls::launches)},
       {"waits: how often it waited until the device was done", called(&Calls::waits)}},
      spread("gb_per_s", "GB/s", when_timed(&Row::gb_per_s), "by that count, at the median", "of the slowest repeat",
             "of the fastest, which is what STREAM reports"),
      {{"moved_gb_per_s (GB/s): of a part, at the median, with the lines that are read because they will be written",
        timed([](R r) {
          return if_any(r.work.bytes_moved, [&](double bytes) { return 1e-9 * bytes / r.time.median; });
        })}},
      spread("gflop_per_s", "GFLOP/s", when_timed(&Row::gflop_per_s), "of the FLOPs counted, at the median",
             "of the slowest repeat", "of the fastest"),
      {{"conventional_gflop_per_s (GFLOP/s): as published work counts FLOPs, at the median",
        conventional([](R r) { return 1e9 * r.time.median; })},
       {"conventional_flop_per_byte (FLOP/byte): as published work counts FLOPs",
        conventional([](R r) { return r.work.bytes; })},

       {"joules (J): of a repeat, median: of the processors of the machine, or of the GPU and its memory",
        of_joules([](R, double joules) { return joules; })},
       {"watts (W): that over the median of all seconds",
        of_joules([](R r, double joules) { return joules / median(r.seconds); })},
       {"updates_per_joule: cell updates, or elements, of a repeat over its joules",
        of_joules([](R r, double joules) { return r.work.updates / joules; })},
       {"why_no_joules: what keeps them from being counted", &Row::why_no_joules},

       {"peaks_of: `of` in peaks.csv: whose peaks it is compared with", roofline(&RooflineAnalysis::peaks_of)},
       {"bound: the limit that takes the longest time: a level of memory, arithmetic, tensor cores, divisions, roots, "
        "wide multiplications, launches, messages; empty where traffic or peaks are not known",
        roofline(&RooflineAnalysis::bound)},
       {"share_of_bound: of the median that this time is; more than 1.05 is a defect of the count or of the roof",
        roofline(&RooflineAnalysis::share)},
       {"verdict: both in words; below a half of every limit latency or code takes most of the time",
        roofline(&RooflineAnalysis::verdict)},
       {"limits (JSON): object of the share of the median that each limit takes", limits},
       {"level: of memory, the one of these limits that takes the longest time", roofline(&RooflineAnalysis::level)},
       {"level_bytes_per_update (bytes): that cross this level at least, with the lines that plain stores fetch",
        timed([](R r) {
          return r.roofline.level.empty() ? std::nullopt : std::optional(r.roofline.level_bytes_per_update);
        })},
       {"level_gb_per_s (GB/s): of these bytes, at the median", roofline(&RooflineAnalysis::level_gb_per_s)},
       {"flop_per_byte (FLOP/byte): operational intensity, by these bytes",
        roofline(&RooflineAnalysis::flop_per_byte)}},
      spread("roof_gb_per_s", "GB/s", roofline(&RooflineAnalysis::roof_gb_per_s),
             "roof of this level for as many workers: the best rate of the session that others confirm, in bytes that "
             "move",
             "the least that it may be", "the most"),
      {{"stream_triad_gb_per_s (GB/s): STREAM's triad at its median, on the same model, device and workers",
        &Row::triad_gb_per_s},
       {"share_of_stream_triad: gb_per_s over that",
        [](R r) { return if_any(r.triad_gb_per_s, [&](double triad) { return r.gb_per_s.median / triad; }); }},
       {"peak_gflop_per_s (GFLOP/s): of the fastest arithmetic in that precision for as many workers, or of tensor "
        "cores in the format that they multiplied",
        roofline(&RooflineAnalysis::peak_gflop_per_s)},
       {"share_of_peak: gflop_per_s over that", roofline(&RooflineAnalysis::share_of_peak)},
       {"ridge_flop_per_byte (FLOP/byte): where that roof meets that peak",
        roofline(&RooflineAnalysis::ridge_flop_per_byte)}}};
  const std::vector<Figures> among_others = {
      {{"best_of_model: the fastest right row of its model for this case, precision and part", &Row::is_best_of_model},
       {"share_of_best: of the fastest of its model on its type of device: rate over that of the fastest model's",
        &Row::share_of_best},
       {"tie: whether its interval meets that of its problem's fastest model", &Row::is_tied},
       {"share_of_same: as share_of_best, among the variants of the same algorithm alone", &Row::share_of_same},
       {"tie_of_same: likewise", &Row::is_tied_same}},
      speed_up("speed_up_over_textbook", &Row::over_textbook, "seconds of the serial textbook over the median here"),
      speed_up("speed_up_over_like_for_like", &Row::over_like_for_like,
               "seconds of serial's variant of the same algorithm over the median here"),
      {{"speed_up_over_build: seconds of the first build of the same over those here", &Row::over_first_build}},
      factor_columns(),
      scaling_columns(),
      network_columns(),
      {{"check: what results were compared with: reference, a file prefix, none; empty without a check",
        [](R r) { return r.check.passed ? r.check.against : Text(); }},
       {"checked: elements that the check looked at: all of 262144; 1024 of 262144, drawn by seed 7; empty without a "
        "check, and in older records",
        [](R r) { return r.check.extent ? r.check.extent->words() : Text(); }},
       {"passed: whether all were within the tolerance", [](R r) { return r.check.passed; }},
       {"tolerance: largest relative deviation that counts as right",
        [](R r) { return r.check.passed ? std::optional(r.check.tolerance) : std::nullopt; }},
       {"deviation: the worst, relative; empty also for one that is not a number",
        [](R r) { return r.is_checked() ? r.check.worst().value : std::nullopt; }},
       {"deviation_at: of what that is, and where: speed, cell 5 7", deviation_at},
       {"deviations (JSON): object of each", deviations},
       {"metrics (JSON): object of the workload's figures in the last round: value and unit", metrics},
       {"date: start of the last round, UTC", provenance(&Provenance::date)},
       {"version: of the suite", provenance(&Provenance::version)},
       {"revision: of git", provenance(&Provenance::revision)},
       {"compiler: that the program was built with", provenance(&Provenance::compiler)},
       {"flags: of it", provenance(&Provenance::flags)},
       {"host: name of the machine", provenance(&Provenance::host)},
       {"cpu: its processor", provenance(&Provenance::cpu)},
       {"cores: processors that the process could use", provenance(&Provenance::cores)},
       {"environment (JSON): object of the state of the machine in the last round: governor, affinity, load, ...",
        recorded([](const Record& record) { return json(record.environment.all()); })},
       {"system: operating system and kernel", provenance(&Provenance::system)},
       {"command: the command line", provenance(&Provenance::command)},
       {"notes: what to know of the figures", [](R r) { return join(r.notes, "; "); }}}};
  static const Figures columns = [&] {
    Figures all;
    for (const auto& group : {what_ran, rates, among_others})
      for (const Figures& some : group) all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return columns;
}

std::string csv_text(const json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return json_line(value);
  return std::isfinite(value.get<double>()) ? fmt::format("{}", value.get<double>()) : "";
}

ColumnWords::ColumnWords(std::string its_description, ColumnType its_type)
    : description(std::move(its_description)), type(its_type) {
  const auto colon = description.find(": ");
  name = description.substr(0, description.find_first_of(" :"));
  if (colon == description.npos) return;
  meaning = description.substr(colon + 2);
  if (name.size() + 1 < colon && type != ColumnType::list && type != ColumnType::object)
    unit = description.substr(name.size() + 2, colon - name.size() - 3);
}

void to_json(json& to, const ColumnWords& from) {
  constexpr const char* types[] = {"text", "number", "flag", "list", "object"};
  to = {{"name", from.name},
        {"unit", from.unit},
        {"type", types[static_cast<int>(from.type)]},
        {"meaning", from.meaning}};
}

std::string csv_cell(const std::string& text) {
  const std::string clean = clean_utf8(text);
  if (clean.find_first_of(",\"\n\r") == clean.npos) return clean;
  std::string quoted = "\"";
  for (const char c : clean) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

fs::path figures_folder(const fs::path& results) {
  return fs::is_regular_file(results) ? fs::path(results).replace_extension(".report") : results;
}

void write_figures(const Results& results, const std::vector<Row>& rows, const fs::path& folder) {
  std::string complaints;
  for (const std::string& complaint : results.complaints) complaints += clean_utf8(complaint) + '\n';
  const auto peaks = results.peaks ? make_peak_rows(*results.peaks) : std::vector<PeakRow>();
  prepare_folder(folder);
  write_whole(folder / "figures.csv", csv_of(figure_columns(), rows));
  write_whole(folder / "peaks.csv", csv_of(peak_columns(), peaks));
  write_whole(folder / "complaints.txt", complaints);
  write_columns(figure_files(), folder);
}

std::vector<FileWords> figure_files() {
  return {{"figures.csv", "a row per configuration, or per part of one", figure_columns()},
          {"peaks.csv", "a row per figure", peak_columns()}};
}

std::string described(const std::vector<FileWords>& files, int width) {
  return joined(files, "\n", [width](const FileWords& file) {
    return fmt::format("{}: {}\n{}", file.file, file.row, joined(file.columns, "", [width](const ColumnWords& column) {
                         return wrapped(column.description, width, 4);
                       }));
  });
}

json declared(const std::vector<FileWords>& files) {
  json all = json::object();
  for (const FileWords& file : files) all[file.file] = file.columns;
  return all;
}

void write_columns(const std::vector<FileWords>& files, const fs::path& folder) {
  write_whole(folder / columns_file, json_line(declared(files)) + '\n');
}

}  // namespace boltzmark
