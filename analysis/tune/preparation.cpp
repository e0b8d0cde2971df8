#include "analysis/tune/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "analysis/run/oracle.hpp"
#include "analysis/support/json_reader.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double run_seconds = 0.2;          // that a run should take
constexpr double most_oracle_updates = 5e8;  // cell updates that the oracle does in about 20 s
constexpr int first_steps = 10;

/// What follows a prefix and precedes an ending in the names of a folder's files, sorted.
std::vector<std::string> names_between(const fs::path& folder, const std::string& prefix,
                                       const std::string& ending) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(ending))
      names.push_back(name.substr(prefix.size(), name.size() - prefix.size() - ending.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// "reduction=tree,halves" into a tunable.
Tunable parse_values(const std::string& text) {
  const auto sign = text.find('=');
  Tunable tunable{.option = text.substr(0, sign), .values = {}};
  if (sign != text.npos)
    for (std::size_t at = sign + 1; at <= text.size();) {
      const auto comma = std::min(text.find(',', at), text.size());
      tunable.values.push_back(text.substr(at, comma - at));
      at = comma + 1;
    }
  const bool empty = std::any_of(tunable.values.begin(), tunable.values.end(),
                                 [](const std::string& value) { return value.empty(); });
  if (tunable.option.empty() || tunable.values.empty() || empty)
    throw bad_input("--option: expected NAME=value,value,..., found \"{}\"", text);
  return tunable;
}

/// What --list-tunables says of the variant, without values for the work-group.
std::vector<Tunable> declared_by(const json& tunables, const std::string& variant) {
  std::vector<Tunable> declared;
  try {
    for (const auto& listed : tunables.at("variants"))
      if (listed.at("name") == variant)
        for (const auto& tunable : listed.at("tunables"))
          declared.push_back({tunable.at("option"), tunable.value("values", std::vector<std::string>{})});
  } catch (const json::exception& fault) {
    throw unavailable("--list-tunables: expected variants with tunables, found something else: {}",
                      fault.what());
  }
  return declared;
}

std::string names_of(const std::vector<Tunable>& tunables) {
  std::vector<std::string> names;
  for (const auto& tunable : tunables) names.push_back(tunable.option);
  return names.empty() ? "nothing" : join_words(names, ", ");
}

Tunable& find_tunable(std::vector<Tunable>& tunables, const std::string& option, const char* where,
                      const TrialSetup& setup) {
  const auto at = std::find_if(tunables.begin(), tunables.end(),
                               [&](const Tunable& tunable) { return tunable.option == option; });
  if (at == tunables.end())
    throw bad_input("{}: in {} {} there is to tune {}; found \"{}\"", where, setup.probed.model.name,
                    setup.variant, names_of(tunables), option);
  return *at;
}

/// The record of a short run of the defaults, without a check.
json probe(const TrialSetup& setup, Store& store, SignalWatch& signals) {
  const Job job = Trials(setup, store, signals).first_job({});
  if (job.foregone) throw unavailable("{}: {}", setup.probed.model.name, job.reason);
  const fs::path file = store.folder() / "probe.part";
  fs::remove(file);
  std::vector<std::string> words;
  if (job.launched) words = launcher_words(setup.launcher, job.key.ranks, job.key.threads);
  words.insert(words.end(), job.command.begin(), job.command.end());
  words.insert(words.end(), {"--json", file.string()});
  const auto done = capture_process({.command = words,
                                     .environment = launcher_environment(job.key.threads),
                                     .time_limit_seconds = setup.time_limit_seconds},
                                    signals);
  std::ifstream in(file);
  json record = json::parse(in, nullptr, false);
  in.close();
  fs::remove(file);
  if (signals.stopped_by() != 0) return nullptr;
  RunEntry entry;
  entry.record = record.is_object() ? record : json();
  judge_run(done.result, done.errors, setup.time_limit_seconds, entry);
  const std::string line =
      fmt::format("{}: {}: {}", setup.probed.model.name, shell_line(words), entry.reason);
  if (entry.status == RunStatus::impossible) throw unavailable("{}", line);
  if (entry.status == RunStatus::wrong) throw Error(ExitStatus::wrong_result, line);
  if (entry.status != RunStatus::ok) throw bad_input("{}", line);
  return entry.record;
}

/// 1, 2 or 5 times a power of ten, at most `number`; at least 1. A time that differs a little from call to
/// call then mostly gives the same steps.
int round_down(double number) {
  if (number < 1.0) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(number)));
  const double first = number / power;
  return static_cast<int>(std::lround(power * (first >= 5.0 ? 5.0 : first >= 2.0 ? 2.0 : 1.0)));
}

