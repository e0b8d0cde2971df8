// The subcommands of `boltzmark`: the user's options, and the functions that carry them out. main.cpp explains commands
// and options; an unset or empty one leaves it to the plan, the model or the place of the results. Each function
// returns the exit status: 0 done, 1 something failed or is wrong, 130 or 143 stopped by SIGINT or SIGTERM. Each throws
// Error (bad_input, unavailable).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace boltzmark {

/// Options of all commands that run something and keep its results. Not an aggregate, so that a list of words does not
/// convert to it.
struct CallOptions {
  CallOptions() = default;

  std::filesystem::path results = "results";
  bool quiet = false;
  std::string command_line;  ///< as typed, to say how to continue
};

/// How ranks are started.
struct LauncherOptions {
  std::string launcher, launcher_arguments;
};

struct RunOptions : CallOptions, LauncherOptions {
  std::string plan = "quick";
  std::optional<int> repeats;
  std::vector<std::string> workloads, models, cases, builds;
  std::optional<double> time_limit_seconds;
  std::optional<int> nodes, ranks_per_node, cpus_per_rank;  ///< if any is set: the resources of a job
  bool fresh = false, dry_run = false, programs = false;
  bool tables = false;
  bool submissions_start = false;  ///< if the user's program cannot be built or started, the call ends at once
};
int run_command(const RunOptions& options);
struct Plan;
struct Row;
/// The same for a plan without a file; `rows` gets the plan's rows of the table of figures.
int run_plan(const RunOptions& options, Plan plan, std::vector<Row>& rows);

struct ListOptions {
  std::string name;
};
int list_command(const ListOptions& options);

struct JobOptions {
  /// Cores of a node by the site file, and their line: "FILE:LINE".
  struct SiteCores {
    int cores = 0;
    std::string place;
  };
  std::string plan = "quick", scheduler;
  std::optional<int> nodes, ranks_per_node, cpus_per_rank, repeats;
  std::optional<SiteCores> site_cores;
  std::vector<std::string> models, cases, setup;
  std::filesystem::path results = "results";
  // Only for batch systems.
  std::optional<int> gpus_per_rank;
  std::optional<std::string> time, partition, account, name;
  std::vector<std::string> directives;
  std::optional<std::string> mpi, starter;  ///< only for Slurm
  // Only for mpirun.
  std::optional<std::string> hosts;
};
int job_command(const JobOptions& options);

struct PeaksOptions : CallOptions, LauncherOptions {
  std::string only, plan;
  std::vector<std::string> models;
  std::optional<int> ranks;
  double time_limit_seconds = 600.0;  ///< of each measuring program
  bool fresh = false, brief = false, dry_run = false;
};
int peaks_command(const PeaksOptions& options);

struct PredictOptions {
  std::string plan, network;
  int nodes = 1;
  std::filesystem::path results = "results";
};
int predict_command(const PredictOptions& options);

struct TuneOptions : CallOptions, LauncherOptions {
  std::string workload = "lbm", model = "opencl", device, variant, precision = "f32";
  std::vector<std::string> words;  ///< of the case
  std::optional<int> threads, ranks, steps;
  std::string shapes;
  std::vector<std::string> values, only;
  bool all = false, fresh = false;
  std::optional<double> budget_seconds;
  double time_limit_seconds = 60.0;  ///< of a process, including the compilation of its kernels
  std::filesystem::path tuned;
};
int tune_command(const TuneOptions& options);

/// A problem of lattice Boltzmann: a standard one, or two files.
struct ProblemOptions {
  std::string name, params, obstacles;
  std::optional<int> steps;  ///< instead of the parameter file's

  bool is_given() const { return !name.empty() || !params.empty() || !obstacles.empty(); }
};

/// Default tolerance for the user's own programs: the one per cent of the coursework's checker. Plain single precision,
/// which is enough there, deviates by up to 6e-4 from the oracle after a full standard run.
inline constexpr double submission_tolerance = 1e-2;

/// Options of the commands for the user's own programs.
struct SubmissionOptions : CallOptions {
  ProblemOptions problem;
  std::string build;
  double tolerance = submission_tolerance, time_limit_seconds = 600.0;
  std::optional<int> threads;
  int repeats = 3;
};

struct CompareWithOptions : SubmissionOptions {
  std::string command, name, precision = "f32";
  std::filesystem::path folder;
  std::vector<std::string> models;
  std::optional<int> ranks;
};
int compare_with_command(const CompareWithOptions& options);

struct CheckOptions : SubmissionOptions {
  CheckOptions() {
    results = "checks";
    time_limit_seconds = 60.0;
    repeats = 1;
  }
  std::vector<std::string> folders;
  std::string run;
  bool no_run = false, no_isolation = false, again = false;
  int memory_limit_megabytes = 4096;
  double slow = 1.0;
  std::filesystem::path marks, feedback;
};
/// Output of a build of the coursework's sources.
inline constexpr const char* usual_submission_command = "./d2q9-bgk {params} {obstacles}";
int check_command(const CheckOptions& options);

struct FiguresOptions {
  std::filesystem::path results = "results", out;
  bool describe = false, json = false;
  std::string format;
};
int figures_command(const FiguresOptions& options);

struct SummaryOptions {
  std::filesystem::path results = "results";
  std::vector<std::filesystem::path> compare;
};
int summary_command(const SummaryOptions& options);

struct MatrixOptions {
  std::filesystem::path results = "results";
  bool all = false, best = false, like_for_like = false;
};
int matrix_command(const MatrixOptions& options);

struct ModelsOptions {
  std::vector<std::string> models, workloads = {"lbm", "stream", "matmul", "heat"};
  std::vector<std::filesystem::path> results;  ///< one a machine
  bool json = false;
};
int models_command(const ModelsOptions& options);

/// 1: something is too slow.
struct CompareOptions {
  std::string reference, other, slower_than;
  std::filesystem::path out;
};
int compare_command(const CompareOptions& options);

struct ShareOptions {
  std::filesystem::path results = "results", out;
};
int share_command(const ShareOptions& options);

/// Without `out`, the page of a results folder is in its folder `report`, that of a file next to it; the page of two
/// results is in `comparison` in the current folder, that of several machines in `machines`.
struct ReportOptions {
  std::filesystem::path out;
  std::vector<std::string> results = {"results"}, compare;  ///< results: one a machine
  bool no_plots = false, only_svg = false, quiet = false, print = false;
};
int report_command(const ReportOptions& options);

struct PaperOptions {
  std::filesystem::path results = "results", out = "paper";
  std::string table, problem;
  bool roofline = false;
  std::vector<std::string> models;
  double width = 3.5;
};
int paper_command(const PaperOptions& options);

struct TablesOptions {
  std::vector<std::string> results = {"results"};
  bool json = false;
};
int tables_command(const TablesOptions& options);

}  // namespace boltzmark
