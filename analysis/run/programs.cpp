#include "analysis/run/programs.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/run/launcher.hpp"
#include "analysis/support/json_reader.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/process.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

constexpr double answer_seconds = 60.0;  // the first look at a GPU can take long

/// Why a program gave no answer, "" when it did.
std::string failure_of(const CapturedProcess& answer, const std::string& program) {
  const ProcessResult& result = answer.result;
  if (!result.start_error.empty()) return result.start_error;
  if (result.timed_out) return fmt::format("no answer within {} seconds", answer_seconds);
  if (result.exit_status == 0 && result.signal == 0) return "";
  const std::string why = reason_in(answer.errors, program);
  return why.empty() ? fmt::format("ended with status {}, signal {}", result.exit_status, result.signal)
                     : why;
}

/// What Open MPI's launcher adds to the words of a program that failed.
bool is_decoration(const std::string& line) { return line.find_first_not_of(" \t\r-*") == line.npos; }

}  // namespace

std::vector<BuiltProgram> configured_programs(const fs::path& folder) {
  const fs::path file = folder / "programs.json";
  if (!fs::exists(file))
    throw bad_input(
        "{}: expected the list of programs that were built with boltzmark beside it, found none; `make "
        "bundle` makes a folder that can be copied",
        fs::absolute(file).lexically_normal().string());
  const nlohmann::json content = load_json(file);
  if (!content.is_array()) fail_in_json(file.string(), "", "a list of programs", "something else");
  std::vector<BuiltProgram> programs;
  for (const auto& element : content) {
    ObjectReader object(element, file.string(), fmt::format("[{}]", programs.size()));
    BuiltProgram program;
    program.workload = object.text("workload");
    program.model = object.text("model");
    program.path = folder / object.text("program");
    program.launcher = object.flag("launcher", false);
    program.skipped = object.any_text("skipped");
    programs.push_back(std::move(program));
  }
  return programs;
}

std::vector<BuiltProgram> read_programs(const fs::path& folder) {
  std::vector<BuiltProgram> programs = configured_programs(folder);
  std::error_code error;
  for (auto& program : programs)
    if (program.skipped.empty() && !fs::exists(program.path, error)) {
      const std::string name = program.path.filename().string();
      program.skipped =
          fmt::format("{} is not there yet; make it with: cmake --build {} --target {}", name,
                      from_here(fs::absolute(folder).lexically_normal().parent_path()).string(), name);
    }
  return programs;
}

std::vector<std::string> names_in(const std::vector<BuiltProgram>& programs,
                                  std::string BuiltProgram::*name) {
  std::vector<std::string> names;
  for (const auto& program : programs)
    if (!contains(names, program.*name)) names.push_back(program.*name);
  return names;
}

ProgramDescription ask(const BuiltProgram& program, const std::vector<std::string>& options,
                       SignalWatch& signals) {
  const std::string name = program.path.filename().string();
  std::vector<std::string> command = {program.path.string(), "--describe"};
  command.insert(command.end(), options.begin(), options.end());
  const auto answer = capture_process(
      {.command = command, .environment = launcher_environment(), .time_limit_seconds = answer_seconds},
      signals);
  std::string failure = failure_of(answer, name);
  if (failure.empty()) {
    try {
      const auto json = parse_json(answer.output);
      if (const int format = json.at("format").get<int>(); format != description_format)
        throw std::runtime_error(fmt::format("format {}, expected {}", format, description_format));
      return json.get<ProgramDescription>();
    } catch (const std::exception& fault) {
      failure = fmt::format("expected a description, found something else ({})", fault.what());
    }
  }
  const bool refused = answer.result.exit_status == static_cast<int>(ExitStatus::bad_input);
  throw Error(
      refused ? ExitStatus::bad_input : ExitStatus::unavailable,
      fmt::format("{} --describe{}{}: {}", name, options.empty() ? "" : " ", join(options, " "), failure));
}

const VariantDescription* find_variant(const ProgramDescription& program, const std::string& name_or_role) {
  for (const auto of : {&VariantDescription::name, &VariantDescription::role})
    for (const auto& variant : program.variants)
      if (variant.*of == name_or_role) return &variant;
  return nullptr;
}

std::string lacks(const ProgramDescription& program, const std::string& variant,
                  const std::string& precision) {
  if (variant.empty()) {
    const bool has = std::any_of(program.variants.begin(), program.variants.end(),
                                 [&](const auto& v) { return contains(v.precisions, precision); });
    return has ? "" : fmt::format("no variant with {}", precision);
  }
  if (const VariantDescription* const found = find_variant(program, variant))
    return contains(found->precisions, precision)
               ? ""
               : fmt::format("no {} in variant {}", precision, found->name);
  std::vector<std::string> names;
  for (const auto& offered : program.variants) names.push_back(offered.name);
  return fmt::format("no variant {}; there is {}", variant, names.empty() ? "none" : join(names, ", "));
}

std::string reason_in(const std::string& errors, const std::string& program) {
  const std::string error = program + ": error: ", warning = program + ": warning: ";
  std::string last, own;
  for (auto line : split(errors, '\n')) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (is_decoration(line) || line.starts_with(warning)) continue;
    last = line;
    if (line.starts_with(error)) own = line.substr(error.size());
  }
  return own.empty() ? last : own;
}

}  // namespace boltzmark
