// Tables III and IV: the models side by side.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/table_cells.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/roofline/formulas.hpp"
#include "analysis/run/launcher.hpp"

namespace boltzmark {
namespace {

/// FLOPs an update of a model that no published figure is for: the count without masks.
constexpr double unpublished_flops_per_update = 122.0;

/// A model on a type of device: what makes a row.
struct Kind {
  std::string label, model, type;
  bool fits(const ComparisonRow& row) const { return row.model == model && device_type_of(row) == type; }
};

/// The published kinds in their order, then what else was measured.
std::vector<Kind> kinds_of(const std::vector<Kind>& published, const std::vector<Measurement>& measured) {
  std::vector<Kind> kinds = published;
  for (const Measurement& one : measured) {
    const auto fits = [&](const Kind& kind) { return kind.fits(*one.row); };
    if (std::any_of(kinds.begin(), kinds.end(), fits)) continue;
    const std::string type = device_type_of(*one.row);
    kinds.push_back({one.row->model + ' ' + type_words(type), one.row->model, type});
  }
  return kinds;
}

/// What a model reached: like for like, and with its best variant.
struct Choice {
  const Measurement* run = nullptr;  ///< nullptr: nothing
  std::string variant;               ///< with what it was chosen for
};

/// One row when the best variant is the like-for-like one or nothing was measured, two otherwise.
std::vector<Choice> choices_of(const std::vector<Measurement>& all, const Kind& kind,
                               const LikeForLike& compare) {
  const auto fits = [&](const ComparisonRow& row) { return kind.fits(row); };
  const Measurement* const like = fastest(
      all, [&](const ComparisonRow& row) { return row.variant == compare.of(row.model) && kind.fits(row); });
  const Measurement* const best = best_variant(all, fits);
  if (!best) return {{}};
  const auto words = [](const Measurement* run, const std::string& why) {
    const ComparisonRow& row = *run->row;
    return (row.setting.empty() ? row.variant : row.variant + ' ' + row.setting) + why;
  };
  if (like == best) return {{best, words(best, "")}};
  if (!like) return {{best, words(best, " (best)")}};
  return {{like, words(like, "")}, {best, words(best, " (best)")}};
}

/// Which runs each kind lacks, for the notes.
class Missing {
 public:
  void add(const Kind& kind, const std::string& problem) {
    auto at =
        std::find_if(lines_.begin(), lines_.end(), [&](const auto& l) { return l.first == kind.label; });
    if (at == lines_.end()) at = lines_.insert(at, {kind.label, {}});
    at->second.push_back(problem);
  }
  void note(ReportTable& table) const {
    for (const auto& [label, problems] : lines_)
      table.note(fmt::format("{}: no right run in single precision of {} among these results.", label,
                             join_words(problems, ", ")));
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> lines_;
};

/// "serial, MPI on 2 x Xeon E5-2670 (...); OpenCL GPU on NVIDIA K20m (...)".
template <class Row>
std::string hardware_words(const std::vector<Row>& rows, const Published& published) {
  std::vector<std::string> parts;
  for (const Hardware& hardware : published.hardware) {
    std::vector<std::string> labels;
    for (const Row& row : rows)
      if (row.hardware == hardware.id) labels.push_back(row.label);
    if (!labels.empty()) parts.push_back(join_words(labels, ", ") + " on " + hardware.description());
  }
  return join_words(parts, "; ");
}

bool seconds_published(const PublishedRuns& runs, const std::string& problem) {
  return std::any_of(runs.runs.begin(), runs.runs.end(),
                     [&](const PublishedRun& run) { return run.seconds.contains(problem); });
}

/// Problems that some published run is for, in the order of the file.
std::vector<const StandardProblem*> problems_of(const PublishedRuns& runs, const Published& published) {
  std::vector<const StandardProblem*> problems;
  for (const StandardProblem& problem : published.problems)
    if (seconds_published(runs, problem.name)) problems.push_back(&problem);
  return problems;
}

template <class Row>
std::vector<Kind> kinds_in(const std::vector<Row>& rows, const Published& published) {
  std::vector<Kind> kinds;
  for (const Row& row : rows) kinds.push_back({row.label, row.model, published.device(row.hardware).type});
  return kinds;
}

template <class Row>
const Row* find_row(const std::vector<Row>& rows, const Kind& kind) {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.label == kind.label; });
  return at == rows.end() ? nullptr : &*at;
}

void add_model_row(const StandardProblem& problem, const Kind& kind, const Choice& choice,
                   const PublishedRun* published_run, const Published& published, const Results& results,
                   ReportTable& table) {
  const Measurement* const run = choice.run;
  const auto seconds = published_run ? seconds_of(published_run->seconds, problem.name) : std::nullopt;
  Ratios ratios{number_cell({}, 3), number_cell({}, 3)};
  if (published_run)
    ratios = ratios_of(seconds, published.device(published_run->hardware), run, results, table);
  table.rows.push_back({problem.name, kind.label, run ? Cell(choice.variant) : Cell("-", ""),
                        run ? device_cell(*run->row) : Cell("-", ""), run ? steps_cell(*run) : Cell("-", ""),
                        published_cell(seconds),
                        number_cell(run ? std::optional(run->seconds) : std::nullopt, 4), ratios.plain,
                        ratios.scaled});
  note_scaling(run, table);
}

/// The figures of one of our runs by the published formulas.
struct Rates {
  double gb_per_s = 0.0, flop_per_byte = 0.0, gflop_per_s = 0.0;
};
Rates rates_of(const Measurement& run, double flops_per_update) {
  const StandardProblem& problem = *run.standard;
  Rates rates;
  rates.gb_per_s = published_bandwidth_gb_per_s(problem.nx, problem.ny, problem.iterations, run.seconds);
  rates.flop_per_byte = operational_intensity(flops_per_update, published_bytes_per_update);
  rates.gflop_per_s = gflop_per_s(rates.gb_per_s, rates.flop_per_byte);
  return rates;
}

std::optional<double> percent_of(std::optional<double> part, std::optional<double> whole) {
  if (!part || !whole) return {};
  return 100.0 * *part / *whole;
}

void add_rate_row(const Kind& kind, const Choice& choice, const PublishedRates::Row* row,
                  const Published& published, const Results& results, ReportTable& table) {
  using Figure = std::optional<double>;
  Figure gb, gflop, intensity, stream;
  if (row) {
    gb = row->gb_per_s;
    gflop = row->gflop_per_s;
    intensity = row->flop_per_byte;
    stream = published.device(row->hardware).stream_gb_per_s;
  }
  Figure our_gb, our_gflop, our_intensity, our_stream;
  if (choice.run) {
    const Rates rates = rates_of(*choice.run, row ? row->flops_per_update : unpublished_flops_per_update);
    our_gb = rates.gb_per_s;
    our_gflop = rates.gflop_per_s;
    our_intensity = rates.flop_per_byte;
    if (const auto bandwidth = device_bandwidth(results, *choice.run->row)) our_stream = bandwidth->gb_per_s;
  }
  table.rows.push_back({kind.label, choice.run ? Cell(choice.variant) : Cell("-", ""),
                        choice.run ? device_cell(*choice.run->row) : Cell("-", ""), published_cell(gb),
                        number_cell(our_gb, 4), number_cell(percent_of(gb, stream), 3),
                        number_cell(percent_of(our_gb, our_stream), 3), published_cell(gflop),
                        number_cell(our_gflop, 4), published_cell(intensity), number_cell(our_intensity, 3)});
  if (choice.run && !row)
    table.note(fmt::format("{}: nothing published; its intensity is taken with {} FLOPs an update.",
                           kind.label, unpublished_flops_per_update));
}

}  // namespace

