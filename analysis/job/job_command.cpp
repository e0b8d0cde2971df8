// The script that runs a plan on the nodes of a cluster. Every launched run goes on as few nodes as it needs, each rank
// bound to cores of its own.
#include "analysis/support/commands.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>

#include "analysis/run/cases.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

/// Ranks and threads of a run that is launched; 0 where the plan does not say.
using Size = std::pair<int, int>;

/// A value that becomes part of a line of the script.
void check_word(const char* option, const std::optional<std::string>& value) {
  const auto is_odd = [](unsigned char c) { return std::isspace(c) || std::iscntrl(c); };
  if (value && (value->empty() || std::any_of(value->begin(), value->end(), is_odd)))
    throw bad_input("{}: expected one word, found \"{}\"", option, *value);
}

void check_lines(const char* option, const std::vector<std::string>& lines, bool with_dash) {
  for (const auto& line : lines)
    if (line.empty() || line.find('\n') != line.npos || (with_dash && line.front() != '-'))
      throw bad_input("{}: expected one line{}, found \"{}\"", option, with_dash ? " that begins with a dash" : "",
                      line);
}

/// Rejects an option of the other scheduler.
void check_place(const char* option, bool is_given, const std::string& scheduler, const char* of) {
  if (is_given && scheduler != of)
    throw bad_input("{}: expected with --scheduler {} alone, found it with {}", option, of, scheduler);
}

void check_options(const JobOptions& o) {
  if (o.scheduler != "slurm" && o.scheduler != "mpirun")
    throw bad_input("--scheduler: expected slurm or mpirun, found {}",
                    o.scheduler.empty() ? "nothing" : '"' + o.scheduler + '"');
  const std::map<const char*, const std::optional<std::string>*> words = {
      {"--time", &o.time}, {"--partition", &o.partition}, {"--account", &o.account}, {"--name", &o.name},
      {"--mpi", &o.mpi},   {"--start", &o.starter}};
  for (const auto& [option, value] : words) {
    check_place(option, value->has_value(), o.scheduler, "slurm");
    check_word(option, *value);
  }
  check_place("--gpus-per-rank", o.gpus_per_rank.has_value(), o.scheduler, "slurm");
  check_place("--directive", !o.directives.empty(), o.scheduler, "slurm");
  check_place("--hosts", o.hosts.has_value(), o.scheduler, "mpirun");
  check_word("--hosts", o.hosts);  // the launcher's words are apart by blanks
  check_lines("--directive", o.directives, true);
  check_lines("--setup", o.setup, false);
  static const std::regex slurm_time(R"(\d+(:\d+){0,2}|\d+-\d+(:\d+){0,2})");
  if (o.time && !std::regex_match(*o.time, slurm_time))
    throw bad_input("--time: expected minutes, hours:minutes:seconds or days-hours, found \"{}\"", *o.time);
  if (o.starter && *o.starter != "srun" && *o.starter != "mpirun")
    throw bad_input("--start: expected srun or mpirun, found \"{}\"", *o.starter);
  if (o.mpi && o.starter == "mpirun") throw bad_input("--mpi: expected with --start srun alone, found it with mpirun");
  if (o.scheduler == "mpirun" && o.nodes.value_or(1) > 1 && !o.hosts)
    throw bad_input("--hosts: expected a file with a line for each of {} nodes, found nothing", *o.nodes);
}

/// The launched runs that the user chose.
std::set<Size> launched_runs(const Plan& plan, const JobOptions& options) {
  std::vector<std::string> complaints, names;
  const auto programs = programs_for(plan, program_folder(), complaints);
  const Cases cases(plan);
  for (std::size_t c = 0; c < cases.size(); ++c) names.push_back(cases[c].name);
  expect_names("--models", options.models, names_in(programs, &BuiltProgram::model));
  expect_names("--cases", options.cases, names);
  std::set<Size> sizes;
  for (const PlanRun& run : plan.runs)
    for (const BuiltProgram& program : programs)
      if (program.launcher && is_for(run, program) &&
          (options.models.empty() || contains(options.models, program.model)))
        sizes.insert({run.up_to_cores ? 0 : run.ranks.value_or(0), run.threads.value_or(0)});
  return sizes;
}

/// Room for the largest run, where the user does not say how much.
Allocation allocation_for(const std::set<Size>& runs, const Plan& plan, const JobOptions& options) {
  Allocation room{.nodes = options.nodes.value_or(1)};
  const int most = runs.empty() ? 1 : runs.rbegin()->first;
  if (most == 0 && !options.ranks_per_node)
    throw bad_input("--ranks-per-node: expected the cores of a node, for plan {} fills nodes with ranks; found nothing",
                    plan.name);
  room.ranks_per_node = options.ranks_per_node.value_or((most + room.nodes - 1) / room.nodes);
  room.cpus_per_rank = options.cpus_per_rank.value_or(1);
  if (options.cpus_per_rank) return room;
  // The fewest cores with which as many runs fit as with any number.
  const auto fitting = [&](int cpus) {
    room.cpus_per_rank = cpus;
    return std::count_if(runs.begin(), runs.end(), [&room](const Size& run) {
      return place(room, std::max(run.first, 1), run.second).has_value();
    });
  };
  int most_threads = 1;
  for (const auto& [ranks, threads] : runs) most_threads = std::max(most_threads, threads);
  const auto most_fitting = fitting(most_threads);
  for (int cpus = 1; fitting(cpus) < most_fitting;) ++cpus;
  return room;
}

std::string words_of(const Size& run) {
  const std::string ranks = run.first == 0 ? "as many ranks as fit" : counted(run.first, "rank");
  return run.second > 1 ? fmt::format("{} of {} threads", ranks, run.second) : ranks;
}

