#include "analysis/run/probe.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "analysis/support/json_reader.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// How many devices of this type the program lists when asked with these options.
DeviceCount count_devices(const BuiltProgram& program, const Words& options, const std::string& type,
                          SignalWatch& signals) {
  try {
    const ProgramDescription said = ask(program, options, signals);
    const auto fits = [&type](const DeviceDescription& device) { return device.type == type; };
    return {.number = static_cast<int>(std::count_if(said.devices.begin(), said.devices.end(), fits)),
            .failure = said.no_devices};
  } catch (const Error& error) {
    return {.failure = error.what(), .is_refused = error.status() == ExitStatus::bad_input};
  }
}

/// Counts devices for every run that the program has a part in.
void count_devices(const Plan& plan, ProbedProgram& probed, SignalWatch& signals) {
  for (const PlanRun& run : plan.runs) {
    if (!is_for(run, probed.program)) continue;
    const Words words = option_words(run, probed);
    if (!probed.devices.contains(words))
      probed.devices[words] = count_devices(probed.program, words, plan.within_devices, signals);
  }
}

}  // namespace

bool ProbedProgram::takes(const std::string& option) const { return contains(description.takes, option); }

bool is_for(const PlanRun& run, const BuiltProgram& program) {
  if (run.own || program.own) return run.own == program.own;
  return run.workload == program.workload && (run.model == every_model || run.model == program.model);
}

Words option_words(const PlanRun& run, const ProbedProgram& program) {
  Words words;
  for (const auto& [name, value] : run.options) {
    if (run.model == every_model && !program.takes(name)) continue;
    words.push_back("--" + name);
    if (!value.empty()) words.push_back(value);
  }
  return words;
}

ProbedProgram probe_own(const std::shared_ptr<const OwnProgram>& own) {
  ProbedProgram probed;
  BuiltProgram& program = probed.program;
  program.workload = usual_workload;
  program.model = own_model;
  program.path = own->run;
  program.own = own;
  probed.description.takes = {"check"};
  probed.digest = own_digest(*own);
  return probed;
}

ProbedProgram probe(const BuiltProgram& program, SignalWatch& signals) {
  ProbedProgram probed{.program = program};
  if (!program.skipped.empty()) return probed;
  try {
    probed.digest = digest_of_file(program.path);
    probed.description = ask(program, {}, signals);
  } catch (const Error& error) {
    probed.failure = error.what();
  }
  return probed;
}

void check_runs(const Plan& plan, const std::vector<BuiltProgram>& programs) {
  const auto workloads = names_in(programs, &BuiltProgram::workload);
  std::set<std::pair<std::string, std::string>> known;
  for (const auto& program : programs) known.insert({program.workload, program.model});
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    if (plan.runs[r].own) continue;
    const auto& [workload, model] = std::pair(plan.runs[r].workload, plan.runs[r].model);
    if (!contains(workloads, workload))
      fail_in_json(plan.file.string(), fmt::format("runs[{}].workload", r), "one of " + join(workloads, ", "),
                   '"' + workload + '"');
    if (model == every_model || known.contains({workload, model})) continue;
    std::vector<std::string> models;
    for (const auto& program : programs)
      if (program.workload == workload && !contains(models, program.model)) models.push_back(program.model);
    fail_in_json(plan.file.string(), fmt::format("runs[{}].model", r),
                 fmt::format("{} or one of {}", every_model, join(models, ", ")), '"' + model + '"');
  }
}

std::vector<ProbedProgram> probe_programs(const Plan& plan, const std::vector<BuiltProgram>& programs,
                                          SignalWatch& signals) {
  check_runs(plan, programs);
  std::vector<ProbedProgram> probed;
  for (const auto& program : programs) {
    if (signals.stopped_by() != 0) break;
    const bool is_needed = std::any_of(plan.runs.begin(), plan.runs.end(),
                                       [&](const PlanRun& run) { return is_for(run, program); });
    if (!is_needed) continue;
    probed.push_back(probe(program, signals));
    if (!plan.within_devices.empty() && program.skipped.empty()) count_devices(plan, probed.back(), signals);
  }
  for (const PlanRun& run : plan.runs) {
    const bool is_known = std::any_of(probed.begin(), probed.end(), [&run](const ProbedProgram& one) {
      return one.program.own == run.own;
    });
    if (run.own && !is_known) probed.push_back(probe_own(run.own));
  }
  return probed;
}

}  // namespace boltzmark
