// All that the driver knows of lattice Boltzmann: problems in files, closed boxes of any size, and right
// answers, computed in double precision once for each problem and number of steps and kept.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/run/cases.hpp"
#include "analysis/support/signals.hpp"
#include "common/lbm/answer_files.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark {

struct LbmCase {
  lbm::Problem problem;
  std::filesystem::path params, obstacles;
  bool is_box = false;  ///< these files are the driver's to make
};

/// Reads a problem or makes a box. Throws Error (bad_input). One that this machine has no memory for is
/// impossible.
Case load_lbm_case(const PlanCase& source, const std::filesystem::path& made);

/// A box of two or three dimensions whose every border cell is an obstacle, with the coefficients of the standard
/// 1024x1024 problem: "box_1024x256" for 1024 x 256 cells.
lbm::Problem box_problem(const std::vector<int>& cells, int iterations);

/// Writes the two files of a box, from which load_problem() makes an equal one. Throws Error (bad_input).
void make_lbm_files(const LbmCase& one);

/// The steps up to which a tuner may go: the case's own, and no more than the oracle does in some 20 s.
int most_steps_to_tune(const Case& one);

/// 2 or 3; 2 for a case of a workload of which the driver knows nothing.
int dimension_of(const Case& one);

// ---- right answers

/// Folder of the right answers in a results folder.
inline std::filesystem::path answers_in(const std::filesystem::path& results) { return results / "oracle"; }

/// Changes whenever the code of the oracle does, so that no stale answer is taken for a right one.
std::string oracle_version();

/// File prefix of a case's answer, for --check.
std::string answer_prefix(const std::filesystem::path& folder, const Case& one);

/// Whether the answer is there and is what was written; reads all of it. Always whole for a case of a workload whose
/// programs compute their answers themselves.
lbm::AnswerState state_of_answer(const std::filesystem::path& folder, const Case& one);

/// What is said of an answer that is not what was written.
std::string damaged_answer(const std::filesystem::path& folder, const Case& one);

/// Cell updates that the answer takes.
double answer_updates(const Case& one);

/// Why this machine cannot compute the answer, "" when it can.
std::string no_answer(const Case& one);

/// Computes these answers, several at once, the longest first, and then, on cores that would be idle, does the
/// commands of `meanwhile`, however they end and for so long at most. `on_tick` gets the number of finished ones and
/// the elapsed seconds about once a second. Returns false when a stop signal ended it. Throws Error
/// (bad_input) when an answer cannot be computed or written.
bool compute_answers(const std::filesystem::path& folder, std::vector<const Case*> cases, int processes,
                     SignalWatch& signals, const std::function<void(int, double)>& on_tick,
                     const std::vector<std::vector<std::string>>& meanwhile = {});

}  // namespace boltzmark
