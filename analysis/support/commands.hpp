// The subcommands of `boltzmark`: what the user asked for, and the functions that do it. Each returns the exit status:
// 0 done, 1 something failed or is wrong, 130 or 143 stopped by SIGINT or SIGTERM. Each throws Error (bad_input,
// unavailable).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace boltzmark {

/// `boltzmark run`: does a plan's runs, keeps each as it ends, and prints the comparison. Unset means as the plan says.
struct RunOptions {
  std::string plan = "quick";  ///< name or file
  std::filesystem::path results = "results";
  std::optional<int> repeats;
  std::vector<std::string> workloads, models, cases, builds;  ///< only these; empty: all
  std::optional<double> time_limit_seconds;
  std::string launcher, launcher_arguments;
  std::optional<int> nodes, ranks_per_node, cpus_per_rank;  ///< any of them: what a job may use
  bool fresh = false, quiet = false, dry_run = false, programs = false;
  bool tables = false;       ///< at the end a table for each case, in place of the matrix
  bool own_starts = false;   ///< a program of the user's that cannot be built or started ends the call at once
  std::string command_line;  ///< as typed, to say how to continue
};
int run_command(const RunOptions& options);
struct Plan;
struct Row;
/// The same for a plan that is not a file; `rows` gets the plan's rows of the table of figures.
int run_plan(const RunOptions& options, Plan plan, std::vector<Row>& rows);

/// `boltzmark list`: the plans, and which model can run which workload here, or why not; of a workload its programs with
/// their variants and devices, of a plan its whole summary and its builds.
struct ListOptions {
  std::string name;  ///< of a workload or plan; "": all, in brief
};
int list_command(const ListOptions& options);

/// `boltzmark job`: prints the script that runs a plan on the nodes of a cluster. Unset means as the plan needs it.
struct JobOptions {
  std::string plan = "quick";  ///< name or file
  std::string scheduler;       ///< slurm or mpirun
  std::optional<int> nodes, ranks_per_node, cpus_per_rank, repeats;
  std::vector<std::string> models, cases, setup;
  std::filesystem::path results = "results";
  // Slurm alone.
  std::optional<int> gpus_per_rank;
  std::optional<std::string> time, partition, account, name, mpi, starter;
  std::vector<std::string> directives;
  // mpirun alone.
  std::optional<std::string> hosts;
};
int job_command(const JobOptions& options);

/// `boltzmark peaks`: what this machine can do at most, measured once and kept.
struct PeaksOptions {
  std::filesystem::path results = "results";
  std::string only;                   ///< "cpu", "opencl", or "" for both
  double time_limit_seconds = 600.0;  ///< of each measuring program
  bool fresh = false;                 ///< measure even where the kept figures are valid
  bool brief = false;                 ///< few and short repetitions: rough figures in some seconds
  bool quiet = false, dry_run = false;
};
int peaks_command(const PeaksOptions& options);

/// `boltzmark tune`: finds the options with which a variant is fastest on a device and grid, and keeps them.
struct TuneOptions {
  std::string workload = "lbm";
  std::vector<std::string> words;  ///< the case as the program takes it, or the name of a standard problem
  std::string model = "opencl";
  std::string device, variant;  ///< "" = the model's default
  std::string precision = "f32";
  std::optional<int> threads, ranks, steps;
  std::string shapes;               ///< "powers", "published" or a list; "" = powers, where there are work-groups
  std::vector<std::string> values;  ///< "NAME=v1,v2": what to try of an option
  std::vector<std::string> only;    ///< only these options; empty = all that the variant declares
  bool all = false;                 ///< the full product
  std::optional<double> budget_seconds;
  double time_limit_seconds = 60.0;  ///< of a process, with building its kernels
  std::filesystem::path results = "results";
  std::filesystem::path tuned;               ///< file to keep the best in; "" = where models look by default
  std::string launcher, launcher_arguments;  ///< as of `boltzmark run`
  bool fresh = false, quiet = false;
  std::string command_line;  ///< as typed, to say how to continue
};
int tune_command(const TuneOptions& options);

