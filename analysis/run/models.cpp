#include "analysis/run/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "analysis/run/launcher.hpp"
#include "analysis/support/json_reader.hpp"
#include "analysis/support/process.hpp"
#include "common/base/error.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

constexpr double answer_seconds = 60.0;  // the first look at a GPU can take long

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

/// Standard output of PROGRAM with these options.
std::string ask(const ModelProgram& model, const std::vector<std::string>& options, SignalWatch& signals) {
  std::vector<std::string> command = {model.program.string()};
  command.insert(command.end(), options.begin(), options.end());
  const auto answer = capture_process(
      {.command = command, .environment = launcher_environment(), .time_limit_seconds = answer_seconds},
      signals);
  const ProcessResult& result = answer.result;
  if (result.exit_status == 0 && result.signal == 0 && !result.timed_out && result.start_error.empty())
    return answer.output;
  std::string why = reason_in(answer.errors);
  if (!result.start_error.empty()) why = result.start_error;
  if (result.timed_out) why = fmt::format("no answer within {} seconds", answer_seconds);
  if (why.empty()) why = fmt::format("ended with status {}, signal {}", result.exit_status, result.signal);
  const bool refused = result.exit_status == static_cast<int>(ExitStatus::bad_input);
  throw Error(refused ? ExitStatus::bad_input : ExitStatus::unavailable,
              fmt::format("{} {}: {}", model.program.filename().string(), join_words(options), why));
}

/// Whether a help text has this option as a word of its own.
bool names_option(const std::string& help, const std::string& option) {
  for (auto at = help.find(option); at != help.npos; at = help.find(option, at + 1)) {
    const char next = at + option.size() < help.size() ? help[at + option.size()] : ' ';
    if (std::strchr(" ,\n\t[=", next)) return true;
  }
  return false;
}

/// "reduction=linear|tree delay=N|all", as --list-variants shows them.
std::vector<ListedOption> options_in(const std::string& text) {
  std::vector<ListedOption> options;
  for (const auto& word : split(text, ' ')) {
    const auto sign = word.find('=');
    ListedOption option{.name = word.substr(0, sign), .values = {}};
    if (sign != word.npos) option.values = split(word.substr(sign + 1), '|');
    if (!word.empty()) options.push_back(std::move(option));
  }
  return options;
}

/// What Open MPI's launcher adds to the words of a program that failed.
bool is_decoration(const std::string& line) { return line.find_first_not_of(" \t\r-*") == line.npos; }

/// What a model says and goes on.
bool is_warning(const std::string& line) {
  return line.starts_with("lbm-") && line.find(": warning: ") != line.npos;
}

}  // namespace

std::vector<ModelProgram> read_models(const fs::path& folder) {
  const fs::path file = folder / "models.json";
  const nlohmann::json content = load_json(file);
  if (!content.is_array()) fail_in_json(file.string(), "", "a list of models", "something else");
  std::vector<ModelProgram> models;
  for (const auto& element : content) {
    ObjectReader object(element, file.string(), fmt::format("[{}]", models.size()));
    ModelProgram model;
    model.name = object.text("name");
    model.program = folder / object.text("program");
    model.launcher = object.flag("launcher", false);
    model.skipped = element.value("skipped", "");
    models.push_back(std::move(model));
  }
  return models;
}

const ModelProgram* find_model(const std::vector<ModelProgram>& models, const std::string& name) {
  for (const auto& model : models)
    if (model.name == name) return &model;
  return nullptr;
}

std::string Abilities::lacks(const std::string& variant, const std::string& precision) const {
  std::string names;
  for (const auto& offered : variants) {
    names += (names.empty() ? "" : ", ") + offered.name;
    const auto& p = offered.precisions;
    const bool has_precision = std::find(p.begin(), p.end(), precision) != p.end();
    if (offered.name == variant)
      return has_precision ? "" : fmt::format("no {} in variant {}", precision, variant);
    if (variant.empty() && has_precision) return "";
  }
  if (variant.empty()) return fmt::format("no variant with {}", precision);
  return fmt::format("no variant {}; there is {}", variant, names.empty() ? "none" : names);
}

Abilities ask_abilities(const ModelProgram& model, SignalWatch& signals) {
  Abilities abilities;
  const std::string help = ask(model, {"--help"}, signals);
  abilities.takes_threads = names_option(help, "--threads");
  abilities.takes_device = names_option(help, "--device");
  abilities.takes_work_group = names_option(help, "--work-group");
  abilities.takes_tuned = names_option(help, "--no-tuned");
  abilities.has_stream = names_option(help, "--stream");
  for (const auto& line : split(ask(model, {"--list-variants"}, signals), '\n')) {
    auto fields = split(line, '\t');
    fields.resize(4);
    abilities.variants.push_back({.name = fields[0],
                                  .precisions = split(fields[1], ','),
                                  .summary = fields[2],
                                  .options = options_in(fields[3])});
  }
  return abilities;
}

nlohmann::json ask_tunables(const ModelProgram& model, const std::string& device, SignalWatch& signals) {
  std::vector<std::string> options = {"--list-tunables"};
  if (!device.empty()) options.insert(options.end(), {"--device", device});
  auto answer = nlohmann::json::parse(ask(model, options, signals), nullptr, false);
  if (!answer.is_object())
    throw unavailable("{} --list-tunables: expected JSON, found something else",
                      model.program.filename().string());
  return answer;
}

std::vector<ListedDevice> ask_devices(const ModelProgram& model, const std::vector<std::string>& options,
                                      SignalWatch& signals) {
  std::vector<std::string> question = {"--list-devices"};
  question.insert(question.end(), options.begin(), options.end());
  std::vector<ListedDevice> devices;
  for (const auto& line : split(ask(model, question, signals), '\n')) {
    auto fields = split(line, '\t');
    fields.resize(4);
    devices.push_back({.number = fields[0], .type = fields[1], .name = fields[2], .details = fields[3]});
  }
  return devices;
}

std::string reason_in(const std::string& errors) {
  const std::string mark = ": error: ";  // "lbm-mpi: error: why"
  std::string last, own;
  for (auto line : split(errors, '\n')) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (is_decoration(line) || is_warning(line)) continue;
    last = line;
    if (const auto at = line.find(mark); line.starts_with("lbm-") && at != line.npos)
      own = line.substr(at + mark.size());
  }
  return own.empty() ? last : own;
}

}  // namespace boltzmark
