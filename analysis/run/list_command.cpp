#include "analysis/support/commands.hpp"

#include <fmt/core.h>

#include "analysis/run/plan.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

void list_variants(const ProgramDescription& program) {
  Table table({{""}, {""}, {""}, {""}});
  for (const auto& variant : program.variants)
    table.add_row({variant.name, join(variant.precisions, ","), variant.role, variant.summary});
  print("  variants\n{}", table.body(4));
}

void list_devices(const ProgramDescription& program) {
  Table table({{""}, {""}, {""}, {""}});
  for (const auto& device : program.devices)
    table.add_row({std::to_string(table.size()), device.type, device.name, device.details});
  const std::string none = program.no_devices.empty() ? "none" : program.no_devices;
  print("  devices\n{}", table.empty() ? "    " + none + '\n' : table.body(4));
}

void list_program(const BuiltProgram& program, SignalWatch& signals) {
  if (!program.skipped.empty()) {
    print("{} {}: not built: {}\n", program.workload, program.model, program.skipped);
    return;
  }
  print("{} {}: {}{}\n", program.workload, program.model, program.path.string(),
        program.launcher ? ", started through a launcher" : "");
  if (const std::string missing = launcher_missing(Launcher{}); program.launcher && !missing.empty())
    print("  {}\n", missing);
  try {
    const ProgramDescription description = ask(program, {}, signals);
    list_variants(description);
    list_devices(description);
  } catch (const Error& error) {
    print("  no answer: {}\n", error.what());
  }
}

/// The builds of a plan, and those that are not there.
void list_builds(const Plan& plan, Table& table) {
  for (const PlanBuild& build : plan.builds) {
    const bool here = build_missing(build).empty();
    table.add_row({"", fmt::format("build {}: {}{}", build.name, build.folder.string(),
                                   here ? "" : ", not there; make it with: " + build.make)});
  }
}

void list_plans() {
  print("plans\n");
  Table table({{""}, {""}});
  for (const auto& name : plan_names(plan_folder())) {
    try {
      const Plan plan = load_plan(find_plan(name, plan_folder()));
      table.add_row({name, plan.summary});
      list_builds(plan, table);
    } catch (const Error& error) {
      table.add_row({name, error.what()});
    }
  }
  print("{}", table.empty() ? "    none\n" : table.body(4));
}

}  // namespace

int list_command() {
  SignalWatch signals;
  for (const auto& program : read_programs(program_folder())) {
    if (signals.stopped_by() != 0) return 128 + signals.stopped_by();
    list_program(program, signals);
  }
  list_plans();
  return 0;
}

}  // namespace boltzmark
