#include "record_description.hpp"

#include <map>
#include <regex>
#include <sstream>

#include "programs.hpp"

namespace boltzmark::testing {
namespace {

using nlohmann::json;

/// Field names and types from the tables for every record and for this kind.
std::map<std::string, std::string> described_fields(const std::string& kind) {
  std::map<std::string, std::string> fields;
  std::istringstream lines(read_text(BOLTZMARK_SOURCE_DIR "/common/RECORD.md"));
  const std::regex row(R"(\| `([^`]+)` \| (\w+) \| .+ \|)");
  std::smatch match;
  bool here = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) here = has(line, "Every record") || has(line, "`" + kind + "`");
    if (here && std::regex_match(line, match, row)) fields[match[1]] = match[2];
  }
  return fields;
}

/// Members of nested objects under dotted names, and of objects in the list `kernels` under `kernels[]`;
/// `settings` is free inside.
void flatten(const json& object, const std::string& prefix,
             std::vector<std::pair<std::string, json>>& fields) {
  for (const auto& [name, value] : object.items())
    if (value.is_object() && name != "settings")
      flatten(value, prefix + name + ".", fields);
    else if (name == "kernels")
      for (const json& kernel : value) flatten(kernel, prefix + "kernels[].", fields);
    else
      fields.emplace_back(prefix + name, value);
}

bool has_type(const json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == value.type_name();
}

}  // namespace

std::vector<std::string> faults_in_record(const json& record, const std::set<std::string>& may_be_null) {
  const auto described = described_fields(record.value("kind", ""));
  if (described.size() < 30) return {"RECORD.md describes no such kind"};
  std::vector<std::string> faults;
  std::vector<std::pair<std::string, json>> found;
  flatten(record, "", found);
  std::set<std::string> names;
  for (const auto& [name, value] : found) {
    names.insert(name);
    const auto at = described.find(name);
    if (at == described.end())
      faults.push_back(name + " is recorded but not described");
    else if (value.is_null() ? !may_be_null.contains(name) : !has_type(value, at->second))
      faults.push_back(name + " is no " + at->second + ": " + value.dump());
  }
  for (const auto& [name, type] : described)
    if (!names.contains(name)) faults.push_back(name + " is described but not recorded");
  return faults;
}

}  // namespace boltzmark::testing
