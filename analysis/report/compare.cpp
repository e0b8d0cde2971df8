#include "analysis/report/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "analysis/report/noise.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/peak_rows.hpp"
#include "analysis/roofline/row_words.hpp"
#include "analysis/support/table.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

constexpr const char* rule_of_runs =
    "A difference counts when noise alone would bring it about in less than one of 20 cases: by the "
    "Mann-Whitney U test (p below 0.05) where the repeats are enough for it (4 and 4, 3 and 5, 2 and 8); "
    "with fewer, but at least 2 a side and 5 in all, when the medians differ by more than the spreads of "
    "both sides together. Noise is that within the repeats: a machine that was slower for all of one side is "
    "not noise here.";
constexpr const char* rule_of_peaks =
    "A difference counts when the medians differ by more than the spreads of both sides together.";

/// Either is nullptr where only the other side has it.
template <class T>
using Pair = std::pair<const T*, const T*>;

/// Pairs by one rule after the other; a rule pairs two that fit each other and nothing else that is left.
/// In the order of `a`, what only `b` has at the end. The lists must outlive the pairs.
template <class T>
std::vector<Pair<T>> pair_up(const std::vector<T>& a, const std::vector<T>& b,
                             const std::vector<std::function<bool(const T&, const T&)>>& rules) {
  std::vector<Pair<T>> pairs;
  for (const T& element : a) pairs.push_back({&element, nullptr});
  std::vector<const T*> left;
  for (const T& element : b) left.push_back(&element);
  for (const auto& rule : rules)
    for (auto& [first, second] : pairs) {
      if (second) continue;
      const T& wanted = *first;
      const auto fits = [&](const T* other) { return rule(wanted, *other); };
      if (std::count_if(left.begin(), left.end(), fits) != 1) continue;
      const auto at = std::find_if(left.begin(), left.end(), fits);
      const auto rivals = std::count_if(pairs.begin(), pairs.end(), [&](const Pair<T>& pair) {
        return !pair.second && rule(*pair.first, **at);
      });
      if (rivals != 1) continue;
      second = *at;
      left.erase(at);
    }
  for (const T* element : left) pairs.push_back({nullptr, element});
  return pairs;
}

/// What was decided, in words; `more` is said of the side with the larger figure.
std::string verdict_words(Verdict verdict, bool b_larger, const char* more) {
  if (verdict == Verdict::cannot_tell) return "cannot tell";
  if (verdict == Verdict::within_noise) return "within noise";
  return fmt::format("{} {}", b_larger ? 'B' : 'A', more);
}

// Provenance.

using Field = std::string (*)(const Provenance&);
const std::pair<const char*, Field> fields[] = {{"host", [](const Provenance& p) { return p.host; }},
                                                {"cpu", [](const Provenance& p) { return p.cpu; }},
                                                {"system", [](const Provenance& p) { return p.system; }},
                                                {"compiler", [](const Provenance& p) { return p.compiler; }},
                                                {"flags", [](const Provenance& p) { return p.flags; }},
                                                {"version", [](const Provenance& p) { return p.version; }},
                                                {"revision", [](const Provenance& p) { return p.revision; }}};

/// A field over all rows of a side, with the models where they differ.
std::string field_of(const std::vector<Row>& rows, Field field) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const Row& row : rows)
    if (row.record && !field(row.record->provenance).empty())
      values.emplace_back(row.key.model, field(row.record->provenance));
  return values.empty() ? "-" : by_model(values);
}

/// A launcher binds a rank to fewer cores than the machine has; the most that any run saw says more.
std::string cores_of(const std::vector<Row>& rows) {
  int cores = 0;
  for (const Row& row : rows)
    if (row.record) cores = std::max(cores, row.record->provenance.cores);
  return std::to_string(cores);
}

std::string provenance_text(const std::vector<Row>& a, const std::vector<Row>& b, int width) {
  std::string text;
  std::vector<std::string> same;
  const auto add = [&](const std::string& name, const std::string& of_a, const std::string& of_b) {
    if (of_a == of_b)
      same.push_back(name);
    else
      text += wrapped(fmt::format("- {}: A: {}; B: {}", name, of_a, of_b), width, 2);
  };
  for (const auto& [name, field] : fields) add(name, field_of(a, field), field_of(b, field));
  add("cores", cores_of(a), cores_of(b));
  return "What differs\n\n" + text +
         wrapped("- the same: " + (same.empty() ? "nothing" : join(same, ", ")), width, 2);
}

// Runs.

bool same_or_unknown(const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; }

std::string device_type(const Row& row) { return row.record ? row.record->device_type : ""; }

bool same_code(const Row& a, const Row& b) {
  return a.key.workload == b.key.workload && a.key.model == b.key.model && a.variant == b.variant &&
         a.setting == b.setting && a.part == b.part && a.key.precision == b.key.precision &&
         same_or_unknown(device_type(a), device_type(b));
}

