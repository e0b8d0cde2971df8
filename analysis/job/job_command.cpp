// The script of a plan on a cluster: each run uses as few nodes as possible, with each rank bound to its own cores.
#include "analysis/support/commands.hpp"

#include <regex.h>

#include <cctype>
#include <climits>
#include <set>

#include "analysis/run/cases.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/process.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

/// Ranks and threads of a launched run; 0 if the plan does not state them.
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

std::string mpirun(const std::string& hosts) {
  return fmt::format("mpirun -np {{ranks}}{} --map-by ppr:{{ranks_per_node}}:node:PE={{cpus}} --bind-to core",
                     hosts.empty() ? "" : " --hostfile " + hosts);
}

/// How a batch system is asked for a job, and starts ranks in it.
struct BatchSystem {
  const char *name, *command;
  const char *time_pattern, *time_expected, *hour;
  const char* sentinel;
  std::vector<const char*> directives;  ///< with marks; one whose value is empty is left out
  std::string launcher;
  std::vector<std::string> setup = {};
};

const std::vector<BatchSystem> batch_systems = {
    {"slurm",
     "sbatch",
     "^([0-9]+-)?[0-9]+(:[0-9]+){0,2}$",
     "minutes, hours:minutes:seconds or days-hours",
     "01:00:00",
     "#SBATCH ",
     // Without a signal Slurm tells only steps of the time limit, and all remaining runs would fail in turn.
     {"--job-name={name}", "--nodes={nodes}", "--ntasks-per-node={ranks_per_node}", "--cpus-per-task={cpus}",
      "--output={name}-%j.log", "--signal=B:TERM@30", "--time={time}", "--gpus-per-node={gpus_per_node}",
      "--partition={partition}", "--account={account}"},
     "srun --nodes={nodes} --ntasks={ranks} --ntasks-per-node={ranks_per_node} --cpus-per-task={cpus} "
     "--cpu-bind=cores --distribution=block:block --kill-on-bad-exit=1"},
    // These two are written after their manuals, and were never tried.
    {"pbs",
     "qsub",
     "^[0-9]+:[0-9][0-9]:[0-9][0-9]$",
     "hours:minutes:seconds",
     "01:00:00",
     "#PBS ",
     {"-N {name}", "-l select={nodes}:ncpus={cpus_per_node}:mpiprocs={mpiprocs}", "-l walltime={time}", "-j oe",
      "-q {partition}", "-A {account}"},
     mpirun(""),
     // Not in the launcher's words, which distinguish runs that another job continues.
     {"export OMPI_MCA_orte_default_hostfile=$PBS_NODEFILE", "export PRTE_MCA_prte_default_hostfile=$PBS_NODEFILE"}},
    {"flux",
     "flux",
     "^[0-9]+(\\.[0-9]+)?[smhd]?$",
     "minutes, or a number with s, m, h or d",
     "1h",
     "#flux: ",
     {"--job-name={name}", "--nodes={nodes}", "--nslots={ranks}", "--cores-per-slot={cpus}", "--time-limit={time}",
      "--output={name}-{{id}}.log", "--signal=SIGTERM@30s", "--gpus-per-slot={gpus}", "--queue={partition}",
      "--bank={account}"},
     "flux run --nodes={nodes} --ntasks={ranks} --cores-per-task={cpus} --setopt=cpu-affinity=per-task"}};

/// By POSIX: std::regex takes two seconds to compile.
bool matches(const std::string& text, const char* pattern) {
  regex_t compiled;
  if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0) throw std::logic_error(pattern);
  const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

/// The batch system whose command is on the path, or "".
std::string scheduler_here() {
  const auto is_here = [](const BatchSystem& one) { return !find_program(one.command).empty(); };
  const BatchSystem* const here = find_where(batch_systems, is_here);
  return here ? here->name : "";
}

