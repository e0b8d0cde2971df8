// From what the user asked for to what is tuned: the case, the program's variant and its tunables, and how long
// a run takes.
#pragma once

#include <vector>

#include "analysis/tune/trials.hpp"
#include "analysis/tune/tune_command.hpp"

namespace boltzmark {

/// The program, asked for what it can do on the device. Throws Error (bad_input, unavailable).
ProbedProgram find_tuned_program(const TuneOptions& options, SignalWatch& signals);

/// Work-items that the device of a description's limits allows; zeros where there are no work-groups.
ShapeLimits limits_in(const nlohmann::json& limits);

/// What is tried of the setup's variant, shapes first: the options that it takes and that have values worth
/// trying, with the user's wishes in them. Throws Error (bad_input) for an option that is not there to be tuned.
std::vector<Tunable> tunables_for(const TuneOptions& options, const TrialSetup& setup, int dimension);

/// Fills in the variant where it is the program's default, and the steps: those that earlier trials of the same
/// had, else so many that a run takes about 0.2 s but the oracle no more than some 20 s. A program without
/// steps gets so many repeats. Does short runs for that. False when a stop signal came. Throws Error as the
/// program fails.
bool choose_setup(TrialSetup& setup, const TuneOptions& options, Store& store, SignalWatch& signals);

}  // namespace boltzmark
