// Right answers of lattice Boltzmann: computed in double precision once per problem and number of steps, and kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/run/cases.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/progress.hpp"

namespace boltzmark {

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
/// of `meanwhile`, however they end, each for half a minute at most. Returns false when a stop signal ended it. Throws
/// Error (bad_input) when an answer cannot be computed or written.
bool compute_answers(const fs::path& results, std::vector<const Case*> cases, SignalWatch& signals, Progress& progress,
                     const std::vector<std::vector<std::string>>& meanwhile = {});

/// The value of --check that holds a case's results against its oracle. `results`: the results folder.
std::string check_value(const fs::path& results, const Case& one);

}  // namespace boltzmark
