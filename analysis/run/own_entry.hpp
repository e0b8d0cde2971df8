// A run of somebody's own program as the entry and record that a program of ours would have left.
#pragma once

#include "analysis/run/own_run.hpp"
#include "analysis/run/schedule.hpp"
#include "analysis/store/run_entry.hpp"

namespace boltzmark {

/// Runs the job's own program, held against the case's answer in the results folder where the job is checked. Throws
/// Error (bad_input) where that answer cannot be read.
OwnOutcome run_own(const Job& job, OwnRunner& runner, const std::filesystem::path& results,
                   SignalWatch& signals, const std::function<void(double)>& on_tick);

/// Fills in all of the entry but its key and case name. What is counted of an update (bytes, FLOPs) is what the variant
/// takes in which models are compared: what this program really does is not known.
void fill_own_entry(const Job& job, const OwnOutcome& outcome, RunEntry& entry);

}  // namespace boltzmark
