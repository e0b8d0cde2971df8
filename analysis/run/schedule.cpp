#include "analysis/run/schedule.hpp"

#include <fmt/format.h>

#include <random>
#include <set>

#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark {
namespace {

void check_chosen(const ScheduleOptions& options, const Cases& cases, const std::vector<ProbedProgram>& programs) {
  auto built = each(programs, &ProbedProgram::program);
  expect_names("--workloads", options.workloads, names_in(built, &BuiltProgram::workload));
  expect_names("--models", options.models, names_in(built, &BuiltProgram::model));
  std::erase_if(built, [](const BuiltProgram& program) { return program.build.empty(); });
  expect_names("--builds", options.builds, names_in(built, &BuiltProgram::build));
  expect_names("--cases", options.cases, cases.names());
}

void add(const char* option, const std::string& value, Words& command) {
  if (!value.empty()) command.insert(command.end(), {option, value});
}

/// The words before a program that takes no number of threads, which then has as many as it sees cores.
std::string confined_to(int cores) {
  std::vector<int> processors = usable_processors_by_core();
  processors.resize(std::min(processors.size(), static_cast<std::size_t>(cores)));
  std::ranges::sort(processors);
  return fmt::format("taskset --cpu-list {}", fmt::join(processors, ","));
}

Words command_of(const RunKey& key, const ProbedProgram& probed, const Case& one) {
  Words command = {probed.program.path.string()};
  add("--variant", key.variant, command);
  add("--precision", key.precision, command);
  add("--threads", key.threads && !key.is_confined() ? std::to_string(key.threads) : "", command);
  add("--device", key.device, command);
  add("--work-group", key.work_group, command);
  if (one.asked_steps && probed.takes("steps")) add("--steps", std::to_string(*one.asked_steps), command);
  add("--repeat", key.warm_up ? "1" : "", command);
  command.insert(command.end(), key.options.begin(), key.options.end());
  command.insert(command.end(), one.arguments.begin(), one.arguments.end());
  return command;
}

/// One run of the plan with one program on one case, round by round.
class JobMaker {
 public:
  JobMaker(const Plan& plan, Cases& cases, const ScheduleOptions& options)
      : plan_(plan), cases_(cases), options_(options), launcher_missing_(launcher_missing(plan.launcher)) {}

  Job make(const PlanRun& run, const ProbedProgram& probed, std::size_t number) const {
    Job job;
    job.key = key_of(run, probed);
    job.of = &cases_.at(number, run.steps, job.key.workers());
    job.key.case_ = job.of->digest;
    job.key.steps = job.of->steps;
    job.checked = job.of->check && probed.takes("check");
    if (job.checked && job.of->lbm) job.key.oracle = options_.oracle;
    if (probed.program.submission) {
      job.submission = *probed.program.submission;
      job.submission->threads = job.key.threads;
      job.submission->ranks = job.key.ranks;
    } else {
      job.command = command_of(job.key, probed, *job.of);
      if (const std::string inputs = digest_of_inputs(job.command); !inputs.empty()) job.key.case_ += ' ' + inputs;
    }
    job.repeats = options_.repeats ? Repeats(*options_.repeats) : run.repeats.value_or(plan_.repeats);
    job.if_time = run.if_time && plan_.within_seconds;
    job.launched = probed.program.launcher;
    job.compiles_kernels = probed.description.compiles_kernels;
    judge(run, probed, job);
    if (job.predetermined) job.repeats = 1;
    return job;
  }

