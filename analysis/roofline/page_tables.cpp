#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_columns.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

const Keys said_in_titles = {"precision", "steps", "device", "workers_words", "workload", "state", "elements"};

/// The tables of a page, each with its rows.
class PageTables {
 public:
  explicit PageTables(const std::vector<Row>& rows) : first_(rows.data()), rows_(of_plans(rows)) {
    add_every_run();
    ByName<Rows> workloads;
    for (const Row* row : rows_) workloads[row->key.workload].push_back(row);
    for (const auto& [workload, of] : workloads) {
      workload_ = workload;
      const Rows whole = chosen(of, [](const Row& row) { return row.part.empty(); });
      const Rows done = chosen(whole, [](const Row& row) { return row.is_done(); });
      add("runs", "All runs of {}", "files", case_table(whole), whole);
      add("kernels", "Bandwidth of {}", "kernels",
          parts_table(chosen(of, [](const Row& row) { return !row.part.empty(); })), {},
          "GB/s at the median of all executions, and the farther end of the median's interval over the rounds; ! is noisy.");
      add_roofline(done);
      add_scaling(chosen(of, [](const Row& row) { return row.status == RunStatus::ok; }));
      const Rows counted_joules = chosen(done, [](const Row& row) { return !row.joules.empty(); });
      add("energy", "Energy of {}", "energy",
          table_of("model variant problem precision steps device workers median J W updates/J", counted_joules),
          counted_joules,
          "Energy of the timed part, median of the repeats: of all processors of the machine, other users' work "
          "included, or of the GPU with its memory.");
      add_builds(chosen(done, [](const Row& row) { return !row.key.build.empty(); }));
    }
    std::erase_if(all, [](const TableData& table) { return table.rows.empty(); });
  }

  std::vector<TableData> all;

 private:
  /// `rows`: those of its lines, if each line is of one row.
  TableData& add(const std::string& id, const std::string& title, const std::string& section, TableData table,
                 const Rows& rows, const char* caption = "") {
    table.id = workload_.empty() ? id : id + '-' + workload_;
    table.title = fmt::format(fmt::runtime(title), model_words(workload_));
    table.section = section;
    table.caption = caption;
    for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i]["id"] = fmt::format("run-{}", rows[i] - first_ + 1);
    if (section != "runs") table.without_constants(said_in_titles);
    return all.emplace_back(table);
  }

  void add_every_run() {
    TableData& runs =
        add("runs", "All runs", "runs",
            table_of("workload kernel problem precision steps model variant device workers result median "
                     "any-rate GB/s x-textbook x-same bound deviation",
                     rows_)
                .without_empty(),
            rows_,
            "Seconds: median compute time, with the range from the fastest to the slowest repeat. GB/s by the "
            "algorithm's own count of bytes. Bound: the limit that takes the longest time, and its share of the "
            "measured time. Deviation: the largest relative deviation from the reference in double precision.");
    runs.filters = {{"Workload", "workload"}, {"Problem", "case"},        {"Model", "model"},
                    {"Variant", "variant"},   {"Precision", "precision"}, {"Result", "state"}};
    const auto noisy_ones = std::ranges::count_if(rows_, [](const Row* row) { return row->is_noisy(); });
    if (noisy_ones > 0)
      runs.notes = {fmt::format("! Noisy, {}: the reason is among the remarks.", counted(noisy_ones, "figure"))};
    for (std::size_t i = 0; i < rows_.size(); ++i) runs.rows[i]["details"] = run_details(*rows_[i]);
    ByName<const Row*> best;
    for (const Row* row : rows_)
      if (row->is_right() && row->part.empty())
        if (const Row*& known =
                best[fmt::format("{}|{}|{}|{}", row->key.workload, row->case_name, row->key.precision, row->steps())];
            !known || row->time.median < known->time.median)
          known = row;
    const Rows fastest = each(best, [](const auto& one) { return one.second; });
    add("fastest", "The fastest right run of each problem", "files",
        table_of("workload problem precision steps who device workers median! rate GB/s x-textbook x-same bound",
                 fastest)
            .without_empty(),
        fastest);
    const Rows lost = chosen(rows_, [](const Row& row) { return row.status != RunStatus::ok; });
    add("not-run", "Runs that are wrong or were not made", "not-run",
        table_of("workload model variant problem precision steps workers result why", lost), lost);
  }

  void add_roofline(const Rows& done) {
    add("roofline", "Each run of {} under its roof", "roofline",
        table_of("model variant problem precision GB/s FLOP/byte GFLOP/s published level through moved roof of-peak "
                 "bound",
                 done)
            .without_empty(),
        done,
        "GB/s by the algorithm's own count of bytes; FLOPs counted by running the code on a type that counts, and by the "
        "published count. Level: of memory, the one whose bytes take longest; FLOP/byte, moved bytes and roof are those of "
        "it, with the lines that plain stores fetch; a processor's roof is of the patterns that write about as large a "
        "share of their bytes. Bound: the limit that takes "
        "the longest time, for as many workers, and its share of the measured time; under a noisy roof from its best to "
        "its slow moments.");
  }

  /// Lines of rows that differ in their workers, each from the fewest on.
  void add_scaling(const Rows& rows) {
    const auto add_kind = [&](const std::string& kind, const char* names, const auto& is_of_kind, const auto& line_of) {
      Rows sorted = chosen(rows, is_of_kind);
      std::ranges::stable_sort(sorted, {}, [](const Row* row) {
        return std::tuple(row->key.model, row->variant + ' ' + row->setting, row->workers());
      });
      ByName<Rows> lines;
      for (const Row* row : sorted)
        lines[fmt::format("{}|{}|{}|{}", line_of(*row), row->steps(), row->key.precision, row->part)].push_back(row);
      sorted.clear();
      for (const auto& [name, line] : lines) sorted.insert(sorted.end(), line.begin(), line.end());
      TableData& table = add(
          "scaling-" + kind, "Scaling of {} over ranks and threads, " + kind, "scaling", table_of(names, sorted), {},
          "Strong: the same problem for any number of workers; weak: a problem that grows with them. Efficiency: the "
          "rate over the ideal rate by the first row of the line. Halo: share of the compute time in which a rank "
          "only exchanges halo layers or waits for them, as the mean over the ranks and for the rank with the most; "
          "medians of the repeats.");
      if (has_any(sorted, [](const Row& row) { return extent_words(row) == "no"; }))
        table.notes = {"Not checked: too large to compute the reference in the time allowed."};
    };
    add_kind(
        "strong", "problem precision model variant device counted steps median! rate strong halo halo-most checked",
        [](const Row& row) { return row.strong.has_value(); }, [](const Row& row) { return row.case_name; });
    add_kind(
        "weak", "one-worker precision model variant device counted steps median! rate weak halo halo-most checked",
        [](const Row& row) { return row.weak.has_value(); }, [](const Row& row) { return row.weak_line; });
  }

  /// Seconds in each build that a plan named.
  void add_builds(const Rows& built) {
    TableData table = table_of("problem precision steps model variant workers", built);
    ByName<json> lines;
    ByName<std::vector<std::string>> made_by;
    for (std::size_t i = 0; i < built.size(); ++i) {
      const Row& row = *built[i];
      const std::string& build = row.key.build;
      json& cells = table.rows[i];
      const std::size_t rest = row.setting.size() - build.size();  // the setting without its build
      cells["setting"] = row.setting.substr(0, rest > 0 ? rest - 1 : 0);
      json& line = lines[json_line(cells)];
      line.update(cells);
      line.update({{build, row.time.median},
                   {build + " speed-up", json(row.over_first_build)},
                   {build + " verdict", row.verdict_over_build + mark_of(row)}});
      add_once(made_by[build], row_words(row, "{compiler}, {flags}"));
    }
    for (const auto& [build, compilers] : made_by) {
      table.columns.push_back({build, build + "\ns", "4"});
      if (!table.notes.empty())
        table.columns.push_back({build + " speed-up", build + "\nspeed-up", "3", build + " verdict"});
      table.notes.push_back(fmt::format("{}: {}", build, join(compilers, "; ")));
    }
    table.rows = each(lines, [](const auto& line) { return line.second; });
    add("compilers", "Compilers and flags, {}", "compilers", table, {},
        "Median compute seconds in each build; speed-up: the seconds in the first over these, and whether rounds show "
        "it (tie: the interval of the ratio is within 5 %; undecided: too noisy).");
  }

  const Row* first_;
  Rows rows_;
  std::string workload_;
};

}  // namespace

