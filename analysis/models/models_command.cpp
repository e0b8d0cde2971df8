// `boltzmark models`: rates, lines of code and facts of some models side by side.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/matrix/matrix.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/store/store.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// results/, or without runs in it the kept records of the plans `matrix` and `matrix-gpu`, a folder a machine.
std::vector<fs::path> usual_results() {
  if (is_file(fs::path("results") / runs_file)) return {"results"};
  std::vector<fs::path> kept;
  std::error_code error;
  for (fs::directory_iterator entry(data_path("analysis/results"), error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().starts_with("matrix-")) kept.push_back(entry->path());
  if (kept.empty()) throw bad_input("--results: expected a results folder, found no results here and no kept records");
  std::ranges::sort(kept);
  return kept;
}

/// The rate of a model's column in a line; null without a right run.
json rate_in(const Matrix& matrix, const MatrixLine* line, const std::string& column, double unit) {
  const auto at = static_cast<std::size_t>(std::ranges::find(matrix.columns, column) - matrix.columns.begin());
  if (!line || at == matrix.columns.size() || !line->cells[at].is_right()) return nullptr;
  return line->cells[at].row->rate->median / unit;
}

/// A row for each problem on a machine: every model's rates, of the same algorithm and of its fastest variant.
TableData rates(const fs::path& from, const ModelsOptions& options) {
  const Results results = read_results(from);
  std::vector<Row> rows = make_rows(results);
  std::erase_if(rows, [&](const Row& row) {
    return !contains(options.models, row.key.model) || !contains(options.workloads, row.key.workload) ||
           row.key.precision != "f32" || row.setting.find("--storage f16") != row.setting.npos;
  });
  add_shares(rows);  // among these
  const Rows plans = of_plans(rows);
  const Matrix same(plans, View::same_algorithm), best(plans, View::best);
  const std::string machine =
      plans.empty() ? "" : machine_line(plans, results.peaks ? make_peak_rows(*results.peaks) : std::vector<PeakRow>());
  const auto end = std::min(machine.find(" \u00b7 "), machine.size());
  TableData table = {
      "rates",
      fmt::format("Rates{}{} ({})", machine.empty() ? "" : " on ", machine.substr(0, end), from.string()),
      "Of the same algorithm, and of each model's fastest variant; f32" + machine.substr(end) + '.',
      {{"problem", "problem", "", "", false, "", -1}, {"unit", "unit"}},
      {}};
  for (const std::string& model : options.models) {
    const auto is_of_model = [&](const Row* row) { return row->key.model == model; };
    const std::string name = model_words(model);
    if (std::ranges::any_of(plans, [&](const Row* row) { return is_of_model(row) && row->is_right(); })) {
      for (const std::string& column : best.columns)
        if (column == name || column.starts_with(name + ' '))
          table.columns.push_back({column, replaced(column, {{"-", "\n"}, {" ", "\n"}}), "3"});
    } else {
      const auto* const row = find_where(plans, is_of_model);
      table.notes.push_back(name + ": " + (row ? state_words(**row) + ": " + reason_words(**row) : "no record"));
    }
  }
  for (const MatrixLine& line : best.lines) {
    if (!line.fastest) continue;
    std::string unit = line.fastest->rate_unit;
    const bool is_large = line.fastest->rate->median >= 1e4 && (unit == "MLUPS" || unit == "GFLOP/s");
    if (is_large) unit[0] = unit[0] == 'M' ? 'G' : 'T';
    json& row = table.rows.emplace_back(json{{"problem", line.label}, {"unit", unit}});
    const MatrixLine* const alike = find_by(same.lines, line.label, &MatrixLine::label);
    for (std::size_t i = 2; i < table.columns.size(); ++i) {
      const std::string& column = table.columns[i].key;
      const double scale = is_large ? 1e3 : 1.0;
      const json fastest = rate_in(best, &line, column, scale);
      if (!fastest.is_null()) row[column] = {rate_in(same, alike, column, scale), fastest};
    }
  }
  for (const std::string& words : {verdict_words(plans), rounds_words(plans)})
    if (!words.empty()) table.notes.push_back(words);
  return table;
}

/// Rows of a file beside the plans, each an object with its name and a value for each model.
TableData kept_table(const std::string& file, const std::string& name, const std::vector<std::string>& models) {
  TableData table = {file, "", "", {{name, name}}, load_json(data_path("analysis/models/" + file + ".json"))};
  for (const std::string& model : models) table.columns.push_back({model, model_words(model)});
  return table;
}

/// Prose: a paragraph per question instead of a row.
std::string facts_text(const TableData& facts, int width) {
  std::string text = facts.title + '\n';
  for (const json& row : facts.rows) {
    text += '\n' + text_in(row, "question") + '\n';
    for (std::size_t i = 1; i < facts.columns.size(); ++i)
      text += "  " + wrapped(facts.columns[i].header + ": " + facts.columns[i].text_in(row), width - 2, 4);
  }
  return text;
}

}  // namespace

int models_command(const ModelsOptions& options) {
  TableData lines = kept_table("lines", "workload", options.models);
  TableData facts = kept_table("facts", "question", options.models);
  std::vector<std::string> known;
  for (const auto& [model, words] : facts.rows.at(0).items())
    if (model != "question") known.push_back(model);
  expect_names("--compare", options.models, known);
  expect_names("--workloads", options.workloads, names_in(read_programs(program_folder()), &BuiltProgram::workload));
  lines.title = "Lines of code";
  lines.caption =
      "The textbook (of STREAM the only file) and what it includes of its own folder, without comments and blank "
      "lines. Not counted is common/, where textbooks in serial, stdpar, tbb and openmp have their arrays; in the "
      "others the counted lines also allocate, copy or exchange, and launch. Compare within one of these groups. No "
      "number (\u2013): the textbook is in one file with other variants.";
  std::erase_if(lines.rows, [&](const json& row) { return !contains(options.workloads, text_in(row, "workload")); });
  facts.title = "Portability, compilers, and how errors show";
  const std::vector<fs::path> folders = options.results.empty() ? usual_results() : options.results;
  std::vector<TableData> tables = each(folders, [&](const fs::path& from) { return rates(from, options); });
  tables.push_back(std::move(lines));
  tables.push_back(facts);
  if (options.json) {
    print("{}\n", json_line({{"tables", tables}}));
    return 0;
  }
  tables.pop_back();
  const int width = table_width();
  std::erase_if(tables, [](const TableData& table) { return table.rows.empty(); });
  if (std::ranges::none_of(tables, [](const TableData& table) { return table.id == "rates"; }))
    print_text(stdout, wrapped(fmt::format("No rates of these models on {} in {}; to measure: boltzmark run matrix "
                                           "--models {}",
                                           join(options.workloads, ", "),
                                           joined(folders, ", ", [](const fs::path& one) { return one.string(); }),
                                           join(options.models, ",")),
                               width) +
                           '\n');
  for (const TableData& table : tables) print_text(stdout, table.text(width) + '\n');
  print_text(stdout, facts_text(facts, width));
  return 0;
}

}  // namespace boltzmark
