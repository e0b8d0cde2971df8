#include "analysis/run/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark {
namespace {

Marks marks_of(const Launcher& launcher, int ranks, int threads) {
  Placement at = {.nodes = 1, .ranks_per_node = ranks, .cpus = std::max(1, threads)};
  if (launcher.allocation) at = place(*launcher.allocation, ranks, threads).value_or(at);
  return {{"{nodes}", std::to_string(at.nodes)},
          {"{ranks_per_node}", std::to_string(at.ranks_per_node)},
          {"{cpus}", std::to_string(at.cpus)}};
}

/// Whether this node has an adapter of a fast network: InfiniBand, Omni-Path, EFA and usNIC are the first, Slingshot
/// the second.
bool has_fabric() {
  std::error_code error;
  for (const char* of_kernel : {"/sys/class/infiniband", "/sys/class/cxi"})
    if (fs::exists(of_kernel, error)) return true;
  return false;
}

/// A file named in a plan, relative to the plan's folder; it must exist.
fs::path file_of(ObjectReader& object, const std::string& key, const fs::path& folder) {
  const std::string name = object.get(key, rule::text);
  const fs::path file = (folder / name).lexically_normal();
  std::error_code error;
  if (!fs::is_regular_file(file, error)) object.fail(key, "a file", "none at " + file.string());
  return file;
}

/// "1024x256" or "64x64x32", a box of so many cells.
void read_box(ObjectReader& object, PlanCase& one) {
  const std::string size = object.get("box", rule::text);
  const auto sides = split(size, 'x');
  constexpr int least[] = {3, 4, 3};
  bool is_box = sides.size() == 2 || sides.size() == 3;
  for (std::size_t axis = 0; is_box && axis < sides.size(); ++axis) {
    one.box.push_back(parse_number<int>(sides[axis]).value_or(0));
    is_box = one.box.back() >= least[axis];
  }
  if (!is_box) object.fail("box", "NXxNY cells, at least 3x4, or NXxNYxNZ, at least 3x4x3", '"' + size + '"');
  object("grows", one.grows);
  if (!one.steps) object.fail("steps", "an integer of at least 1", "nothing");
}

PlanCase read_case(ObjectReader& object, const fs::path& folder) {
  PlanCase one;
  object("workload", one.workload)("steps", one.steps)("check", one.check);
  if (one.workload != usual_workload) {
    object("name", one.name)("arguments", one.arguments);
  } else if (object.has("box")) {
    read_box(object, one);
  } else {
    one.params = file_of(object, "params", folder);
    one.obstacles = object.get("obstacles", rule::text) == lbm::no_obstacles ? fs::path(lbm::no_obstacles)
                                                                             : file_of(object, "obstacles", folder);
  }
  object.finish();
  return one;
}

/// Each run once with each of these values. Throws Error (bad_input) before there are too many.
template <class Values, class Set>
void expand(std::vector<PlanRun>& runs, const std::string& place, const Values& values, Set&& set) {
  if (values.empty()) return;
  if (runs.size() * values.size() > most_scheduled)
    throw bad_input("{}: expected lists that make at most {} runs, found {}", place, most_scheduled,
                    runs.size() * values.size());
  std::vector<PlanRun> all;
  for (const PlanRun& run : runs)
    for (const auto& value : values) set(all.emplace_back(run), value);
  runs = std::move(all);
}

/// "options": an object of names to values, or to lists of them; true means a flag.
void expand_options(ObjectReader& object, std::vector<PlanRun>& runs) {
  if (!object.has("options")) return;
  ObjectReader options = object.object("options");
  for (const auto& item : options.items())
    expand(runs, options.place(item.key()), options.option_values(item.key()),
           [name = item.key()](PlanRun& run, const std::optional<std::string>& value) {
             if (value) run.options.emplace_back(name, *value);
           });
}

/// The user's own program; its files are relative to the plan's folder.
std::shared_ptr<const OwnProgram> read_own(ObjectReader& object, const fs::path& plan_folder) {
  auto own = std::make_shared<OwnProgram>();
  own->run = object.get("program", rule::text);
  check_own_line(own->run, object.place("program"));
  own->name = fs::path(words_in(own->run).front()).filename().string();
  object("name", own->name);
  own->base = plan_folder.empty() ? "." : plan_folder;
  if (object.has("folder")) {
    own->folder = own->base / object.get("folder", rule::text);
    std::error_code error;
    if (!fs::is_directory(own->folder, error)) object.fail("folder", "a folder", "none at " + own->folder.string());
  }
  object("build", own->build)("tolerance", own->tolerance);
  if (!own->build.empty() && own->folder.empty())
    object.fail("folder", "the folder in a copy of which to build", "nothing");
  if (!(own->tolerance > 0.0)) object.fail("tolerance", "a number above zero", fmt::format("{}", own->tolerance));
  if (object.has("environment")) {
    ObjectReader variables = object.object("environment");
    for (const auto& item : variables.items())
      own->environment.emplace_back(item.key(), variables.get(item.key(), rule::any_text));
  }
  return own;
}

/// A number of rounds, or an object that says until when.
std::optional<Repeats> read_repeats(ObjectReader& object) {
  constexpr int most_until = 30;
  if (!object.has("repeats")) return {};
  if (!object.is_object("repeats")) return object.get("repeats", rule::count);
  ObjectReader of = object.object("repeats");
  Repeats repeats;
  repeats.until = of.get("until", rule::number);
  if (!(*repeats.until > 0.0 && *repeats.until < 1.0))
    of.fail("until", "a share above 0 and below 1", fmt::format("{}", *repeats.until));
  repeats.at_least = of.get("at_least", rule::count, repeats.at_least);
  repeats.at_most = of.get("at_most", rule::count, std::max(most_until, repeats.at_least));
  if (repeats.at_most < repeats.at_least)
    of.fail("at_most", fmt::format("at least {}", repeats.at_least), std::to_string(repeats.at_most));
  of.finish();
  return repeats;
}

/// A run, or one for each of the values that its settings list.
std::vector<PlanRun> read_runs(ObjectReader& object, const fs::path& plan_folder) {
  PlanRun run;
  run.repeats = read_repeats(object);
  object("cases", run.cases);
  if (object.has("program")) {
    run.own = read_own(object, plan_folder);
    run.model = own_model;
    run.variant = run.own->name;
  } else {
    object("warm_up", run.warm_up)("on_numa", run.on_numa)("up_to_cores", run.up_to_cores);
  }
  std::vector<PlanRun> runs = {run};
  const auto values = [&]<class T>(const char* key, T PlanRun::*setting, const auto& rule) {
    expand(runs, object.place(key), object.some(key, rule),
           [=](PlanRun& one, const auto& value) { one.*setting = value; });
  };
  if (!run.own) {  // what follows in two parts is of programs that have our options
    if (!object.has("model")) object.fail("model", "a string", "nothing");
    values("workload", &PlanRun::workload, rule::text);
    values("model", &PlanRun::model, rule::text);
    values("variant", &PlanRun::variant, rule::text);
  }
  values("precision", &PlanRun::precision, rule::text);
  values("ranks", &PlanRun::ranks, rule::count);
  values("threads", &PlanRun::threads, rule::count);
  if (!run.own) {
    values("device", &PlanRun::device, rule::text);
    values("work_group", &PlanRun::work_group, rule::text);
  }
  values("steps", &PlanRun::steps, rule::count);
  if (!run.own) expand_options(object, runs);
  object.finish();
  return runs;
}

PlanBuild read_build(ObjectReader& object, const fs::path& plan_folder, const std::vector<PlanBuild>& before) {
  PlanBuild build;
  build.name = object.get("name", rule::text);
  for (const PlanBuild& other : before)
    if (other.name == build.name) object.fail("name", "a name of its own", '"' + build.name + "\" again");
  build.folder = (plan_folder / object.get("folder", rule::text)).lexically_normal();
  build.make = fmt::format("cmake -B {0} && cmake --build {0}", build.folder.string());
  object("compiler", build.compiler)("flags", build.flags)("without", build.without)("make", build.make);
  object.finish();
  return build;
}

}  // namespace

