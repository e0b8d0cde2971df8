// What there is to tune in a model's variants, for programs that search it.
#pragma once

#include <nlohmann/json.hpp>

#include "common/model.hpp"

namespace boltzmark {

/// For --list-tunables: {"model", "device": the backend's limits or null, "variants": [{"name", "precisions",
/// "tunables": [{"option": "reduction", "values": ["linear", ...]}]}]}. Options are without dashes. For
/// "work-group" there are no values: any XxY within the device's limits may be tried, and one that a kernel
/// cannot run ends in status 2. All variants, or the one that the options name.
nlohmann::json list_tunables(const Backend& backend, const Options& options);

/// Sets an option by its name without dashes, unless it is set. Throws Error (bad_input) for one that models
/// do not have.
void set_if_unset(Options& options, const Backend& backend, const std::string& name, const std::string& text);

}  // namespace boltzmark
