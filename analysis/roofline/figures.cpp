#include "analysis/roofline/figures.hpp"

#include <cmath>

#include "analysis/roofline/difference.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/files.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using Text = std::string;
using R = const Row&;
using Figures = FigureColumns<Row>;

/// The text with U+FFFD for invalid UTF-8, and a question mark for each control character.
std::string clean_utf8(const std::string& text) { return parse_json(json_line(one_line(text))).get<std::string>(); }

/// Empty in rows without times.
template <class Of>
auto timed(Of of) {
  return [of](R r) {
    using Found = decltype(std::optional(std::invoke(of, r)));
    return r.has_figures() ? Found(std::invoke(of, r)) : Found();
  };
}
/// Empty in rows without a record.
template <class Of>
auto recorded(Of of) {
  return [of](R r) {
    using Found = decltype(std::optional(std::invoke(of, *r.record)));
    return r.record ? Found(std::invoke(of, *r.record)) : Found();
  };
}
template <class Member>
auto provenance(Member member) {
  return recorded([member](const Record& record) { return record.provenance.*member; });
}
/// A figure from the median of a row's joules, if counted.
template <class Figure>
auto of_joules(Figure figure) {
  return [figure](R r) {
    return r.joules.empty() || !r.has_figures() ? std::nullopt : std::optional(figure(r, median(r.joules)));
  };
}
/// An amount per update counted by the hardware: median of the last round's repeats.
auto counted_of(std::vector<double> CounterRecord::*amount) {
  return timed([amount](R r) {
    const auto found = r.record->counters.value_or(CounterRecord()).*amount;
    return found.empty() || !r.part.empty() ? std::nullopt : std::optional(median(found) / r.work.updates);
  });
}
/// Conventional FLOPs over an amount, if the workload has them.
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
/// Ratio to a baseline; its ends only if the row's median has an interval.
Figures speed_up(const std::string& name, std::optional<Spread> Row::*over, const char* median) {
  const auto end = [over](double Spread::*which) {
    return [=](R r) { return r.coverage > 0.0 ? if_any(r.*over, which) : std::nullopt; };
  };
  return {{name + ": " + median, [over](R r) { return if_any(r.*over, &Spread::median); }},
          {name + "_min: least value, by the ends of both medians' intervals", end(&Spread::minimum)},
          {name + "_max: greatest value, likewise", end(&Spread::maximum)}};
}
/// A spread that only rows with times have.
auto when_timed(Spread Row::*member) {
  return [member](R r) { return r.has_figures() ? std::optional(r.*member) : std::nullopt; };
}

}  // namespace

std::string kernels_by(const Record& record) {
  const std::string last = join(words_in(record.driver.substr(record.driver.find_last_of(',') + 1)), " ");
  return record.model == "opencl" ? record.driver : lower_case(last).find("rtc ") != last.npos ? last : "";
}

