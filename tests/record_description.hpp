// The tables of common/RECORD.md, and what is amiss with a record that they describe.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace boltzmark::testing {

/// One line for each field that is described but not recorded, recorded but not described, or of another
/// type, in a record of the kind that it says it is. Null passes for fields in `may_be_null`.
std::vector<std::string> faults_in_record(const nlohmann::json& record,
                                          const std::set<std::string>& may_be_null = {});

}  // namespace boltzmark::testing