 private:
  /// The part of the key that comes from the run and the program.
  RunKey key_of(const PlanRun& run, const ProbedProgram& probed) const {
    // A run for every model passes an option only to those that take it; a run for one model passes all of them.
    const bool named = run.model != every_model, launched = probed.program.launcher;
    RunKey key;
    key.workload = run.workload;
    key.model = probed.program.model;
    key.build = probed.program.build;
    const VariantDescription* const variant = find_variant(probed.description, run.variant);
    key.variant = variant && !run.variant.empty() ? variant->name : run.variant;
    key.precision = run.precision;
    if (named || probed.takes("threads")) key.threads = run.threads.value_or(0);
    if (named || launched) key.ranks = run.ranks.value_or(0);
    if (named || probed.takes("device")) key.device = run.device;
    if (named || probed.takes("work-group")) key.work_group = run.work_group;
    // A named device decides its number of threads; without a name a GPU is preferred to the processor.
    const auto& devices = probed.description.devices;
    const bool on_gpu = std::ranges::any_of(devices, [](const auto& one) { return one.type == "gpu"; });
    if (probed.takes("threads") && key.threads == 0 && !launched && key.device.empty() && !on_gpu)
      key.threads = options_.cores;
    if (run.cores) (launched ? key.ranks : key.threads) = *run.cores;
    if (launched && key.ranks == 0) key.ranks = default_ranks();
    key.warm_up = run.warm_up;
    key.options = option_words(run, probed);
    if (launched)
      key.launcher = launcher_line(plan_.launcher, key.ranks, key.threads);
    else if (run.cores && *run.cores <= options_.cores && !probed.takes("threads"))
      key.launcher = confined_to(*run.cores);
    key.program = probed.digest;
    key.host = options_.host;
    return key;
  }

  /// Why a job is not tried.
  void judge(const PlanRun& run, const ProbedProgram& probed, Job& job) const {
    const auto end = [&job](RunStatus status, const std::string& reason) {
      job.predetermined = status;
      job.reason = reason;
    };
    if (!probed.program.skipped.empty()) return end(RunStatus::skipped, probed.program.skipped);
    if (!probed.failure.empty()) return end(RunStatus::failed, probed.failure);
    if (!job.of->impossible.empty()) return end(RunStatus::impossible, job.of->impossible);
    if (run.model == every_model || is_role(run.variant))
      if (const std::string why = lacks(probed.description, run.variant, run.precision); !why.empty())
        return end(RunStatus::impossible, why);
    if (job.key.ranks > 0 && !probed.program.launcher && !job.submission)
      return end(RunStatus::failed, "ranks were given for a model without ranks");
    if (const std::string room = no_room(job); !room.empty()) return end(RunStatus::impossible, room);
    if (!plan_.within_devices.empty() && !job.submission) {
      const DeviceCount& here = probed.devices.at(job.key.options);
      if (here.is_refused) return end(RunStatus::failed, here.failure);
      if (const std::string none = no_devices(here, job); !none.empty()) return end(RunStatus::impossible, none);
    }
    if (job.launched && !launcher_missing_.empty()) end(RunStatus::impossible, launcher_missing_);
    if (job.key.is_confined() && find_program("taskset").empty())
      end(RunStatus::impossible, "no taskset found; install util-linux");
  }

  static bool is_role(const std::string& variant) {
    return variant == to_string(Role::textbook) || variant == to_string(Role::like_for_like) ||
           variant == to_string(Role::peer);
  }

  /// Why there are too few cores for its workers here, "" if there are enough.
  std::string no_room(const Job& job) const {
    const auto& allocation = plan_.launcher.allocation;
    if (job.launched && allocation) {
      if (place(*allocation, job.key.ranks, job.key.threads)) return {};
      return fmt::format("{} of {}, but {} with {} of {}", counted(job.key.ranks, "rank"),
                         counted(std::max(job.key.threads, 1), "thread"), counted(allocation->nodes, "node"),
                         counted(allocation->ranks_per_node, "rank"), counted(allocation->cpus_per_rank, "core"));
    }
    const int workers = job.key.workers();
    if (!plan_.within_cores || workers <= options_.cores) return {};
    return fmt::format("{} workers, but {}", workers, counted(options_.cores, "core"));
  }

  /// Why there is no device for each of its ranks, "" if there is. Nodes of an allocation are alike.
  std::string no_devices(const DeviceCount& here, Job& job) const {
    const int ranks = std::max(job.key.ranks, 1);
    const auto& allocation = plan_.launcher.allocation;
    const int nodes = job.launched && allocation ? allocation->nodes : 1;
    if (ranks <= here.number * nodes) return {};
    job.lacks_device = here.number == 0;
    if (!here.failure.empty()) return here.failure;
    if (here.number == 0) return fmt::format("no {} here", plan_.within_devices);
    return fmt::format("{}, but {}", counted(ranks, "rank"), counted(here.number * nodes, plan_.within_devices));
  }

  int default_ranks() const {
    const auto& allocation = plan_.launcher.allocation;
    return allocation ? allocation->nodes * allocation->ranks_per_node : options_.cores;
  }

