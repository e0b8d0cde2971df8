// The driver `boltzmark`: one subcommand per task.

#include <CLI/CLI.hpp>
#include <climits>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "analysis/support/commands.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"
#include "common/run/options.hpp"
#include "common/run/provenance.hpp"

namespace {

using namespace boltzmark;

/// CLI::Range accepts it.
std::string refuse_nan(const std::string& text) {
  return std::isnan(std::strtod(text.c_str(), nullptr)) ? "expected a number, found " + text : "";
}

/// --help in 100 columns: "N" for a number, without its range.
class NarrowHelp : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    if (const auto range = text.find(" in ["); range != text.npos) {
      const auto start = text.find_first_of("IF");  // INT:INT or FLOAT:FLOAT
      text.replace(start, text.find(']') + 1 - start, "N");
    }
    for (const char* word : {" REQUIRED", " Needs:", " Excludes:"}) text = text.substr(0, text.find(word));
    return text;
  }
};

/// "openmp-target", as programs are called, is the model openmp_target; so are workloads.
const CLI::Validator with_underscores([](std::string& name) { return std::ranges::replace(name, '-', '_'), ""; }, "");

/// A line of a site file: an option of a command, with the first word of its value.
struct SiteLine {
  int number = 0;
  std::string option, value;
};

std::vector<SiteLine> site_lines(const fs::path& file, const std::string& command) {
  std::vector<SiteLine> lines;
  std::ifstream in(file);
  std::string section, line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto words = words_in(line), parts = split(line, '=');
    if (words.empty()) continue;
    if (words.front().starts_with('['))
      section = words.front();
    else if (const auto name = words_in(parts.front()), value = words_in(parts.size() > 1 ? parts[1] : "");
             section == '[' + command + ']' && !name.empty() && !value.empty())
      lines.push_back({number, "--" + name.front(), value.front()});
  }
  return lines;
}

/// "FILE:LINE: " if an error names an option that the command line `words` takes from the site file, else "".
std::string place_in_site(const fs::path& file, const std::string& command, const std::string& error,
                          const std::vector<std::string>& words) {
  for (const SiteLine& line : site_lines(file, command)) {
    const auto at = error.find(line.option);
    const bool is_named = at != error.npos && std::string_view(": =").find((error + ' ')[at + line.option.size()]) !=
                                                  std::string_view::npos;
    const bool is_given = std::ranges::any_of(
        words, [&](const std::string& word) { return word == line.option || word.starts_with(line.option + '='); });
    if (is_named && !is_given) return fmt::format("{}:{}: ", file.string(), line.number);
  }
  return "";
}

/// Cores of a node by the site file: its ranks on a node, times the cores of each.
std::optional<JobOptions::SiteCores> cores_in_site(const fs::path& file) {
  std::optional<JobOptions::SiteCores> found;
  int cpus = 1;
  for (const SiteLine& line : site_lines(file, "job")) {
    const int number = parse_number<int>(line.value).value_or(1);
    if (line.option == "--ranks-per-node") found = {number, fmt::format("{}:{}", file.string(), line.number)};
    if (line.option == "--cpus-per-rank") cpus = number;
  }
  if (found) found->cores *= cpus;
  return found;
}

/// A subcommand with the options that several share.
class Command {
 public:
  Command(CLI::App& app, const char* name, const char* summary) : app_(*app.add_subcommand(name, summary)) {}

