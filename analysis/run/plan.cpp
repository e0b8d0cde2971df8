#include "analysis/run/plan.hpp"

#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/lbm/problem_files.hpp"
#include "common/run/describe.hpp"

namespace boltzmark {

BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(PlanCase, workload, name, arguments, grows, steps, check)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(PlanRun, warm_up, on_numa, if_time, cases)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(PlanBuild, name, folder, compiler, flags, without, make)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(Plan, summary, time_limit_seconds, within_seconds, within_cores, within_devices,
                                  models, ladder)

namespace {

using nlohmann::json;

constexpr const char* doubling = "doubling";  // of cores: 1, 2, 4 ... and all

/// A number of rounds, or an object that says until when.
Form form_of_repeats() {
  using namespace form;
  const auto is_share = [](const json& value) { return is_above(value, 0.0) && value.get<double>() < 1.0; };
  const Form either = {count.expected, [](const json& value) { return count.fits(value) || value.is_object(); }};
  return either.with({{"until", required({"a share above 0 and below 1", is_share})}, {"at_least at_most", count}});
}

/// The form of the whole; builds, cases and runs have separate forms.
Form form_of_plan() {
  using namespace form;
  const Form device_type = {"cpu, gpu or accelerator", [](const json& value) {
                              return value == "cpu" || value == "gpu" || value == "accelerator";
                            }};
  return object.with({{"summary launcher launcher_args", text},
                      {"within_cores", flag},
                      {"repeats", form_of_repeats()},
                      {"time_limit_seconds within_seconds", above_zero("a number of seconds above zero")},
                      {"within_devices", device_type},
                      {"models ladder", list(text)},
                      {"builds cases runs", list(object)}});
}

Form form_of_build(const json&) {
  using namespace form;
  return object.with({{"name folder", required(text)}, {"compiler make", text}, {"flags without", list(any_text)}});
}

/// For lattice Boltzmann a box or two files; for other workloads words.
Form form_of_case(const json& one) {
  using namespace form;
  const Form any = object.with({{"workload", text}, {"steps", count}, {"check", flag}});
  if (one.contains("workload") && one["workload"] != usual_workload)
    return any.with({{"name", text}, {"arguments", list(any_text)}});
  if (one.contains("box")) return any.with({{"box", text}, {"grows", flag}, {"steps", required(count)}});
  return any.with({{"params obstacles", required(text)}});
}

/// The form for the suite's programs, or for the user's own, which do not take those options.
Form form_of_run(const json& run) {
  using namespace form;
  const Form option = {text.expected,
                       [](const json& value) { return value.is_boolean() || value.is_number() || text.fits(value); }};
  const Form cores = {count.expected + ", or \"doubling\"",
                      [](const json& value) { return count.fits(value) || value == doubling; }};
  const Form any = object.with({{"program", text},
                                {"cases", list(any_text)},
                                {"repeats", form_of_repeats()},
                                {"precision", some(text)},
                                {"ranks threads steps", some(count)}});
  if (run.contains("program"))
    return any.with({{"name folder build", text},
                     {"tolerance", above_zero("a number above zero")},
                     {"environment", object_of(any_text)}});
  return any.with({{"model", required(some(text))},
                   {"workload variant device work_group", some(text)},
                   {"options", object_of(some(option))},
                   {"cores", some(cores)},
                   {"warm_up on_numa if_time", flag}});
}

/// The place of an object in the plan.
struct Place {
  fs::path file;
  std::string where;