std::string list_of(const std::vector<Size>& runs) {
  std::vector<std::string> words;
  for (const Size& run : runs) words.push_back(words_of(run));
  return join(words, ", ");
}

std::vector<std::string> run_command_of(const Plan& plan, const JobOptions& options) {
  const bool is_built_in = contains(plan_names(plan_folder()), options.plan);
  std::vector<std::string> command = {fs::canonical("/proc/self/exe").string(), "run",
                                      is_built_in ? options.plan : fs::absolute(plan.file).lexically_normal().string(),
                                      "--results", options.results.string()};
  const auto add = [&command](const char* option, const std::string& value) {
    if (!value.empty()) command.insert(command.end(), {option, value});
  };
  add("--models", join(options.models, ","));
  add("--cases", join(options.cases, ","));
  if (options.repeats) add("--repeats", std::to_string(*options.repeats));
  return command;
}

/// What both scripts begin with: comments, folder and the user's lines.
std::string head(const JobOptions& options, const std::string& directives, const std::vector<std::string>& comments) {
  std::string text = "#!/bin/bash\n" + directives;
  for (const auto& line : comments) text += "# " + line + '\n';
  text += fmt::format("\ncd {} || exit\n", shell_line({fs::current_path().string()}));
  for (const auto& line : options.setup) text += line + '\n';
  return text;
}

/// The run itself, a line for each group of its words.
std::string run_lines(const Plan& plan, const JobOptions& options, const Allocation& room,
                      const std::string& launcher) {
  return fmt::format("exec {} \\\n  --nodes {} --ranks-per-node {} --cpus-per-rank {} \\\n  --launcher {}\n",
                     shell_line(run_command_of(plan, options)), room.nodes, room.ranks_per_node, room.cpus_per_rank,
                     shell_line({launcher}));
}

std::string mpirun(const std::string& hosts) {
  return fmt::format("mpirun -np {{ranks}}{} --map-by ppr:{{ranks_per_node}}:node:PE={{cpus}} --bind-to core",
                     hosts.empty() ? "" : " --hostfile " + hosts);
}

std::string srun(const std::string& mpi) {
  return "srun --nodes={nodes} --ntasks={ranks} --ntasks-per-node={ranks_per_node} --cpus-per-task={cpus} "
         "--cpu-bind=cores --distribution=block:block --kill-on-bad-exit=1" +
         (mpi.empty() ? "" : " --mpi=" + mpi);
}

/// The #SBATCH lines.
std::string slurm_directives(const Plan& plan, const JobOptions& o, const Allocation& room) {
  std::string text;
  const auto say = [&text](const std::string& option) { text += "#SBATCH " + option + '\n'; };
  const std::string name = o.name.value_or("boltzmark-" + plan.name);
  const int gpus = o.gpus_per_rank.value_or(plan.within_devices == "gpu" ? 1 : 0) * room.ranks_per_node;
  say("--job-name=" + name);
  say(fmt::format("--nodes={}", room.nodes));
  say(fmt::format("--ntasks-per-node={}", room.ranks_per_node));
  say(fmt::format("--cpus-per-task={}", room.cpus_per_rank));
  if (gpus > 0) say(fmt::format("--gpus-per-node={}", gpus));
  say("--time=" + o.time.value_or("01:00:00"));
  if (o.partition) say("--partition=" + *o.partition);
  if (o.account) say("--account=" + *o.account);
  say("--output=" + name + "-%j.log");
  for (const auto& directive : o.directives) say(directive);
  return text;
}

/// Fails early when the file of hosts has too few lines.
std::string check_of_hosts(const std::string& hosts, int nodes) {
  if (hosts.empty()) return "";
  const std::string complaint = fmt::format("{}: expected {}, one per line", hosts, counted(nodes, "node"));
  return fmt::format("awk 'NF && $1 !~ /^#/ {{n++}} END {{exit n < {}}}' {} || {{ echo {}; exit 2; }} >&2\n", nodes,
                     shell_line({hosts}), shell_line({complaint}));
}

}  // namespace

int job_command(const JobOptions& options) {
  check_options(options);
  const Plan plan = load_plan(find_plan(options.plan, plan_folder()));
  const std::set<Size> runs = launched_runs(plan, options);
  const Allocation room = allocation_for(runs, plan, options);
  std::vector<Size> others;
  for (const Size& run : runs)
    if (!place(room, std::max(run.first, 1), run.second)) others.push_back(run);
  std::vector<std::string> comments = {fmt::format("Plan {} of boltzmark {}{}.", plan.name, version_line(),
                                                   runs.empty() ? "; it launches nothing" : "")};
  if (!others.empty()) {
    comments.push_back(
        fmt::format("plan {}: there is no room for {}; these become rows that say so", plan.name, list_of(others)));
    print_note("boltzmark", comments.back());
  }
  std::string script;
  if (options.scheduler == "mpirun") {
    const std::string hosts = options.hosts ? fs::absolute(*options.hosts).lexically_normal().string() : "";
    if (options.hosts) check_word("--hosts", hosts);
    script =
        head(options, "", comments) + check_of_hosts(hosts, room.nodes) + run_lines(plan, options, room, mpirun(hosts));
  } else {
    // Open MPI asks Slurm for the nodes by itself.
    script = head(options, slurm_directives(plan, options, room), comments) +
             run_lines(plan, options, room, options.starter == "mpirun" ? mpirun("") : srun(options.mpi.value_or("")));
  }
  print_text(stdout, script);
  return 0;
}

}  // namespace boltzmark