  template <class T>
  CLI::Option* add(const char* name, T& value, const std::string& meaning) {
    return app_.add_option(name, value, meaning);
  }
  CLI::Option* flag(const char* name, bool& value, const char* meaning) { return app_.add_flag(name, value, meaning); }
  template <class T>
  void number(const char* name, T& value, const char* meaning, int least = 1, int most = 1000000) {
    add(name, value, meaning)->check(CLI::Range(least, most));
  }
  template <class T>
  void real(const char* name, T& value, const char* meaning, double least = 1e-3, double most = 1e9) {
    add(name, value, meaning)->check(refuse_nan)->check(CLI::Range(least, most));
  }
  /// One of these words.
  void one_of(const char* name, std::string& value, const char* meaning, const std::vector<std::string>& words) {
    add(name, value, meaning)->check(CLI::IsMember(words));
  }
  /// Again for another value.
  void repeated(const char* name, std::vector<std::string>& values, const char* meaning) {
    add(name, values, meaning)->allow_extra_args(false);
  }
  /// Names separated by commas: a word after a blank is the next argument.
  CLI::Option* list(const char* name, std::vector<std::string>& values, const std::string& meaning) {
    return add(name, values, meaning)->delimiter(',')->allow_extra_args(false);
  }
  /// "--models", "only these models, a,b,...".
  CLI::Option* only(const std::string& what, std::vector<std::string>& names) {
    CLI::Option* const option = list(("--" + what).c_str(), names, "only these " + what + ", a,b,...");
    if (what != "cases") option->transform(with_underscores);
    return option;
  }
  void results_folder(fs::path& folder) {
    add("--results", folder, "folder for all results; default: " + folder.string());
  }
  void call(CallOptions& options) {
    results_folder(options.results);
    flag("--quiet", options.quiet, "print no progress lines");
  }
  void launcher(LauncherOptions& options) {
    add("--launcher", options.launcher, "command that starts ranks; default: \"mpirun -np {ranks}\"");
    add("--launcher-args", options.launcher_arguments, "more arguments for the launcher, e.g. \"--bind-to none\"");
  }
  /// By position or by name.
  CLI::Option* results(auto& results,
                       const char* meaning = "results folder or file of records (--json); default: results") {
    return add("RESULTS,--results", results, meaning);
  }
  void plan(std::string& plan) { add("PLAN", plan, "plan (see `boltzmark list`) or plan file; default: quick"); }
  /// Options of the user's own programs; the option of the build.
  CLI::Option* submission(SubmissionOptions& options, const std::string& otherwise, const char* build) {
    ProblemOptions& problem = options.problem;
    CLI::Option* const name = add("--case", problem.name, "standard problem, e.g. 256x256; " + otherwise);
    add("--params", problem.params, "parameter file of another problem")->excludes(name);
    add("--obstacles", problem.obstacles, "obstacle file of that problem, or the word none")->excludes(name);
    number("--steps", problem.steps, "time steps; default: those of the parameter file", 1, INT_MAX);
    real("--tolerance", options.tolerance, "largest relative deviation of a right result; default: 0.01", 1e-15, 1e3);
    real("--time-limit", options.time_limit_seconds, "seconds after which a program is killed (a build: 60 or more)");
    number("--threads", options.threads, "threads, passed to the program as OMP_NUM_THREADS", 1, 65536);
    call(options);
    return add("--build", options.build, build);
  }

  void when_chosen(std::function<void()> then) { app_.final_callback(std::move(then)); }

 private:
  CLI::App& app_;
};

void add_run(Command run, RunOptions& o) {
  run.plan(o.plan);
  run.call(o);
  run.number("--repeats", o.repeats, "rounds (runs of each kind); default: those of the plan");
  run.only("models", o.models);
  run.only("workloads", o.workloads);
  run.only("cases", o.cases);
  run.list("--builds", o.builds, "only these builds of a plan, a,b,...");
  run.real("--time-limit", o.time_limit_seconds, "seconds after which a run is killed");
  run.launcher(o);
  run.number("--nodes", o.nodes, "nodes on which the launcher may place ranks; default: 1");
  run.number("--ranks-per-node", o.ranks_per_node, "ranks that fit on a node");
  run.number("--cpus-per-rank", o.cpus_per_rank, "cores of each rank");
  run.flag("--fresh", o.fresh, "repeat every run; earlier results are moved aside, not deleted");
  run.flag("--tables", o.tables, "end with a table for each problem instead of the matrix");
  run.flag("--dry-run", o.dry_run, "print the commands without running them");
  run.flag("--programs", o.programs, "print the programs that the plan needs, built or not, and exit");
}

void add_job(Command job, JobOptions& o) {
  job.plan(o.plan);
  job.add("--scheduler", o.scheduler, "slurm, pbs, flux or mpirun; default: the batch system here");
  job.number("--nodes", o.nodes, "number of nodes; default: 1");
  job.number("--ranks-per-node", o.ranks_per_node, "ranks on a node; default: the plan's largest run, or a core each");
  job.number("--cpus-per-rank", o.cpus_per_rank, "cores of each rank; default: the most threads of any run");
  job.only("models", o.models);
  job.only("cases", o.cases);
  job.number("--repeats", o.repeats, "rounds (runs of each kind); default: those of the plan");
  job.results_folder(o.results);
  job.repeated("--setup", o.setup, "line before the run, e.g. \"module load openmpi\"; repeatable");
  job.number("--gpus-per-rank", o.gpus_per_rank, "batch: GPUs of each rank; default: 1 if the plan uses GPUs", 0, 1000);
  job.add("--time", o.time, "batch: time limit in the scheduler's format; default: an hour");
  job.add("--partition", o.partition, "batch: partition or queue; default: the scheduler's");
  job.add("--account", o.account, "batch: account to charge; default: the user's");
  job.add("--name", o.name, "batch: name of the job; default: boltzmark-PLAN");
  job.add("--start", o.starter, "slurm: command that starts ranks, srun (default) or mpirun");
  job.add("--mpi", o.mpi, "slurm: TYPE of srun --mpi, e.g. pmix; default: that of the scheduler");
  job.repeated("--directive", o.directives, "batch: another directive, e.g. \"--exclusive\"; repeatable");
  job.add("--hosts", o.hosts, "mpirun: host file, one node per line; default: this machine");
}

