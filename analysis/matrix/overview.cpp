// The first screen as data for a page.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/matrix/matrix.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

class Overview {
 public:
  Overview(const Results& results, const std::vector<Row>& rows)
      : rows_(rows),
        plans_(of_plans(rows)),
        peaks_(results.peaks ? make_peak_rows(*results.peaks) : std::vector<PeakRow>()) {}

  json all() const {
    const std::string machine = machine_line(plans_, peaks_);
    json reasons_said = json::array();
    for (const Reason& one : reasons(plans_))
      reasons_said.push_back(
          {{"state", one.state}, {"reason", one.reason}, {"count", one.count}, {"who", join(one.who, ", ")}});
    auto measured = conditions(plans_);
    if (const std::string words = noise_words(rows_); !words.empty()) measured.push_back(words);
    if (const Matrix same(plans_, View::same_algorithm); same.has_shares())
      for (const std::string& words : same_words(same, plans_)) measured.push_back(words);
    json views = json::array();
    for (const Shown& shown : {Shown{View::same_algorithm, "same algorithm", "serial", &Row::over_like_for_like},
                               {View::best, "each model's fastest", "serial textbook", &Row::over_textbook}})
      if (const Matrix matrix(plans_, shown.view); matrix.has_shares()) views.push_back(view_of(matrix, shown));
    return {{"machine", machine},
            {"title", title(machine)},
            {"verdict", verdict_words(plans_)},
            {"reasons", reasons_said},
            {"ranking", ranking(plans_)},
            {"conditions", measured},
            {"views", views},
            {"said", said()}};
  }

 private:
  struct Shown {
    View view;
    const char *name, *baseline;
    std::optional<Spread> Row::*over;  ///< speed-up over that
  };

  json view_of(const Matrix& matrix, const Shown& shown) const {
    const bool is_compact = matrix.lines.size() > most_matrix_lines;
    return {{"name", shown.name},
            {"baseline", shown.baseline},
            {"hatched", hatched(matrix)},
            {"columns", matrix.columns},
            {"has_roofs", matrix.has_roofs},
            {"lines", lines_of(matrix, matrix.lines, shown.over)},
            {"by_workload", is_compact ? lines_of(matrix, matrix.by_workload(), shown.over) : json::array()}};
  }

  std::string id(const Row& row) const { return fmt::format("run-{}", &row - rows_.data() + 1); }

  /// The first of its devices.
  static std::string title(const std::string& machine) {
    std::size_t end = std::min(machine.find(" \u00b7 "), machine.size());
    for (std::size_t at = 0; (at = machine.find(", ", at)) < end; at += 2)
      if (at + 2 < machine.size() && std::isdigit(static_cast<unsigned char>(machine[at + 2]))) end = at;
    return machine.substr(0, end);
  }

  json cell_of(const MatrixCell& cell) const {
    if (!cell.row) return nullptr;
    const Row& row = *cell.row;
    const std::string state = state_words(row);
    const std::string words =
        cell.is_right() ? join_not_empty({fmt::format("{} on {}: {}, {} of the fastest", who_words(row), cell.label,
                                                      rate_words(row), share_words(*cell.place.share)),
                                          row.roofline.verdict, cell.place.launches, cell.standing(), row.noise()},
                                         "; ")
                        : fmt::format("{}: {}: {}", who_words(row), state, row.reason);
    return {{"id", id(row)},
            {"state", cell.is_right() ? "ok" : state},
            {"is_wrong", cell.is_wrong},
            {"words", words},
            {"share", json(cell.place.share)},
            {"roof", json(cell.bound())},
            {"roof_words", cell.bound_words()},
            {"sign", cell.sign()},
            {"mark", cell.mark()}};
  }

  json lines_of(const Matrix& matrix, const std::vector<MatrixLine>& lines, std::optional<Spread> Row::*over) const {
    json all = json::array();
    for (const MatrixLine& line : lines) {
      json& one =
          all.emplace_back(json{{"label", line.label},
                                {"workload", line.workload},
                                {"case", line.case_name},
                                {"precision", line.precision},
                                {"is_compared", line.done > 1 && (line.part.empty() || line.part == "triad")},
                                {"problems", line.problems},
                                {"furthest", matrix.furthest(line)},
                                {"cells", each(line.cells, [&](const MatrixCell& cell) { return cell_of(cell); })}});
      if (!line.fastest) continue;
      const Row& best = *line.fastest;
      one["fastest"] = {{"id", id(best)},
                        {"who", who_words(best)},
                        {"rate", rate_words(best) + (best.is_noisy() ? " !" : "")},
                        {"limits", best.roofline.verdict},
                        {"over", best.*over ? significant((best.*over)->median, 3) : ""},
                        {"ahead", matrix.ahead(line)}};
    }
    return all;
  }

  /// Reasons why cells have no share, each once with its models.
  static std::vector<std::string> hatched(const Matrix& matrix) {
    ByName<std::vector<std::string>> found;
    for (const MatrixLine& line : matrix.lines)
      for (std::size_t i = 0; i < line.cells.size(); ++i)
        if (const MatrixCell& cell = line.cells[i]; cell.row && !cell.is_right() && !cell.is_wrong)
          add_once(found[fmt::format("{}: {}", state_words(*cell.row), reason_words(*cell.row))], matrix.columns[i]);
    return each(found, [](const auto& one) { return fmt::format("{} ({})", one.first, join(one.second, ", ")); });
  }

  /// The ranking and the verdict, in lines.
  std::vector<std::string> said() const {
    std::vector<std::string> text = first_of_ranking(plans_);
    text.push_back(verdict_words(plans_));
    for (const std::string& words : conditions(plans_)) text.push_back(words);
    return text;
  }

  const std::vector<Row>& rows_;
  Rows plans_;
  std::vector<PeakRow> peaks_;
};

}  // namespace

json overview(const Results& results, const std::vector<Row>& rows) { return Overview(results, rows).all(); }

}  // namespace boltzmark