/// A side that did not run knows its case by what it was told.
bool same_case(const Row& a, const Row& b) {
  return a.steps() == b.steps() && (a.case_digest() == b.case_digest() ||
                                    (a.case_name == b.case_name &&
                                     same_or_unknown(a.key.case_, b.key.case_) && !(a.record && b.record)));
}

bool same_workers(const Row& a, const Row& b) { return a.threads == b.threads && a.ranks == b.ranks; }

/// Parts are compared by their rates, so that another size of the same will do.
std::vector<Pair<Row>> pairs_of(const std::vector<Row>& a, const std::vector<Row>& b) {
  const auto same_work = [](const Row& x, const Row& y) { return same_code(x, y) && same_case(x, y); };
  const auto same_team = [=](const Row& x, const Row& y) { return same_work(x, y) && same_workers(x, y); };
  return pair_up<Row>(
      a, b,
      {[=](const Row& x, const Row& y) { return same_team(x, y) && x.device == y.device; }, same_team,
       [=](const Row& x, const Row& y) { return same_work(x, y) && device_type(x) == device_type(y); },
       same_work,
       [](const Row& x, const Row& y) { return !x.part.empty() && same_code(x, y) && same_workers(x, y); },
       [](const Row& x, const Row& y) { return !x.part.empty() && same_code(x, y); }});
}

/// Why a pair cannot be compared, "" when it can.
std::string obstacle_to(const Pair<Row>& pair) {
  const auto& [a, b] = pair;
  if (!a) return "only in B";
  if (!b) return "only in A";
  const bool of_a = a->is_right(), of_b = b->is_right();
  if (of_a && of_b) return "";
  const std::string status_a = to_string(a->status), status_b = to_string(b->status);
  if (of_a || of_b) return of_a ? "B " + status_b : "A " + status_a;
  return status_a == status_b ? status_a : fmt::format("A {}, B {}", status_a, status_b);
}

/// What is compared of a row: its seconds, or of a part the GB/s of every execution.
std::vector<double> samples_of(const Row& row) {
  std::vector<double> samples = row.seconds;
  if (!row.part.empty())
    for (double& sample : samples) sample = 1e-9 * row.work.bytes / sample;
  return samples;
}

std::optional<double> figure_of(const Row* row) {
  if (!row || !row->is_right()) return {};
  return row->part.empty() ? row->time.median : row->gb_per_s.median;
}

void add_run(const Pair<Row>& pair, Table& table, std::vector<std::string>& notes) {
  const auto& [a, b] = pair;
  const Row& any = a ? *a : *b;
  const auto of_both = [&](auto&& word) {
    const std::string of_a = word(a ? *a : *b), of_b = word(b ? *b : *a);
    return of_a == of_b ? of_a : of_a + ", " + of_b;
  };
  std::string difference = obstacle_to(pair);
  std::optional<double> ratio, p;
  if (difference.empty()) {
    const NoiseDecision decision = decide(samples_of(*a), samples_of(*b));
    ratio = any.part.empty() ? *figure_of(a) / *figure_of(b) : *figure_of(b) / *figure_of(a);
    p = decision.p;
    difference = verdict_words(decision.verdict, *ratio > 1.0, "faster");
  }
  table.add_row({of_both([](const Row& row) { return row.case_name; }), std::to_string(any.steps()),
                 any.key.precision, any.key.model, variant_words(any), of_both(workers_words),
                 number_cell(figure_of(a), 4), number_cell(figure_of(b), 4), number_cell(ratio, 3),
                 of_both([](const Row& row) { return std::to_string(row.seconds.size()); }),
                 number_cell(p, 2), difference});
  for (const auto& [row, side] : {std::pair(a, 'A'), std::pair(b, 'B')})
    if (row && row->status != RunStatus::ok)
      notes.push_back(fmt::format("{}: {}: {}", side, row->case_name, status_words(*row)));
}

std::string runs_text(const std::vector<Row>& a, const std::vector<Row>& b, int width) {
  std::map<std::string, std::pair<std::vector<Row>, std::vector<Row>>> by_workload;
  for (const Row& row : a) by_workload[row.key.workload].first.push_back(row);
  for (const Row& row : b) by_workload[row.key.workload].second.push_back(row);
  std::string text;
  for (const auto& [workload, sides] : by_workload) {
    const auto& [of_a, of_b] = sides;
    const auto has_part = [](const Row& row) { return !row.part.empty(); };
    const bool parts =
        std::any_of(of_a.begin(), of_a.end(), has_part) || std::any_of(of_b.begin(), of_b.end(), has_part);
    const std::string unit = parts ? "GB/s" : "s";
    Table table({{"case", Align::left, true},
                 {"steps", Align::right},
                 {""},
                 {"model", Align::left, true},
                 {"variant", Align::left, true},
                 {"ranks x\nthreads", Align::right},
                 {"A\n" + unit, Align::right},
                 {"B\n" + unit, Align::right},
                 {"B over A", Align::right},
                 {"repeats", Align::right},
                 {"p", Align::right},
                 {"difference"}});
    std::vector<std::string> notes;
    for (const auto& pair : pairs_of(of_a, of_b)) add_run(pair, table, notes);
    for (const Row& x : of_a)
      for (const Row& y : of_b)
        if (x.record && y.record && x.part.empty() && x.case_name == y.case_name &&
            x.case_digest() != y.case_digest())
          notes.push_back(x.case_name +
                          ": the two sides solved different problems under this name, which are not "
                          "compared");
    notes.emplace_back(rule_of_runs);
    text += fmt::format("\n{}: medians; above 1 B is faster\n\n{}\n", workload, table.text(width));
    for (std::size_t i = 0; i < notes.size(); ++i)
      if (std::find(notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(i), notes[i]) ==
          notes.begin() + static_cast<std::ptrdiff_t>(i))
        text += wrapped("- " + notes[i], width, 2);
  }
  return text;
}

