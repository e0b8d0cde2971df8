// Two results side by side: tables of runs and kernels for terminal and page, of peaks and provenance for the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/compare/comparison.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

const char* const rule_of_runs =
    "The unit is the round. A difference counts if its probability by chance, corrected for the number of rows "
    "(Benjamini and Hochberg), is below 5 %: by the Mann-Whitney U test, or, with too few rounds for it, by the "
    "distance of the medians. A machine that was slower throughout one side's runs looks the same as a difference.";
const char* const rule_of_spreads = "A difference counts if the medians differ by more than the sum of both spreads.";
const char* const other_case = "Not compared: problems of the same name that differ between the two sides";

/// The verdict with the names that the sides have.
std::string with_side_names(std::string words, const SideNames& sides) {
  for (const auto& [word, side] : {std::pair("REF", sides.reference), std::pair("NEW", sides.other)})
    if (words.ends_with(word)) words.replace(words.size() - 3, 3, side);
  return words;
}

/// The columns of comparison.csv, and texts about both sides.
json line_of_pair(const RowPair& pair, const SideNames& sides) {
  json line = json::object();
  for (const auto& column : comparison_columns()) line[column.name] = column.cell(pair);
  std::vector<std::string> steps, rounds, workers;
  for (const Row* side : {pair.reference, pair.other}) {
    rounds.push_back(side ? std::to_string(side->round_seconds.size()) : "-");
    if (side && side->steps() > 1) add_once(steps, std::to_string(side->steps()));
    if (side && workers_words(*side) != "-") add_once(workers, workers_words(*side));
  }
  line.update({{"variant", variant_words(pair.any())},
               {"verdict", with_side_names(pair.verdict, sides)},
               {"rounds", join(rounds, ", ")},
               {"steps", join(steps, " and ")},
               {"workers", join(workers, " and ")}});
  if (pair.difference && !pair.p) line["p_adjusted"] = too_few_rounds;
  if (const auto& found = pair.difference; found && found->coverage > 0.0)
    line["interval"] = fmt::format("{:.3f}-{:.3f}", 1.0 / found->high, 1.0 / found->low);
  return line;
}

/// The state of the machine as recorded by runs, by field.
ByName<std::vector<std::string>> states_of(const std::vector<Row>& rows) {
  ByName<std::vector<std::string>> states;
  for (const Row* row : of_plans(rows))
    if (row->record)
      for (const auto& [name, value] : row->record->environment.all()) add_once(states[name], value);
  return states;
}

TableData provenance_table(const ComparedSide& a, const ComparedSide& b) {
  TableData table = {"compare-provenance",
                     "Provenance",
                     fmt::format("A: {}; B: {}.", a.folder, b.folder),
                     {{"what", "what"}, {"a", "A"}, {"b", "B"}, {"differs", "differs"}},
                     {}};
  const auto add = [&table](const std::string& what, const std::string& of_a, const std::string& of_b) {
    table.rows.push_back({{"what", what}, {"a", of_a}, {"b", of_b}, {"differs", of_a == of_b ? "no" : "yes"}});
  };
  for (const std::string name :
       {"host", "cpu", "system", "device", "driver", "version", "revision", "compiler", "flags", "cores"}) {
    const auto of = [&name](const ComparedSide& side) {
      return join(distinct_texts(side.rows, '{' + name + '}'), "; ");
    };
    add(name, of(a), of(b));
  }
  add("peaks measured", a.peaks.empty() ? "no" : "yes", b.peaks.empty() ? "no" : "yes");
  const auto of_a = states_of(a.rows), of_b = states_of(b.rows);
  ByName<std::pair<std::string, std::string>> states;
  for (const auto& [name, texts] : of_a) states[name].first = join(texts, "; ");
  for (const auto& [name, texts] : of_b) states[name].second = join(texts, "; ");
  for (const auto& [name, texts] : states)
    if (texts.first != texts.second)
      add(lower_case(name) == name ? join(split(name, '_'), " ") : name, texts.first, texts.second);
  return table;
}

/// "processor", "gpu 1": devices have other names on other machines.
std::map<std::string, std::string> numbered(const std::vector<json>& peaks) {
  std::map<std::string, std::string> numbers;
  std::map<std::string, int> of_type;
  for (const json& peak : peaks) {
    const std::string of = text_in(peak, "of"), type = text_in(peak, "type");
    if (!numbers.contains(of)) numbers[of] = of == "processor" ? of : fmt::format("{} {}", type, ++of_type[type]);
  }
  return numbers;
}

