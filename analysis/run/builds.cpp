#include "analysis/run/builds.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const PlanBuild& build) {
  return from_here(fs::absolute(build.folder / "bin").lexically_normal());
}

/// "GNU with -Ofast, without -march=native": what the plan says of a build.
std::string expectation(const PlanBuild& build) {
  std::string words = build.compiler.empty() ? "any compiler" : build.compiler;
  if (!build.flags.empty()) words += " with " + join(build.flags, " ");
  if (!build.without.empty()) words += ", without " + join(build.without, " ");
  return words;
}

}  // namespace

std::string build_missing(const PlanBuild& build) {
  std::error_code error;
  const fs::path file = folder_of(build) / "programs.json";
  if (fs::is_regular_file(file, error)) return {};
  return fmt::format("build {}: expected {}, found none; make it with: {}", build.name, file.string(),
                     build.make);
}

std::vector<BuiltProgram> programs_for(const Plan& plan, const fs::path& own_folder,
                                       std::vector<std::string>& complaints) {
  if (plan.builds.empty()) return read_programs(own_folder);
  std::vector<BuiltProgram> all;
  for (const PlanBuild& build : plan.builds) {
    if (const std::string missing = build_missing(build); !missing.empty()) {
      complaints.push_back(missing + "; its runs are left out");
      continue;
    }
    for (BuiltProgram& program : configured_programs(folder_of(build))) {
      program.build = build.name;
      std::error_code error;
      if (program.skipped.empty() && !fs::exists(program.path, error))
        program.skipped = fmt::format("build {} has no {}; make it with: {}", build.name,
                                      program.path.filename().string(), build.make);
      all.push_back(std::move(program));
    }
  }
  if (all.empty())
    throw unavailable("{}: none of its builds is there; the first: {}", plan.file.string(),
                      build_missing(plan.builds.front()));
  return all;
}

void check_build(const std::vector<PlanBuild>& builds, RunEntry& entry) {
  const auto build = std::find_if(builds.begin(), builds.end(),
                                  [&](const PlanBuild& b) { return b.name == entry.key.build; });
  if (build == builds.end() || !entry.record) return;
  const std::string &compiler = entry.record->provenance.compiler, &flags = entry.record->provenance.flags;
  const auto words = words_in(flags);
  const auto has = [&words](const std::string& flag) { return contains(words, flag); };
  const bool as_planned = compiler.starts_with(build->compiler) &&
                          std::all_of(build->flags.begin(), build->flags.end(), has) &&
                          std::none_of(build->without.begin(), build->without.end(), has);
  if (as_planned) return;
  entry.status = RunStatus::failed;
  entry.reason = fmt::format("build {}: expected {}, found {}, {}; make it with: {}", build->name,
                             expectation(*build), compiler, flags, build->make);
  entry.record.reset();
}

}  // namespace boltzmark
