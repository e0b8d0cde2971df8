// The cases of a plan, read and ready to be given to programs; and the right answers of those of lattice Boltzmann,
// computed in double precision once per problem and number of steps, and kept.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/run/plan.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/terminal.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark {

struct LbmCase {
  lbm::Problem problem;
  fs::path params, obstacles;
  bool is_box = false;  ///< these files are the driver's to make
};

struct Case {
  std::string workload;
  std::string name;                         ///< what users and results call it: "128x128"
  std::string digest;                       ///< equal for equal cases
  std::vector<std::string> arguments;       ///< words that say what is computed, and that nothing is written
  std::optional<int> asked_steps;           ///< --steps; unset: as the case or the program has them
  int steps = 0;                            ///< that will be run; 0 where the program decides
  bool check = true;                        ///< whether results are held against the oracle
  std::string impossible = {};              ///< why this machine cannot run it, "" when it may
  std::shared_ptr<const LbmCase> lbm = {};  ///< what the driver has to do for it; nullptr for other workloads
};

/// The case of these words: of lattice Boltzmann the two files of a problem, as given or of the standard problem
/// of that name. Throws Error (bad_input).
PlanCase find_case(const std::string& workload, const std::vector<std::string>& words);

/// The words of the problem that the user named, for find_case(); without any the smallest standard problem. Throws
/// Error (bad_input) where one of the two files is missing.
std::vector<std::string> words_of(const ProblemOptions& options);

/// A plan's cases, and those that become of them in runs that name steps or let a box grow.
class Cases {
 public:
  /// Reads what the plan names; files that the driver makes will lie in folder `made`. A workload with runs but
  /// no case gets its programs' default one, before the others. Throws Error (bad_input), also when a run
  /// names a case that is not among those of its workload.
  explicit Cases(const Plan& plan, fs::path made = "problems");

  std::size_t size() const { return sources_.size(); }
  /// Each once.
  std::vector<std::string> names() const;
  const Case& operator[](std::size_t number) const { return *plain_[number]; }
  /// The case as a run of so many workers has it. References stay valid.
  const Case& at(std::size_t number, std::optional<int> steps, int workers);

 private:
  fs::path made_;
  std::vector<PlanCase> sources_;
  std::vector<std::shared_ptr<const Case>> plain_;
  std::map<std::tuple<std::size_t, int, int>, std::shared_ptr<const Case>> others_;  ///< by steps and growth
};

/// What files belong to the case that these words name: a digest of those of --input; "" without.
std::string digest_of_inputs(const std::vector<std::string>& words);

/// Writes what a program must find and no user has written. Throws Error (bad_input).
void make_files(const Case& one);

/// Reads a problem or makes a box. Throws Error (bad_input). One that this machine has no memory for is impossible.
Case load_lbm_case(const PlanCase& source, const fs::path& made);

/// The steps up to which a tuner may go: the case's own, and no more than the oracle does in some 20 s.
int most_steps_to_tune(const Case& one);

/// Folder of the right answers in a results folder.
inline fs::path answers_in(const fs::path& results) { return results / "oracle"; }

/// Changes whenever the code of the oracle does, so that no stale answer is taken for a right one.
std::string oracle_version();

/// File prefix of a case's answer, for --check.
std::string answer_prefix(const fs::path& folder, const Case& one);

/// Cell updates that the answer takes.
double answer_updates(const Case& one);

/// Why this machine cannot compute the answer, "" when it can.
std::string no_answer(const Case& one);

/// Of these cases those whose answer is not there or not as it was written (which is said), each answer once. Reads all
/// of every answer. Never a case of a workload whose programs compute their answers themselves.
std::vector<const Case*> without_answer(const fs::path& results, const std::vector<const Case*>& cases);

/// Computes these answers, several at once, the longest first, and then, on cores that would be idle, does the commands
/// of `meanwhile`, however they end, each for half a minute at most. Throws Stopped, and Error (bad_input) when an
/// answer cannot be computed or written.
void compute_answers(const fs::path& results, std::vector<const Case*> cases, SignalWatch& signals, Progress& progress,
                     const std::vector<std::vector<std::string>>& meanwhile = {});

/// The value of --check that holds a case's results against its oracle. `results`: the results folder.
std::string check_value(const fs::path& results, const Case& one);

}  // namespace boltzmark