/// The steps of an earlier trial of the defaults that is like this one in all else, 0 for none.
int known_steps(const TrialSetup& setup, Store& store, SignalWatch& signals) {
  RunKey key = Trials(setup, store, signals).first_job({}).key;
  for (const RunEntry* const entry : store.entries()) {
    key.steps = entry->key.steps;
    if (entry->key.identity() == key.identity() && entry->status == RunStatus::ok) return key.steps;
  }
  return 0;
}

void set_steps(TrialSetup& setup, int steps) {
  setup.problem.front().steps = steps;
  setup.problem.front().source.steps = steps;
}

}  // namespace

PlanProblem find_problem(const std::vector<std::string>& words) {
  if (words.size() == 2) return {.params = words[0], .obstacles = words[1], .steps = {}};
  const fs::path inputs = from_here((analysis_folder() / "../inputs").lexically_normal());
  const std::string name = words.empty() ? "" : words.front();
  const PlanProblem problem{.params = inputs / fmt::format("input_{}.params", name),
                            .obstacles = inputs / fmt::format("obstacles_{}.dat", name),
                            .steps = {}};
  if (words.size() == 1 && fs::exists(problem.params) && fs::exists(problem.obstacles)) return problem;
  throw bad_input("expected PARAMS and OBSTACLES, or one of {}, found \"{}\"",
                  join_words(names_between(inputs, "input_", ".params"), ", "), join_words(words));
}

ProbedModel find_tuned_model(const std::string& name, SignalWatch& signals) {
  const auto models = read_models(program_folder());
  const ModelProgram* const model = find_model(models, name);
  if (!model) {
    std::vector<std::string> names;
    for (const auto& known : models) names.push_back(known.name);
    throw bad_input("--model: expected one of {}, found \"{}\"", join_words(names, ", "), name);
  }
  if (!model->skipped.empty()) throw unavailable("{} was not built: {}", name, model->skipped);
  ProbedModel probed;
  probed.model = *model;
  probed.digest = digest_of_file(model->program);
  probed.abilities = ask_abilities(*model, signals);
  return probed;
}

ShapeLimits limits_in(const json& tunables) {
  const auto limit = [&](const char* name) {
    return static_cast<int>(number_at(tunables, fmt::format("/device/{}", name).c_str()).value_or(0.0));
  };
  return {.items = limit("max_work_group"), .x = limit("max_work_group_x"), .y = limit("max_work_group_y")};
}

std::vector<Tunable> tunables_for(const json& tunables, const TuneOptions& options, const TrialSetup& setup) {
  auto declared = declared_by(tunables, setup.variant);
  if (declared.empty())
    throw bad_input("--variant: {} {} has nothing to tune", setup.probed.model.name, setup.variant);
  if (!options.shapes.empty()) find_tunable(declared, work_group_option, "--shapes", setup);
  for (Tunable& tunable : declared)
    if (tunable.option == work_group_option)
      tunable.values = shapes_for(options.shapes.empty() ? "powers" : options.shapes, setup.limits);
  for (const auto& text : options.values) {
    const Tunable wanted = parse_values(text);
    if (wanted.option == work_group_option)
      throw bad_input("--option: expected work-groups in --shapes, found \"{}\"", text);
    find_tunable(declared, wanted.option, "--option", setup).values = wanted.values;
  }
  for (const auto& name : options.only) find_tunable(declared, name, "--only", setup);
  std::vector<Tunable> chosen;
  for (const Tunable& tunable : declared)
    if (options.only.empty() ||
        std::find(options.only.begin(), options.only.end(), tunable.option) != options.only.end())
      chosen.push_back(tunable);
  return chosen;
}

bool settle_setup(TrialSetup& setup, bool steps_given, Store& store, SignalWatch& signals) {
  if (steps_given && !setup.variant.empty()) return true;
  ScheduledProblem& problem = setup.problem.front();
  const int iterations = problem.problem.parameters.iterations, wanted = problem.steps;
  if (!setup.variant.empty())
    if (const int steps = known_steps(setup, store, signals)) return set_steps(setup, steps), true;
  for (int steps = std::min(first_steps, iterations);; steps = std::min(10 * steps, iterations)) {
    set_steps(setup, steps);
    const json record = probe(setup, store, signals);
    if (record.is_null()) return false;
    if (setup.variant.empty()) {
      setup.variant = text_at(record, "/variant");
      if (steps_given) return set_steps(setup, wanted), true;
      if (const int known = known_steps(setup, store, signals)) return set_steps(setup, known), true;
    }
    const double seconds = number_at(record, "/compute_seconds").value_or(run_seconds);
    const double most =
        std::min<double>(iterations, most_oracle_updates / static_cast<double>(problem.problem.cells()));
    if (seconds < 0.25 * run_seconds && steps < most) continue;
    set_steps(setup, round_down(std::min(most, steps * run_seconds / seconds)));
    return true;
  }
}

}  // namespace boltzmark