/// Cores of the smallest node of the partition, from Slurm.
std::optional<int> cores_by_slurm(const JobOptions& o) {
  if (find_program("sinfo").empty()) return {};
  std::vector<std::string> command = {"sinfo", "--noheader", "--format=%X %Y"};  // sockets, cores of a socket
  if (o.partition) command.push_back("--partition=" + *o.partition);
  SignalWatch signals;
  const auto answer = capture_process({.command = command, .time_limit_seconds = 20.0}, signals);
  std::optional<int> least;
  for (const std::string& line : split(answer.output, '\n')) {
    const auto words = words_in(replaced(line, {{"+", ""}}));
    const auto sockets = parse_number<int>(words.empty() ? "" : words.front()),
               cores = parse_number<int>(words.size() < 2 ? "" : words[1]);
    if (sockets && cores && *sockets * *cores > 0) least = std::min(least.value_or(INT_MAX), *sockets * *cores);
  }
  return least;
}

std::optional<int> cores_of_node(const JobOptions& o) {
  if (o.scheduler == "slurm") return cores_by_slurm(o);
  return o.scheduler == "mpirun" && !o.hosts ? std::optional(usable_physical_cores()) : std::nullopt;
}

/// Rejects an option of other schedulers.
void check_place(const char* option, bool is_given, bool fits, const std::string& scheduler, const char* of) {
  if (is_given && !fits)
    throw bad_input("{}: expected only with --scheduler {}, found it with {}", option, of, scheduler);
}

void check_options(const JobOptions& o) {
  const BatchSystem* const system = find_by(batch_systems, o.scheduler, &BatchSystem::name);
  const bool is_batch = system != nullptr, is_slurm = o.scheduler == "slurm";
  if (!is_batch && o.scheduler != "mpirun")
    throw bad_input("--scheduler: expected slurm, pbs, flux or mpirun, found {}",
                    o.scheduler.empty() ? "none, and no sbatch, qsub or flux here" : '"' + o.scheduler + '"');
  const std::map<const char*, const std::optional<std::string>*> words = {
      {"--time", &o.time}, {"--partition", &o.partition}, {"--account", &o.account}, {"--name", &o.name},
      {"--mpi", &o.mpi},   {"--start", &o.starter}};
  constexpr const char* any_batch = "slurm, pbs or flux";
  for (const auto& [option, value] : words) {
    const bool is_of_slurm = value == &o.mpi || value == &o.starter;
    check_place(option, value->has_value(), is_of_slurm ? is_slurm : is_batch, o.scheduler,
                is_of_slurm ? "slurm" : any_batch);
    check_word(option, *value);
  }
  check_place("--gpus-per-rank", o.gpus_per_rank.has_value(), is_batch, o.scheduler, any_batch);
  check_place("--directive", !o.directives.empty(), is_batch, o.scheduler, any_batch);
  check_place("--hosts", o.hosts.has_value(), !is_batch, o.scheduler, "mpirun");
  check_word("--hosts", o.hosts);  // the launcher's words are separated by blanks
  check_lines("--directive", o.directives, true);
  check_lines("--setup", o.setup, false);
  if (o.time && !matches(*o.time, system->time_pattern))
    throw bad_input("--time: expected {}, found \"{}\"", system->time_expected, *o.time);
  if (o.starter && *o.starter != "srun" && *o.starter != "mpirun")
    throw bad_input("--start: expected srun or mpirun, found \"{}\"", *o.starter);
  if (o.mpi && o.starter == "mpirun") throw bad_input("--mpi: expected only with --start srun, found it with mpirun");
  if (!is_batch && o.nodes.value_or(1) > 1 && !o.hosts)
    throw bad_input("--hosts: expected a file with a line for each of {} nodes, found nothing", *o.nodes);
}

/// Requirements of the runs selected by the user.
struct Demand {
  std::set<Size> launched;
  int threads = 1;          ///< most of a program without ranks
  bool fills_node = false;  ///< whether such a program uses all cores of a node
};

