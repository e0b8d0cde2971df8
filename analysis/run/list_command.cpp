#include "analysis/run/list_command.hpp"

#include <fmt/format.h>

#include "analysis/run/builds.hpp"
#include "analysis/run/launcher.hpp"
#include "analysis/run/models.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/table.hpp"
#include "common/base/error.hpp"

namespace boltzmark {
namespace {

/// A table's lines, set in by some blanks, without its header and rule.
std::string body(const Table& table) {
  std::string text, rest = table.text();
  for (int line = 0; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n') + 1;
    if (line >= 1) text += "    " + rest.substr(0, end);  // the header is empty and has no line
    rest.erase(0, end);
  }
  return text;
}

void list_variants(const ModelProgram& model, SignalWatch& signals) {
  Table table({{""}, {""}, {""}});
  for (const auto& variant : ask_abilities(model, signals).variants)
    table.add_row({variant.name, join_words(variant.precisions, ","), variant.summary});
  fmt::print("  variants\n{}", body(table));
}

void list_devices(const ModelProgram& model, SignalWatch& signals) {
  Table table({{""}, {""}, {""}, {""}});
  for (const auto& device : ask_devices(model, {}, signals))
    table.add_row({device.number, device.type, device.name, device.details});
  fmt::print("  devices\n{}", table.empty() ? "    none\n" : body(table));
}

void list_model(const ModelProgram& model, SignalWatch& signals) {
  if (!model.skipped.empty()) {
    fmt::print("{}: not built: {}\n", model.name, model.skipped);
    return;
  }
  fmt::print("{}: {}{}\n", model.name, model.program.string(),
             model.launcher ? ", started through a launcher" : "");
  if (const std::string missing = launcher_missing(Launcher{}); model.launcher && !missing.empty())
    fmt::print("  {}\n", missing);
  try {
    list_variants(model, signals);
    list_devices(model, signals);
  } catch (const Error& error) {
    fmt::print("  no answer: {}\n", error.what());
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
  fmt::print("plans\n");
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
  fmt::print("{}", table.empty() ? "    none\n" : body(table));
}

}  // namespace

int list_command() {
  SignalWatch signals;
  for (const auto& model : read_models(program_folder())) {
    if (signals.stopped_by() != 0) return 128 + signals.stopped_by();
    list_model(model, signals);
  }
  list_plans();
  return 0;
}

}  // namespace boltzmark
