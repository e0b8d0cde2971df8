// Before and after a search of `boltzmark tune`: the options to try, and the result in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/run/plan.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/tune/search.hpp"
#include "common/run/record.hpp"

namespace boltzmark {

/// The name of the tunable for a model's work-group shapes.
inline constexpr const char* work_group_name = "work-group";

/// The tunables of the run's variant, shapes first: options that it takes and that have values worth trying, with the
/// user's choices. Throws Error (bad_input) for an option that cannot be tuned.
std::vector<Tunable> tunables_of(const ProgramDescription& program, const PlanRun& run, const TuneOptions& options,
                                 const ShapeLimits& limits, int dimension);

/// The case, the best, the defaults and the worst with times and rates, and how many trials ended in which way.
std::string search_text(const SearchResult& result, const std::optional<Record>& record, std::optional<int> steps,
                        bool is_better, int width);

}  // namespace boltzmark