std::string Repeats::words() const {
  return at_least == at_most ? std::to_string(at_least) : fmt::format("{} to {}", at_least, at_most);
}

std::optional<Placement> place(const Allocation& allocation, int ranks, int threads) {
  const int cpus = std::max(allocation.cpus_per_rank, threads);
  const int fit = std::min(allocation.ranks_per_node, allocation.cpus_per_node() / cpus);
  if (fit == 0 || ranks > static_cast<std::int64_t>(fit) * allocation.nodes) return std::nullopt;
  return Placement{.nodes = (ranks + fit - 1) / fit, .ranks_per_node = std::min(fit, ranks), .cpus = cpus};
}

void check_launcher(const Launcher& launcher, const std::string& where) {
  const auto words = words_in(launcher.command);
  if (words.empty() || words.front() == ranks_mark || launcher.command.find(ranks_mark) == std::string::npos)
    throw bad_input("{}: expected a launcher command with {} in it, such as \"srun -n {}\", found \"{}\"", where,
                    ranks_mark, ranks_mark, launcher.command);
  check_marks(launcher.command + ' ' + launcher.arguments, {ranks_mark, "{nodes}", "{ranks_per_node}", "{cpus}"},
              where);
}

std::string launcher_line(const Launcher& launcher, int ranks, int threads) {
  return join(words_in(replaced(launcher.command + ' ' + launcher.arguments, marks_of(launcher, ranks, threads))), " ");
}

