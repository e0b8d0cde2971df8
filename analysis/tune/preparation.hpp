// From what the user asked for to what is tuned: the problem, the model's variant and its tunables, and how
// many steps a run takes.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/tune/trials.hpp"
#include "analysis/tune/tune_command.hpp"

namespace boltzmark {

/// The two files of a problem: as given, or of the standard problem of that name. Throws Error (bad_input).
PlanProblem find_problem(const std::vector<std::string>& words);

/// The model, asked for what it can do. Throws Error (bad_input, unavailable).
ProbedModel find_tuned_model(const std::string& name, SignalWatch& signals);

/// Work-items that the device of --list-tunables allows; zeros for a model without work-groups.
ShapeLimits limits_in(const nlohmann::json& tunables);

/// What is tried of the setup's variant, shapes first: what --list-tunables names, with the user's wishes in
/// it. Throws Error (bad_input) for an option that is not there to be tuned.
std::vector<Tunable> tunables_for(const nlohmann::json& tunables, const TuneOptions& options,
                                  const TrialSetup& setup);

/// Fills in the variant where it is the model's default, and the steps: those that earlier trials of the same
/// had, else so many that a run takes about 0.2 s but the oracle no more than some 20 s. Does short runs for
/// that. False when a stop signal came. Throws Error as the model fails.
bool settle_setup(TrialSetup& setup, bool steps_given, Store& store, SignalWatch& signals);

}  // namespace boltzmark