Demand demand_of(const Plan& plan, const JobOptions& options) {
  std::vector<std::string> complaints;
  const auto programs = programs_for(plan, program_folder(), complaints);
  const auto cases = Cases(plan).names();
  expect_names("--models", options.models, names_in(programs, &BuiltProgram::model));
  expect_names("--cases", options.cases, cases);
  Demand demand;
  for (const PlanRun& run : plan.runs)
    for (const BuiltProgram& program : programs) {
      if (!is_for(run, program) || !is_chosen(options.models, program.model)) continue;
      if (program.launcher) {
        demand.launched.insert({run.cores ? 0 : run.ranks.value_or(0), run.threads.value_or(0)});
      } else if (plan.within_devices.empty() && program.model != "serial") {
        demand.threads = std::max(demand.threads, run.threads.value_or(1));
        demand.fills_node |= run.cores || !run.threads;
      }
    }
  return demand;
}

/// Default size: that of the largest run. `cores` of a node, if known.
Allocation allocation_for(const Demand& demand, const Plan& plan, const JobOptions& options, std::optional<int> cores) {
  Allocation room{.nodes = options.nodes.value_or(1)};
  const std::set<Size>& runs = demand.launched;
  int most = runs.empty() ? 1 : runs.rbegin()->first;
  if (most == 0) most = cores.value_or(0) * room.nodes;
  if (most == 0 && !options.ranks_per_node)
    throw bad_input(
        "--ranks-per-node: expected the number of cores of a node, as plan {} fills nodes with ranks; "
        "found nothing",
        plan.name);
  room.ranks_per_node = options.ranks_per_node.value_or((most + room.nodes - 1) / room.nodes);
  room.cpus_per_rank = options.cpus_per_rank.value_or(1);
  if (options.cpus_per_rank) return room;
  // The fewest cores with which the largest number of runs fits.
  const auto fitting = [&](int cpus) {
    room.cpus_per_rank = cpus;
    return std::count_if(runs.begin(), runs.end(), [&room](const Size& run) {
      return place(room, std::max(run.first, 1), run.second).has_value();
    });
  };
  const auto threads = each(runs, &Size::second);
  const auto most_fitting = fitting(threads.empty() ? 1 : std::max(1, std::ranges::max(threads)));
  const auto is_room = [&](int cpus) {
    return !options.site_cores || cpus * room.ranks_per_node <= options.site_cores->cores;
  };
  for (int cpus = 1; fitting(cpus) < most_fitting && is_room(cpus + 1);) ++cpus;
  if (options.ranks_per_node) return room;
  const int needed = demand.fills_node ? cores.value_or(demand.threads) : demand.threads;
  room.cpus_per_rank = std::max(room.cpus_per_rank, (needed + room.ranks_per_node - 1) / room.ranks_per_node);
  return room;
}

