// The user's own program: built and run in a separate folder, its results compared with the reference answer. It takes
// the files PARAMS and OBSTACLES, writes final_state.dat and av_vels.dat to the current folder, and prints a line
// "Elapsed Compute time: SECONDS", as the programs of the coursework do.
#pragma once

#include "analysis/support/commands.hpp"
#include "analysis/support/confined.hpp"
#include "analysis/support/process.hpp"
#include "common/lbm/check.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/problem_files.hpp"
#include "common/run/json.hpp"

namespace boltzmark {

/// The model of such programs in records and tables; the variant is the program's name.
inline constexpr const char* submission_model = "own";

struct Submission {
  std::string name;
  /// For the shell, with {params} and {obstacles} (appended if it has neither), {threads} and {ranks}.
  std::string run;
  fs::path base = ".";     ///< a word with a slash that names a file relative to this folder means that file
  fs::path folder = {};    ///< its sources: built and started in a copy; "": `run` names the program
  std::string build = {};  ///< for the shell, in that copy
  Environment environment = {};
  double tolerance = submission_tolerance;
  int threads = 0;  ///< per rank, also as OMP_NUM_THREADS; 0: it decides itself
  int ranks = 0;
  std::string call = {};  ///< of the driver's call to which its runs belong; "": those of earlier calls count too
};
BOLTZMARK_JSON(Submission)

/// Throws Error (bad_input) if the line names only one of the two files, or check_marks() does.
void check_submission_line(const std::string& run, const std::string& where);

/// Everything, even if it exists already; again for a Makefile whose `mkdir` fails on a folder of the submission.
inline constexpr const char* usual_submission_build = "make -B || make";

/// The line for the shell.
std::string submission_line(const Submission& program, const lbm::ProblemFiles& arguments);

/// A digest of everything that defines it: commands, environment, tolerance, contents of the files named.
std::string submission_digest(const Submission& program);

/// The line in which a build or a program reports why it fails, short enough for a row; "" if there is none.
std::string telling_line(const std::string& errors);

/// The seconds that a program reports: in the last line that begins with "Elapsed Compute time:", or without one the
/// last that begins with "Elapsed time:". None if there is neither, or no positive number in it.
std::optional<double> said_seconds(std::string_view output);

struct SubmissionOutcome {
  std::string verdict;
  std::string reason = {};  ///< one line; "" if it is right
  Check check = {};         ///< without deviations if its files could not be read
  std::optional<lbm::Answer> result = {};
  std::optional<double> last_average = {};
  std::optional<double> printed_seconds = {};
  std::optional<double> seconds = {};  ///< that count: those printed, but no fewer than its steps took as measured
  double wall_seconds = 0.0;           ///< from its start to its end, with reading and writing
  int exit_status = 0;
  bool ran_out = false;                 ///< of time, of the program or its build
  std::vector<std::string> notes = {};  ///< other remarks
  std::string output = {}, errors = {};

  bool is_wrong() const { return verdict == verdict::wrong || verdict == verdict::nan; }
};

/// Fills in verdict, reason, check, result and last average from the two files; without an answer they are only read.
void judge_files(const fs::path& folder, const lbm::Problem& problem, int steps, const lbm::Answer* answer,
                 double tolerance, SubmissionOutcome& outcome);

/// Runs programs. Each is built once, and every run starts in a new copy of the built folder. Compiled files that the
/// build should make are removed before; the notes name those that were submitted.
class SubmissionRunner {
 public:
  /// Settings for every program and its build.
  explicit SubmissionRunner(ConfinedRequest confinement) : confinement_(std::move(confinement)) {}

  /// The verdict is `stopped` if a stop signal ended it. A note says if right results differ from earlier ones.
  SubmissionOutcome run(const Submission& program, const lbm::Problem& problem, int steps, const lbm::Answer* answer,
                        SignalWatch& signals, const Tick& on_tick);

 private:
  /// A run of one step; zeros if it fails.
  struct OneStep {
    double seconds = 0.0;      ///< start, reading, set-up and writing
    std::ptrdiff_t lines = 0;  ///< of av_vels.dat
  };
  struct Built {
    PrivateFolder folder;
    std::optional<SubmissionOutcome> failure;
    std::vector<std::string> notes = {};  ///< for every outcome
    struct FirstResult {
      lbm::Answer result;
      Check difference = {};  ///< of all later results, the largest
    };
    std::map<std::string, FirstResult> first_results = {};  ///< by problem and steps
    std::map<std::string, OneStep> one_step = {};           ///< by problem

    void compare_repeats(const lbm::Problem& problem, int steps, SubmissionOutcome& outcome);
  };

  /// The arguments of run().
  struct Call {
    const Submission& program;
    const lbm::Problem& problem;
    SignalWatch& signals;
    const Tick& on_tick;
  };

  Built& built(const Call& call);
  /// Without a verdict if the program was built.
  SubmissionOutcome build(const Call& call, const PrivateFolder& folder) const;
  /// Runs a built program on the problem's files, in a new copy of its folder; `limits` gets those of its files.
  ConfinedResult started(const Call& call, const Built& source, const PrivateFolder& folder, int steps,
                         ProcessLimits& limits) const;
  /// Run once for each problem.
  OneStep one_step(const Call& call, Built& source) const;
  ConfinedResult confined(const Call& call, const PrivateFolder& folder, const std::string& line,
                          const ProcessLimits& limits) const;

  const ConfinedRequest confinement_;
  std::map<std::string, std::unique_ptr<Built>> built_;  ///< by name
};

}  // namespace boltzmark
