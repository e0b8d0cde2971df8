// Published figures beside the runs that match them. published.json has all published values and describes each table:
// its lines, the runs that match a line, formulas, columns and notes (analysis/report/README.md).
#include <fmt/format.h>

#include <algorithm>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_columns.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/json.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using Names = std::vector<std::string>;

/// A line of a table: the published values, and runs by name: "run", and those with which it is compared.
struct TableLine {
  json of;
  std::map<std::string, const Row*> runs = {};
  std::pair<bool, double> rank = {};  ///< full runs before shortened ones, then the fastest first

  const Row* run() const { return runs.contains("run") ? runs.at("run") : nullptr; }
  Names names(const char* key) const { return of.value(key, Names()); }

  /// The value of "published", or of a run's column: "run.rate", "run.metrics.digits.value".
  json value(const std::string& path) const {
    const auto names = split(path, '.');
    const auto row = runs.find(names[0]);
    if (row == runs.end()) return names.size() == 1 ? of.value(path, json()) : json();
    json found = cell_of(*row->second, names[1]);
    for (std::size_t i = 2; i < names.size(); ++i) found = found.is_object() ? found.value(names[i], json()) : json();
    return found;
  }
  bool has(const std::string& path) const { return csv_text(value(path)) != ""; }
  std::string text(const json& note, const char* key) const {
    return filled(text_in(note, key), [this](const std::string& name) { return value(name); });
  }

  /// The value of a formula such as "1 - run.rate / published", products before sums; null if a value is missing. A
  /// text with "{NAME}" is filled.
  json result(const std::string& formula) const {
    if (formula.find('{') != formula.npos) return text({{"words", formula}}, "words");
    double sum = 0.0, product = 1.0;
    bool is_over = false;
    for (const std::string& word : words_in(formula)) {
      const json number = word[0] >= '0' && word[0] <= '9' ? json(std::stod(word)) : value(word);
      if (word == "-") sum += std::exchange(product, -1.0);
      if (contains({"-", "*", "/"}, word))
        is_over = word == "/";
      else if (!number.is_number())
        return {};
      else
        product = is_over ? product / number.get<double>() : product * number.get<double>();
    }
    return sum + product;
  }
};

/// Whether a figure is what is asked for: [least, most], "start*", "!anything else", or just that.
bool is_asked(const json& asked, const json& found) {
  if (asked.is_array()) return found.is_number() && found >= asked[0] && found <= asked[1];
  if (!asked.is_string()) return found == asked;
  const std::string wanted = asked, text = csv_text(found);
  if (wanted.starts_with('!')) return text != wanted.substr(1);
  return wanted.ends_with('*') ? text.starts_with(wanted.substr(0, wanted.size() - 1)) : text == wanted;
}

bool is_asked(const json& asked, const Row& row) {
  return std::ranges::all_of(asked.items(),
                             [&](const auto& one) { return is_asked(one.value(), cell_of(row, one.key())); });
}

/// The run beside a line, if it fits and has the figure, with its rank there.
std::optional<TableLine> beside(TableLine line, const json& asked, const Row& row) {
  if (!is_asked(asked, row)) return {};
  line.runs["run"] = &row;
  const json done = line.of["done"] = line.result(line.of.value("of_work", "1"));
  const json figure = line.result(text_in(line.of, "figure"));
  if (!done.is_number() || !figure.is_number()) return {};
  line.rank = {done != 1.0, figure.get<double>() * (line.of["unit"] == "s" ? 1.0 : -1.0)};
  line.of.update({{"measured", figure}, {"name", cell_of(row, "name")}});
  return line;
}

class PublishedTables {
 public:
  PublishedTables(const std::vector<Row>& rows, const PaperOptions& chosen)
      : chosen_(chosen), data_(load_json(data_path("analysis/report/published.json"))) {
    for (const Row& row : rows)
      if (row.is_done()) rows_.push_back(&row);
    for (json& one : data_["hardware"]) {
      const std::string stream = csv_text(one.value("stream_gb_per_s", json()));
      const std::string facts =
          join_not_empty({text_in(one, "details"), stream.empty() ? "" : "STREAM " + stream + " GB/s"}, "; ");
      one["said"] = text_in(one, "on") + (facts.empty() ? "" : " (" + facts + ')');
    }
    for (json& one : data_["sources"]) {
      const std::string author = text_in(one, "author"), title = text_in(one, "title");
      one["citation"] = fmt::format("{}{} ({})", author == title ? "" : author + ", ", title,
                                    join_not_empty({text_in(one, "kind"), csv_text(one.value("year", json()))}, ", "));
    }
  }