void add_peaks(Command peaks, PeaksOptions& o) {
  peaks.call(o);
  peaks.one_of("--only", o.only, "only the processor (cpu), OpenCL devices (opencl) or network (mpi)",
               {"cpu", "opencl", "mpi"});
  CLI::Option* const plan =
      peaks.add("--for", o.plan, "PLAN: only roofs that can bound its runs; a later call adds the rest");
  peaks.only("models", o.models)->needs(plan);
  peaks.number("--ranks", o.ranks, "ranks that exchange messages; default: one per core", 2);
  peaks.launcher(o);
  peaks.real("--time-limit", o.time_limit_seconds, "seconds after which a program is killed");
  peaks.flag("--fresh", o.fresh, "measure everything again; earlier figures are moved aside, not deleted");
  peaks.flag("--brief", o.brief, "measure rough figures in a few seconds")->excludes(plan);
  peaks.flag("--dry-run", o.dry_run, "print the commands without running them");
}

void add_predict(Command predict, PredictOptions& o) {
  predict.add("PLAN", o.plan, "plan or plan file whose runs on one node are among the results")->required();
  predict.add("--nodes", o.nodes, "largest number of nodes")->required()->check(CLI::Range(1, 1000000));
  predict.add("--network", o.network, "LATENCY,BANDWIDTH in microseconds and GB/s; default: as measured");
  predict.results(o.results);
}

void add_tune(Command tune, TuneOptions& o) {
  tune.add("CASE", o.words, "case, as the program takes it; of lbm a problem or its two files");
  tune.add("--workload", o.workload, "workload; default: lbm")->transform(with_underscores);
  tune.add("--model", o.model, "model; default: opencl")->transform(with_underscores);
  tune.add("--device", o.device, "device, as the model takes it; default: its best");
  tune.add("--variant", o.variant, "variant; default: the model's for this problem");
  tune.add("--precision", o.precision, "f32 (default), f64 or another precision of the variant");
  tune.number("--threads", o.threads, "threads, if the model has any; default: one per core", 1, 65536);
  tune.number("--ranks", o.ranks, "ranks, if the model has any; default: one per core");
  tune.number("--steps", o.steps, "time steps of a run; default: as many as take about 0.2 s", 1, INT_MAX);
  tune.add("--shapes", o.shapes, "work-groups: powers (default), published, tiles, or 32x4,64x2,...");
  tune.repeated("--option", o.values, "NAME=v1,v2,...: values of an option; default: the variant's own");
  tune.list("--only", o.only, "tune only these options, a,b,...");
  tune.flag("--all", o.all, "try all combinations instead of one option at a time");
  tune.real("--budget", o.budget_seconds, "seconds after which no further run starts", 0.0);
  tune.real("--time-limit", o.time_limit_seconds, "seconds after which a run is killed; default: 60");
  tune.call(o);
  tune.add("--tuned", o.tuned, "file for the best options; default: the one that models read");
  tune.launcher(o);
  tune.flag("--fresh", o.fresh, "measure everything again; earlier trials are moved aside, not deleted");
}

void add_compare_with(Command compare, CompareWithOptions& o) {
  compare.add("COMMAND", o.command, "shell command; its files are {params} and {obstacles}, or appended")->required();
  compare.submission(o, "default: 128x128", "shell command that builds it, e.g. make");
  compare.add("--name", o.name, "name of its row; default: name of its file");
  compare.add("--folder", o.folder, "its sources: built and started in a copy of this folder");
  compare.one_of("--precision", o.precision, "precision to compare with: f32 (default) or f64", {"f32", "f64"});
  compare.number("--ranks", o.ranks, "number of its ranks, for its row; replaces {ranks} in COMMAND");
  compare.list("--models", o.models, "models to compare with, a,b,...; default: all")->transform(with_underscores);
  compare.number("--repeats", o.repeats, "runs of each program; default: 3");
}

