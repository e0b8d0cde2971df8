// Right answers in double precision: computed once for each problem and number of steps, and kept.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analysis/run/schedule.hpp"
#include "analysis/support/signals.hpp"

namespace boltzmark {

/// Changes whenever the code of the oracle does, so that no stale answer is taken for a right one.
std::string oracle_version();

/// File prefix of a problem's answer, for the models' --check.
std::string answer_prefix(const std::filesystem::path& folder, const ScheduledProblem& problem);

/// Whether both files of the answer are there; they appear whole or not at all, the second one last.
bool has_answer(const std::filesystem::path& folder, const ScheduledProblem& problem);

/// Computes these answers, several at once, the longest first. `on_tick` gets the number of finished ones and
/// the elapsed seconds about once a second. Returns false when a stop signal ended it. Throws Error
/// (bad_input) when an answer cannot be computed or written.
bool compute_answers(const std::filesystem::path& folder, std::vector<const ScheduledProblem*> problems,
                     int processes, SignalWatch& signals, const std::function<void(int, double)>& on_tick);

}  // namespace boltzmark
