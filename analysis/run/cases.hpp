// The cases of a plan, read and ready to be given to programs. What is specific to lattice Boltzmann is here and in
// answers.hpp.
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
#include "common/lbm/problem.hpp"

namespace boltzmark {

struct LbmCase {
  lbm::Problem problem;
  fs::path params, obstacles;
  bool is_box = false;  ///< these files are the driver's to make
};

struct Case {
  std::string workload;
  std::string name;                    ///< what users and results call it: "128x128"
  std::string digest;                  ///< equal for equal cases
  std::vector<std::string> arguments;  ///< words that say what is computed, and that nothing is written
  std::optional<int> asked_steps;      ///< --steps; unset: as the case or the program has them
  int steps = 0;                       ///< that will be run; 0 where the program decides
  bool check = true;                   ///< whether results are held against the oracle
  std::string impossible;              ///< why this machine cannot run it, "" when it may
  std::shared_ptr<const LbmCase> lbm;  ///< what the driver has to do for it; nullptr for other workloads
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
  const Case& operator[](std::size_t number) const { return *plain_[number]; }
  /// The case as a run of so many workers has it. References stay valid.
  const Case& at(std::size_t number, std::optional<int> steps, int workers);

 private:
  fs::path made_;
  std::vector<PlanCase> sources_;
  std::vector<std::shared_ptr<const Case>> plain_;
  std::map<std::tuple<std::size_t, int, int>, std::shared_ptr<const Case>> others_;  ///< by steps and growth
};

/// Writes what a program must find and no user has written. Throws Error (bad_input).
void make_files(const Case& one);

/// Reads a problem or makes a box. Throws Error (bad_input). One that this machine has no memory for is
/// impossible.
Case load_lbm_case(const PlanCase& source, const fs::path& made);

/// A box of two or three dimensions whose every border cell is an obstacle, with the coefficients of the standard
/// 1024x1024 problem: "box_1024x256" for 1024 x 256 cells.
lbm::Problem box_problem(const std::vector<int>& cells, int iterations);

/// Writes the two files of a box, from which load_problem() makes an equal one. Throws Error (bad_input).
void make_lbm_files(const LbmCase& one);

/// The steps up to which a tuner may go: the case's own, and no more than the oracle does in some 20 s.
int most_steps_to_tune(const Case& one);

/// 2 or 3; 2 for a case of any other workload.
int dimension_of(const Case& one);

}  // namespace boltzmark
