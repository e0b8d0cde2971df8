#include "analysis/run/cases.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/run/lbm_cases.hpp"
#include "analysis/support/json_reader.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

/// A case of a workload of which the driver knows nothing.
Case plain_case(const PlanCase& source) {
  const std::string words = join(source.arguments, " ");
  Case one;
  one.workload = source.workload;
  one.name = !source.name.empty() ? source.name : words.empty() ? "default" : words;
  one.digest = words;
  one.arguments = source.arguments;
  one.asked_steps = source.steps;
  one.steps = source.steps.value_or(0);
  one.check = source.check;
  return one;
}

/// What follows a prefix and precedes an ending in the names of a folder's files, sorted.
std::vector<std::string> names_between(const fs::path& folder, const std::string& prefix,
                                       const std::string& ending) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(ending))
      names.push_back(name.substr(prefix.size(), name.size() - prefix.size() - ending.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Case load_case(const PlanCase& source, const std::filesystem::path& made) {
  return source.workload == usual_workload ? load_lbm_case(source, made) : plain_case(source);
}

}  // namespace

PlanCase find_case(const std::string& workload, const std::vector<std::string>& words) {
  if (workload != usual_workload) return {.workload = workload, .arguments = words};
  if (words.size() == 2) return {.params = words[0], .obstacles = words[1]};
  const fs::path inputs = from_here((analysis_folder() / "../inputs").lexically_normal());
  const std::string name = words.empty() ? "" : words.front();
  const PlanCase one{.params = inputs / fmt::format("input_{}.params", name),
                     .obstacles = inputs / fmt::format("obstacles_{}.dat", name)};
  if (words.size() == 1 && fs::exists(one.params) && fs::exists(one.obstacles)) return one;
  if (words.size() == 1 && fs::exists(one.params))
    return {.params = one.params, .obstacles = lbm::no_obstacles};
  throw bad_input("expected PARAMS and OBSTACLES, or one of {}, found \"{}\"",
                  join(names_between(inputs, "input_", ".params"), ", "), join(words, " "));
}

Cases::Cases(const Plan& plan, std::filesystem::path made) : made_(std::move(made)) {
  const auto has = [&plan](const std::string& workload) {
    return std::any_of(plan.cases.begin(), plan.cases.end(),
                       [&](const PlanCase& one) { return one.workload == workload; });
  };
  std::vector<std::string> without;
  for (const PlanRun& run : plan.runs)
    if (!has(run.workload) && !contains(without, run.workload)) without.push_back(run.workload);
  for (const auto& workload : without) {
    if (workload == usual_workload)
      fail_in_json(plan.file.string(), "cases", fmt::format("at least one case of {}", workload), "none");
    sources_.push_back({.workload = workload});
  }
  sources_.insert(sources_.end(), plan.cases.begin(), plan.cases.end());
  std::map<std::string, std::vector<std::string>> names;
  for (const PlanCase& source : sources_) {
    plain_.push_back(std::make_shared<const Case>(load_case(source, made_)));
    names[source.workload].push_back(plain_.back()->name);
  }
  for (std::size_t r = 0; r < plan.runs.size(); ++r)
    for (std::size_t c = 0; c < plan.runs[r].cases.size(); ++c)
      if (const PlanRun& run = plan.runs[r]; !contains(names[run.workload], run.cases[c]))
        fail_in_json(plan.file.string(), fmt::format("runs[{}].cases[{}]", r, c),
                     "one of " + join(names[run.workload], ", "), '"' + run.cases[c] + '"');
}

const Case& Cases::at(std::size_t number, std::optional<int> steps, int workers) {
  const int growth = sources_[number].grows ? std::max(1, workers) : 1;
  const Case* one = plain_[number].get();
  if (growth > 1) {
    auto& grown = others_[{number, 0, growth}];
    if (!grown) {
      PlanCase source = sources_[number];
      source.box.back() *= growth;
      grown = std::make_shared<const Case>(load_case(source, made_));
    }
    one = grown.get();
  }
  if (!steps || *steps == one->steps) return *one;
  auto& other = others_[{number, *steps, growth}];
  if (!other) {
    Case same = *one;
    same.asked_steps = steps;
    same.steps = *steps;
    other = std::make_shared<const Case>(std::move(same));
  }
  return *other;
}

std::string check_value(const std::filesystem::path& results, const Case& one) {
  return one.lbm ? answer_prefix(answers_in(results), one) : "oracle";
}

void make_files(const Case& one) {
  if (one.lbm) make_lbm_files(*one.lbm);
}

}  // namespace boltzmark
