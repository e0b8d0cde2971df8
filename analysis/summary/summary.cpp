#include "analysis/summary/summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analysis/matrix/matrix.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"
#include "common/lbm/check.hpp"

namespace boltzmark {
namespace {

double triad_rate(const Row& row) { return row.gb_per_s.median; }

/// A rate at its row's median and at the ends of the median's interval.
Spread with_interval(const Row& row, double rate) {
  const Spread& time = row.time_interval;
  return {rate, rate * time.median / time.maximum, rate * time.median / time.minimum};
}

/// The roof, and what was measured.
Spread with_repetitions(const auto& peak, const Spread& repetitions) {
  const double roof = peak.limit().median;
  return {roof, std::min(roof, repetitions.minimum), std::max(roof, repetitions.maximum)};
}

/// GPUs are compared whatever their names: "GPU, copy", "GPU 2, copy".
void add_peaks(const Peaks& peaks, std::vector<MachineFigure>& figures) {
  const auto add = [&figures](const auto& side, const char* memory, int cores, const std::string& of,
                              const std::string& on, const std::string& by) {
    if (const auto* copy = find_bandwidth(side.bandwidths, memory, "copy", cores))
      figures.push_back(
          {(of.empty() ? "memory, " : of) + "copy" + on, "GB/s", with_repetitions(*copy, copy->gb_per_s), by});
    for (const std::string precision : {"f32", "f64"})
      if (const auto* fma = find_compute(side.computes, precision, true, cores))
        figures.push_back({fmt::format("{}multiply-adds {}{}", of, precision, on), "GFLOP/s",
                           with_repetitions(*fma, fma->gflop_per_s), by});
  };
  const int all = peaks.processor.cores;
  if (all != 1) add(peaks.processor, "DRAM", 1, "", ", one core", "");
  add(peaks.processor, "DRAM", all, "", all == 1 ? ", one core" : ", all cores", "");
  std::map<std::string, int> numbers;
  for (const DevicePeaks& device : peaks.devices) {
    const std::string kind = device.type == "cpu" ? device.platform : device.type == "gpu" ? "GPU" : device.type;
    const int number = ++numbers[kind];
    add(device, "memory", 0, kind + (number > 1 ? fmt::format(" {}, ", number) : ", "), "", plain_device(device.name));
  }
}

/// "openmp wavefront 1x2", without a part; with the device unless it is the processor.
std::string program_on(Row row) {
  row.part.clear();
  return program_words(row) + (row.record->device_type == "cpu" ? "" : " on " + plain_device(row.device));
}

void add_stream(const std::vector<Row>& rows, std::vector<MachineFigure>& figures) {
  for (const char* precision : {"f32", "f64"})
    if (const Row* const row = fastest_triad(right_of_plans(rows), precision))
      figures.push_back({fmt::format("STREAM triad {}, {}", precision, problem_words(row->case_name)),
                         "GB/s",
                         with_interval(*row, row->gb_per_s.median),
                         program_on(*row),
                         {row}});
}

void add_lbm(const std::vector<Row>& rows, std::vector<MachineFigure>& figures) {
  for (const char* precision : {"f32", "f64"}) {
    for (const bool like_for_like : {true, false})
      for (const char* problem : standard_problems)
        if (const Row* row = fastest_run(rows, problem, precision, like_for_like))
          figures.push_back(
              {fmt::format("lbm {} {}, {}", problem, precision, like_for_like ? "same algorithm" : "best"),
               "MLUPS",
               with_interval(*row, row->rate->median),
               program_on(*row),
               {row}});
    if (const auto mean = machine_mean(rows, precision))
      figures.push_back(
          {fmt::format("lbm {}, harmonic mean", precision), "MLUPS", *mean, "",
           each(standard_problems, [&](const char* problem) { return fastest_run(rows, problem, precision, false); })});
  }
}

bool has_interval(const Spread& spread) { return spread.minimum < spread.maximum; }

/// "33.4-44.0"; "no interval" where it has none.
std::string ends_of(const Spread& spread, int digits) {
  if (!has_interval(spread)) return "no interval";
  return significant(spread.minimum, digits) + '-' + significant(spread.maximum, digits);
}
/// "37.1 (33.4-44.0)"; the median alone where it has no interval.
std::string with_ends(const Spread& spread) {
  return significant(spread.median, 3) + (has_interval(spread) ? " (" + ends_of(spread, 3) + ')' : "");
}

std::string line(const std::string& name, const std::string& words, int width) {
  constexpr int indent = 20;
  std::string text, begin = name;
  for (const std::string& one : split(wrapped(words, width - indent), '\n'))
    if (!one.empty()) text += fmt::format("{:<{}}{}\n", std::exchange(begin, ""), indent, one);
  return text;
}

std::string machine_words(const Results& results, const std::vector<Row>& rows) {
  std::map<std::string, int> cores;  // a bound rank sees only its own cores
  const auto add = [&cores](const std::string& host, const std::string& processor, int number) {
    int& most = cores[fmt::format("{}, {}", host, plain_device(processor))];
    most = std::max(most, number);
  };
  for (const Row& row : rows)
    if (row.record) add(row.record->provenance.host, row.record->provenance.cpu, row.record->provenance.cores);
  if (results.peaks && cores.empty())
    add(results.peaks->host, results.peaks->processor.name, results.peaks->processor.cores);
  auto words =
      each(cores, [](const auto& one) { return fmt::format("{}, {}", one.first, counted(one.second, "core")); });
  for (const Row& row : rows)
    if (row.record && row.record->device_type != "cpu") add_once(words, plain_device(row.device));
  return join(words, "; ");
}

std::string dates_words(const Results& results, const std::vector<Row>& rows) {
  std::set<std::string> dates;
  for (const Row& row : rows)
    if (row.record) dates.insert(row.record->provenance.date.substr(0, 10));
  if (dates.empty() && results.peaks) dates.insert(results.peaks->date.substr(0, 10));
  if (dates.empty()) return "";
  const std::string from = *dates.begin() + (dates.size() > 1 ? " to " + *dates.rbegin() : "");
  const auto revisions = distinct_texts(rows, "{revision}");
  const auto unchecked = std::ranges::count_if(rows, [](const Row& row) { return row.is_done() && !row.is_checked(); });
  return fmt::format(
      "{} of {}{}{}", counted(static_cast<std::int64_t>(rows.size()), "row"), from,
      unchecked > 0 ? fmt::format(", {} not checked", unchecked) : "",
      revisions.size() == 1 ? ", revision " + revisions.front() : fmt::format(", {} revisions", revisions.size()));
}

std::string stream_words(const std::vector<MachineFigure>& figures) {
  std::vector<std::string> found;
  for (const MachineFigure& one : figures)
    if (const std::string start = "STREAM triad "; one.name.starts_with(start))
      found.push_back(fmt::format("{} GB/s {} ({})", with_ends(one.value), one.name.substr(start.size()), one.by));
  return found.empty() ? "no right run" : join(found, "; ");
}

/// STREAM's triad with OpenMP on all threads, with first touch by every thread or by one.
const Row* first_touch(const std::vector<Row>& rows, bool by_one) {
  const auto fits = [by_one](const Row& row) {
    return row.key.workload == "stream" && row.key.model == "openmp" && row.part == "triad" &&
           contains(row.key.options, "--first-touch") == by_one;
  };
  return best_of(right_of_plans(rows), fits, triad_rate);
}

std::string numa_words(const Results& results, const std::vector<Row>& rows) {
  const Row *const right = first_touch(rows, false), *const wrong = first_touch(rows, true);
  const ProcessorPeaks* const processor = results.peaks ? &results.peaks->processor : nullptr;
  if (!processor || processor->sockets == 0)
    return "sockets and NUMA nodes: not known (no peaks, or peaks of an older version)";
  std::string words =
      fmt::format("{}, {}", counted(processor->sockets, "socket"), counted(processor->numa_nodes, "NUMA node"));
  if (processor->sockets > 1)
    if (const auto* copy = find_bandwidth(processor->bandwidths, "DRAM", "copy", processor->cores_of_socket))
      words += fmt::format("; copy on the first socket, {}: {} GB/s", counted(processor->cores_of_socket, "core"),
                           with_ends(with_repetitions(*copy, copy->gb_per_s)));
  if (processor->numa_nodes == 1) return words + ": all memory is local";
  if (!right || !wrong) return words + "; first touch was not measured (boltzmark run quick)";
  return words + fmt::format("; triad with first touch by each thread {} GB/s, by one {} GB/s: {} times as slow",
                             significant(right->gb_per_s.median, 3), significant(wrong->gb_per_s.median, 3),
                             significant(right->gb_per_s.median / wrong->gb_per_s.median, 3));
}

/// For each model, the row of scaling with the most workers, on the largest case.
std::string scaling_words(const std::vector<Row>& rows) {
  std::map<std::string, const Row*> longest;
  for (const Row& row : rows) {
    if (!row.strong || row.workers() < 2 || row.key.workload != "lbm" || row.source == "tuning") continue;
    const Row*& known = longest[row.key.model];
    const auto order = [](const Row& one) {
      return std::tuple(one.workers(), one.work.updates / static_cast<double>(one.steps()), one.rate->median);
    };
    if (!known || order(row) > order(*known)) known = &row;
  }
  std::vector<std::string> words;
  for (const auto& [model, row] : longest)
    words.push_back(fmt::format("{} {} on {} {}: {}, efficiency {:.0f} % ({} {}{})", model, variant_words(*row),
                                row->workers(), row->workers_unit, significant(row->strong->speed_up, 3) + " times one",
                                100.0 * row->strong->efficiency, row->case_name, row->key.precision,
                                row->is_checked() ? "" : ", not checked"));
  return words.empty() ? "no runs that differ only in their number of workers" : join(words, "; ");
}

/// 1 or 2 where the ranges do not meet and least_gap is between the figures; else 0.
int apart(const Spread& a, const Spread& b) {
  const double ratio = a.median / b.median;
  if (!has_interval(a) || !has_interval(b) || std::min(ratio, 1.0 / ratio) > 1.0 - least_gap) return 0;
  if (a.minimum > b.maximum) return 1;
  return b.minimum > a.maximum ? 2 : 0;
}

}  // namespace

const Row* fastest_triad(const Rows& right, const std::string& precision) {
  const auto fits = [&](const Row& row) {
    return row.key.workload == "stream" && row.part == "triad" && row.key.precision == precision;
  };
  std::vector<std::int64_t> longest;
  for (const Row* const row : right)
    if (fits(*row)) longest = std::max(longest, row->record->case_.extent);
  return best_of(
      right, [&](const Row& row) { return fits(row) && row.record->case_.extent == longest; }, triad_rate);
}

const Row* fastest_run(const std::vector<Row>& rows, const std::string& problem, const std::string& precision,
                       bool like_for_like) {
  const double most = lbm::tolerance(precision == "f64" ? Precision::f64 : Precision::f32);
  const auto fits = [&](const Row& row) {
    return row.key.workload == "lbm" && row.case_name == problem && row.key.precision == precision && row.rate &&
           row.record->case_.extent.size() == 2 && row.check.tolerance <= most &&
           (!like_for_like || row.record->role == "like-for-like");
  };
  return best_of(right_of_plans(rows), fits, [](const Row& row) { return row.rate->median; });
}

std::optional<Spread> machine_mean(const std::vector<Row>& rows, const std::string& precision) {
  std::vector<Spread> rates;
  for (const char* problem : standard_problems) {
    const Row* const row = fastest_run(rows, problem, precision, false);
    if (!row) return {};
    rates.push_back(with_interval(*row, row->rate->median));
  }
  const auto mean = [&rates](double Spread::*of) { return harmonic_mean(each(rates, of)); };
  if (!std::ranges::all_of(rates, has_interval)) return spread_of({mean(&Spread::median)});
  return Spread{mean(&Spread::median), mean(&Spread::minimum), mean(&Spread::maximum)};
}

Machine machine_of(const std::string& name, const Results& results, const std::vector<Row>& rows) {
  return {fmt::format("{} ({})", machine_words(results, rows), one_line(name)), machine_figures(results, rows)};
}

std::vector<MachineFigure> machine_figures(const Results& results, const std::vector<Row>& rows) {
  std::vector<MachineFigure> figures;
  if (results.peaks) add_peaks(*results.peaks, figures);
  add_stream(rows, figures);
  add_lbm(rows, figures);
  return figures;
}

TableData summary_table(const std::vector<Row>& rows) {
  TableData table = {"summary", "Fastest right runs of the standard problems, MLUPS", "", {{"what", "lbm"}}, {}};
  table.section = "files";
  for (const char* problem : standard_problems) table.rows.push_back({{"what", problem}});
  table.rows.push_back({{"what", "harmonic mean"}});
  for (const char* precision : {"f32", "f64"})
    for (const bool like_for_like : {true, false}) {
      const std::string what = fmt::format("{} {}", precision, like_for_like ? "same algorithm" : "best");
      std::vector<std::pair<std::string, std::string>> programs;
      for (std::size_t i = 0; i < std::size(standard_problems); ++i)
        if (const Row* const row = fastest_run(rows, standard_problems[i], precision, like_for_like)) {
          table.rows[i][what] = row->rate->median;
          if (row->roofline.share) table.rows[i][what + " bound"] = row->roofline.verdict;
          programs.emplace_back(fmt::format("{} of {}", standard_problems[i], counted(row->steps(), "step")),
                                program_on(*row));
        }
      if (programs.empty()) continue;
      table.columns.push_back({what, what, "4", what + " bound"});
      if (const auto mean = like_for_like ? std::nullopt : machine_mean(rows, precision)) {
        table.rows.back()[what] = mean->median;
        table.rows.back()[what + " bound"] = ends_of(*mean, 4);
      }
      table.notes.push_back(fmt::format("{}: {}", what, by_model(programs)));
    }
  if (table.columns.size() == 1) table.rows.clear();
  return table;
}

std::string summary_text(const Results& results, const std::vector<Row>& rows, int width) {
  const auto figures = machine_figures(results, rows);
  const TableData table = summary_table(rows);
  std::vector<MachineFigure> peaks;
  if (results.peaks) add_peaks(*results.peaks, peaks);
  const auto words = [](const MachineFigure& one) {
    return fmt::format("{} {} {}{}", one.name, with_ends(one.value), one.unit, one.by.empty() ? "" : " on " + one.by);
  };
  std::string ranked, name = "fastest";
  for (const std::string& sentence : first_of_ranking(of_plans(rows)))
    ranked += line(std::exchange(name, ""), sentence, width);
  return ranked + line("machine", machine_words(results, rows), width) +
         line("records", dates_words(results, rows), width) +
         line("peaks",
              peaks.empty() ? "not measured (boltzmark peaks)"
                            : "roofs (slowest to fastest repetition): " + joined(peaks, "; ", words),
              width) +
         line("sockets", numa_words(results, rows), width) + line("intervals", interval_words(rows), width) +
         line("STREAM triad", stream_words(figures), width) + line("cores", scaling_words(rows), width) +
         (table.rows.empty() ? line("lbm", "no right run of a standard problem", width) : '\n' + table.text(width));
}

std::string comparison_of(const Machine& a, const Machine& b, const JudgeRows& judge, int width) {
  TableData table = {"",
                     "",
                     "",
                     {{"figure", "figure"},
                      {"unit", "unit"},
                      {"A", "A", "4", "A range"},
                      {"B", "B", "4", "B range"},
                      {"wins", "wins"},
                      {"by", "times", "3"}},
                     {}};
  std::vector<std::string> wins[3];
  std::size_t both = 0;
  for (const MachineFigure& of_a : a.figures) {
    const MachineFigure* const of_b = find_by(b.figures, of_a.name, &MachineFigure::name);
    if (!of_b) continue;
    ++both;
    const int who = of_a.rows.empty() ? apart(of_a.value, of_b->value) : judge(of_a.rows, of_b->rows);
    const double ratio = of_a.value.median / of_b->value.median;
    json& line = table.rows.emplace_back(json{{"figure", of_a.name}, {"unit", of_a.unit}});
    for (const auto& [side, spread] : {std::pair("A", &of_a.value), std::pair("B", &of_b->value)}) {
      line[side] = spread->median;
      if (has_interval(*spread)) line[std::string(side) + " range"] = ends_of(*spread, 4);
    }
    if (who != 0) line.update({{"wins", who == 1 ? "A" : "B"}, {"by", who == 1 ? ratio : 1.0 / ratio}});
    wins[who].push_back(of_a.name);
  }
  std::string text = line("A", a.name, width) + line("B", b.name, width);
  if (table.rows.empty()) return text + "no figure in common\n";
  text += '\n' + table.body(width) + '\n';
  for (const auto& [name, who] : {std::pair("A wins", 1), std::pair("B wins", 2), std::pair("neither wins", 0)})
    if (!wins[who].empty()) text += line(name, fmt::format("{}: {}", wins[who].size(), join(wins[who], "; ")), width);
  const std::size_t only_a = a.figures.size() - both, only_b = b.figures.size() - both;
  if (only_a + only_b > 0)
    text += line("not in both", fmt::format("{} of A alone, {} of B alone", only_a, only_b), width);
  return text;
}

int summary_command(const SummaryOptions& options) {
  if (!options.compare.empty()) return compare_command({options.compare.at(0), options.compare.at(1), "", ""});
  const Results results = read_results(options.results);
  print_text(stdout, summary_text(results, make_rows(results), table_width()));
  return 0;
}

}  // namespace boltzmark