/// A problem of lattice Boltzmann: a standard one, or two files.
struct ProblemOptions {
  std::string name;
  std::string params, obstacles;
  std::optional<int> steps;  ///< instead of the parameter file's

  bool is_given() const { return !name.empty() || !params.empty() || !obstacles.empty(); }
};

/// What counts as right for the user's own programs unless they say otherwise: the one per cent of the coursework's
/// checker. Plain single precision, which is all that is asked for there, is up to 6e-4 from the oracle after a full
/// standard run.
inline constexpr double own_tolerance = 1e-2;

/// `boltzmark compare-with`: the user's own program next to the models, on one problem.
struct CompareWithOptions {
  std::string command, name, build;  ///< for the shell; name of its row; how it is built
  std::filesystem::path folder;      ///< its sources
  double tolerance = own_tolerance;
  ProblemOptions problem;
  std::string precision = "f32";
  std::vector<std::string> models;  ///< to compare with; empty: all
  std::optional<int> threads, ranks;
  int repeats = 3;
  double time_limit_seconds = 600.0;
  std::filesystem::path results = "results";
  bool quiet = false;
  std::string command_line;  ///< as typed, to say how to continue
};
int compare_with_command(const CompareWithOptions& options);

/// `boltzmark check`: many folders of results, or of sources to be built and run, each compared with the right answer.
struct CheckOptions {
  std::vector<std::string> folders;
  ProblemOptions problem;     ///< not given: each folder's own
  std::string build;          ///< "": make, where there is a Makefile
  std::string run;            ///< "": usual_own_command
  bool no_run = false;        ///< only the files that are there
  bool no_isolation = false;  ///< run programs also where they cannot be isolated
  double tolerance = own_tolerance;
  std::optional<int> threads;
  int repeats = 1;  ///< timed runs of each program, which must all be right
  double time_limit_seconds = 60.0;
  int memory_limit_megabytes = 4096;
  std::filesystem::path results = "checks";
  bool again = false, quiet = false;
  std::string command_line;  ///< as typed, to say how to continue
};
/// What a build of the coursework's sources makes.
inline constexpr const char* usual_own_command = "./d2q9-bgk {params} {obstacles}";
int check_command(const CheckOptions& options);

/// `boltzmark figures`: the table of figures as files.
struct FiguresOptions {
  std::filesystem::path results = "results";  ///< a results folder, or a file of records
  std::filesystem::path out;                  ///< "": the results folder, or next to the file
  bool describe = false;
  std::string format;  ///< another one, printed: "gbench", "bmf" or "babelstream"
};
int figures_command(const FiguresOptions& options);

/// `boltzmark summary`: one machine in a dozen lines, or two side by side.
struct SummaryOptions {
  std::filesystem::path results = "results";   ///< folder, or file of records
  std::vector<std::filesystem::path> compare;  ///< two of them instead
};
int summary_command(const SummaryOptions& options);

/// `boltzmark compare`: what is slower or faster in the second of two results, beyond noise. 1: something is too slow.
struct CompareOptions {
  std::string reference, other;  ///< folders, or files of records
  std::string slower_than;       ///< "5%": more than this, beyond noise, is too slow; "": nothing is
  std::filesystem::path out;     ///< folder for comparison.csv; "": none is written
};
int compare_command(const CompareOptions& options);

/// `boltzmark share`: results in one file, without what names the machine, its users and its folders.
struct ShareOptions {
  std::filesystem::path results = "results";  ///< folder, or file of records
  std::filesystem::path out;
};
int share_command(const ShareOptions& options);

/// `boltzmark report`: from results to tables, plots and one page.
struct ReportOptions {
  std::filesystem::path results = "results";  ///< a results folder, or a file of records
  /// "": a folder `report` in the results folder, or one next to the file; of two results a folder `comparison` here, of
  /// several machines `machines`.
  std::filesystem::path out;
  std::vector<std::string> machines;  ///< results, of several machines, each PATH or NAME=PATH; one: `results`
  std::vector<std::string> compare;   ///< two results to set side by side; empty: report on `results`
  bool no_plots = false;              ///< tables and page only
  bool quiet = false, print = false;  ///< print only where the report is; print all tables
};
int report_command(const ReportOptions& options);

}  // namespace boltzmark
