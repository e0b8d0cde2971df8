#include "analysis/run/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/run/box_problem.hpp"
#include "analysis/run/launcher.hpp"
#include "analysis/support/json_reader.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/lbm/result_files.hpp"

namespace boltzmark {
namespace {

using Names = std::vector<std::string>;

bool among(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// `chosen` is empty or has this name.
bool is_chosen(const Names& chosen, const std::string& name) { return chosen.empty() || among(chosen, name); }

void check_chosen(const char* option, const Names& chosen, Names known) {
  Names once;
  for (const auto& name : known)
    if (!among(once, name)) once.push_back(name);
  known = once;
  for (const auto& name : chosen)
    if (!among(known, name))
      throw bad_input("{}: expected some of {}, found \"{}\"", option, join_words(known, ", "), name);
}

/// "1 rank", "2 ranks".
std::string counted(int number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// How many devices of this type the program lists when asked with these options.
DeviceCount count_devices(const ModelProgram& model, const Names& options, const std::string& type,
                          SignalWatch& signals) {
  try {
    const auto devices = ask_devices(model, options, signals);
    const auto fits = [&type](const ListedDevice& device) { return device.type == type; };
    return {.number = static_cast<int>(std::count_if(devices.begin(), devices.end(), fits))};
  } catch (const Error& error) {
    return {.failure = error.what(), .is_refused = error.status() == ExitStatus::bad_input};
  }
}

/// Counts devices for every run that the model has a part in.
void count_devices(const Plan& plan, ProbedModel& probed, SignalWatch& signals) {
  for (const auto* const runs : {&plan.runs, &plan.stream})
    for (const PlanRun& run : *runs) {
      if (run.model != every_model && run.model != probed.model.name) continue;
      if (!probed.devices.contains(run.options))
        probed.devices[run.options] = count_devices(probed.model, run.options, plan.within_devices, signals);
    }
}

/// One run of the plan with one model on one problem or none, round by round.
class JobMaker {
 public:
  JobMaker(const Plan& plan, const ScheduleOptions& options) : plan_(plan), options_(options) {}

  Job make(const PlanRun& run, const ProbedModel& probed, const ScheduledProblem& problem) const {
    Job job;
    job.name = problem.problem.name;
    job.key = key_of(run, probed);
    job.key.problem = problem.digest;
    job.key.steps = problem.steps;
    job.checked = problem.source.check;
    if (job.checked) job.key.oracle = options_.oracle;
    job.command = command_of(job.key, probed, problem);
    finish(run, probed, job);
    return job;
  }

  Job make_stream(const PlanRun& run, const ProbedModel& probed) const {
    Job job;
    job.problem = no_problem;
    job.name = stream_problem;
    job.key = key_of(run, probed);
    job.key.problem = stream_problem;
    job.command = {probed.model.program.string(), "--stream"};
    add_workers(job.key, job.command);
    job.command.insert(job.command.end(), run.options.begin(), run.options.end());
    finish(run, probed, job);
    return job;
  }

 private:
  /// What the key takes from the run and the model.
  RunKey key_of(const PlanRun& run, const ProbedModel& probed) const {
    // A run for every model gives an option only to those that take it; a run for one model means what it
    // says.
    const bool named = run.model != every_model;
    const Abilities& can = probed.abilities;
    RunKey key;
    key.model = probed.model.name;
    key.build = probed.model.build;
    key.variant = run.variant == compared_variant ? plan_.compare.of(probed.model.name) : run.variant;
    key.precision = run.precision;
    if (named || can.takes_threads) key.threads = run.threads.value_or(0);
    if (named || probed.model.launcher) key.ranks = run.ranks.value_or(0);
    if (named || can.takes_device) key.device = run.device;
    if (named || can.takes_work_group) key.work_group = run.work_group;
    // A device that is named knows best how many threads it has.
    if (can.takes_threads && key.threads == 0 && !probed.model.launcher && key.device.empty())
      key.threads = options_.cores;
    if (probed.model.launcher && key.ranks == 0) key.ranks = default_ranks();
    key.warm_up = run.warm_up;
    key.options = run.options;
    if (probed.model.launcher) key.launcher = launcher_line(plan_.launcher, key.ranks, key.threads);
    key.program = probed.digest;
    key.host = options_.host;
    return key;
  }

  int default_ranks() const {
    const auto& allocation = plan_.launcher.allocation;
    return allocation ? allocation->nodes * allocation->ranks_per_node : options_.cores;
  }

  static void add(const char* option, const std::string& value, Names& command) {
    if (!value.empty()) command.insert(command.end(), {option, value});
  }
  /// How and where it runs, as far as all kinds of runs say so.
  static void add_workers(const RunKey& key, Names& command) {
    add("--precision", key.precision, command);
    add("--threads", key.threads ? std::to_string(key.threads) : "", command);
    add("--device", key.device, command);
  }

  static Names command_of(const RunKey& key, const ProbedModel& probed, const ScheduledProblem& problem) {
    Names command = {probed.model.program.string()};
    add("--variant", key.variant, command);
    add_workers(key, command);
    add("--work-group", key.work_group, command);
    add("--steps", problem.source.steps ? std::to_string(key.steps) : "", command);
    add("--repeat", key.warm_up ? "1" : "", command);
    command.insert(command.end(), key.options.begin(), key.options.end());
    command.insert(command.end(),
                   {"--no-output", problem.source.params.string(), problem.source.obstacles.string()});
    return command;
  }

  void finish(const PlanRun& run, const ProbedModel& probed, Job& job) const {
    job.rounds = options_.repeats.value_or(run.repeats.value_or(plan_.repeats));
    job.launched = probed.model.launcher;
    judge(run, probed, job);
    if (job.foregone) job.rounds = 1;
  }

  /// Finds out what need not be tried.
  void judge(const PlanRun& run, const ProbedModel& probed, Job& job) const {
    const auto end = [&job](RunStatus status, const std::string& reason) {
      job.foregone = status;
      job.reason = reason;
    };
    if (!probed.model.skipped.empty()) return end(RunStatus::skipped, probed.model.skipped);
    if (!probed.failure.empty()) return end(RunStatus::failed, probed.failure);
    if (run.model == every_model) {
      const std::string lacks = job.key.is_stream() ? probed.abilities.lacks_stream()
                                                    : probed.abilities.lacks(job.key.variant, run.precision);
      if (!lacks.empty()) return end(RunStatus::impossible, lacks);
    }
    if (job.key.ranks > 0 && !probed.model.launcher)
      return end(RunStatus::failed, "ranks are named for a model that is one process");
    if (const std::string room = no_room(job); !room.empty()) return end(RunStatus::impossible, room);
    if (!plan_.within_devices.empty()) {
      const DeviceCount& here = probed.devices.at(run.options);
      if (here.is_refused) return end(RunStatus::failed, here.failure);
      if (const std::string none = no_devices(here, job); !none.empty())
        return end(RunStatus::impossible, none);
    }
    if (const std::string missing = launcher_missing(plan_.launcher); job.launched && !missing.empty())
      end(RunStatus::impossible, missing);
  }

  /// Why its workers have no cores here, "" when they have.
  std::string no_room(const Job& job) const {
    const auto& allocation = plan_.launcher.allocation;
    if (job.launched && allocation) {
      if (place(*allocation, job.key.ranks, job.key.threads)) return {};
      return fmt::format("{} of {}, but {} with {} of {}", counted(job.key.ranks, "rank"),
                         counted(std::max(job.key.threads, 1), "thread"), counted(allocation->nodes, "node"),
                         counted(allocation->ranks_per_node, "rank"),
                         counted(allocation->cpus_per_rank, "core"));
    }
    const int workers = std::max(job.key.ranks, 1) * std::max(job.key.threads, 1);
    if (!plan_.within_cores || workers <= options_.cores) return {};
    return fmt::format("{} workers, but {}", workers, counted(options_.cores, "core"));
  }

  /// Why its ranks have no device each, "" when they have. Nodes of an allocation are alike.
  std::string no_devices(const DeviceCount& here, Job& job) const {
    const std::string& type = plan_.within_devices;
    const int ranks = std::max(job.key.ranks, 1);
    const auto& allocation = plan_.launcher.allocation;
    const int nodes = job.launched && allocation ? allocation->nodes : 1;
    if (ranks <= here.number * nodes) return {};
    job.lacks_device = here.number == 0;
    if (!here.failure.empty()) return here.failure;
    if (here.number == 0) return fmt::format("no {} here", type);
    return fmt::format("{}, but {} {}{}", counted(ranks, "rank"), here.number * nodes, type,
                       here.number * nodes == 1 ? "" : "s");
  }

  const Plan& plan_;
  const ScheduleOptions& options_;
};

/// Every job as often as its repeats say, one round after the other.
std::vector<Job> in_rounds(const std::vector<Job>& first_round) {
  int rounds = 0;
  for (const Job& job : first_round) rounds = std::max(rounds, job.rounds);
  std::vector<Job> jobs;
  for (int round = 1; round <= rounds; ++round)
    for (Job job : first_round) {
      if (round > job.rounds) continue;
      job.key.round = round;
      jobs.push_back(std::move(job));
    }
  return jobs;
}

/// A run that names its steps solves problems of its own.
void add_steps_of_runs(const Plan& plan, std::vector<ScheduledProblem>& problems) {
  const std::size_t in_plan = problems.size();
  std::set<std::pair<std::size_t, int>> made;
  for (const PlanRun& run : plan.runs)
    for (std::size_t p = 0; run.steps && p < in_plan; ++p) {
      if (!is_chosen(run.problems, problems[p].problem.name) || *run.steps == problems[p].steps ||
          !made.insert({p, *run.steps}).second)
        continue;
      ScheduledProblem other = problems[p];
      other.source.steps = other.steps = *run.steps;
      other.of_runs = true;
      problems.push_back(std::move(other));
    }
}

/// Whether a run solves a problem of this name.
bool is_for(const PlanRun& run, const ScheduledProblem& problem) {
  return run.steps ? *run.steps == problem.steps : !problem.of_runs;
}

}  // namespace

std::vector<ScheduledProblem> load_problems(const Plan& plan, const std::filesystem::path& made) {
  std::vector<ScheduledProblem> problems;
  Names names;
  for (const PlanProblem& source : plan.problems) {
    ScheduledProblem problem;
    problem.source = source;
    if (source.box_nx > 0) {
      problem.problem = box_problem(source.box_nx, source.box_ny, *source.steps);
      problem.source.params = made / fmt::format("input_{}.params", problem.problem.name);
      problem.source.obstacles = made / fmt::format("obstacles_{}.dat", problem.problem.name);
    } else {
      problem.problem = load_problem(source.params, source.obstacles);
    }
    problem.steps = source.steps.value_or(problem.problem.parameters.iterations);
    problem.digest = fmt::format("{:016x}", problem.problem.digest());
    names.push_back(problem.problem.name);
    problems.push_back(std::move(problem));
  }
  add_steps_of_runs(plan, problems);
  for (std::size_t r = 0; r < plan.runs.size(); ++r)
    for (std::size_t p = 0; p < plan.runs[r].problems.size(); ++p)
      if (const std::string& name = plan.runs[r].problems[p]; !among(names, name))
        fail_in_json(plan.file.string(), fmt::format("runs[{}].problems[{}]", r, p),
                     "one of " + join_words(names, ", "), '"' + name + '"');
  return problems;
}

void make_files(const ScheduledProblem& problem) {
  const PlanProblem& source = problem.source;
  if (source.box_nx == 0) return;
  prepare_folder(source.params.parent_path());
  write_problem_files(problem.problem, source.params, source.obstacles);
}

std::vector<ProbedModel> probe_models(const Plan& plan, const std::vector<ModelProgram>& models,
                                      SignalWatch& signals) {
  Names names;
  for (const auto& model : models)
    if (!among(names, model.name)) names.push_back(model.name);  // of several builds
  std::set<std::string> needed;
  const auto need = [&](const std::vector<PlanRun>& runs, const char* key) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const std::string& name = runs[r].model;
      if (name == every_model)
        needed.insert(names.begin(), names.end());
      else if (among(names, name))
        needed.insert(name);
      else
        fail_in_json(plan.file.string(), fmt::format("{}[{}].model", key, r),
                     fmt::format("{} or one of {}", every_model, join_words(names, ", ")), '"' + name + '"');
    }
  };
  need(plan.stream, "stream");
  need(plan.runs, "runs");
  std::vector<ProbedModel> probed;
  for (const auto& model : models) {
    if (!needed.contains(model.name)) continue;
    probed.emplace_back().model = model;
    if (!model.skipped.empty()) continue;
    try {
      probed.back().digest = digest_of_file(model.program);
      probed.back().abilities = ask_abilities(model, signals);
      if (!plan.within_devices.empty()) count_devices(plan, probed.back(), signals);
    } catch (const Error& error) {
      probed.back().failure = error.what();
    }
  }
  return probed;
}

std::vector<Job> make_schedule(const Plan& plan, const std::vector<ScheduledProblem>& problems,
                               const std::vector<ProbedModel>& models, const ScheduleOptions& options) {
  Names problem_names, model_names, build_names;
  for (const auto& problem : problems) problem_names.push_back(problem.problem.name);
  for (const auto& probed : models) {
    model_names.push_back(probed.model.name);
    if (!probed.model.build.empty()) build_names.push_back(probed.model.build);
  }
  check_chosen("--models", options.models, model_names);
  check_chosen("--builds", options.builds, build_names);
  Names choices = problem_names;
  if (!plan.stream.empty()) choices.insert(choices.begin(), stream_problem);
  check_chosen("--problems", options.problems, choices);

  const JobMaker maker(plan, options);
  std::vector<Job> first_round;
  std::set<std::string> seen;
  // Every run with every model that it is for and that the user wants.
  const auto add_all = [&](const std::vector<PlanRun>& runs, const std::string& problem, auto&& fits,
                           auto&& make) {
    for (const PlanRun& run : runs)
      for (const ProbedModel& probed : models) {
        if ((run.model != every_model && run.model != probed.model.name) || !fits(run)) continue;
        if (!is_chosen(options.models, probed.model.name) || !is_chosen(run.problems, problem) ||
            !is_chosen(options.builds, probed.model.build))
          continue;
        Job job = make(run, probed);
        if (seen.insert(job.key.configuration()).second) first_round.push_back(std::move(job));
      }
  };
  if (is_chosen(options.problems, stream_problem))
    add_all(
        plan.stream, stream_problem, [](const PlanRun&) { return true; },
        [&](const PlanRun& run, const ProbedModel& probed) { return maker.make_stream(run, probed); });
  for (std::size_t p = 0; p < problems.size(); ++p)
    if (is_chosen(options.problems, problem_names[p]))
      add_all(
          plan.runs, problem_names[p], [&](const PlanRun& run) { return is_for(run, problems[p]); },
          [&](const PlanRun& run, const ProbedModel& probed) {
            Job job = maker.make(run, probed, problems[p]);
            job.problem = static_cast<int>(p);
            return job;
          });
  return in_rounds(first_round);
}

std::string describe(const RunKey& key) {
  std::string text = key.model;
  if (!key.is_stream()) text += ' ' + (key.variant.empty() ? "default" : key.variant);
  if (key.precision != "f32") text += ' ' + key.precision;
  if (key.ranks > 0) text += fmt::format(", {} rank{}", key.ranks, key.ranks == 1 ? "" : "s");
  if (key.threads > 0) text += fmt::format(", {} thread{}", key.threads, key.threads == 1 ? "" : "s");
  if (!key.device.empty()) text += ", device " + key.device;
  if (!key.work_group.empty()) text += ", work-group " + key.work_group;
  if (!key.options.empty()) text += ' ' + join_words(key.options);
  if (!key.build.empty()) text += ", build " + key.build;
  return text;
}

}  // namespace boltzmark
