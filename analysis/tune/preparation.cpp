#include "analysis/tune/trials.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

constexpr double run_seconds = 0.2;  // that a run should take
constexpr int most_repeats = 100;
constexpr int first_steps = 10;

/// "reduction=tree,halves" into a tunable.
Tunable parse_values(const std::string& text) {
  const auto sign = text.find('=');
  Tunable tunable{.option = text.substr(0, sign), .values = {}};
  if (sign != text.npos) tunable.values = split(text.substr(sign + 1), ',');
  if (tunable.option.empty() || tunable.values.empty() || contains(tunable.values, ""))
    throw bad_input("--option: expected NAME=value,value,..., found \"{}\"", text);
  return tunable;
}

/// What the setup's variant declares, without values for the work-group.
std::vector<Tunable> declared_by(const TrialSetup& setup) {
  const VariantDescription* const variant = find_variant(setup.probed.description, setup.run.variant);
  std::vector<Tunable> declared;
  if (!variant) return declared;
  for (const auto& option : variant->options)
    if (option.is_shape || !option.worth_trying.empty()) declared.push_back({option.name, option.worth_trying});
  std::stable_partition(declared.begin(), declared.end(),
                        [](const Tunable& one) { return one.option == work_group_name; });
  return declared;
}

std::string names_of(const std::vector<Tunable>& tunables) {
  std::vector<std::string> names;
  for (const auto& tunable : tunables) names.push_back(tunable.option);
  return names.empty() ? "nothing" : join(names, ", ");
}

Tunable& find_tunable(std::vector<Tunable>& tunables, const std::string& option, const char* where,
                      const TrialSetup& setup) {
  const auto at =
      std::find_if(tunables.begin(), tunables.end(), [&](const Tunable& tunable) { return tunable.option == option; });
  if (at == tunables.end())
    throw bad_input("{}: in {} {} there is to tune {}; found \"{}\"", where, setup.run.model, setup.run.variant,
                    names_of(tunables), option);
  return *at;
}

/// The record of a short run of the defaults, without a check; none when stopped.
std::optional<Record> try_run(const TrialSetup& setup, Store& store, SignalWatch& signals) {
  Trials trials(setup, store, signals);
  Job job = trials.first_job({});
  if (signals.stopped_by() != 0) return {};
  const std::string& model = setup.run.model;
  if (job.predetermined) throw unavailable("{}: {}", model, job.reason);
  job.checked = false;
  const RunEntry entry = Runner(store.folder(), setup.launcher, setup.time_limit_seconds).run(job, signals, Tick());
  if (signals.stopped_by() != 0) return {};
  const std::string line = fmt::format("{}: {}: {}", model, entry.command, entry.reason);
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

/// From a few steps on, each time ten times as many. False when stopped.
bool choose_steps(TrialSetup& setup, std::optional<int> wanted, Store& store, SignalWatch& signals) {
  const auto know = [&](int steps) {
    if (steps > 0) setup.run.steps = steps;
    return steps > 0;
  };
  std::string& variant = setup.run.variant;
  if (!variant.empty() && know(wanted ? *wanted : known_steps(setup, store, signals))) return true;
  const int most = most_steps_to_tune(Trials(setup, store, signals).of());
  for (std::int64_t steps = std::min(first_steps, most);; steps = std::min<std::int64_t>(10 * steps, most)) {
    setup.run.steps = static_cast<int>(steps);
    const auto record = try_run(setup, store, signals);
    if (!record) return false;
    if (variant.empty()) {
      variant = record->variant;
      if (know(wanted ? *wanted : known_steps(setup, store, signals))) return true;
    }
    if (record->compute_seconds < 0.25 * run_seconds && steps < most) continue;
    const double fitting = static_cast<double>(steps) * run_seconds / record->compute_seconds;
    return know(round_down(std::min<double>(most, fitting)));
  }
}

}  // namespace

ProbedProgram find_tuned_program(const TuneOptions& options, SignalWatch& signals) {
  std::vector<std::string> names;
  for (const auto& program : read_programs(program_folder())) {
    if (program.workload != options.workload) continue;
    names.push_back(program.model);
    if (program.model != options.model) continue;
    if (!program.skipped.empty()) throw unavailable("{} was not built: {}", options.model, program.skipped);
    ProbedProgram probed{.program = program, .digest = digest_of_file(program.path)};
    // An option that the program does not have is refused with a better word later.
    probed.description = ask(program, {}, signals);
    if (!options.device.empty() && probed.takes("device"))
      probed.description = ask(program, {"--device", options.device}, signals);
    if (!probed.description.no_devices.empty()) throw unavailable("{}", probed.description.no_devices);
    return probed;
  }
  if (names.empty())
    throw bad_input("--workload: expected one of {}, found \"{}\"",
                    join(names_in(read_programs(program_folder()), &BuiltProgram::workload), ", "), options.workload);
  throw bad_input("--model: expected one of {}, found \"{}\"", join(names, ", "), options.model);
}

ShapeLimits limits_in(const json& limits) {
  const auto limit = [&](const char* name) { return limits.is_object() ? limits.value(name, 0) : 0; };
  return {.items = limit("max_work_group"),
          .x = limit("max_work_group_x"),
          .y = limit("max_work_group_y"),
          .z = limit("max_work_group_z")};
}

std::vector<Tunable> tunables_for(const TuneOptions& options, const TrialSetup& setup, int dimension) {
  auto declared = declared_by(setup);
  if (declared.empty()) throw bad_input("--variant: {} {} has nothing to tune", setup.run.model, setup.run.variant);
  if (!options.shapes.empty()) find_tunable(declared, work_group_name, "--shapes", setup);
  for (Tunable& tunable : declared)
    if (tunable.option == work_group_name)
      tunable.values = shapes_for(options.shapes.empty() ? "powers" : options.shapes, setup.limits, dimension);
  for (const auto& text : options.values) {
    const Tunable wanted = parse_values(text);
    if (wanted.option == work_group_name)
      throw bad_input("--option: expected work-groups in --shapes, found \"{}\"", text);
    find_tunable(declared, wanted.option, "--option", setup).values = wanted.values;
  }
  for (const auto& name : options.only) find_tunable(declared, name, "--only", setup);
  std::vector<Tunable> chosen;
  for (const Tunable& tunable : declared)
    if (options.only.empty() || contains(options.only, tunable.option)) chosen.push_back(tunable);
  return chosen;
}

bool choose_setup(TrialSetup& setup, const TuneOptions& options, Store& store, SignalWatch& signals) {
  if (setup.probed.takes("steps")) return choose_steps(setup, options.steps, store, signals);
  const auto record = try_run(setup, store, signals);
  if (!record) return false;
  setup.run.variant = record->variant;
  setup.repeats = std::min(most_repeats, round_down(run_seconds / std::max(1e-9, record->compute_seconds)));
  return true;
}

}  // namespace boltzmark