  std::string of(const std::string& key) const { return where.empty() ? key : where + '.' + key; }
  [[noreturn]] void fail(const std::string& key, const std::string& expected, const std::string& found) const {
    fail_in_json(file.string(), of(key), expected, found);
  }
};

/// A file named in a plan, relative to the plan's folder; it must exist.
fs::path file_of(const json& object, const Place& at, const char* key) {
  const fs::path file = (at.file.parent_path() / object[key].get<std::string>()).lexically_normal();
  if (!is_file(file)) at.fail(key, "a file", "none at " + file.string());
  return file;
}

/// "1024x256" or "64x64x32", a box of this many cells.
std::vector<int> box_of(const std::string& size, const Place& at) {
  const auto sides = split(size, 'x');
  constexpr int least[] = {3, 4, 3};
  std::vector<int> box;
  bool is_box = sides.size() == 2 || sides.size() == 3;
  for (std::size_t axis = 0; is_box && axis < sides.size(); ++axis) {
    box.push_back(parse_number<int>(sides[axis]).value_or(0));
    is_box = box.back() >= least[axis];
  }
  if (!is_box) at.fail("box", "NXxNY cells, at least 3x4, or NXxNYxNZ, at least 3x4x3", '"' + size + '"');
  return box;
}

PlanCase read_case(const json& object, const Place& at) {
  auto one = object.get<PlanCase>();
  if (object.contains("box")) one.box = box_of(object["box"], at);
  if (!object.contains("params")) return one;
  one.params = file_of(object, at, "params");
  one.obstacles =
      object["obstacles"] == lbm::no_obstacles ? fs::path(lbm::no_obstacles) : file_of(object, at, "obstacles");
  return one;
}

/// Each run once with each of these values. Throws Error (bad_input) before there are too many.
void expand(std::vector<PlanRun>& runs, const Place& at, const std::string& key, const json& values,
            const std::function<void(PlanRun&, const json&)>& set) {
  const json list = values.is_array() ? values : json::array({values});
  if (runs.size() * list.size() > most_scheduled)
    at.fail(key, fmt::format("lists that make at most {} runs", most_scheduled),
            std::to_string(runs.size() * list.size()));
  std::vector<PlanRun> all;
  for (const PlanRun& run : runs)
    for (const json& value : list) set(all.emplace_back(run), value);
  runs = std::move(all);
}

/// A value of a command-line option: "" for true (a flag), none for false.
void add_option(PlanRun& run, const std::string& name, const json& value) {
  if (value.is_boolean() && !value.get<bool>()) return;
  run.options.emplace_back(name, value.is_boolean() ? "" : plain_text(value));
}

/// The user's own program; its files are relative to the plan's folder.
std::shared_ptr<const Submission> read_submission(const json& object, const Place& at) {
  auto submission = std::make_shared<Submission>(object.get<Submission>());
  object["program"].get_to(submission->run);
  check_submission_line(submission->run, fmt::format("{}: {}", at.file.string(), at.of("program")));
  if (submission->name.empty()) submission->name = fs::path(words_in(submission->run).front()).filename().string();
  if (at.file.has_parent_path()) submission->base = at.file.parent_path();
  if (!submission->folder.empty()) {
    submission->folder = submission->base / submission->folder;
    if (!is_folder(submission->folder)) at.fail("folder", "a folder", "none at " + submission->folder.string());
  }
  if (!submission->build.empty() && submission->folder.empty())
    at.fail("folder", "the folder in a copy of which to build", "nothing");
  if (object.contains("environment"))
    for (const auto& item : object["environment"].items())
      submission->environment.emplace_back(item.key(), item.value().get<std::string>());
  return submission;
}

std::optional<Repeats> read_repeats(const json& object, const Place& at) {
  constexpr int most_until = 30;
  if (!object.contains("repeats")) return {};
  const json& value = object["repeats"];
  if (!value.is_object()) return value.get<int>();
  Repeats repeats;
  repeats.until = value["until"];
  repeats.at_least = value.value("at_least", repeats.at_least);
  repeats.at_most = value.value("at_most", std::max(most_until, repeats.at_least));
  if (repeats.at_most < repeats.at_least)
    at.fail("repeats.at_most", fmt::format("at least {}", repeats.at_least), std::to_string(repeats.at_most));
  return repeats;
}

/// A run, or one for each of the values that its settings list.
std::vector<PlanRun> read_runs(const json& object, const Place& at) {
  auto run = object.get<PlanRun>();
  run.repeats = read_repeats(object, at);
  if (object.contains("program")) {
    run.submission = read_submission(object, at);
    run.model = submission_model;
    run.variant = run.submission->name;
  }
  std::vector<PlanRun> runs = {run};
  const auto values = [&](const char* key, auto PlanRun::*setting) {
    if (object.contains(key))
      expand(runs, at, key, object[key], [=](PlanRun& one, const json& value) { value.get_to(one.*setting); });
  };
  values("workload", &PlanRun::workload);
  values("model", &PlanRun::model);
  values("variant", &PlanRun::variant);
  for (PlanRun& one : runs)
    if (one.variant == "same-algorithm") one.variant = to_string(Role::like_for_like);
  values("precision", &PlanRun::precision);
  values("ranks", &PlanRun::ranks);
  values("threads", &PlanRun::threads);
  if (object.contains("cores")) {
    for (const char* const other : {"threads", "ranks"})
      if (object.contains(other)) at.fail(other, "no number of its own beside cores", object[other].dump());
    const bool doubles = object["cores"] == doubling;
    expand(runs, at, "cores", doubles ? json(doubled_up_to(default_workers())) : object["cores"],
           [](PlanRun& one, const json& value) { value.get_to(one.cores.emplace()); });
  }
  values("device", &PlanRun::device);
  values("work_group", &PlanRun::work_group);
  values("steps", &PlanRun::steps);
  if (object.contains("options"))
    for (const auto& item : object["options"].items())
      expand(runs, at, "options." + item.key(), item.value(),
             [&item](PlanRun& one, const json& value) { add_option(one, item.key(), value); });
  return runs;
}

PlanBuild read_build(const json& object, const Place& at, const std::vector<PlanBuild>& before) {
  auto build = object.get<PlanBuild>();
  for (const PlanBuild& other : before)
    if (other.name == build.name) at.fail("name", "a name that no other has", '"' + build.name + "\" again");
  build.folder = (at.file.parent_path() / build.folder).lexically_normal();
  if (build.make.empty()) build.make = fmt::format("cmake -B {0} && cmake --build {0}", build.folder.string());
  return build;
}

}  // namespace

std::string Repeats::words() const {
  return at_least == at_most ? std::to_string(at_least) : fmt::format("{} to {}", at_least, at_most);
}

Plan load_plan(const fs::path& file) {
  const json content = load_json(file);
  const Place whole = {.file = file, .where = ""};
  expect_form(content, form_of_plan(), file.string());
  auto plan = content.get<Plan>();
  plan.name = file.stem().string();
  plan.file = file;
  plan.repeats = read_repeats(content, whole).value_or(plan.repeats);
  plan.launcher = {.command = content.value("launcher", plan.launcher.command),
                   .arguments = content.value("launcher_args", "")};
  check_launcher(plan.launcher, file.string() + ": launcher");
  const auto each = [&](const char* key, Form (*form_of)(const json&), const auto& take) {
    const json objects = content.value(key, json::array());
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const Place at = {.file = file, .where = fmt::format("{}[{}]", key, i)};
      expect_form(objects[i], form_of(objects[i]), file.string(), at.where);
      take(objects[i], at);
    }
  };
  each("builds", form_of_build,
       [&](const json& one, const Place& at) { plan.builds.push_back(read_build(one, at, plan.builds)); });
  each("cases", form_of_case, [&](const json& one, const Place& at) { plan.cases.push_back(read_case(one, at)); });
  each("runs", form_of_run, [&](const json& one, const Place& at) {
    const std::vector<PlanRun> runs = read_runs(one, at);
    for (const PlanRun& earlier : plan.runs)
      if (earlier.submission && runs.front().submission && earlier.submission->name == runs.front().submission->name)
        at.fail("name", "a name that no other has", '"' + earlier.submission->name + "\" again");
    plan.runs.insert(plan.runs.end(), runs.begin(), runs.end());
  });
  if (plan.runs.empty()) whole.fail("runs", "at least one run", "none");
  return plan;
}

std::vector<std::string> plan_names(const fs::path& folder) { return names_between(folder, "", ".json"); }

fs::path find_plan(const std::string& name_or_file, const fs::path& folder) {
  const auto names = plan_names(folder);
  if (contains(names, name_or_file)) return folder / (name_or_file + ".json");
  if (is_there(name_or_file)) return name_or_file;
  throw bad_input("plan: expected {}, found \"{}\"",
                  names.empty()
                      ? fmt::format("a plan file (no names: {} has none; was the program copied?)", folder.string())
                      : join(names, ", ") + " or a plan file",
                  name_or_file);
}

}  // namespace boltzmark
