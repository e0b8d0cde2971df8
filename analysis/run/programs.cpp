#include "analysis/run/programs.hpp"

#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"

namespace boltzmark {

BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(BuiltProgram, workload, model, program, skipped, launcher)

namespace {

/// Counts the devices of the plan's type that the program lists, for every run of this program with its options.
void count_devices(const Plan& plan, ProbedProgram& probed, SignalWatch& signals) {
  for (const PlanRun& run : plan.runs) {
    if (!is_for(run, probed.program)) continue;
    const Words words = option_words(run, probed);
    if (probed.devices.contains(words)) continue;
    DeviceCount& count = probed.devices[words];
    try {
      const ProgramDescription said = ask(probed.program, words, signals);
      count.number = static_cast<int>(std::ranges::count(said.devices, plan.within_devices, &Device::type));
      count.failure = said.no_devices;
    } catch (const Error& error) {
      count.failure = error.what();
      count.is_refused = error.status() == ExitStatus::bad_input;
    }
  }
}

/// The user's own program, which does not know --describe.
ProbedProgram probe_submission(const std::shared_ptr<const Submission>& submission) {
  ProbedProgram probed;
  BuiltProgram& program = probed.program;
  program.workload = usual_workload;
  program.model = submission_model;
  program.path = submission->run;
  program.submission = submission;
  probed.description.takes = {"check"};
  probed.digest = submission_digest(*submission);
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

fs::path folder_of(const PlanBuild& build) { return from_here(fs::absolute(build.folder / "bin").lexically_normal()); }

/// "GNU with -Ofast, without -march=native": the plan's requirements on a build.
std::string expectation(const PlanBuild& build) {
  std::string words = build.compiler.empty() ? "any compiler" : build.compiler;
  if (!build.flags.empty()) words += " with " + join(build.flags, " ");
  if (!build.without.empty()) words += ", without " + join(build.without, " ");
  return words;
}

}  // namespace

std::vector<BuiltProgram> configured_programs(const fs::path& folder) {
  const fs::path file = data_path("programs.json", folder);
  if (!fs::exists(file))
    throw bad_input(
        "{}: expected the list of programs built with boltzmark, found none; for a folder that can be moved, use `make "
        "install` or `make bundle`",
        fs::absolute(file).string());
  const nlohmann::json content = load_json(file);
  expect_form(content, form::like(nlohmann::json::array({BuiltProgram()}), {"launcher"}), file.string());
  auto programs = content.get<std::vector<BuiltProgram>>();
  for (BuiltProgram& program : programs) {
    program.path = folder / program.program;
    program.is_missing = program.skipped.empty() && !fs::exists(program.path);
  }
  return programs;
}

std::vector<BuiltProgram> read_programs(const fs::path& folder) {
  std::vector<BuiltProgram> programs = configured_programs(folder);
  const fs::path build = from_here(fs::absolute(folder).lexically_normal().parent_path());
  const bool is_build = fs::exists(build / "CMakeCache.txt");
  for (BuiltProgram& program : programs)
    if (program.is_missing)
      program.skipped = is_build ? fmt::format("{} is not built yet; make it with: cmake --build {} --target {}",
                                               program.program, build.string(), program.program)
                                 : fmt::format("{} was not built for this installation", program.program);
  return programs;
}

std::vector<std::string> names_in(const std::vector<BuiltProgram>& programs, std::string BuiltProgram::*name) {
  std::vector<std::string> names;
  for (const auto& program : programs) add_once(names, program.*name);
  return names;
}

void expect_names(const char* option, const std::vector<std::string>& chosen, const std::vector<std::string>& known) {
  for (const auto& name : chosen)
    if (!contains(known, name))
      throw bad_input("{}: expected some of {}, found \"{}\"", option, join(known, ", "), name);
}

ProgramDescription ask(const BuiltProgram& program, const std::vector<std::string>& options, SignalWatch& signals) {
  const std::string name = program.program;
  std::vector<std::string> command = {program.path.string(), "--describe"};
  command.insert(command.end(), options.begin(), options.end());
  std::string failure;
  const auto answer = ask_program(command, name, signals, failure);
  if (failure.empty()) {
    try {
      const auto described = parse_json(answer.output);
      if (const int format = described.at("format").get<int>(); format != description_format)
        throw std::runtime_error(fmt::format("format {}, expected {}", format, description_format));
      return described.get<ProgramDescription>();
    } catch (const std::exception& fault) {
      failure = fmt::format("expected a description, found something else ({})", fault.what());
    }
  }
  const bool refused = answer.result.exit_status == static_cast<int>(ExitStatus::bad_input);
  throw Error(refused ? ExitStatus::bad_input : ExitStatus::unavailable,
              fmt::format("{} --describe{}{}: {}", name, options.empty() ? "" : " ", join(options, " "), failure));
}

const VariantDescription* find_variant(const ProgramDescription& program, const std::string& name_or_role) {
  for (const auto of : {&VariantDescription::name, &VariantDescription::role})
    for (const auto& variant : program.variants)
      if (variant.*of == name_or_role) return &variant;
  return nullptr;
}

std::string lacks(const ProgramDescription& program, const std::string& variant, const std::string& precision) {
  if (variant.empty())
    return std::ranges::any_of(program.variants, [&](const auto& v) { return contains(v.precisions, precision); })
               ? ""
               : fmt::format("no variant with {}", precision);
  if (const VariantDescription* const found = find_variant(program, variant))
    return contains(found->precisions, precision) ? "" : fmt::format("no {} in variant {}", precision, found->name);
  const std::string names = joined(program.variants, ", ", &VariantDescription::name);
  const std::string what = variant == to_string(Role::like_for_like) ? "of the same algorithm" : variant;
  return fmt::format("no variant {}; there is {}", what, names.empty() ? "none" : names);
}

bool ProbedProgram::takes(const std::string& option) const { return contains(description.takes, option); }

bool is_for(const PlanRun& run, const BuiltProgram& program) {
  if (run.submission || program.submission) return run.submission == program.submission;
  return run.workload == program.workload && (run.model == every_model || run.model == program.model);
}

bool has_runs(const Plan& plan, const BuiltProgram& program) {
  return std::ranges::any_of(plan.runs, [&](const PlanRun& run) { return is_for(run, program); });
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

void check_runs(const Plan& plan, const std::vector<BuiltProgram>& programs) {
  expect_names((plan.file.string() + ": models").c_str(), plan.models, names_in(programs, &BuiltProgram::model));
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    const PlanRun& run = plan.runs[r];
    if (run.submission) continue;
    auto of_workload = programs;
    std::erase_if(of_workload, [&](const BuiltProgram& program) { return program.workload != run.workload; });
    const auto fail = [&](const char* key, const std::string& expected, const std::string& found) {
      fail_in_json(plan.file.string(), fmt::format("runs[{}].{}", r, key), expected, '"' + found + '"');
    };
    if (of_workload.empty())
      fail("workload", "one of " + join(names_in(programs, &BuiltProgram::workload), ", "), run.workload);
    const auto models = names_in(of_workload, &BuiltProgram::model);
    if (run.model != every_model && !contains(models, run.model))
      fail("model", fmt::format("{} or one of {}", every_model, join(models, ", ")), run.model);
  }
}

std::vector<ProbedProgram> probe_programs(const Plan& plan, const std::vector<BuiltProgram>& programs,
                                          SignalWatch& signals) {
  check_runs(plan, programs);
  std::vector<ProbedProgram> probed;
  for (const auto& program : programs) {
    if (signals.stopped_by() != 0) break;
    if (!has_runs(plan, program)) continue;
    probed.push_back(probe(program, signals));
    if (!plan.within_devices.empty() && program.skipped.empty()) count_devices(plan, probed.back(), signals);
  }
  for (const PlanRun& run : plan.runs)
    if (run.submission &&
        std::ranges::none_of(probed, [&](const auto& one) { return one.program.submission == run.submission; }))
      probed.push_back(probe_submission(run.submission));
  return probed;
}

std::string build_missing(const PlanBuild& build) {
  const fs::path file = data_path("programs.json", folder_of(build));
  if (is_file(file)) return {};
  return fmt::format("build {}: expected {}, found none; make it with: {}", build.name, file.string(), build.make);
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
      if (program.is_missing)
        program.skipped = fmt::format("build {} has no {}; make it with: {}", build.name, program.program, build.make);
      all.push_back(std::move(program));
    }
  }
  if (all.empty())
    throw unavailable("{}: all of its builds are missing; make the first: {}", plan.file.string(),
                      build_missing(plan.builds.front()));
  return all;
}

void check_build(const std::vector<PlanBuild>& builds, RunEntry& entry) {
  const PlanBuild* const build = find_by(builds, entry.key.build, &PlanBuild::name);
  if (!build || !entry.record) return;
  const std::string &compiler = entry.record->provenance.compiler, &flags = entry.record->provenance.flags;
  const auto words = words_in(flags);
  const auto has = [&words](const std::string& flag) { return contains(words, flag); };
  if (compiler.starts_with(build->compiler) && std::ranges::all_of(build->flags, has) &&
      std::ranges::none_of(build->without, has))
    return;
  entry.status = RunStatus::failed;
  entry.reason = fmt::format("build {}: expected {}, found {}, {}; make it with: {}", build->name, expectation(*build),
                             compiler, flags, build->make);
  entry.record.reset();
}

}  // namespace boltzmark