/// Which one is higher: compares medians and ranges.
std::string higher_of(const json& a, const json& b) {
  const auto spread = [](const json& one) {
    return number_in(one, "max").value_or(0.0) - number_in(one, "min").value_or(0.0);
  };
  const double apart = *number_in(b, "median") - *number_in(a, "median"), spreads = spread(a) + spread(b);
  if (spreads == 0.0 && apart != 0.0) return "cannot tell";
  if (std::abs(apart) <= spreads) return "within noise";
  return apart > 0.0 ? "B higher" : "A higher";
}

TableData peaks_beside(const ComparedSide& a, const ComparedSide& b) {
  TableData table = {"compare-peaks",
                     "Peaks",
                     "",
                     {{"of", "of"},
                      {"figure", "figure"},
                      {"unit", "unit"},
                      {"a", "A\nmedian", "4"},
                      {"b", "B\nmedian", "4"},
                      {"ratio", "B over A", "3"},
                      {"difference", "difference"}},
                     {}};
  ByName<std::pair<json, json>> figures;
  for (const auto& [letter, side] : {std::pair('A', &a), std::pair('B', &b)}) {
    const auto numbers = numbered(side->peaks);
    for (const auto& [of, number] : numbers) table.notes.push_back(fmt::format("{}: {}: {}", letter, number, of));
    if (numbers.empty())
      table.notes.push_back(fmt::format("{}: these results have no peaks; measure them with boltzmark peaks.", letter));
    for (json peak : rated_peaks(side->peaks)) {
      peak["of"] = numbers.at(peak["of"]);
      auto& [of_a, of_b] = figures[fmt::format("{}|{}|{}", text_in(peak, "of"), text_in(peak, "what"),
                                               number_in(peak, "cores").value_or(-1.0))];
      json& known = letter == 'A' ? of_a : of_b;
      if (known.is_null()) known = std::move(peak);
    }
  }
  for (const auto& [name, both] : figures) {
    const auto& [of_a, of_b] = both;
    const json& any = of_a.is_null() ? of_b : of_a;
    json line = {{"of", any["of"]}, {"figure", any["what"]}, {"unit", any.value("unit", json())}};
    if (!of_a.is_null()) line["a"] = of_a.value("median", json());
    if (!of_b.is_null()) line["b"] = of_b.value("median", json());
    const bool are_both = line.contains("a") && line.contains("b");
    line["difference"] = are_both ? higher_of(of_a, of_b) : line.contains("a") ? "only in A" : "only in B";
    if (are_both && number_in(line, "a") > 0.0) line["ratio"] = *number_in(line, "b") / *number_in(line, "a");
    table.rows.push_back(std::move(line));
  }
  table.notes.emplace_back(rule_of_spreads);
  return table;
}

}  // namespace

TableData pair_table(const std::vector<RowPair>& pairs, const SideNames& sides) {
  TableData table;
  const auto of_side = [](const std::string& side, const char* what) { return fmt::format("{}\n{}", side, what); };
  table.columns = {{"workload", "workload", "model"},
                   {"case", "problem", "problem"},
                   {.key = "precision", .header = "pre-\ncision", .under = "case"},
                   {.key = "steps", .header = "steps", .under = "case", .spare = 2},
                   {"model", "model", "model"},
                   {"variant", "variant"},
                   {.key = "workers", .header = "ranks \u00d7\nthreads", .under = "variant", .spare = 3},
                   {"reference_rate", of_side(sides.reference, "rate"), "4"},
                   {"new_rate", of_side(sides.other, "rate"), "4"},
                   {"rate_unit", "unit"},
                   {"speed_up", fmt::format("rates\n{} / {}", sides.other, sides.reference), "4", "interval"},
                   {"rounds", "rounds"},
                   {"p_adjusted", "p", "2"},
                   {.key = "verdict", .header = sides.other + " is", .spare = -1}};
  table.filters = {{"Difference", "verdict"}, {"Workload", "workload"}, {"Model", "model"}};
  table.unit = "run";
  for (const RowPair& pair : pairs) table.rows.push_back(line_of_pair(pair, sides));
  return table.without_empty();
}

