#include "analysis/run/own_entry.hpp"

#include <fmt/core.h>

#include "analysis/run/lbm_cases.hpp"
#include "common/base/text.hpp"
#include "common/lbm/case_record.hpp"
#include "common/lbm/counting.hpp"

namespace boltzmark {
namespace {

constexpr int counted_grids = 2;

Record record_of(const Job& job, const OwnOutcome& outcome) {
  const lbm::Problem& problem = job.of->lbm->problem;
  const bool flat = problem.parameters.dimension == 2;
  Record r;
  r.workload = job.key.workload;
  r.model = job.key.model;
  r.variant = job.key.variant;
  r.precision = job.key.precision;
  r.device = cpu_name();
  r.device_type = "cpu";
  r.threads = job.key.threads;
  r.ranks = std::max(1, job.key.ranks);
  r.settings = nlohmann::json::object();
  r.repeats = {{.init_seconds = 0.0, .compute_seconds = *outcome.seconds, .collate_seconds = 0.0}};
  r.compute_seconds = *outcome.seconds;
  r.energy.why_not = "its timed part is known to itself alone";
  lbm::fill_case(problem, job.key.steps, counted_grids, outcome.last_average.value_or(0.0), r);
  r.work.bytes_per_update =
      2.0 * (flat ? lbm::D2Q9::directions : lbm::D3Q19::directions) * (r.precision == "f64" ? 8 : 4);
  r.work.flops_per_update =
      flat ? lbm::counted_cell_flops<lbm::D2Q9>() : lbm::counted_cell_flops<lbm::D3Q19>();
  r.check = outcome.check;
  r.provenance = provenance_now();
  r.provenance.flags = job.own->build;
  r.provenance.command = job.own->run;
  r.settings["wall_seconds"] = outcome.wall_seconds;
  if (!outcome.notes.empty()) r.settings["notes"] = join(outcome.notes, "; ");
  return r;
}

}  // namespace

OwnOutcome run_own(const Job& job, OwnRunner& runner, const std::filesystem::path& results,
                   SignalWatch& signals, const std::function<void(double)>& on_tick) {
  const lbm::Problem& problem = job.of->lbm->problem;
  std::optional<lbm::Answer> answer;
  if (job.checked) answer = lbm::read_answer(check_value(results, *job.of), problem, job.key.steps);
  return runner.run(*job.own, problem, job.key.steps, answer ? &*answer : nullptr, signals, on_tick);
}

void fill_own_entry(const Job& job, const OwnOutcome& outcome, RunEntry& entry) {
  entry.exit_status = outcome.exit_status;
  entry.wall_seconds = outcome.wall_seconds;
  entry.command = job.own->run;
  entry.reason = outcome.reason;
  if (outcome.verdict == verdict::right)
    entry.status = RunStatus::ok;
  else if (outcome.is_wrong())
    entry.status = RunStatus::wrong;
  else if (outcome.verdict == verdict::timeout)
    entry.status = RunStatus::timeout;
  else
    entry.status = RunStatus::failed;
  if (entry.status == RunStatus::failed && outcome.verdict != verdict::failed)
    entry.reason = fmt::format("{}: {}", outcome.verdict, outcome.reason);
  if (entry.status != RunStatus::ok && entry.status != RunStatus::wrong) return;
  if (outcome.seconds) {
    entry.record = record_of(job, outcome);
  } else if (entry.status == RunStatus::ok) {
    entry.status = RunStatus::failed;
    entry.reason = "it is right, and has " + join(outcome.notes, "; ");
  }
}

}  // namespace boltzmark