void add_check(Command check, CheckOptions& o) {
  check.add("FOLDER", o.folders, "folder with final_state.dat and av_vels.dat, or with sources")->required();
  CLI::Option* const build = check.submission(o, "default: the problem in each folder",
                                              "shell command, run in a copy of the folder; default: make -B");
  CLI::Option* const run =
      check.add("--run", o.run, std::string("command in that copy; default: ") + usual_submission_command);
  check.flag("--no-run", o.no_run, "check the result files in the folder without building or running")
      ->excludes(build)
      ->excludes(run);
  check.number("--repeats", o.repeats, "timed runs of each program; ranks take 3; default: 1");
  check.number("--memory-limit", o.memory_limit_megabytes, "MB that all processes of a program may use; default: 4096",
               1, 100000000);
  check.flag("--no-isolation", o.no_isolation, "where programs cannot be isolated, run them with all your rights");
  check.flag("--again", o.again, "check folders again that were checked before");
  check.real("--slow", o.slow, "factor on the time limit; programs that ran out of time run again", 1.0, 1e6);
  check.add("--marks", o.marks, "file of marks: \"40 right\", \"70 speed-up 4\" (default: the last call's)");
  check.add("--feedback", o.feedback, "folder for one page per student");
}

constexpr const char* several_machines = "results folders or files (or NAME=RESULTS): machines; default: results";

void add_report(Command report, ReportOptions& o) {
  CLI::Option* const results = report.results(o.results, several_machines);
  report.add("--out", o.out, "output folder; default: RESULTS/report, comparison or machines");
  CLI::Option* const compare = report.add("--compare", o.compare, "make a page that compares two results");
  compare->expected(2)->excludes(results);
  report.flag("--no-plots", o.no_plots, "draw no plots");
  report.flag("--only-svg", o.only_svg, "draw no PDF and PNG, in half the time");
  report.flag("--quiet", o.quiet, "print only the path of the report");
  report.flag("--print", o.print, "print all tables as Markdown");
}

void add_paper(Command paper, PaperOptions& o) {
  paper.results(o.results);
  paper.add("--table", o.table,
            "published table to compare with these results, e.g. III, or own: rates and bounds of these alone");
  paper.flag("--roofline", o.roofline, "roofline of the runs");
  paper.add("--problem", o.problem, "show only this problem, e.g. 1024x1024");
  paper.only("models", o.models);
  paper.real("--width", o.width, "width of the figure in inches; default: 3.5, a column", 2.0, 20.0);
  paper.add("--out", o.out, "folder for figure, table and references; default: paper");
}

void add_tables(Command tables, TablesOptions& o) {
  tables.results(o.results, several_machines);
  tables.flag("--json", o.json, "print values and texts as JSON");
}

void add_summary(Command summary, SummaryOptions& o) {
  CLI::Option* const results = summary.results(o.results);
  summary.add("--compare", o.compare, "compare two results, as boltzmark compare does")->expected(2)->excludes(results);
}

void add_matrix(Command matrix, MatrixOptions& o) {
  matrix.results(o.results);
  matrix.flag("--all", o.all, "one row per problem and precision; default: one per workload");
  matrix.flag("--same-algorithm", o.like_for_like, "compare the same algorithm in every model (default)");
  matrix.flag("--like-for-like", o.like_for_like, "former name of --same-algorithm");
  matrix.flag("--best", o.best, "compare each model's fastest variant");
}

void add_models(Command models, ModelsOptions& o) {
  models.list("--compare", o.models, "models, a,b,...")->required()->transform(with_underscores);
  models.list("--workloads", o.workloads, "workloads, a,b,...; default: " + join(o.workloads, ","))
      ->transform(with_underscores);
  models.results(o.results, "results folders or files: machines; default: results, or kept records");
  models.flag("--json", o.json, "print values and texts as JSON");
}

void add_compare(Command compare, CompareOptions& o) {
  compare.add("REF", o.reference, "results folder or file of records, to compare with")->required();
  compare.add("NEW", o.other, "results folder or file of records, to judge")->required();
  compare.add("--slower-than", o.slower_than, "e.g. 5%: status 1 if NEW is wrong or slower by more (beyond noise)");
  compare.add("--out", o.out, "folder for comparison.csv, the table with all figures");
}

void add_share(Command share, ShareOptions& o) {
  share.results(o.results);
  share.add("-o,--out", o.out, "file to write, which all commands read like a results folder")->required();
}

