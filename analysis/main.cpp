// The driver `boltzmark`: one subcommand a task.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <climits>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <exception>

#include "analysis/job/job_command.hpp"
#include "analysis/own/check_command.hpp"
#include "analysis/own/compare_with_command.hpp"
#include "analysis/peaks/peaks_command.hpp"
#include "analysis/report/report_command.hpp"
#include "analysis/roofline/figures_command.hpp"
#include "analysis/run/list_command.hpp"
#include "analysis/run/run_command.hpp"
#include "analysis/summary/summary_command.hpp"
#include "analysis/support/process.hpp"
#include "analysis/tune/tune_command.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"
#include "common/run/options.hpp"
#include "common/run/provenance.hpp"

namespace {

using namespace boltzmark;

/// CLI::Range lets it pass.
std::string refuse_nan(const std::string& text) {
  return std::isnan(std::strtod(text.c_str(), nullptr)) ? "expected a number, found " + text : "";
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App* const run = app.add_subcommand("run", "do the runs of a plan and print the comparison");
  run->add_option("PLAN", options.plan, "quick (default), full, or a plan file; see `boltzmark list`");
  run->add_option("--results", options.results, "folder for everything that is kept; default: results");
  run->add_option("--repeats", options.repeats, "runs of each kind, whatever the plan says")
      ->check(CLI::Range(1, 1000000));
  run->add_option("--models", options.models, "only these models, a,b,...")->delimiter(',');
  run->add_option("--workloads", options.workloads, "only these workloads, a,b,...")->delimiter(',');
  run->add_option("--cases", options.cases, "only these cases, a,b,...")->delimiter(',');
  run->add_option("--builds", options.builds, "of a plan with builds only these, a,b,...")->delimiter(',');
  run->add_option("--time-limit", options.time_limit_seconds, "seconds after which a run is killed")
      ->check(refuse_nan)
      ->check(CLI::Range(1e-3, 1e9));
  run->add_option("--launcher", options.launcher, "how ranks are started; default: \"mpirun -np {ranks}\"");
  run->add_option("--launcher-args", options.launcher_arguments,
                  "more words for the launcher, e.g. \"--bind-to none\"");
  run->add_option("--nodes", options.nodes, "nodes that the launcher's ranks may lie on; default: one")
      ->check(CLI::Range(1, 1000000));
  run->add_option("--ranks-per-node", options.ranks_per_node, "ranks that a node has room for")
      ->check(CLI::Range(1, 1000000));
  run->add_option("--cpus-per-rank", options.cpus_per_rank, "cores that each of these has")
      ->check(CLI::Range(1, 1000000));
  run->add_flag("--fresh", options.fresh, "do every run again; earlier results are moved aside, not deleted");
  run->add_flag("--dry-run", options.dry_run, "print the commands, run nothing");
  run->add_flag(
      "--programs", options.programs,
      "print which programs of this build the plan runs, whether they are built or not; run nothing");
  run->add_flag("--quiet", options.quiet, "no progress lines");
}

CLI::App* add_job(CLI::App& app, JobOptions& options) {
  CLI::App* const job =
      app.add_subcommand("job", "print a script that runs a plan on the nodes of a cluster");
  const CLI::Range number(1, 1000000);
  job->add_option("PLAN", options.plan, "quick (default), full, or a plan file; see `boltzmark list`");
  job->add_option("--scheduler", options.scheduler,
                  "slurm: a script for sbatch; mpirun: one to be started by hand on one of the nodes")
      ->required();
  job->add_option("--nodes", options.nodes, "how many; default: 1")->check(number);
  job->add_option("--ranks-per-node", options.ranks_per_node,
                  "room on each of them; default: what the plan's largest run needs")
      ->check(number);
  job->add_option("--cpus-per-rank", options.cpus_per_rank,
                  "cores; default: what the plan's runs with the most threads need")
      ->check(number);
  job->add_option("--models", options.models, "only these models, a,b,...")->delimiter(',');
  job->add_option("--cases", options.cases, "only these cases, a,b,...")->delimiter(',');
  job->add_option("--repeats", options.repeats, "runs of each kind, whatever the plan says")->check(number);
  job->add_option("--results", options.results, "folder for everything that is kept; default: results");
  job->add_option("--setup", options.setup,
                  "a line before the run, e.g. \"module load openmpi\"; again for another")
      ->allow_extra_args(false);
  job->add_option("--gpus-per-rank", options.gpus_per_rank,
                  "slurm: GPUs to ask for; default: 1 for a plan within_devices gpu, else 0")
      ->check(CLI::Range(0, 1000));
  job->add_option("--time", options.time, "slurm: time limit of the job; default: 01:00:00");
  job->add_option("--partition", options.partition, "slurm: where it runs; default: the site's");
  job->add_option("--account", options.account, "slurm: what it is charged to; default: the user's");
  job->add_option("--name", options.name, "slurm: of the job; default: boltzmark-PLAN");
  job->add_option("--start", options.starter, "slurm: how ranks are started, srun (default) or mpirun");
  job->add_option("--mpi", options.mpi, "slurm: TYPE of srun --mpi, e.g. pmix; default: the site's");
  job->add_option("--directive", options.directives,
                  "slurm: one more #SBATCH line, e.g. \"--exclusive\"; again for another")
      ->allow_extra_args(false);
  job->add_option("--hosts", options.hosts,
                  "mpirun: file with a line for each node; default: this machine alone");
  return job;
}

CLI::App* add_report(CLI::App& app, ReportOptions& options) {
  CLI::App* const report = app.add_subcommand("report", "tables, plots and one page out of results");
  report->add_option("--results", options.results,
                     "a results folder, or a file of records written with --json; default: results");
  report->add_option("--out", options.out, "folder for the report; default: report in the results folder");
  CLI::Option* const compare = report->add_option("--compare", options.compare,
                                                  "set two results (folders or files) side by side instead");
  compare->expected(2)->excludes("--results");
  report->add_flag("--no-plots", options.no_plots, "tables and page without plots")->excludes(compare);
  report->add_flag("--quiet", options.quiet, "print only where the report is")->excludes(compare);
  return report;
}

CLI::App* add_summary(CLI::App& app, SummaryOptions& options) {
  CLI::App* const summary =
      app.add_subcommand("summary", "one machine in a dozen lines, or two side by side");
  CLI::Option* const results =
      summary->add_option("--results", options.results,
                          "a results folder, or a file of records written with --json; default: results");
  summary->add_option("--compare", options.compare, "two of them: where each wins, and by what")
      ->expected(2)
      ->excludes(results);
  return summary;
}

CLI::App* add_figures(CLI::App& app, FiguresOptions& options) {
  CLI::App* const figures = app.add_subcommand("figures", "one table of figures out of results: figures.csv");
  figures->add_option("--results", options.results,
                      "a results folder, or a file of records written with --json; default: results");
  figures->add_option("--out", options.out, "folder for the files; default: the results folder");
  figures->add_flag("--describe", options.describe, "print what each column is");
  return figures;
}

CLI::App* add_peaks(CLI::App& app, PeaksOptions& options) {
  CLI::App* const peaks =
      app.add_subcommand("peaks", "measure what this machine can do at most, or print what was measured");
  peaks->add_option("--results", options.results, "folder for everything that is kept; default: results");
  peaks->add_option("--only", options.only, "only the processor (cpu) or the OpenCL devices (opencl)")
      ->check(CLI::IsMember({"cpu", "opencl"}));
  peaks->add_option("--time-limit", options.time_limit_seconds, "seconds after which a program is killed")
      ->check(refuse_nan)
      ->check(CLI::Range(1e-3, 1e9));
  peaks->add_flag("--fresh", options.fresh, "measure anew; earlier figures are moved aside, not deleted");
  peaks->add_flag("--brief", options.brief, "rough figures in some seconds");
  peaks->add_flag("--dry-run", options.dry_run, "print the commands, run nothing");
  peaks->add_flag("--quiet", options.quiet, "no progress lines");
  return peaks;
}

CLI::App* add_tune(CLI::App& app, TuneOptions& options) {
  CLI::App* const tune =
      app.add_subcommand("tune", "find the fastest work-group and other options of a variant, and keep them");
  tune->add_option(
      "CASE", options.words,
      "the program's own words: for lbm PARAMS and OBSTACLES, or a standard problem, e.g. 128x128");
  tune->add_option("--workload", options.workload, "what is computed; default: lbm");
  tune->add_option("--model", options.model, "which model; default: opencl");
  tune->add_option("--device", options.device, "as the model takes it; default: its best");
  tune->add_option("--variant", options.variant, "default: the model's for this problem");
  tune->add_option("--precision", options.precision, "f32 (default), f64 or what else the variant has");
  tune->add_option("--threads", options.threads, "threads, where the model takes them; default: a core each")
      ->check(CLI::Range(1, 65536));
  tune->add_option("--ranks", options.ranks, "ranks, where the model is launched; default: a core each")
      ->check(CLI::Range(1, 1000000));
  tune->add_option("--steps", options.steps, "time steps of a run; default: about 0.2 s of them")
      ->check(CLI::Range(1, INT_MAX));
  tune->add_option("--shapes", options.shapes,
                   "work-groups: powers (default), published, tiles, or 32x4,64x2,...");
  tune->add_option("--option", options.values,
                   "NAME=v1,v2,...: values of an option instead of the variant's own")
      ->allow_extra_args(false);
  tune->add_option("--only", options.only, "only these options, a,b,...")->delimiter(',');
  tune->add_flag("--all", options.all, "the full product instead of one option after the other");
  tune->add_option("--budget", options.budget_seconds, "seconds after which nothing more is tried")
      ->check(refuse_nan)
      ->check(CLI::Range(0.0, 1e9));
  tune->add_option("--time-limit", options.time_limit_seconds,
                   "seconds after which a run is killed; default: 60")
      ->check(refuse_nan)
      ->check(CLI::Range(1e-3, 1e9));
  tune->add_option("--results", options.results, "folder for everything that is kept; default: results");
  tune->add_option("--tuned", options.tuned, "file to keep the best in; default: where models look for it");
  tune->add_option("--launcher", options.launcher, "how ranks are started; default: \"mpirun -np {ranks}\"");
  tune->add_option("--launcher-args", options.launcher_arguments, "more words for the launcher");
  tune->add_flag("--fresh", options.fresh, "measure anew; earlier trials are moved aside, not deleted");
  tune->add_flag("--quiet", options.quiet, "no progress lines");
  return tune;
}

void add_problem(CLI::App& app, ProblemOptions& options, const std::string& otherwise) {
  CLI::Option* const name =
      app.add_option("--case", options.name, "a standard problem, such as 256x256; " + otherwise);
  app.add_option("--params", options.params, "parameter file of the problem instead")->excludes(name);
  app.add_option("--obstacles", options.obstacles, "its obstacle file, or none")->excludes(name);
  app.add_option("--steps", options.steps, "time steps instead of the parameter file's")
      ->check(CLI::Range(1, INT_MAX));
}

void add_own(CLI::App& app, double& tolerance, double& time_limit, std::optional<int>& threads) {
  app.add_option("--tolerance", tolerance, "largest relative deviation that counts as right; default: 0.01")
      ->check(refuse_nan)
      ->check(CLI::Range(1e-15, 1e3));
  app.add_option("--time-limit", time_limit,
                 "seconds after which a program is killed; its build has 60 at least")
      ->check(refuse_nan)
      ->check(CLI::Range(1e-3, 1e9));
  app.add_option("--threads", threads, "that it is told of by OMP_NUM_THREADS")->check(CLI::Range(1, 65536));
}

CLI::App* add_compare_with(CLI::App& app, CompareWithOptions& options) {
  CLI::App* const own = app.add_subcommand("compare-with", "set a program of your own beside the models");
  own->add_option("COMMAND", options.program.run,
                  "for the shell; {params} and {obstacles} stand for the files, which else follow it")
      ->required();
  add_problem(*own, options.problem, "default: 128x128");
  own->add_option("--name", options.program.name, "of its row; default: its file's");
  own->add_option("--folder", options.program.folder, "its sources: built and started in a copy of them");
  own->add_option("--build", options.program.build, "how, for the shell, e.g. make");
  own->add_option("--precision", options.precision, "f32 (default) or f64: with what it is compared")
      ->check(CLI::IsMember({"f32", "f64"}));
  own->add_option("--ranks", options.ranks, "that it has, for its row; {ranks} stands for them")
      ->check(CLI::Range(1, 1000000));
  own->add_option("--models", options.models, "to compare it with, a,b,...; default: all")->delimiter(',');
  own->add_option("--repeats", options.repeats, "runs of each; default: 3")->check(CLI::Range(1, 1000000));
  add_own(*own, options.program.tolerance, options.time_limit_seconds, options.threads);
  own->add_option("--results", options.results, "folder for everything that is kept; default: results");
  own->add_flag("--quiet", options.quiet, "no progress lines");
  return own;
}

CLI::App* add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* const check = app.add_subcommand(
      "check", "hold folders of results, or of sources to be run, against the right answer");
  check->add_option("FOLDER", options.folders, "with final_state.dat and av_vels.dat, or with sources")
      ->required();
  add_problem(*check, options.problem, "default: the one that lies in each folder");
  check->add_option("--build", options.build, "for the shell, in a copy of the folder; default: make");
  check->add_option("--run", options.run,
                    std::string("for the shell, in that copy; default: ") + usual_own_command);
  check->add_flag("--no-run", options.no_run, "take the results that are there; build and run nothing")
      ->excludes("--build")
      ->excludes("--run");
  add_own(*check, options.tolerance, options.time_limit_seconds, options.threads);
  check
      ->add_option("--memory-limit", options.memory_limit_megabytes,
                   "MB that a program may use; default: 4096")
      ->check(CLI::Range(1, 100000000));
  check->add_option("--results", options.results, "folder for everything that is kept; default: checks");
  check->add_flag("--again", options.again, "also what was checked before");
  check->add_flag("--quiet", options.quiet, "no progress lines");
  return check;
}