std::vector<std::string> launcher_words(const Launcher& launcher, int ranks, int threads) {
  return words_in(replaced(launcher_line(launcher, ranks, threads), {{ranks_mark, std::to_string(ranks)}}));
}

std::string launcher_missing(const Launcher& launcher) {
  const std::string program = words_in(launcher.command).front();
  if (!find_program(program).empty()) return {};
  return fmt::format("no launcher {} found; {}name one with --launcher", program,
                     program == "mpirun" ? "install openmpi-bin or " : "");
}

Environment launcher_environment(int threads) {
  Environment environment = {
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      // More ranks than cores: Open MPI 4, then 5.
      {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
      {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
      // Containers forbid reading another process's memory; Open MPI then warns and copies through shared memory.
      {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
      // Looking for GPUs, Open MPI would start their OpenCL drivers, in every launch.
      {"HWLOC_PLUGINS_BLACKLIST", "hwloc_opencl.so,hwloc_gl.so"},
      // A rank by itself, as one that is asked what it can do, needs no daemon.
      {"OMPI_MCA_ess_singleton_isolated", "1"},
  };
  // These take two thirds of a launch to find that there is nothing for them.
  if (!has_fabric()) environment.emplace_back("OMPI_MCA_mtl", "^psm,psm2,ofi");
  if (threads > 1) {  // again Open MPI 4, then 5
    environment.emplace_back("OMPI_MCA_hwloc_base_binding_policy", "none");
    environment.emplace_back("PRTE_MCA_hwloc_default_binding_policy", "none");
  }
  return environment;
}

Plan load_plan(const fs::path& file) {
  const nlohmann::json content = load_json(file);
  ObjectReader object(content, file.string(), "");
  Plan plan;
  plan.name = file.stem().string();
  plan.file = file;
  object("summary", plan.summary)("within_cores", plan.within_cores);
  plan.repeats = read_repeats(object).value_or(plan.repeats);
  plan.time_limit_seconds = object.get("time_limit_seconds", rule::seconds, plan.time_limit_seconds);
  plan.within_seconds = object.maybe("within_seconds", rule::seconds);
  object("within_devices", plan.within_devices);
  if (const std::string& type = plan.within_devices; !type.empty() && !contains({"cpu", "gpu", "accelerator"}, type))
    object.fail("within_devices", "cpu, gpu or accelerator", '"' + type + '"');
  object("launcher", plan.launcher.command)("launcher_args", plan.launcher.arguments);
  check_launcher(plan.launcher, file.string() + ": launcher");
  for (auto& build : object.objects("builds"))
    plan.builds.push_back(read_build(build, file.parent_path(), plan.builds));
  for (auto& one : object.objects("cases")) plan.cases.push_back(read_case(one, file.parent_path()));
  for (auto& object_of_runs : object.objects("runs")) {
    std::vector<PlanRun> runs = read_runs(object_of_runs, file.parent_path());
    for (const PlanRun& earlier : plan.runs)
      if (earlier.own && runs.front().own && earlier.own->name == runs.front().own->name)
        object_of_runs.fail("name", "a name of its own", '"' + earlier.own->name + "\" again");
    plan.runs.insert(plan.runs.end(), runs.begin(), runs.end());
  }
  object.finish();
  if (plan.runs.empty()) object.fail("runs", "at least one run", "none");
  return plan;
}

std::vector<std::string> plan_names(const fs::path& folder) { return names_between(folder, "", ".json"); }

fs::path find_plan(const std::string& name_or_file, const fs::path& folder) {
  const auto names = plan_names(folder);
  if (contains(names, name_or_file)) return folder / (name_or_file + ".json");
  std::error_code error;
  if (fs::exists(name_or_file, error)) return name_or_file;
  throw bad_input("plan: expected {} or a plan file, found \"{}\"", join(names, ", "), name_or_file);
}

}  // namespace boltzmark
