#include "analysis/support/commands.hpp"

#include "analysis/run/cases.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/run/schedule.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/run/describe.hpp"

namespace boltzmark {
namespace {

/// Variants and devices.
void list_description(const ProgramDescription& program) {
  Table variants({{""}, {""}, {""}, {""}}), devices({{""}, {""}, {""}, {""}});
  for (const auto& one : program.variants)
    variants.add_row({one.name + (one.name == program.default_variant ? " *" : ""), join(one.precisions, ","),
                      one.role == to_string(Role::like_for_like) ? "same algorithm" : one.role, one.summary});
  for (const auto& one : program.devices)
    devices.add_row({std::to_string(devices.size()), one.type, one.name, one.details});
  const std::string none = program.no_devices.empty() ? "none" : program.no_devices;
  print("  variants (default: {})\n{}  devices\n{}", program.default_variant.empty() ? "by problem and device" : "*",
        variants.body(4), devices.empty() ? "    " + none + '\n' : devices.body(4));
}

void list_program(const BuiltProgram& program, SignalWatch& signals) {
  if (!program.skipped.empty())
    return print("{} {}: not built: {}\n", program.workload, program.model, program.skipped);
  print("{} {}: {}{}\n", program.workload, program.model, program.path.string(),
        program.launcher ? ", started through a launcher" : "");
  if (const std::string missing = launcher_missing(Launcher{}); program.launcher && !missing.empty())
    print("  {}\n", missing);
  try {
    list_description(ask(program, {}, signals));
  } catch (const Error& error) {
    print("  no answer: {}\n", error.what());
  }
}

/// Why a program cannot run here, "" if it can.
std::string failure_of(const BuiltProgram& program, SignalWatch& signals) {
  if (!program.skipped.empty()) return program.skipped;
  if (const std::string missing = launcher_missing(Launcher{}); program.launcher && !missing.empty()) return missing;
  try {
    const ProgramDescription description = ask(program, {}, signals);
    if (!description.devices.empty()) return "";
    return description.no_devices.empty() ? "no devices" : description.no_devices;
  } catch (const Error& error) {
    return error.what();
  }
}

/// The same words for all programs that lack the same thing.
std::string why_not(const BuiltProgram& program, SignalWatch& signals) {
  const std::string general = replaced(failure_of(program, signals), {{program.path.string(), program.program}});
  return replaced(general, {{program.program, "WORKLOAD-MODEL"}});
}

/// Workloads in rows, models in columns; each reason is given once below.
void list_matrix(const std::vector<BuiltProgram>& programs, SignalWatch& signals) {
  const auto models = names_in(programs, &BuiltProgram::model);
  std::vector<Column> columns = {left("workload")};
  for (const auto& model : models) columns.push_back(left(model));
  Table table(columns);
  std::vector<std::string> reasons;
  for (const auto& workload : names_in(programs, &BuiltProgram::workload)) {
    std::vector<Cell> cells = {workload};
    for (const auto& model : models) {
      const auto at = std::ranges::find_if(programs, [&](const BuiltProgram& program) {
        return program.workload == workload && program.model == model;
      });
      const std::string why = at == programs.end() ? "" : why_not(*at, signals);
      signals.expect_none();
      if (!why.empty()) add_once(reasons, why);
      const auto number = std::ranges::find(reasons, why) - reasons.begin() + 1;
      cells.push_back(at == programs.end() ? "-" : why.empty() ? "yes" : fmt::format("no ({})", number));
    }
    table.add_row(std::move(cells));
  }
  print("{}", table.text(table_width()));
  for (std::size_t i = 0; i < reasons.size(); ++i)
    print_text(stdout, wrapped(fmt::format("({}) {}", i + 1, one_line(reasons[i])), table_width(), 4));
}

/// What a plan asks for, a row each.
std::string runs_text(const Plan& plan) {
  Table table({left("workload"), left("run"), left("cases")});
  for (const PlanRun& run : plan.runs) {
    RunKey key;
    key.model = run.model == every_model ? "every model" : run.model;
    key.variant = run.variant;
    key.precision = run.precision;
    key.threads = run.threads.value_or(0);
    key.ranks = run.ranks.value_or(0);
    key.device = run.device;
    key.work_group = run.work_group;
    for (const auto& [option, value] : run.options)
      key.options.push_back("--" + option + (value.empty() ? "" : " ") + value);
    table.add_row({run.workload, describe(key) + (run.cores ? ", on " + counted(*run.cores, "core") : ""),
                   run.cases.empty() ? "all" : join(run.cases, ", ")});
  }
  return table.text(table_width());
}

void list_plan(const std::string& name) {
  const Plan plan = load_plan(find_plan(name, plan_folder()));
  print_text(stdout, wrapped(fmt::format("{}: {}", name, plan.summary), table_width(), 2));
  for (const PlanBuild& build : plan.builds) {
    const bool here = build_missing(build).empty();
    print("  build {}: {}{}\n", build.name, build.folder.string(),
          here ? "" : ", missing; make it with: " + build.make);
  }
  print_text(stdout, wrapped("cases: " + join(Cases(plan).names(), ", "), table_width(), 2) + '\n' + runs_text(plan));
}

void list_plans() {
  Table table({left("plan"), cut("what it runs")});
  for (const auto& name : plan_names(plan_folder())) {
    try {
      table.add_row({name, load_plan(find_plan(name, plan_folder())).summary});
    } catch (const Error& error) {
      table.add_row({name, error.what()});
    }
  }
  print("{}", table.text(table_width()));
}

}  // namespace

int list_command(const ListOptions& options) {
  SignalWatch signals;
  const auto programs = read_programs(program_folder());
  const auto workloads = names_in(programs, &BuiltProgram::workload), plans = plan_names(plan_folder());
  const bool is_plan = contains(plans, options.name), is_workload = contains(workloads, options.name);
  try {
    if (options.name.empty()) {
      list_plans();
      print("\n");
      list_matrix(programs, signals);
      print("\nboltzmark list WORKLOAD: its variants and devices; boltzmark list PLAN: its summary, cases and runs\n");
    } else if (!is_workload && !is_plan) {
      throw bad_input("expected one of the workloads {} or plans {}, found \"{}\"", join(workloads, ", "),
                      join(plans, ", "), options.name);
    }
    if (is_plan) list_plan(options.name);
    for (const auto& program : programs) {
      if (program.workload != options.name) continue;
      signals.expect_none();
      list_program(program, signals);
    }
    signals.expect_none();
    return 0;
  } catch (const Stopped&) {
    return 128 + signals.stopped_by();
  }
}

}  // namespace boltzmark