// Peaks.

/// Devices have other names on other machines, so they are known by type and number.
std::vector<PeakRow> figures_of(const std::optional<Peaks>& peaks) {
  if (!peaks) return {};
  std::vector<PeakRow> rows = make_peak_rows(*peaks);
  std::map<std::string, std::map<std::string, int>> number;
  for (PeakRow& row : rows)
    if (row.of != "processor") {
      auto& of_type = number[row.type];
      const int next = static_cast<int>(of_type.size()) + 1;
      row.of = fmt::format("OpenCL {} {}", row.type, of_type.try_emplace(row.of, next).first->second);
    }
  std::erase_if(rows,
                [](const PeakRow& row) { return !row.value || row.unit == "bytes" || row.kind == "sweep"; });
  return rows;
}

std::string name_of(const PeakRow& row) {
  std::string name = row.kind;
  if (row.kind == "bandwidth") name = row.level + ' ' + row.pattern;
  if (row.kind == "compute")
    name = fmt::format("{} {}", row.precision, row.fma.value_or(false) ? "FMA" : "without FMA");
  if (row.vector_bits.value_or(0) > 0) name += fmt::format(", {} bits", *row.vector_bits);
  if (row.cores.value_or(0) > 0) name += row.cores == 1 || row.is_roof ? "" : ", all cores";
  return row.cores == 1 ? name + ", one core" : name;
}

std::string peaks_text(const std::optional<Peaks>& a, const std::optional<Peaks>& b, int width) {
  const auto of_a = figures_of(a), of_b = figures_of(b);
  std::string text = "\nPeaks: medians of what boltzmark peaks measured\n\n";
  Table table({{"of", Align::left, true},
               {"figure"},
               {"unit"},
               {"A", Align::right},
               {"B", Align::right},
               {"B over A", Align::right},
               {"difference"}});
  const auto same_figure = [](const PeakRow& x, const PeakRow& y) {
    return x.of == y.of && x.kind == y.kind && x.level == y.level && x.pattern == y.pattern &&
           x.precision == y.precision && x.fma == y.fma && x.vector_bits == y.vector_bits &&
           (x.cores == y.cores || (x.cores != 1 && y.cores != 1));
  };
  for (const auto& [x, y] : pair_up<PeakRow>(of_a, of_b, {same_figure})) {
    const PeakRow& any = x ? *x : *y;
    const auto median = [](const PeakRow* row) {
      return row ? std::optional(row->value->median) : std::nullopt;
    };
    std::optional<double> ratio;
    std::string difference = !x ? "only in B" : "only in A";
    if (x && y) {
      ratio = *median(y) / *median(x);
      difference = verdict_words(decide(*x->value, *y->value).verdict, *ratio > 1.0, "higher");
    }
    table.add_row({any.of, name_of(any), any.unit, number_cell(median(x), 4), number_cell(median(y), 4),
                   number_cell(ratio, 3), difference});
  }
  if (a || b) text += table.text(width) + '\n' + wrapped(std::string("- ") + rule_of_peaks, width, 2);
  for (const auto& [peaks, side] : {std::pair(&a, 'A'), std::pair(&b, 'B')})
    if (!*peaks)
      text += wrapped(
          fmt::format("- {}: no peaks among these results; `boltzmark peaks` measures them", side), width, 2);
    else
      for (const PeakRow& row : make_peak_rows(**peaks))
        if (row.kind == "note")
          text += wrapped(fmt::format("- {}: {}: {}", side, row.of, row.text), width, 2);
  return text;
}

}  // namespace

std::string compare_results(const Results& a, const Results& b, int width) {
  const auto runs_of = [](const Results& results) {
    std::vector<Row> rows = make_rows(results);
    std::erase_if(rows, [](const Row& row) { return row.source != "runs"; });
    return rows;
  };
  const std::vector<Row> of_a = runs_of(a), of_b = runs_of(b);
  return fmt::format("A: {}\nB: {}\n\n", a.folder.string(), b.folder.string()) +
         provenance_text(of_a, of_b, width) + runs_text(of_a, of_b, width) +
         peaks_text(a.peaks, b.peaks, width);
}

}  // namespace boltzmark