  const Plan& plan_;
  Cases& cases_;
  const ScheduleOptions& options_;
  std::string launcher_missing_;
};

/// One round after the other. Throws Error (bad_input) if there are too many jobs.
std::vector<Job> in_rounds(const std::vector<Job>& first_round) {
  int rounds = 0;
  double runs = 0;
  for (const Job& job : first_round) {
    rounds = std::max(rounds, job.repeats.at_most);
    runs += job.repeats.at_most;
  }
  if (runs > most_scheduled)
    throw bad_input("expected a plan of at most {} runs, repeats included, found {:.3g}", most_scheduled, runs);
  std::vector<Job> jobs;
  for (int round = 1; round <= rounds; ++round)
    for (const Job& job : first_round)
      if (round <= job.repeats.at_most) jobs.emplace_back(job).key.round = round;
  return jobs;
}

}  // namespace

std::vector<Job> make_schedule(const Plan& plan, Cases& cases, const std::vector<ProbedProgram>& programs,
                               const ScheduleOptions& options, SignalWatch& signals) {
  check_chosen(options, cases, programs);
  const JobMaker maker(plan, cases, options);
  std::vector<Job> first_round;
  std::set<std::string> seen;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const Case& one = cases[c];
    if (!is_chosen(options.cases, one.name) || !is_chosen(options.workloads, one.workload)) continue;
    for (const PlanRun& run : plan.runs) {
      if (run.workload != one.workload || !is_chosen(run.cases, one.name)) continue;
      if (run.on_numa && options.numa_nodes < 2) continue;
      signals.wait(0.0);
      if (signals.stopped_by() != 0) return {};
      for (const ProbedProgram& probed : programs) {
        if (!is_for(run, probed.program) || !is_chosen(options.models, probed.program.model) ||
            !is_chosen(options.builds, probed.program.build))
          continue;
        Job job = maker.make(run, probed, c);
        if (run.cores && job.key.workers() > options.cores) continue;
        job.number = static_cast<int>(first_round.size());
        if (seen.insert(job.key.configuration()).second) first_round.push_back(std::move(job));
        if (first_round.size() > most_scheduled)
          throw bad_input("expected a plan of at most {} runs, found more", most_scheduled);
      }
    }
  }
  return in_rounds(first_round);
}

RunEntry new_entry(const Job& job) {
  RunEntry entry;
  entry.key = job.key;
  entry.case_name = job.of->name;
  return entry;
}

void shuffle(std::vector<const Job*>& jobs, std::uint32_t seed) {
  std::mt19937 random(seed);
  for (std::size_t i = jobs.size(); i > 1; --i) std::swap(jobs[i - 1], jobs[random() % i]);
}

double width_of(const std::vector<const RunEntry*>& rounds) {
  std::map<std::string, std::vector<double>> seconds;  // of the rounds, by part
  for (const RunEntry* const entry : rounds) {
    if (entry->status != RunStatus::ok || !entry->record) return 0.0;
    const Record record = entry->record->undisturbed();
    if (record.repeats.empty()) continue;
    for (const auto& part : record.parts) seconds[part.name].push_back(median(part.seconds));
    if (record.parts.empty()) seconds[""].push_back(record.median_timing().compute_seconds);
  }
  if (seconds.empty()) return std::numeric_limits<double>::infinity();
  double widest = 0.0;
  for (const auto& [part, values] : seconds) widest = std::max(widest, relative_half_width(values));
  return widest;
}

std::string describe(const RunKey& key) {
  const bool is_same = key.variant == "like-for-like";  // as records call the role
  std::string text = key.model + ' ' + (is_same ? "same-algorithm" : key.variant.empty() ? "default" : key.variant);
  if (key.precision != "f32") text += ' ' + key.precision;
  if (key.ranks > 0) text += ", " + counted(key.ranks, "rank");
  if (key.threads > 0) text += ", " + counted(key.threads, "thread");
  if (!key.device.empty()) text += ", device " + key.device;
  if (!key.work_group.empty()) text += ", work-group " + key.work_group;
  if (!key.options.empty()) text += ' ' + join(key.options, " ");
  if (!key.build.empty()) text += ", build " + key.build;
  return text;
}

}  // namespace boltzmark