std::string size_words(const Size& run) {
  const std::string ranks = run.first == 0 ? "as many ranks as fit" : counted(run.first, "rank");
  return run.second > 1 ? fmt::format("{} of {} threads", ranks, run.second) : ranks;
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

/// Common start of both scripts: comments, folder and the user's lines.
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

std::string batch_script(const Plan& plan, JobOptions o, const Allocation& room,
                         const std::vector<std::string>& comments) {
  const BatchSystem& system = *find_by(batch_systems, o.scheduler, &BatchSystem::name);
  const int gpus = o.gpus_per_rank.value_or(plan.within_devices == "gpu" ? 1 : 0);
  const std::string gpus_per_node = gpus > 0 ? std::to_string(gpus * room.ranks_per_node) : "";
  const Marks marks = {
      {"{nodes}", std::to_string(room.nodes)},
      {"{ranks}", std::to_string(room.nodes * room.ranks_per_node)},
      {"{ranks_per_node}", std::to_string(room.ranks_per_node)},
      {"{cpus}", std::to_string(room.cpus_per_rank)},
      {"{cpus_per_node}", std::to_string(room.cpus_per_node())},
      {"{gpus}", gpus > 0 ? std::to_string(gpus) : ""},
      {"{gpus_per_node}", gpus_per_node},
      {"{mpiprocs}", std::to_string(room.ranks_per_node) + (gpus > 0 ? ":ngpus=" + gpus_per_node : "")},
      // The user's words last: they may look like marks.
      {"{time}", o.time.value_or(system.hour)},
      {"{partition}", o.partition.value_or("")},
      {"{account}", o.account.value_or("")},
      {"{name}", o.name.value_or("boltzmark-" + plan.name)}};
  std::string directives;
  for (const std::string directive : system.directives)
    if (std::ranges::none_of(marks,
                             [&](const auto& mark) { return mark.second.empty() && directive.ends_with(mark.first); }))
      directives += system.sentinel + replaced(directive, marks) + '\n';
  for (const std::string& line : o.directives) directives += system.sentinel + line + '\n';
  o.setup.insert(o.setup.begin(), system.setup.begin(), system.setup.end());
  std::string launcher = system.launcher;
  if (o.starter == "mpirun") launcher = mpirun("");  // Open MPI gets the nodes from Slurm
  if (o.mpi) launcher += " --mpi=" + *o.mpi;
  return head(o, directives, comments) + run_lines(plan, o, room, launcher);
}

/// Fails early if the file of hosts has too few lines.
std::string check_of_hosts(const std::string& hosts, int nodes) {
  if (hosts.empty()) return "";
  const std::string complaint = fmt::format("{}: expected {}, one per line", hosts, counted(nodes, "node"));
  return fmt::format("awk 'NF && $1 !~ /^#/ {{n++}} END {{exit n < {}}}' {} || {{ echo {}; exit 2; }} >&2\n", nodes,
                     shell_line({hosts}), shell_line({complaint}));
}

}  // namespace

int job_command(const JobOptions& given) {
  JobOptions options = given;
  if (options.scheduler.empty()) options.scheduler = scheduler_here();
  check_options(options);
  const Plan plan = load_plan(find_plan(options.plan, plan_folder()));
  const Demand demand = demand_of(plan, options);
  std::vector<std::string> notes;
  const std::optional<int> cores = cores_of_node(options);
  const Allocation room = allocation_for(demand, plan, options, cores);
  if (const auto& site = options.site_cores; site && room.cpus_per_node() > site->cores)
    throw bad_input("expected at most {} on a node, as in {}, found {} of {}", counted(site->cores, "core"),
                    site->place, counted(room.ranks_per_node, "rank"), counted(room.cpus_per_rank, "core"));
  if (cores && room.cpus_per_node() > *cores)
    notes.push_back(
        fmt::format("expected at most the {} cores of a node, found --ranks-per-node and --cpus-per-rank for "
                    "{}; see also site.toml",
                    *cores, room.cpus_per_node()));
  if (demand.fills_node && !cores && !options.ranks_per_node && !options.cpus_per_rank)
    notes.push_back(
        fmt::format("plan {}: programs without ranks use all cores of the job on a node, here {}; "
                    "--cpus-per-rank asks for more",
                    plan.name, room.cpus_per_node()));
  std::vector<Size> others;
  for (const Size& run : demand.launched)
    if (!place(room, std::max(run.first, 1), run.second)) others.push_back(run);
  if (!others.empty())
    notes.push_back(
        fmt::format("plan {}: no room for {}; their rows say so", plan.name, joined(others, ", ", size_words)));
  for (const std::string& note : notes) print_note("boltzmark", note);
  std::vector<std::string> comments = {fmt::format("Plan {} of boltzmark {}{}.", plan.name, version_line(),
                                                   demand.launched.empty() ? "; it launches nothing" : "")};
  comments.insert(comments.end(), notes.begin(), notes.end());
  std::string script;
  if (options.scheduler == "mpirun") {
    const std::string hosts = options.hosts ? fs::absolute(*options.hosts).lexically_normal().string() : "";
    if (options.hosts) check_word("--hosts", hosts);
    script =
        head(options, "", comments) + check_of_hosts(hosts, room.nodes) + run_lines(plan, options, room, mpirun(hosts));
  } else {
    script = batch_script(plan, options, room, comments);
  }
  print_text(stdout, script);
  return 0;
}

}  // namespace boltzmark