  const json& sources() const { return data_["sources"]; }

  std::vector<TableData> tables() const {
    return each(data_["tables"], [this](const json& own) {
      json of = data_["like"].value(text_in(own, "like"), json::object());
      of.update(own);
      return table(of);
    });
  }

 private:
  /// A line with the members of its table, hardware, problem and source.
  json whole(const json& every, const json& own) const {
    json line = every;
    line.update(own);
    for (const auto& [key, list] : {std::pair("hardware", "hardware"), {"grid", "problems"}, {"source", "sources"}})
      if (line.contains(key)) {
        const json& of = *find_where(data_[list], [&](const json& one) { return one["id"] == line[key]; });
        line.insert(of.begin(), of.end());
      }
    if (!line.contains("figure")) line["figure"] = data_["units"].value(text_in(line, "unit"), "run.rate");
    return line;
  }

  /// Published runs, of the chosen problem and models if there are any; then the other kinds of runs measured.
  std::vector<json> published_lines(const json& table, const Rows& candidates) const {
    json every = table;
    for (const char* key : {"lines", "columns", "notes", "more_notes", "title", "caption"}) every.erase(key);
    every.update(table.value("defaults", json::object()));
    std::vector<json> all = each(table["lines"], [&](const json& own) { return whole(every, own); });
    const auto keep = [&all](const char* key, const Names& wanted) {
      std::vector<json> kept = all;
      std::erase_if(kept,
                    [&](const json& line) { return line.contains(key) && !contains(wanted, text_in(line, key)); });
      if (!wanted.empty() && !kept.empty()) all = kept;
    };
    keep("model", chosen_.models);
    keep("grid", chosen_.problem.empty() ? Names() : Names{chosen_.problem});
    const auto others = table.value("others", Names());
    for (const Row* row : others.empty() ? Rows() : candidates) {
      const auto like = [&](const Names& left_out) {
        return find_where(all, [&](const json& line) {
          return std::ranges::all_of(line["match"], [&](const std::string key) {
            return contains(left_out, key) || line.value(key, json()) == cell_of(*row, key);
          });
        });
      };
      const json* const near = like(others);
      if (!near || like({})) continue;
      json line = whole(every, near->contains("grid") ? json{{"grid", (*near)["grid"]}} : json::object());
      for (const std::string& key : others) line[key] = cell_of(*row, key);
      line["label"] = fmt::format("{} ({})", model_words(row->key.model), row->record->device_type);
      all.push_back(line);
    }
    return all;
  }

  /// A published line joined with the best run of each group; only the line if there is none.
  static std::vector<TableLine> with_runs(const TableLine& line, const Rows& candidates) {
    ByName<std::vector<TableLine>> groups;
    const json own = line.of.value("runs", line.of.contains("match") ? json::object() : json::array());
    for (json asked : own.is_array() ? own : json::array({own})) {  // of several, the first that finds any
      ByName<std::vector<TableLine>> found;
      for (const std::string& key : line.names("match")) asked[key] = line.of.value(key, json());
      for (const Row* row : candidates)
        if (const auto one = beside(line, asked, *row))
          found[joined(line.names("per"), "|", [&](const std::string& name) { return csv_text(cell_of(*row, name)); })]
              .push_back(*one);
      for (const auto& [name, some] : found)
        if (groups[name].empty()) groups[name] = some;
    }
    std::vector<TableLine> all;
    for (auto [name, some] : groups) {
      std::ranges::stable_sort(some, {}, &TableLine::rank);
      ByName<std::vector<TableLine>> variants;
      for (const TableLine& one : some)
        variants[csv_text(one.value("run." + one.of.value("each", "variant")))].push_back(one);
      std::vector<TableLine> first = each(variants, [](const auto& one) { return one.second.front(); });
      if (line.of.contains("each")) {
        for (std::size_t i = 0; i < first.size(); ++i)
          if (i < line.of["first"] || i + 3 >= first.size() || first[i].has("run.chosen")) all.push_back(first[i]);
        continue;
      }
      TableLine& best = *std::ranges::min_element(first, {}, [](const TableLine& one) { return one.rank.second; });
      const auto role = line.of.value("also", "-");
      const TableLine* const also =
          find_where(first, [&](const TableLine& one) { return one.run()->record->role == role; });
      if (also && also != &best) {
        all.push_back(*also);
        best.of["name"] = text_in(best.of, "name") + " (best)";
      }
      all.push_back(best);
    }
    return all.empty() ? std::vector{line} : all;
  }