std::vector<TableData> run_tables(const std::vector<Row>& rows) { return PageTables(rows).all; }

TableData own_table(const std::vector<Row>& all) {
  Rows rows = chosen(right_of_plans(all), [](const Row& row) { return row.part.empty() && row.rate; });
  if (rows.empty()) rows = chosen(right_of_plans(all), [](const Row& row) { return row.rate.has_value(); });
  ByName<Rows> problems;
  for (const Row* row : rows) problems[problem_of(*row)].push_back(row);
  rows.clear();
  for (auto [problem, some] : problems) {
    std::ranges::stable_sort(some, std::greater(), [](const Row* row) { return row->rate->median; });
    rows.insert(rows.end(), some.begin(), some.end());
  }
  TableData table =
      table_of("workload kernel problem precision steps device workers model variant any-rate interval bound", rows);
  table.id = "own";
  table.title = "Rates and bounds";
  table.caption =
      "Rate at the median of the rounds; interval: the farther end of the median's, 1 run: one round has none; !: noisy. "
      "Bound: the limit that takes the longest time by measured rates, and its share of the measured time.";
  table.without_constants({"workload", "part", "case", "precision", "steps", "device", "workers_words"});
  return table.without_empty();
}

TableData verdict_table(const std::vector<Row>& rows) {
  TableData table = {
      "verdicts",
      "What bounds the runs",
      "Figures by verdict, each kernel of a run counted, and their shares of the measured time. Latency or "
      "code: every limit takes less than half, even at the best ends of the intervals of run and roof.",
      {{"verdict", "verdict"},
       {"figures", "figures", "whole"},
       {"least", "smallest\nshare", "percent"},
       {"median", "median", "percent"},
       {"most", "largest", "percent"}},
      {}};
  table.section = "roofline";
  ByName<std::vector<double>> shares;
  ByName<int> figures;
  for (const Row* row : of_plans(rows))
    if (row->is_done()) {
      const RooflineAnalysis& at = row->roofline;
      ++figures[at.kind];
      if (at.share) shares[at.kind].push_back(*at.share);
    }
  for (const auto& [kind, count] : figures) {
    json& line = table.rows.emplace_back(json{{"verdict", kind}, {"figures", count}});
    if (const auto& found = shares[kind]; !found.empty()) {
      const Spread spread = spread_of(found);
      line.update({{"least", spread.minimum}, {"median", spread.median}, {"most", spread.maximum}});
    }
  }
  std::ranges::stable_sort(table.rows, std::greater(), [](const json& line) { return line["figures"].get<int>(); });
  return table.without_empty();
}

}  // namespace boltzmark
