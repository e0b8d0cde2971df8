#include "analysis/report/compare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/compare_figures.hpp"
#include "analysis/report/measured.hpp"
#include "analysis/report/noise.hpp"
#include "analysis/report/pair_up.hpp"
#include "analysis/report/table_cells.hpp"
#include "analysis/run/comparison_output.hpp"
#include "analysis/support/json_reader.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

constexpr const char* rule_of_runs =
    "A difference counts when noise alone would bring it about in less than one of 20 cases: by the "
    "Mann-Whitney U test (p below 0.05) where the repeats are enough for it (4 and 4, 3 and 5, 2 and 8); "
    "with "
    "fewer, but at least 2 a side and 5 in all, when the medians differ by more than the spreads of both "
    "sides "
    "together. Noise is that within the repeats: a machine that was slower for all of one side is no noise "
    "here.";

struct Field {
  const char* name;
  const char* pointer;
};
constexpr Field fields[] = {{"host", "/host"},         {"cpu", "/cpu"},     {"system", "/system"},
                            {"compiler", "/compiler"}, {"flags", "/flags"}, {"version", "/version"},
                            {"revision", "/revision"}};

/// A field over all records of a side, with the models where they differ.
std::string field_of(const Results& results, const char* pointer) {
  std::vector<std::pair<std::string, std::string>> values;
  const auto add = [&](const std::string& model, const json& provenance) {
    if (const std::string value = text_at(provenance, pointer); !value.empty())
      values.emplace_back(model, value);
  };
  for (const auto& entry : results.entries)
    if (entry.record.is_object()) add(entry.key.model, entry.record.value("provenance", json()));
  for (const auto& stream : results.streams) add(stream.model, stream.provenance);
  return values.empty() ? "-" : by_model(values);
}

/// A launcher binds a rank to fewer cores than the machine has; the most that any run saw says more.
std::string cores_of(const Results& results) {
  double cores = 0;
  for (const auto& entry : results.entries)
    cores = std::max(cores, number_at(entry.record, "/provenance/cores").value_or(0.0));
  for (const auto& stream : results.streams)
    cores = std::max(cores, number_at(stream.provenance, "/cores").value_or(0.0));
  return cores > 0 ? fmt::format("{}", cores) : "-";
}

ReportTable provenance_table(const Results& a, const Results& b) {
  ReportTable table;
  table.id = "compare-provenance";
  table.title = "What differs";
  table.caption = fmt::format("A: {}. B: {}.", a.folder.string(), b.folder.string());
  table.columns = {left(""), left("A", true), left("B", true), left("differs")};
  const auto add = [&](const std::string& name, const std::string& of_a, const std::string& of_b) {
    const bool differs = of_a != of_b;
    table.rows.push_back({name, of_a, of_b, differs ? "yes" : "no"});
    if (differs) table.note(fmt::format("{}: A: {}; B: {}", name, of_a, of_b));
  };
  for (const Field& field : fields) add(field.name, field_of(a, field.pointer), field_of(b, field.pointer));
  add("cores", cores_of(a), cores_of(b));
  add("peaks measured", a.peaks ? "yes" : "no", b.peaks ? "yes" : "no");
  return table;
}

/// A row with its problem.
struct Run {
  const ProblemComparison* problem;
  const ComparisonRow* row;
};

std::vector<Run> runs_of(const Results& results) {
  std::vector<Run> runs;
  for (const auto& problem : results.comparison.problems)
    for (const auto& row : problem.rows) runs.push_back({&problem, &row});
  return runs;
}

/// The same work by the same code. A side that did not run has no digest and no type of device.
bool same_work(const Run& a, const Run& b) {
  const auto same = [](const std::string& x, const std::string& y) {
    return x.empty() || y.empty() || x == y;
  };
  return a.problem->problem == b.problem->problem && a.problem->steps == b.problem->steps &&
         a.problem->precision == b.problem->precision && a.row->model == b.row->model &&
         a.row->variant == b.row->variant && a.row->setting == b.row->setting &&
         same(device_type_of(*a.row), device_type_of(*b.row)) &&
         same(text_at(a.row->record, "/problem/digest"), text_at(b.row->record, "/problem/digest"));
}

bool same_workers(const Run& a, const Run& b) {
  return a.row->threads == b.row->threads && a.row->ranks == b.row->ranks;
}

