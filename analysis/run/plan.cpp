#include "analysis/run/plan.hpp"

#include <algorithm>

#include "analysis/support/json_reader.hpp"
#include "common/error.hpp"
#include "common/problem.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

/// A file named in a plan, relative to the plan's folder; it must exist.
fs::path file_of(ObjectReader& object, const std::string& key, const fs::path& folder) {
  const std::string name = object.text(key);
  const fs::path file = (folder / name).lexically_normal();
  std::error_code error;
  if (!fs::is_regular_file(file, error)) object.fail(key, "a file", "none at " + file.string());
  return file;
}

PlanProblem read_problem(ObjectReader& object, const fs::path& folder) {
  PlanProblem problem;
  problem.params = file_of(object, "params", folder);
  problem.obstacles = object.text("obstacles") == no_obstacles ? fs::path(no_obstacles)
                                                               : file_of(object, "obstacles", folder);
  problem.steps = object.count("steps");
  object.finish();
  return problem;
}

PlanRun read_run(ObjectReader& object) {
  PlanRun run;
  run.model = object.text("model");
  run.variant = object.text("variant", "");
  run.precision = object.text("precision", run.precision);
  run.threads = object.count("threads");
  run.ranks = object.count("ranks");
  run.device = object.text("device", "");
  run.work_group = object.text("work_group", "");
  run.repeats = object.count("repeats");
  run.warm_up = object.flag("warm_up", false);
  run.options = object.texts("options");
  run.problems = object.texts("problems");
  object.finish();
  return run;
}

PlanRun read_stream(ObjectReader& object) {
  PlanRun run;
  run.model = object.text("model");
  run.precision = object.text("precision", run.precision);
  run.threads = object.count("threads");
  run.ranks = object.count("ranks");
  run.device = object.text("device", "");
  run.repeats = object.count("repeats");
  run.options = object.texts("options");
  object.finish();
  return run;
}

Baseline read_baseline(ObjectReader& object) {
  Baseline baseline{.model = object.text("model"), .variant = object.text("variant")};
  object.finish();
  return baseline;
}

/// "compare": a name, or an object from models to names with "*" for all others.
LikeForLike read_compare(const nlohmann::json& content, ObjectReader& object) {
  if (!object.has("compare")) return {};
  if (!content["compare"].is_object()) return {.variant = object.text("compare"), .of_model = {}};
  ObjectReader names = object.object("compare");
  LikeForLike compare{.variant = names.text(every_model), .of_model = {}};
  for (const auto& entry : content["compare"].items())
    if (entry.key() != every_model) compare.of_model[entry.key()] = names.text(entry.key());
  return compare;
}

Launcher read_launcher(ObjectReader& object, const std::string& file) {
  Launcher launcher;
  launcher.command = object.text("launcher", launcher.command);
  launcher.arguments = object.text("launcher_args", "");
  check_launcher(launcher, file + ": launcher");
  return launcher;
}

}  // namespace

const std::string& LikeForLike::of(const std::string& model) const {
  const auto own = of_model.find(model);
  return own == of_model.end() ? variant : own->second;
}

std::string LikeForLike::words() const {
  std::string text = variant + (of_model.empty() ? " in every model" : "");
  for (const auto& [model, own] : of_model) text += ", in " + model + " " + own;
  return text;
}

Plan load_plan(const fs::path& file) {
  const nlohmann::json content = load_json(file);
  ObjectReader object(content, file.string(), "");
  Plan plan;
  plan.name = file.stem().string();
  plan.file = file;
  plan.summary = object.text("summary", "");
  plan.repeats = object.count("repeats").value_or(plan.repeats);
  plan.time_limit_seconds = object.seconds("time_limit_seconds", plan.time_limit_seconds);
  plan.compare = read_compare(content, object);
  plan.launcher = read_launcher(object, file.string());
  if (object.has("baselines")) plan.baselines.clear();
  for (auto& baseline : object.objects("baselines")) plan.baselines.push_back(read_baseline(baseline));
  for (auto& problem : object.objects("problems"))
    plan.problems.push_back(read_problem(problem, file.parent_path()));
  for (auto& run : object.objects("runs")) plan.runs.push_back(read_run(run));
  for (auto& run : object.objects("stream")) plan.stream.push_back(read_stream(run));
  object.finish();
  if (plan.problems.empty() && plan.runs.empty() && !plan.stream.empty()) return plan;
  if (plan.problems.empty()) object.fail("problems", "at least one problem", "none");
  if (plan.runs.empty()) object.fail("runs", "at least one run", "none");
  return plan;
}

std::vector<std::string> plan_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

fs::path find_plan(const std::string& name_or_file, const fs::path& folder) {
  const auto names = plan_names(folder);
  if (std::find(names.begin(), names.end(), name_or_file) != names.end())
    return folder / (name_or_file + ".json");
  std::error_code error;
  if (fs::exists(name_or_file, error)) return name_or_file;
  throw bad_input("plan: expected {} or a plan file, found \"{}\"", join_words(names, ", "), name_or_file);
}

}  // namespace boltzmark
