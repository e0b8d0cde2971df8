#include "analysis/report/roofline_table.hpp"

#include <fmt/format.h>

#include <map>

namespace boltzmark {
namespace {

std::string figure(const std::optional<double>& value) { return value ? significant(*value, 4) : "-"; }

std::string percent(const std::optional<double>& fraction) {
  return fraction ? fmt::format("{:.0f}", 100.0 * *fraction) : "-";
}

/// What the words in the last column mean, those that occur.
std::vector<std::string> legend(const std::vector<AnalysedRow>& rows) {
  static const std::map<Bound, const char*> meanings = {
      {Bound::memory, "memory: at least half of what memory delivers to a copy"},
      {Bound::cache, "cache: at least half of what the cache that holds the grid delivers to a copy"},
      {Bound::compute,
       "compute: at least half of the multiply-add peak, and a larger share of it than of the bandwidth"},
      {Bound::launch, "launch: starting kernels takes over half of a step"},
      {Bound::synchronisation,
       "synchronisation: over half of a step is beyond an even share of one worker's time"},
      {Bound::above_memory_roof,
       "above-memory-roof: over a tenth more than the level that holds the grid delivers; rows are used "
       "again while closer"},
      {Bound::code, "code: below half of every limit of the machine"},
      {Bound::unknown, "unknown: no peaks for this device; `boltzmark peaks` measures them"}};
  std::map<Bound, bool> seen;
  for (const auto& row : rows)
    if (row.roofline) seen[row.roofline->bound] = true;
  std::vector<std::string> lines;
  for (const auto& [bound, meaning] : meanings)
    if (seen.contains(bound)) lines.emplace_back(meaning);
  return lines;
}

}  // namespace

ReportTable roofline_table(const Results& results, const std::vector<AnalysedRow>& rows) {
  ReportTable table;
  table.id = "roofline";
  table.title = "Roofline: where every run stands";
  table.caption =
      "GB/s by the algorithm's own count of bytes; FLOPs counted by running the code on a counting type, and "
      "in brackets by "
      "the published 122 an update. Shares of the copy bandwidth of the level that holds the grid, of the "
      "model's own STREAM "
      "triad, and of the multiply-add peak, for as many workers.";
  table.source = "measured here";
  table.columns = {{"problem"},
                   {"model"},
                   {"variant", Align::left, true},
                   {"GB/s", Align::right},
                   {"FLOP/\nbyte", Align::right},
                   {"GFLOP/s\n(by 122)", Align::right},
                   {"grid\nin"},
                   {"that level\nGB/s", Align::right},
                   {"% of\nit", Align::right},
                   {"% of\ntriad", Align::right},
                   {"% of\npeak", Align::right},
                   {"limit"}};
  for (const auto& [problem, row, id, roofline] : rows) {
    if (!roofline || !row->is_right()) continue;
    const RooflineAnalysis& r = *roofline;
    const std::string variant = row->setting.empty() ? row->variant : row->variant + ' ' + row->setting;
    table.rows.push_back(
        {problem->precision == "f32" ? problem->problem : problem->problem + ' ' + problem->precision,
         row->model, variant, significant(r.gb_per_s, 4), significant(r.counted.flop_per_byte, 3),
         fmt::format("{} ({})", significant(r.counted.gflop_per_s, 4),
                     significant(r.conventional.gflop_per_s, 4)),
         r.level.empty() ? "-" : r.level, figure(r.level_gb_per_s), percent(r.fraction_of_level),
         percent(r.fraction_of_triad), percent(r.fraction_of_peak), to_string(r.bound)});
  }
  table.notes = legend(rows);
  if (!results.peaks) table.notes.emplace_back("no peaks here: `boltzmark peaks` measures them");
  return table;
}

}  // namespace boltzmark