std::string comparison_text(const std::vector<RowPair>& pairs, bool only_too_slow, int width) {
  ByName<int> verdicts;
  std::vector<RowPair> listed;
  for (const RowPair& pair : pairs) {
    ++verdicts[pair.verdict];
    if (only_too_slow ? pair.is_too_slow : pair.reference && pair.other) listed.push_back(pair);
  }
  const auto counts = [](const auto& verdict) { return fmt::format("{} {}", verdict.second, verdict.first); };
  return (listed.empty()
              ? ""
              : pair_table(listed, {"REF", "NEW"}).body(width) + '\n' +
                    wrapped("NEW / REF: median of the ratios of every round of the one to every round of the other.",
                            width)) +
         wrapped(fmt::format("{}: {}", counted(std::ssize(pairs), "row"), joined(verdicts, ", ", counts)), width);
}

std::vector<TableData> comparison_tables(const std::vector<RowPair>& pairs, const ComparedSide& a,
                                         const ComparedSide& b) {
  const SideNames sides = {"A", "B"};
  const auto of = [&](bool parts) {
    std::vector<RowPair> kept = pairs;
    std::erase_if(kept, [parts](const RowPair& pair) {
      return !pair.reference || !pair.other || pair.any().part.empty() == parts;
    });
    std::ranges::stable_sort(kept, std::greater(),
                             [](const RowPair& pair) { return pair.difference ? 1.0 / pair.difference->ratio : -1.0; });
    TableData table = pair_table(kept, sides);
    std::vector<std::pair<std::string, std::string>> said = {{rule_of_runs, ""}};
    for (const RowPair& pair : kept) {
      const std::string who = who_words(pair.any()) + ", " + pair.any().case_name;
      for (const auto& [letter, side] : {std::pair('A', pair.reference), std::pair('B', pair.other)}) {
        if (side && side->status != RunStatus::ok)
          said.emplace_back(fmt::format("{}: {}: {}", letter, to_string(side->status), side->reason), who);
        if (side && parts && !side->device.empty())
          said.emplace_back(fmt::format("{}: on {}", letter, device_text(side->device)), who_words(*side));
      }
      if (pair.verdict == "other case") said.emplace_back(other_case, pair.any().case_name);
    }
    table.notes = said_once(said);
    return table;
  };
  TableData runs = of(false), kernels = of(true);
  runs.id = "compare-runs";
  runs.title = "Runs";
  runs.caption =
      "Rates at the medians, of the same problem and size. B / A: median of the ratios of every round of B to every round "
      "of A, with its interval; above 1, B is faster.";
  kernels.id = "compare-parts";
  kernels.title = "Kernels that are timed by themselves (STREAM)";
  kernels.filters.clear();
  return {runs, kernels, peaks_beside(a, b), provenance_table(a, b)};
}

std::vector<std::string> comparison_lines(const std::vector<RowPair>& pairs) {
  ByName<std::vector<double>> speed_ups;  // by verdict
  std::vector<double> all;
  int runs = 0, only_a = 0, only_b = 0;
  for (const char* verdict : {"faster", "slower", "within noise", "too few rounds"}) speed_ups[verdict];
  for (const RowPair& pair : pairs) {
    only_a += !pair.other;
    only_b += !pair.reference;
    if (!pair.any().part.empty()) continue;
    ++runs;
    if (!pair.difference) continue;
    all.push_back(1.0 / pair.difference->ratio);
    speed_ups[pair.verdict].push_back(all.back());
  }
  std::vector<std::string> texts, lines;
  for (const auto& [verdict, found] : speed_ups) {
    if (found.empty()) continue;
    const double mean = verdict == "slower" ? 1.0 / geometric_mean(found) : geometric_mean(found);
    texts.push_back(fmt::format("{} in {}", verdict, found.size()) +
                    (verdict.ends_with("er") ? fmt::format(" ({} times)", significant(mean, 3)) : ""));
  }
  lines.push_back(fmt::format("{} of {} have a right counterpart", all.size(), counted(runs, "run")) +
                  (all.empty() ? "."
                               : fmt::format(": B is {}. Overall, B is {} times as fast as A (geometric mean).",
                                             join(texts, ", "), significant(geometric_mean(all), 3))));
  if (only_a + only_b > 0)
    lines.push_back(fmt::format("Without a counterpart of the same problem and size: {} in A, {} in B.",
                                counted(only_a, "row"), only_b));
  return lines;
}

}  // namespace boltzmark
