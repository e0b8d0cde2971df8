#include "analysis/roofline/run_tables.hpp"

#include <fmt/format.h>

#include <tuple>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "common/base/ranges.hpp"

namespace boltzmark {
namespace {

using R = const Row&;
using Fits = std::function<bool(const Row&)>;

bool is_for_any_processor(const Row& row) {
  const std::string& flags = row.record->provenance.flags;
  return flags.find("-march=") == flags.npos && flags.find("-mcpu=") == flags.npos;
}

/// Among the right rows that fit, the one most like `row` in options, build and compiler; then the fastest.
const Row* most_like(const Row& row, const Rows& rows, const Fits& fits) {
  const auto rank = [&row](const Row& one) {
    return std::tuple(one.setting == row.setting, one.key.build == row.key.build,
                      one.record->provenance.compiler == row.record->provenance.compiler, -one.time.median);
  };
  const Row* found = nullptr;
  for (const Row* one : rows)
    if (one->is_right() && fits(*one) && (!found || rank(*one) > rank(*found))) found = one;
  return found;
}

/// Factor by which it is faster than the slower one.
std::optional<double> over(const Row* slower, const Row* faster) {
  return slower && faster ? std::optional(slower->time.median / faster->time.median) : std::nullopt;
}

/// The same algorithm and the row's variant on one worker, both of one model: the row's own, or the baseline if more of
/// them ran there.
struct OneWorker {
  const Row *same = nullptr, *variant = nullptr;
  int count() const { return (same ? 1 : 0) + (variant ? 1 : 0); }
};

OneWorker on_one_worker(const Row& row, const Rows& rows) {
  OneWorker best;
  for (const std::string& model : {row.key.model, std::string(baseline_model)}) {
    const auto fits = [&](R one) { return one.key.model == model && one.threads * one.ranks == 1; };
    const OneWorker found = {
        most_like(row, rows, [&](R one) { return fits(one) && one.record->role == "like-for-like"; }),
        most_like(row, rows,
                  [&](R one) { return fits(one) && one.variant == row.variant && one.setting == row.setting; })};
    if (found.count() > best.count()) best = found;
  }
  return best;
}

Factors factors_of(const Row& row, const Rows& rows) {
  const auto textbook = [&](bool for_any) {
    return most_like(row, rows, [for_any](R one) {
      return one.key.model == baseline_model && one.record->role == "textbook" && is_for_any_processor(one) == for_any;
    });
  };
  const Row *const generic = textbook(true), *const native = textbook(false);
  const auto [same, variant] = on_one_worker(row, rows);
  const Row* const one = same ? same : variant;
  return {over(generic, native), over(native, same),  over(same, variant),
          over(variant, &row),   over(generic, &row), one ? one->key.model : ""};
}

auto factor(std::optional<double> Factors::*which) {
  return [which](R r) { return r.factors ? (*r.factors).*which : std::nullopt; };
}

json measured(const std::optional<double>& value) { return value ? json(*value) : json("not measured"); }

json factor_line(const Row& row) {
  const Factors& of = *row.factors;
  return {{"problem", join_not_empty({model_words(row.key.workload), problem_words(row.case_name),
                                      row.key.precision == "f32" ? "" : row.key.precision})},
          {"run", who_words(row)},
          {"flags", measured(of.flags)},
          {"layout", measured(of.layout)},
          {"blocking", measured(of.blocking)},
          {"cores", measured(of.cores)},
          {"whole", measured(of.whole)},
          {"one_worker", model_words(of.one_worker)}};
}

}  // namespace

void add_factors(std::vector<Row>& rows) {
  ByName<Rows> cases;
  for (const Row& row : rows)
    if (row.source != "tuning" && row.part.empty()) cases[case_of(row)].push_back(&row);
  for (Row& row : rows)
    if (row.source != "tuning" && row.part.empty() && row.is_best_of_model && row.record->device_type == "cpu")
      row.factors = factors_of(row, cases[case_of(row)]);
}

FigureColumns<Row> factor_columns() {
  return {
      {"factor_flags: for its model's fastest run on a processor: seconds of the serial textbook built for any "
       "processor over those built for this one",
       factor(&Factors::flags)},
      {"factor_layout: layout and fusion: seconds of that textbook over those of the same algorithm on one worker",
       factor(&Factors::layout)},
      {"factor_blocking: seconds of the same algorithm on one worker over those of the row's variant and setting on "
       "one worker",
       factor(&Factors::blocking)},
      {"factor_cores: seconds of the row's variant and setting on one worker over those of the row",
       factor(&Factors::cores)},
      {"factor_whole: the product: seconds of the textbook built for any processor over those of the row",
       factor(&Factors::whole)},
      {"factor_one_worker: the model of the two runs on one worker: the row's own, or serial",
       [](R r) { return r.factors ? r.factors->one_worker : std::string(); }}};
}

TableData factor_table(const std::vector<Row>& rows) {
  TableData table = {
      "factors",
      "Where the speed-up comes from",
      "For the fastest run of each model on a processor, the speed-up from compiler flags (serial textbook, for this "
      "processor over any), from layout and fusion (same algorithm over textbook, one worker), from temporal blocking "
      "and similar (the run's variant over the same algorithm, one worker) and from cores (the run over one worker). "
      "Ratios of medians; the whole is their product.",
      {{"problem", "problem"},
       {"run", "fastest run"},
       {"flags", "flags", "3"},
       {"layout", "layout,\nfusion", "3"},
       {"blocking", "blocking", "3"},
       {"cores", "cores", "3"},
       {"whole", "all", "3"},
       {"one_worker", "one worker:\nruns of"}},
      {}};
  table.section = "factors";
  ByName<const Row*> shown;  // among runs with other numbers of steps the one with most facts
  for (const Row* row : of_plans(rows)) {
    if (!row->factors || !row->factors->over_textbook()) continue;
    const Row*& known = shown[problem_of(*row) + '|' + row->key.model];
    if (!known || row->factors->count() > known->factors->count()) known = row;
  }
  bool has_flags = true;
  for (const auto& [name, row] : shown) {
    has_flags = has_flags && row->factors->flags;
    table.rows.push_back(factor_line(*row));
  }
  if (!table.rows.empty() && !has_flags)
    table.notes.emplace_back(
        "For the flags: boltzmark run compilers runs the textbook built for any processor and for this one.");
  return table;
}

}  // namespace boltzmark
