// `boltzmark peaks`, and which peaks the runs of a plan need.
#include "analysis/peaks/needs.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/support/locations.hpp"

namespace boltzmark {
namespace {

PlanNeeds needs_of(const std::string& name, const std::vector<std::string>& models) {
  const Plan plan = load_plan(find_plan(name, plan_folder()));
  const auto programs = configured_programs(program_folder());
  check_runs(plan, programs);
  PlanNeeds needs{.plan = plan.name};
  for (const BuiltProgram& program : programs)
    if (has_runs(plan, program) && is_chosen(models.empty() ? plan.models : models, program.model)) {
      needs.opencl |= program.model == "opencl";
      needs.ranks |= program.launcher;
      for (const PlanRun& run : plan.runs)
        needs.scaling |= program.launcher && is_for(run, program) && (run.ranks || run.cores);
    }
  return needs;
}

}  // namespace

int peaks_command(const PeaksOptions& options) {
  if (options.plan.empty()) return measure_peaks(options, {});
  return measure_peaks(options, needs_of(options.plan, options.models));
}

}  // namespace boltzmark