  /// All values that follow from the run and the published ones.
  void complete(TableLine& line) const {
    json& of = line.of;
    if (const Row* const run = line.run()) {
      of["steps_run"] = std::to_string(run->steps());
      if (of["done"] != 1.0)
        of.update({{"scaled", true}, {"steps_run", line.result("{run.all_steps} of {iterations}")}});
      const json references = of.value("references", json::object());
      for (const auto& [name, reference] : references.items()) {
        TableLine like = line, best;
        like.of.update(reference);
        json asked = like.of["runs"];
        for (const std::string& key : like.names("same")) asked[key] = cell_of(*run, key);
        for (const Row* row : rows_)
          if (const auto one = beside(like, asked, *row); one && (!best.run() || one->rank < best.rank)) best = *one;
        if (best.run()) line.runs[name] = best.run();
      }
      if (of.contains("shown")) of["measured"] = line.result(of["shown"]);
      of["ratio"] = line.result(of["unit"] == "s" ? "published / measured" : "measured / published");
    }
    for (const json& value : of.value("values", json::array())) {  // name, formula, and what a run has without it
      json& made = of[value[0].get<std::string>()] = line.result(value[1]);
      if (made.is_null() && value.size() > 2 && line.has("ratio")) made = value[2];
    }
  }

  TableData table(const json& table) const {
    TableData made = {
        .id = table["id"], .title = table["title"], .caption = table["caption"], .columns = {}, .rows = {}};
    made.section = table.value("section", "published-" + text_in(table, "source"));
    made.needs = text_in(table, "needs");
    if (table.contains("source"))
      made.source = join_not_empty({text_in(table, "part"), text_in(whole(table, json::object()), "citation")}, " of ");
    Rows candidates;
    for (const Row* row : rows_)
      if ((row->source == "runs" || table.contains("tuning")) && is_asked(table.value("among", json::object()), *row))
        candidates.push_back(row);
    std::vector<TableLine> lines;
    for (const json& line : published_lines(table, candidates))
      for (TableLine& one : with_runs({line}, candidates)) {
        complete(one);
        lines.push_back(std::move(one));
      }
    const auto sort = table.value("sort", Names());
    for (auto key = sort.rbegin(); key != sort.rend(); ++key)
      std::ranges::stable_sort(lines, [&key](const TableLine& a, const TableLine& b) {
        return key->starts_with('-') ? b.value(key->substr(1)) < a.value(key->substr(1))
                                     : a.value(*key) < b.value(*key);
      });
    std::vector<std::pair<std::string, std::string>> said;
    for (const char* list : {"notes", "more_notes"})
      for (const json& note : table.value(list, json::array()))
        if (note.is_string())
          said.emplace_back(note, "");
        else
          for (const TableLine& line : lines)
            if ((!note.contains("when") || line.has(note["when"])) &&
                !(note.contains("unless") && line.has(note["unless"])))
              said.emplace_back(line.text(note, "words"), line.text(note, "of"));
    made.notes = said_once(said);
    for (const json& column : table["columns"]) {
      Names words = column;
      words.resize(4);
      made.columns.push_back({words[0], words[1], words[2], words[3]});
    }
    for (const TableLine& line : lines) {
      if (!line.run() && (table.contains("only_measured") || !line.of.contains("published"))) continue;
      json& row = made.rows.emplace_back(json::object());
      for (const TableColumn& column : made.columns)
        for (const std::string& key : {column.key, column.note})
          if (!key.empty() && line.has(key)) row[key] = line.value(key);
    }
    return table.contains("drops_empty") ? made.without_empty() : made;
  }

  const PaperOptions& chosen_;
  json data_;
  Rows rows_;  // with a tuner's trials
};

}  // namespace

std::vector<TableData> published_tables(const std::vector<Row>& rows, const PaperOptions& chosen) {
  return PublishedTables(rows, chosen).tables();
}

json published_sources() { return PublishedTables({}, {}).sources(); }

}  // namespace boltzmark
