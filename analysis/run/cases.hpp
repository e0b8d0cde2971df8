// The cases of a plan, read and ready for programs; and the reference answers of lattice Boltzmann cases, computed in
// double precision once per problem and number of steps, and kept.
#pragma once

#include <tuple>

#include "analysis/run/plan.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/terminal.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark {

struct LbmCase {
  lbm::Problem problem;
  fs::path params, obstacles;
  bool is_box = false;  ///< the driver makes these files
};

struct Case {
  std::string workload;
  std::string name;                         ///< what users and results call it: "128x128"
  std::string digest;                       ///< equal for equal cases
  std::vector<std::string> arguments;       ///< words that choose what is computed, and suppress output files
  std::optional<int> asked_steps;           ///< --steps; unset: the number of the case or the program
  int steps = 0;                            ///< that will be run; 0 where the program decides
  bool check = true;                        ///< whether results are compared with the oracle
  std::string impossible = {};              ///< why this machine cannot run it, "" when it may
  std::shared_ptr<const LbmCase> lbm = {};  ///< what the driver prepares for it; nullptr for other workloads
};

/// Named by words: for lattice Boltzmann the two files of a problem, or a standard problem. Throws Error (bad_input).
PlanCase find_case(const std::string& workload, const std::vector<std::string>& words);

/// For find_case(); by default the smallest standard problem. Throws Error (bad_input) if one of two files is missing.
std::vector<std::string> words_of(const ProblemOptions& options);

/// A plan's cases, and those derived from them by runs that set steps or let a box grow.
class Cases {
 public:
  /// Files that the driver makes are in the folder `made`. A workload with runs but no case gets its programs' default
  /// one, before the others. Throws Error (bad_input), also when a run names a case that its workload does not have.
  explicit Cases(const Plan& plan, fs::path made = "problems");

  std::size_t size() const { return sources_.size(); }
  /// Each once.
  std::vector<std::string> names() const;
  const Case& operator[](std::size_t number) const { return *plain_[number]; }
  /// The case for a run with this many workers. References stay valid.
  const Case& at(std::size_t number, std::optional<int> steps, int workers);

 private:
  fs::path made_;
  std::vector<PlanCase> sources_;
  std::vector<std::shared_ptr<const Case>> plain_;
  std::map<std::tuple<std::size_t, int, int>, std::shared_ptr<const Case>> others_;  ///< by steps and growth
};

/// A digest of the files of --input in these words; "" without any.
std::string digest_of_inputs(const std::vector<std::string>& words);

/// Writes the files that a program needs and no user has written. Throws Error (bad_input).
void make_files(const Case& one);

/// Reads a problem or makes a box; one beyond this machine's memory is impossible. Throws Error (bad_input).
Case load_lbm_case(const PlanCase& source, const fs::path& made);

/// Those of the case, and no more than the oracle does in some 20 s.
int most_steps_to_tune(const Case& one);

/// Changes whenever the code of the oracle does, so that no stale answer is used.
std::string oracle_version();

/// Cell updates that computing the answer takes.
double answer_updates(const Case& one);

/// Why this machine cannot compute the answer, "" when it can.
std::string no_answer(const Case& one);

/// The cases whose reference is missing, or differs from the one written (which is reported), each reference once; none
/// of a workload whose programs compute their own answers. Reads every answer completely.
std::vector<const Case*> without_answer(const fs::path& results, const std::vector<const Case*>& cases);

/// Several at once, the longest first; then, on cores that would be idle, runs the commands of `meanwhile`, each for
/// half a minute at most. Throws Stopped, and Error (bad_input) when an answer cannot be computed or written.
void compute_answers(const fs::path& results, std::vector<const Case*> cases, SignalWatch& signals, Progress& progress,
                     const std::vector<std::vector<std::string>>& meanwhile = {});

/// The value of --check: for lattice Boltzmann the file prefix of its answer in the results folder.
std::string check_value(const fs::path& results, const Case& one);

}  // namespace boltzmark