void add_figures(Command figures, FiguresOptions& o) {
  figures.results(o.results);
  figures.add("--out", o.out, "folder for the files; default: the results folder");
  CLI::Option* const describe = figures.flag("--describe", o.describe, "print the meaning of each column");
  figures.flag("--json", o.json, "with --describe: print JSON, with the type of each column")->needs(describe);
  figures.one_of("--format", o.format, "print right rows as gbench (Google Benchmark), bmf or babelstream",
                 {"gbench", "bmf", "babelstream"});
}

void add_list(Command list, ListOptions& o) {
  list.add("NAME", o.name, "a workload (lists variants and devices) or a plan (lists its runs)");
}

/// In the order of --help.
void offer_all(const auto& offer) {
  offer("run", "run a plan and print the comparison", add_run, run_command);
  offer("report", "make page, tables and plots from results of one machine or many", add_report, report_command);
  offer("paper", "make a figure and a LaTeX table with caption and references", add_paper, paper_command);
  offer("figures", "write all figures of the results as one table, figures.csv", add_figures, figures_command);
  offer("summary", "print one machine in a dozen lines", add_summary, summary_command);
  offer("tables", "print the tables of the page, of one machine or of many", add_tables, tables_command);
  offer("matrix", "print shares of the best and of the bound, workload by model", add_matrix, matrix_command);
  offer("models", "compare models: rates, lines of code, portability, compilers, errors", add_models, models_command);
  offer("compare", "compare two results: which runs are faster or slower beyond noise", add_compare, compare_command);
  offer("share", "write results to one file without names of hosts, users and folders", add_share, share_command);
  offer("peaks", "measure this machine's peak rates, or print those already measured", add_peaks, peaks_command);
  offer("predict", "predict strong and weak scaling on more nodes from runs on one", add_predict, predict_command);
  offer("tune", "find the fastest options of a variant and keep them", add_tune, tune_command);
  offer("job", "print a script that runs a plan on the nodes of a cluster", add_job, job_command);
  offer("compare-with", "compare a program of your own with the models", add_compare_with, compare_with_command);
  offer("check", "check folders of results, or of sources, against the reference", add_check, check_command);
  offer("list", "list the plans, and the programs that can run here", add_list, list_command);
}

int run(int argc, char** argv) {
  CLI::App app("Runs programming models on the same problems and compares them.", "boltzmark");
  app.set_version_flag("--version", fmt::format("boltzmark {}", version_line()));
  app.require_subcommand(1);
  app.formatter(std::make_shared<NarrowHelp>());
  CLI::Option* const site = app.set_config("--site", data_path("site.toml").string(),
                                           "file of site-wide defaults, with a section for each command");
  app.allow_config_extras(CLI::config_extras_mode::error);
  std::function<int()> chosen;
  const auto offer = [&]<class Options>(const char* name, const char* summary, void (*add)(Command, Options&),
                                        int (*call)(const Options&)) {
    const auto options = std::make_shared<Options>();
    if constexpr (requires { options->command_line; }) options->command_line = shell_line({argv, argv + argc});
    Command command(app, name, summary);
    add(command, *options);
    command.when_chosen([&chosen, options, call, site] {
      if constexpr (requires { options->site_cores; }) options->site_cores = cores_in_site(site->as<std::string>());
      chosen = [options, call] { return call(*options); };
    });
  };
  offer_all(offer);
  const auto from_site = [&](const char* error) {
    const auto commands = app.get_subcommands();
    return commands.empty()
               ? ""
               : place_in_site(site->as<std::string>(), commands.front()->get_name(), error, {argv, argv + argc});
  };
  try {
    app.parse(argc, argv);
    for (const CLI::App* const parsed : app.get_subcommands()) check_values(*parsed);
    return chosen();
  } catch (const Error& error) {
    throw Error(error.status(), from_site(error.what()) + error.what());
  } catch (const CLI::CallForHelp&) {
    print("{}", app.help());
    return 0;
  } catch (const CLI::CallForVersion& version) {
    print("{}\n", version.what());
    return 0;
  } catch (const CLI::ConfigError& error) {
    throw bad_input("{}: expected sections named after commands, with their options, found {}", site->as<std::string>(),
                    replaced(error.what(), {{"INI was not able to parse ", ""}}));
  } catch (const CLI::ParseError& error) {
    if (app.get_subcommands().empty())
      throw bad_input("expected one of {}, found {}; see --help",
                      joined(app.get_subcommands(nullptr), ", ", [](const CLI::App* one) { return one->get_name(); }),
                      argc > 1 ? fmt::format("\"{}\"", argv[1]) : "none");
    throw bad_input("{}{}; see --help", from_site(error.what()), error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit then reads like a full disk
  return guarded_main("boltzmark", [&] { return run(argc, argv); });
}