ReportTable model_table(const Results& results, const Published& published) {
  const PublishedRuns& runs = published.models;
  ReportTable table;
  table.id = "table-3";
  table.title = "Table III. Seconds of each model";
  table.caption = fmt::format(
      "Compute seconds of all iterations in single precision, published beside the median measured here: "
      "like "
      "for like (variant {}) and, where another one is faster, the best variant of the model. {}",
      results.comparison.compare.words(), how_ratios_are_made);
  table.source = published.citation(runs.origin) + ": " + hardware_words(runs.runs, published);
  table.columns = {left("grid"),
                   left("model"),
                   left("our variant", true),
                   left("measured\non", true),
                   right("steps\nrun"),
                   right("published\ns"),
                   right("measured\ns"),
                   right("ratio"),
                   right("ratio at\nequal\nbandwidth")};
  Missing missing;
  std::vector<Kind> kinds = kinds_in(runs.runs, published);
  std::vector<std::pair<const StandardProblem*, std::vector<Measurement>>> measured;
  for (const StandardProblem* problem : problems_of(runs, published)) {
    measured.emplace_back(problem, measurements(results, published, *problem));
    kinds = kinds_of(kinds, measured.back().second);
  }
  for (const auto& [problem, all] : measured)
    for (const Kind& kind : kinds) {
      const PublishedRun* const row = find_row(runs.runs, kind);
      for (const Choice& choice : choices_of(all, kind, results.comparison.compare)) {
        if (!choice.run) missing.add(kind, problem->name);
        if (!choice.run && !(row && row->seconds.contains(problem->name)))
          continue;  // nothing on either side
        add_model_row(*problem, kind, choice, row, published, results, table);
      }
    }
  for (const PublishedRun& run : runs.runs)
    if (!run.remark.empty()) table.note(fmt::format("{}, published: {}.", run.label, run.remark));
  missing.note(table);
  for (const auto& line : failures(results, published, [&](const StandardProblem*problem, const auto&) {
         return problem && seconds_published(runs, problem->name);
       }))
    table.note(line);
  return table;
}

