#include "analysis/run/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "analysis/support/json_reader.hpp"
#include "common/base/error.hpp"
#include "common/lbm/problem.hpp"

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

/// "1024x256", a box of so many cells.
PlanProblem read_box(ObjectReader& object) {
  PlanProblem problem;
  const std::string size = object.text("box");
  char rest = 0;
  if (std::sscanf(size.c_str(), "%dx%d%c", &problem.box_nx, &problem.box_ny, &rest) != 2 ||
      problem.box_nx < 3 || problem.box_ny < 4)
    object.fail("box", "NXxNY cells, at least 3x4", '"' + size + '"');
  problem.steps = object.count("steps");
  if (!problem.steps) object.fail("steps", "an integer of at least 1", "nothing");
  problem.check = object.flag("check", true);
  object.finish();
  return problem;
}

PlanProblem read_problem(ObjectReader& object, const fs::path& folder) {
  if (object.has("box")) return read_box(object);
  PlanProblem problem;
  problem.params = file_of(object, "params", folder);
  problem.obstacles = object.text("obstacles") == no_obstacles ? fs::path(no_obstacles)
                                                               : file_of(object, "obstacles", folder);
  problem.steps = object.count("steps");
  problem.check = object.flag("check", true);
  object.finish();
  return problem;
}

/// A run, or one for each of the vector lengths that it lists.
std::vector<PlanRun> read_runs(ObjectReader& object) {
  PlanRun run;
  run.model = object.text("model");
  run.variant = object.text("variant", "");
  run.precision = object.text("precision", run.precision);
  run.threads = object.count("threads");
  run.ranks = object.count("ranks");
  run.device = object.text("device", "");
  run.work_group = object.text("work_group", "");
  run.repeats = object.count("repeats");
  run.steps = object.count("steps");
  run.warm_up = object.flag("warm_up", false);
  run.options = object.texts("options");
  run.problems = object.texts("problems");
  const std::vector<int> lengths = object.counts("vvl");
  object.finish();
  if (lengths.empty()) return {run};
  if (run.model == every_model) object.fail("vvl", "a run that names its model", "one of every model");
  std::vector<PlanRun> runs(lengths.size(), run);
  for (std::size_t i = 0; i < lengths.size(); ++i)
    runs[i].options.insert(runs[i].options.end(), {"--vvl", std::to_string(lengths[i])});
  return runs;
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

PlanBuild read_build(ObjectReader& object, const fs::path& plan_folder,
                     const std::vector<PlanBuild>& before) {
  PlanBuild build;
  build.name = object.text("name");
  for (const PlanBuild& other : before)
    if (other.name == build.name) object.fail("name", "a name of its own", '"' + build.name + "\" again");
  build.folder = (plan_folder / object.text("folder")).lexically_normal();
  build.compiler = object.text("compiler", "");
  build.flags = object.texts("flags");
  build.without = object.texts("without");
  const std::string folder = build.folder.string();
  build.make = object.text("make", fmt::format("cmake -B {} && cmake --build {}", folder, folder));
  object.finish();
  return build;
}

Baseline read_baseline(ObjectReader& object) {
  Baseline baseline{.model = object.text("model"), .variant = object.text("variant")};
  object.finish();
  return baseline;
}

/// "within_devices": a type of device as --list-devices names it.
std::string read_device_type(ObjectReader& object) {
  const std::string type = object.text("within_devices", "");
  if (!type.empty() && type != "cpu" && type != "gpu" && type != "accelerator")
    object.fail("within_devices", "cpu, gpu or accelerator", '"' + type + '"');
  return type;
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
  plan.within_cores = object.flag("within_cores", false);
  plan.within_devices = read_device_type(object);
  plan.compare = read_compare(content, object);
  plan.launcher = read_launcher(object, file.string());
  if (object.has("baselines")) plan.baselines.clear();
  for (auto& baseline : object.objects("baselines")) plan.baselines.push_back(read_baseline(baseline));
  for (auto& build : object.objects("builds"))
    plan.builds.push_back(read_build(build, file.parent_path(), plan.builds));
  for (auto& problem : object.objects("problems"))
    plan.problems.push_back(read_problem(problem, file.parent_path()));
  for (auto& object_of_runs : object.objects("runs"))
    for (PlanRun& run : read_runs(object_of_runs)) plan.runs.push_back(std::move(run));
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