std::vector<Pair<Run>> pairs_of(const std::vector<Run>& a, const std::vector<Run>& b) {
  return pair_up<Run>(a, b,
                      {[](const Run& x, const Run& y) {
                         return same_work(x, y) && same_workers(x, y) && x.row->device == y.row->device;
                       },
                       [](const Run& x, const Run& y) { return same_work(x, y) && same_workers(x, y); },
                       [](const Run& x, const Run& y) {
                         return same_work(x, y) && device_type_of(*x.row) == device_type_of(*y.row);
                       },
                       same_work});
}

/// Why a pair cannot be compared, "" when it can.
std::string obstacle_to(const Pair<Run>& pair) {
  const auto& [a, b] = pair;
  if (!a) return "only in B";
  if (!b) return "only in A";
  const bool of_a = a->row->is_right(), of_b = b->row->is_right();
  if (of_a && of_b) return "";
  const std::string status_a = to_string(a->row->status), status_b = to_string(b->row->status);
  if (of_a || of_b) return of_a ? "B " + status_b : "A " + status_a;
  return status_a == status_b ? status_a : fmt::format("A {}, B {}", status_a, status_b);
}

void add_run(const Pair<Run>& pair, ReportTable& table) {
  const auto& [a, b] = pair;
  const Run& any = a ? *a : *b;
  using Figure = std::optional<double>;
  const auto figure = [](const Run* run, double ComparisonRow::*value) {
    return run && run->row->is_right() ? Figure(run->row->*value) : Figure();
  };
  const auto workers = [](const Run* run) { return run ? Cell(workers_of(*run->row)) : Cell("-", ""); };
  const auto repeats = [](const Run* run) { return run ? run->row->seconds.size() : std::size_t{0}; };
  std::string difference = obstacle_to(pair);
  Figure ratio, p;
  if (difference.empty()) {
    const NoiseDecision decision = decide(a->row->seconds, b->row->seconds);
    ratio = a->row->median / b->row->median;
    p = decision.p;
    difference = verdict_words(decision.verdict, *ratio > 1.0, "faster");
  }
  table.rows.push_back(
      {any.problem->precision == "f32" ? any.problem->problem
                                       : any.problem->problem + ' ' + any.problem->precision,
       std::to_string(any.problem->steps), any.row->model, variant_of(*any.row), workers(a), workers(b),
       number_cell(figure(a, &ComparisonRow::median), 4), number_cell(figure(b, &ComparisonRow::median), 4),
       number_cell(figure(a, &ComparisonRow::mlups), 4), number_cell(figure(b, &ComparisonRow::mlups), 4),
       number_cell(ratio, 3), fmt::format("{}, {}", repeats(a), repeats(b)), number_cell(p, 2), difference});
  for (const auto& [run, side] : {std::pair(a, 'A'), std::pair(b, 'B')})
    if (run && run->row->status != RunStatus::ok)
      table.note(fmt::format("{}: {}: {}", side, run->problem->problem, status_line(*run->row)));
}

ReportTable run_table(const Results& a, const Results& b) {
  ReportTable table;
  table.id = "compare-runs";
  table.title = "Runs";
  table.caption = "Median compute seconds; speed-up: A's seconds over B's, above 1 B is faster.";
  table.columns = {left("problem"),
                   right("steps"),
                   left("model"),
                   left("variant", true),
                   right("A\nranks x\nthreads"),
                   right("B\nranks x\nthreads"),
                   right("A\ns"),
                   right("B\ns"),
                   right("A\nMLUPS"),
                   right("B\nMLUPS"),
                   right("speed-up\nB over A"),
                   right("repeats\nA, B"),
                   right("p"),
                   left("difference")};
  const auto runs_a = runs_of(a), runs_b = runs_of(b);
  for (const auto& pair : pairs_of(runs_a, runs_b)) add_run(pair, table);
  table.note(rule_of_runs);
  for (const Run& x : runs_a)
    for (const Run& y : runs_b) {
      const std::string of_x = text_at(x.row->record, "/problem/digest"),
                        of_y = text_at(y.row->record, "/problem/digest");
      if (x.problem->problem == y.problem->problem && !of_x.empty() && !of_y.empty() && of_x != of_y)
        table.note(fmt::format(
            "{}: the two sides solved different problems under this name, which are not compared.",
            x.problem->problem));
    }
  return table;
}

}  // namespace

std::vector<ReportTable> compare_results(const Results& a, const Results& b) {
  return {provenance_table(a, b), run_table(a, b), compare_streams(a, b), compare_peaks(a, b)};
}

}  // namespace boltzmark