ReportTable rate_table(const Results& results, const Published& published) {
  const PublishedRates& rates = published.rates;
  const StandardProblem& problem = published.problem(rates.problem);
  ReportTable table;
  table.id = "table-4";
  table.title = fmt::format("Table IV. Bandwidth, FLOP rate and operational intensity at {}", rates.problem);
  table.caption =
      "By the published formulas: GB/s = nx ny 9 sizeof(float) 2 iterations / seconds; FLOP/byte = FLOPs of "
      "an "
      "update / 72 bytes, with 122 FLOPs, or 155 in OpenCL (masks); GFLOP/s = GB/s x FLOP/byte. % of STREAM: "
      "of "
      "the bandwidth that a STREAM triad has on the same device.";
  table.source = published.citation(rates.origin) + ": " + hardware_words(rates.rows, published);
  table.columns = {left("model"),
                   left("our variant", true),
                   left("measured\non", true),
                   right("published\nGB/s"),
                   right("measured\nGB/s"),
                   right("published\n% of\nSTREAM"),
                   right("measured\n% of\nSTREAM"),
                   right("published\nGFLOP/s"),
                   right("measured\nGFLOP/s"),
                   right("published\nFLOP/byte"),
                   right("measured\nFLOP/byte")};
  const std::vector<Measurement> all = measurements(results, published, problem);
  Missing missing;
  for (const Kind& kind : kinds_of(kinds_in(rates.rows, published), all))
    for (const Choice& choice : choices_of(all, kind, results.comparison.compare)) {
      if (!choice.run) missing.add(kind, problem.name);
      add_rate_row(kind, choice, find_row(rates.rows, kind), published, results, table);
      if (choice.run && choice.run->is_scaled())
        table.note(fmt::format("{} {}: measured over {} steps.", kind.label, choice.variant,
                               steps_cell(*choice.run).text));
    }
  missing.note(table);
  for (const auto& line : failures(
           results, published, [&](const StandardProblem*solved, const auto&) { return solved == &problem; }))
    table.note(line);
  return table;
}

}  // namespace boltzmark