const Figures& figure_columns() {
  const auto roofline = [](auto member) { return [member](R r) { return r.roofline.*member; }; };
  const std::vector<Figures> what_ran = {{
      {"source: runs, or tuning (a tuner's trials, whose figure is seconds_min)", &Row::source},
      {"workload: the workload", [](R r) { return r.key.workload; }},
      {"model: the programming model", [](R r) { return r.key.model; }},
      {"variant: implementation of the workload in that model", &Row::variant},
      {"role: of the variant: textbook, like-for-like (the same algorithm), peer or nothing", recorded(&Record::role)},
      {"part: part of a run that is timed by itself, e.g. a kernel of STREAM", &Row::part},
      {"precision: f32 or f64", [](R r) { return r.key.precision; }},
      {"case: name of the problem, or its size", &Row::case_name},
      {"case_digest: equal for equal cases, even under different names", &Row::case_digest},
      {"nx: cells or elements along the first axis", axis(0)},
      {"ny: along the second axis", axis(1)},
      {"nz: along the third axis", axis(2)},
      {"elements: cells or elements in total", recorded(elements)},
      {"steps: time steps per repeat", &Row::steps},
      {"setting: work-group, options and build that distinguish the row from others of its variant", &Row::setting},
      {"tuned: options that were taken from a tuner's file", &Row::tuned},
      {"options (JSON): list of the requested options", [](R r) { return r.key.options; }},
      {"work_group_asked: requested work-group; the one that ran is in settings", [](R r) { return r.key.work_group; }},
      {"work_group: the work-group that ran, where it has two or three sides", &Row::work_group},
      {"sweep: variant and setting of a sweep of work-groups, if the row is of one: equal in rows that differ only in that",
       &Row::sweep},
      {"vector_length: cells or sites of a vector, where the model reports it", recorded([](const Record& record) {
         for (const char* name : {"vvl", "vector_lanes", "vector_width"})
           if (const auto length = number_in(record.settings, name)) return length;
         return std::optional<double>();
       })},
      {"settings (JSON): object of the model's own settings",
       [](R r) { return r.record ? r.record->settings : json::object(); }},
      {"build: the plan's name for the program's build", [](R r) { return r.key.build; }},
      {"launcher: command that started the ranks", [](R r) { return r.key.launcher; }},
      {"device: device, as the runtime reports it", &Row::device},
      {"device_type: cpu, gpu or accelerator", recorded(&Record::device_type)},
      {"driver: runtime or driver of the device", recorded(&Record::driver)},
      {"threads: threads per rank; 0 if the device decides", &Row::threads},
      {"ranks: processes", &Row::ranks},
      {"workers: ranks times threads; one per rank if the device decides", &Row::workers},

      {"status: worst status of its rounds: ok, skipped, impossible, timeout, failed or wrong",
       [](R r) { return to_string(r.status); }},
      {"reason: reason if it is not ok", &Row::reason},
      {"worst_round: the round with that status", &Row::worst_round},
      {"rounds: number of times it was started", &Row::rounds},
      {"repeats: timed repeats in all rounds", [](R r) { return r.seconds.size(); }},
      {"repeats_left_out: repeats not counted, because they were throttled or lost more than 2 % of their time to "
       "other processes; only if three others remain",
       &Row::repeats_left_out},
      {"repeats_disturbed: such repeats that are counted, because fewer than three others remain",
       &Row::repeats_disturbed},
      {"seconds (JSON): list of the seconds of each repeat", &Row::seconds},
      {"seconds_median (s): compute time of a repeat: median of the rounds' medians",
       timed([](R r) { return r.time.median; })},
      {"seconds_min (s): the shortest", timed([](R r) { return r.time.minimum; })},
      {"seconds_max (s): the longest", timed([](R r) { return r.time.maximum; })},
      {"seconds_low (s): lower end of the median's interval, by order statistics of the rounds (fewer than six: the "
       "shortest); empty for a single round",
       end_of_interval(&Spread::minimum)},
      {"seconds_high (s): upper end of the interval (fewer than six rounds: the longest)",
       end_of_interval(&Spread::maximum)},
      {"seconds_coverage: probability that such an interval contains the median: 0.95, for three rounds 0.75, for a "
       "single round 0",
       timed([](R r) { return r.coverage; })},
      {"spread: longest less shortest of the rounds' medians, over their median; for one round, of its repeats",
       timed(&Row::spread)},
      {"init_seconds (s): time before the timed part, median", timed(&Row::init_seconds)},
      {"collate_seconds (s): time after it until the results are on one host, median", timed(&Row::collate_seconds)},
  }};
  const std::vector<Figures> rates = {
      spread("rate", "rate_unit", &Row::rate, "rate of the workload at the median; for a part GB/s",
             "of the slowest repeat", "of the fastest"),
      {{"rate_unit: unit of these three", &Row::rate_unit},
       {"update: unit of the count", recorded([](const Record& record) { return record.work.update; })},
       {"updates: updates per repeat", timed([](R r) { return r.work.updates; })},
       {"bytes_per_update (bytes): bytes to and from memory, by the algorithm's own count",
        timed([](R r) { return r.work.bytes / r.work.updates; })},
       {"flops_per_update (FLOP): counted by running the code on a counting type",
        timed([](R r) { return r.work.flops / r.work.updates; })},
       {"measured_bytes_per_update (bytes): bytes to and from memory by the processor's counters (--counters), median",
        counted_of(&CounterRecord::bytes)},
       {"measured_flops_per_update (FLOP): likewise", counted_of(&CounterRecord::flops)},
       {"why_not_measured: reason why the counters did not count bytes or FLOPs", recorded([](const Record& record) {
          const CounterRecord found = record.counters.value_or(CounterRecord());
          return found.why_no_bytes.empty() ? found.why_no_flops : found.why_no_bytes;
        })},
       {"conventional_flops_per_update (FLOP): as published work counts them",
        conventional([](R r) { return r.work.updates; })},
       {"bytes_held (bytes): size of the case's data",
        recorded([](const Record& record) { return record.work.bytes_held; })},
       {"steps_per_launch: time steps in one launch, region or sweep",
        recorded([](const Record& record) { return record.work.steps_per_launch; })},
       {"launches: kernels, recorded graphs or target regions that the host started per repeat",
        called(&Calls::launches)},
       {"waits: number of times per repeat that the host waited for the device", called(&Calls::waits)}},
      spread("gb_per_s", "GB/s", when_timed(&Row::gb_per_s), "bandwidth by that count, at the median",
             "of the slowest repeat", "of the fastest, which STREAM reports"),
      {{"moved_gb_per_s (GB/s): bandwidth of a part at the median, including lines that are read because they will be "
        "written",
        timed([](R r) {
          return if_any(r.work.bytes_moved, [&](double bytes) { return 1e-9 * bytes / r.time.median; });
        })}},
      spread("gflop_per_s", "GFLOP/s", when_timed(&Row::gflop_per_s), "rate by the FLOPs counted, at the median",
             "of the slowest repeat", "of the fastest"),
      {{"conventional_gflop_per_s (GFLOP/s): as published work counts FLOPs, at the median",
        conventional([](R r) { return 1e9 * r.time.median; })},
       {"conventional_flop_per_byte (FLOP/byte): as published work counts FLOPs",
        conventional([](R r) { return r.work.bytes; })},

       {"joules (J): energy of a repeat, median: all processors of the machine, or the GPU with its memory",
        of_joules([](R, double joules) { return joules; })},
       {"watts (W): joules over the median of all seconds",
        of_joules([](R r, double joules) { return joules / median(r.seconds); })},
       {"updates_per_joule: updates of a repeat over its joules",
        of_joules([](R r, double joules) { return r.work.updates / joules; })},
       {"why_no_joules: reason why they were not counted", &Row::why_no_joules},

       {"peaks_of: the row's processor or device, as column `of` in peaks.csv", roofline(&RooflineAnalysis::peaks_of)},
       {"bound: the limit that takes the longest time: a level of memory, arithmetic, tensor cores, divisions, roots, "
        "wide multiplications, launches, messages; with \"or\" where noisy roofs leave several; empty where traffic or "
        "peaks are not known, and where noise leaves it undecided",
        roofline(&RooflineAnalysis::bound)},
       {"share_of_bound: that time over the median; above 1.05 the count or the roof is wrong",
        roofline(&RooflineAnalysis::share)},
       {"share_of_bound_max: the same by the lower end of the roof, which above 1 is no roof of this run; empty if the roof is steady within 10 %",
        roofline(&RooflineAnalysis::share_most)},
       {"verdict: bound and share in words, if the roof is noisy from least to greatest share; if every limit takes less "
        "than half of the time, latency or code dominates",
        roofline(&RooflineAnalysis::verdict)},
       {"limits (JSON): object of each limit's share of the median", limits},
       {"level: the memory level that takes the longest time", roofline(&RooflineAnalysis::level)},
       {"level_bytes_per_update (bytes): least bytes that cross this level, including the lines that plain stores fetch",
        timed([](R r) {
          return r.roofline.level.empty() ? std::nullopt : std::optional(r.roofline.level_bytes_per_update);
        })},
       {"level_gb_per_s (GB/s): bandwidth by these bytes, at the median", roofline(&RooflineAnalysis::level_gb_per_s)},
       {"flop_per_byte (FLOP/byte): operational intensity, by these bytes",
        roofline(&RooflineAnalysis::flop_per_byte)}},
      spread("roof_gb_per_s", "GB/s", roofline(&RooflineAnalysis::roof_gb_per_s),
             "roof of this level for as many workers: the best confirmed rate of the session, in bytes that move",
             "lower end of the roof: the lower quartile of the session's probes, or a rate at most 3 % below the roof "
             "if the quartile is higher",
             "the fastest repetition"),
      {{"roof_of: kernel that has this roof (read, triad, copy or update: where known, one that writes as large a share "
        "as the run), and on how many cores, if not on all",
        roofline(&RooflineAnalysis::roof_of)},
       {"peak_gflop_per_s (GFLOP/s): peak of the fastest arithmetic in that precision for as many workers, or of "
        "tensor cores in the format of their products",
        roofline(&RooflineAnalysis::peak_gflop_per_s)},
       {"peak_of: format of that peak, whether on tensor cores, and on how many cores, if not on all",
        roofline(&RooflineAnalysis::peak_of)},
       {"share_of_peak: gflop_per_s over that", roofline(&RooflineAnalysis::share_of_peak)},
       {"ridge_flop_per_byte (FLOP/byte): intensity at which that roof meets that peak",
        roofline(&RooflineAnalysis::ridge_flop_per_byte)}}};
  const std::vector<Figures> among_others = {
      {{"best_of_model: whether it is its model's fastest right row for this case, precision and part",
        &Row::is_best_of_model},
       {"share_of_best: for its model's fastest row on this type of device: rate over that of the fastest model",
        [](R r) { return r.best.share; }},
       {fmt::format(
            "standing: of that row among models: fastest; tie: differs by less than {:.0f} %, by the interval of "
            "the ratio; behind; undecided: too noisy to rank; empty with fewer than {} rounds",
            100.0 * most_of_a_tie, rounds_to_rank),
        [](R r) { return to_string(r.best.standing); }},
       {"rounds_to_decide: if it is undecided, about how many rounds of both would decide",
        [](R r) { return r.best.rounds_to_decide; }},
       {"share_of_same: as share_of_best, among the variants of the same algorithm only",
        [](R r) { return r.same.share; }},
       {"standing_of_same: likewise", [](R r) { return to_string(r.same.standing); }},
       {"rounds_to_decide_same: likewise", [](R r) { return r.same.rounds_to_decide; }}},
      speed_up("speed_up_over_textbook", &Row::over_textbook, "seconds of the serial textbook over the median here"),
      speed_up("speed_up_over_like_for_like", &Row::over_like_for_like,
               "seconds of serial's variant of the same algorithm over the median here"),
      {{"speed_up_over_build: seconds with the plan's first build over those here", &Row::over_first_build},
       {"verdict_over_build: faster, slower, tie or undecided, as standing; empty with too few rounds",
        &Row::verdict_over_build}},
      factor_columns(),
      scaling_columns(),
      network_columns(),
      {{"check: reference of the check: reference, or a file prefix; empty without a check",
        [](R r) { return r.check.passed ? r.check.against : Text(); }},
       {"checked: elements that were checked, e.g. all of 262144, or 1024 of 262144, drawn by seed 7; empty without a "
        "check and in older records",
        [](R r) { return r.check.extent ? r.check.extent->words() : Text(); }},
       {"passed: whether all were within the tolerance", [](R r) { return r.check.passed; }},
       {"tolerance: largest relative deviation of a right result",
        [](R r) { return r.check.passed ? std::optional(r.check.tolerance) : std::nullopt; }},
       {"deviation: worst relative deviation; empty also if it is not a number",
        [](R r) { return r.is_checked() ? r.check.worst().value : std::nullopt; }},
       {"deviation_at: quantity and place of that deviation, e.g. speed, cell 5 7", deviation_at},
       {"deviations (JSON): object of the deviations of all quantities", deviations},
       {"metrics (JSON): object of the workload's own figures in the last round, with units", metrics},
       {"date: start of the last round, UTC", provenance(&Provenance::date)},
       {"version: version of the suite", provenance(&Provenance::version)},
       {"revision: git revision", provenance(&Provenance::revision)},
       {"kernels_by: what compiled the kernels in the run: NVRTC or the driver; empty if the program's compiler did",
        recorded(kernels_by)},
       {"compiler: compiler of the program", provenance(&Provenance::compiler)},
       {"flags: compiler flags", provenance(&Provenance::flags)},
       {"host: name of the machine", provenance(&Provenance::host)},
       {"cpu: processor", provenance(&Provenance::cpu)},
       {"cores: logical processors that the process could use", provenance(&Provenance::cores)},
       {"environment (JSON): object of the machine's state in the last round: governor, affinity, load, ...",
        recorded([](const Record& record) { return json(record.environment.all()); })},
       {"system: operating system and kernel", provenance(&Provenance::system)},
       {"command: the command line", provenance(&Provenance::command)},
       {"notes: remarks on the figures", [](R r) {
          return join_not_empty({join(r.notes, "; "), r.is_noisy() ? fmt::format("noisy ({})", r.noise()) : ""}, "; ");
        }}}};
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