std::string subcommands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const one : app.get_subcommands(nullptr)) names.push_back(one->get_name());
  return join(names, ", ");
}

int run(int argc, char** argv) {
  CLI::App app("Runs the models of Boltzmark and compares them.", "boltzmark");
  app.set_version_flag("--version", fmt::format("boltzmark {}", version_line()));
  app.require_subcommand(1);
  RunOptions options;
  options.command_line = shell_line({argv, argv + argc});
  add_run(app, options);
  ReportOptions report_options;
  const CLI::App* const report = add_report(app, report_options);
  FiguresOptions figures_options;
  const CLI::App* const figures = add_figures(app, figures_options);
  SummaryOptions summary_options;
  const CLI::App* const summary = add_summary(app, summary_options);
  PeaksOptions peaks_options;
  const CLI::App* const peaks = add_peaks(app, peaks_options);
  TuneOptions tune_options;
  tune_options.command_line = options.command_line;
  const CLI::App* const tune = add_tune(app, tune_options);
  JobOptions job_options;
  const CLI::App* const job = add_job(app, job_options);
  CompareWithOptions compare_options;
  compare_options.command_line = options.command_line;
  const CLI::App* const compare = add_compare_with(app, compare_options);
  CheckOptions check_options;
  check_options.command_line = options.command_line;
  const CLI::App* const check = add_check(app, check_options);
  const CLI::App* const list =
      app.add_subcommand("list", "programs, variants and devices found here, and the plans");
  try {
    app.parse(argc, argv);
    for (const CLI::App* const parsed : app.get_subcommands()) check_values(*parsed);
  } catch (const CLI::CallForHelp&) {
    print("{}", app.help());
    return 0;
  } catch (const CLI::CallForVersion& version) {
    print("{}\n", version.what());
    return 0;
  } catch (const CLI::ParseError& error) {
    if (app.get_subcommands().empty())
      throw bad_input("expected one of {}, found {}; see --help", subcommands_of(app),
                      argc > 1 ? fmt::format("\"{}\"", argv[1]) : "none");
    throw bad_input("{}; see --help", error.what());
  }
  if (list->parsed()) return list_command();
  if (compare->parsed()) return compare_with_command(compare_options);
  if (check->parsed()) return check_command(check_options);
  if (job->parsed()) return job_command(job_options);
  if (peaks->parsed()) return peaks_command(peaks_options);
  if (tune->parsed()) return tune_command(tune_options);
  if (report->parsed()) return report_command(report_options);
  if (summary->parsed()) return summary_command(summary_options);
  if (figures->parsed()) return figures_command(figures_options);
  return run_command(options);
}

int status_of_run(int argc, char** argv) {
  const auto fail = [](ExitStatus status, const char* line) {
    print_error("boltzmark", line);
    return static_cast<int>(status);
  };
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    return fail(error.status(), error.what());
  } catch (const std::exception& error) {
    return fail(ExitStatus::bad_input, error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit then reads like a full disk
  const int status = status_of_run(argc, argv);
  if (flush_output()) return status;
  print_error("boltzmark", "expected to write to standard output, found that some of it was lost");
  return std::max(status, static_cast<int>(ExitStatus::bad_input));
}
