// What `boltzmark tune` prints at the end.
#pragma once

#include <string>

#include "analysis/tune/search.hpp"
#include "analysis/tune/trials.hpp"

namespace boltzmark {

/// `record`: of one of the trials. Best, default and worst, the best of each stage, what the default loses, and how many options were tried,
/// stopped and skipped and why; at most `width` columns wide.
std::string tune_text(const SearchResult& result, const TrialSetup& setup,
                      const std::optional<Record>& record, int width);

/// "--reduction tree --work-group 32x4", or "defaults".
std::string options_words(const TunedOptions& options);

}  // namespace boltzmark
