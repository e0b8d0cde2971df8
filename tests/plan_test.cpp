// Plans, read strictly.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "analysis/run/builds.hpp"
#include "analysis/run/models.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/run/schedule.hpp"
#include "analysis/support/json_reader.hpp"
#include "common/base/error.hpp"
#include "entries.hpp"
#include "plan_files.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
namespace fs = std::filesystem;

TEST_F(PlanTest, ReadsEveryKey) {
  const Plan plan = load_plan(write(R"({"summary":"s","repeats":5,"time_limit_seconds":1.5,"compare":"c",
    "baselines":[{"model":"m","variant":"v"}],"launcher":"srun -n {ranks}","launcher_args":"--x y",
    "builds":[{"name":"a","folder":"x/a","compiler":"GNU","flags":["-O3"],"without":["-g"],"make":"do it"},
              {"name":"b","folder":"x/b"}],
    "problems":[{"params":"input_box.params","obstacles":"none","steps":7}],
    "runs":[{"model":"m","variant":"v","precision":"f64","threads":2,"ranks":3,"device":"gpu","work_group":"8x4",
             "repeats":4,"warm_up":true,"options":["--a","b"],"problems":["box"]}],
    "stream":[{"model":"*"},{"model":"m","precision":"f64","threads":2,"ranks":3,"device":"gpu","repeats":4,
               "options":["--repeat","8"]}]})"));
  EXPECT_EQ(plan.name, "plan");
  EXPECT_EQ(plan.repeats, 5);
  EXPECT_EQ(plan.time_limit_seconds, 1.5);
  EXPECT_EQ(plan.compare.of("opencl"), "c");
  ASSERT_EQ(plan.baselines.size(), 1u);
  EXPECT_EQ(plan.baselines[0].variant, "v");
  EXPECT_EQ(join_words(launcher_words(plan.launcher, 4, 0)), "srun -n 4 --x y");
  ASSERT_EQ(plan.builds.size(), 2u);
  EXPECT_EQ(plan.builds[0].name + plan.builds[0].compiler + plan.builds[0].make, "aGNUdo it");
  EXPECT_EQ(plan.builds[0].folder, folder_ / "x/a");
  EXPECT_EQ(join_words(plan.builds[0].flags + plan.builds[0].without), "-O3 -g");
  EXPECT_EQ(plan.builds[1].make,
            "cmake -B " + (folder_ / "x/b").string() + " && cmake --build " + (folder_ / "x/b").string());
  EXPECT_EQ(plan.problems.at(0).params, folder_ / "input_box.params");
  EXPECT_EQ(plan.problems.at(0).obstacles, "none");
  EXPECT_EQ(plan.problems.at(0).steps, 7);
  const PlanRun& run = plan.runs.at(0);
  EXPECT_EQ(run.model + run.variant + run.precision + run.device + run.work_group, "mvf64gpu8x4");
  EXPECT_EQ(*run.threads * 100 + *run.ranks * 10 + *run.repeats, 234);
  EXPECT_TRUE(run.warm_up);
  EXPECT_EQ(join_words(run.options), "--a b");
  EXPECT_EQ(join_words(run.problems), "box");
  ASSERT_EQ(plan.stream.size(), 2u);
  EXPECT_EQ(plan.stream[0].model + plan.stream[0].precision, "*f32");
  const PlanRun& stream = plan.stream[1];
  EXPECT_EQ(stream.model + stream.precision + stream.device, "mf64gpu");
  EXPECT_EQ(*stream.threads * 100 + *stream.ranks * 10 + *stream.repeats, 234);
  EXPECT_EQ(join_words(stream.options), "--repeat 8");
}

TEST_F(PlanTest, MakesBoxesOfAnySize) {
  const Plan plan =
      load_plan(write(R"({"problems":[{"box":"7x5","steps":9}],"within_cores":true,)" + runs_ + "}"));
  EXPECT_TRUE(plan.within_cores);
  const auto problems = load_problems(plan, folder_ / "made");
  const ScheduledProblem& box = problems.at(0);
  EXPECT_EQ(box.problem.name, "box_7x5");
  EXPECT_EQ(box.problem.fluid_cells(), 5 * 3);
  EXPECT_EQ(box.steps, 9);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "made"));
  make_files(box);
  EXPECT_EQ(load_problem(box.source.params, box.source.obstacles).digest(), box.problem.digest());

  EXPECT_EQ(fault(R"({"problems":[{"box":"7x","steps":9}],)" + runs_ + "}"),
            "plan.json: problems[0].box: expected NXxNY cells, at least 3x4, found \"7x\"");
  EXPECT_EQ(fault(R"({"problems":[{"box":"7x5"}],)" + runs_ + "}"),
            "plan.json: problems[0].steps: expected an integer of at least 1, found nothing");
}

TEST_F(PlanTest, MayBeOfStreamAlone) {
  EXPECT_EQ(fault(R"({"stream":[{"model":"*"}]})"), "");
  EXPECT_EQ(fault(R"({"stream":[{"model":"*"}],)" + runs_ + "}"),
            "plan.json: problems: expected at least one problem, found none");
  EXPECT_EQ(fault(R"({"stream":[]})"), "plan.json: problems: expected at least one problem, found none");
  EXPECT_EQ(fault(R"({"stream":[{"precision":"f64"}]})"),
            "plan.json: stream[0].model: expected a string, found nothing");
  EXPECT_EQ(fault(R"({"stream":[{"model":"*","variant":"fused"}]})"),
            "plan.json: stream[0]: expected only the keys device, model, options, precision, ranks, repeats, "
            "threads, found \"variant\"");
}

TEST_F(PlanTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(fault("{" + problems_ + "}"), "plan.json: runs: expected at least one run, found none");
  EXPECT_EQ(fault("{" + runs_ + "}"), "plan.json: problems: expected at least one problem, found none");
  EXPECT_EQ(fault("[]"), "plan.json: expected an object, found []");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":{}})"),
            "plan.json: runs: expected a list of objects, found {}");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[7]})"), "plan.json: runs[0]: expected an object, found 7");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{}]})"),
            "plan.json: runs[0].model: expected a string, found nothing");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{"model":"*"},{"model":"*","threads":"two"}]})"),
            "plan.json: runs[1].threads: expected an integer of at least 1, found \"two\"");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{"model":"*","ranks":0}]})"),
            "plan.json: runs[0].ranks: expected an integer of at least 1, found 0");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{"model":"*","repeats":3000000000}]})"),
            "plan.json: runs[0].repeats: expected an integer of at least 1, found 3000000000");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{"model":"*","options":["a",1]}]})"),
            "plan.json: runs[0].options[1]: expected a string, found 1");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{"model":"*","thread":1}]})"),
            "plan.json: runs[0]: expected only the keys device, model, options, precision, problems, ranks, "
            "repeats, steps, "
            "threads, variant, vvl, warm_up, work_group, found \"thread\"");
  EXPECT_EQ(fault("{" + problems_ + "," + runs_ + R"(,"time_limit_seconds":0})"),
            "plan.json: time_limit_seconds: expected a number of seconds above zero, found 0");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{"model":"*","problems":["bax"]}]})"),
            "plan.json: runs[0].problems[0]: expected one of box, found \"bax\"");
  EXPECT_EQ(fault("{" + runs_ + R"(,"problems":[{"params":"none.params","obstacles":"none"}]})"),
            "plan.json: problems[0].params: expected a file, found none at none.params");
  EXPECT_EQ(fault("{" + problems_ + "," + runs_ +
                  R"(,"builds":[{"name":"a","folder":"x"},{"name":"a","folder":"y"}]})"),
            "plan.json: builds[1].name: expected a name of its own, found \"a\" again");
  EXPECT_EQ(fault("{" + problems_ + "," + runs_ + R"(,"builds":[{"name":"a"}]})"),
            "plan.json: builds[0].folder: expected a string, found nothing");
  EXPECT_EQ(fault("{" + problems_ + "," + runs_ + R"(,"launcher":"mpirun"})"),
            "plan.json: launcher: expected a launcher command with {ranks} in it, such as \"srun -n "
            "{ranks}\", found "
            "\"mpirun\"");
}

TEST_F(PlanTest, NamesLineAndColumnOfASyntaxFault) {
  EXPECT_TRUE(fault("{\n  \"runs\": [,]\n}").starts_with("plan.json:2:12: expected JSON, found a fault: "))
      << fault("{\n  \"runs\": [,]\n}");
  EXPECT_TRUE(fault("").starts_with("plan.json:1:0: expected JSON")) << fault("");
}

TEST_F(PlanTest, ChecksMarksAndDevices) {
  EXPECT_EQ(fault("{" + problems_ + "," + runs_ + R"(,"launcher":"srun -n {ranks} -N {node}"})"),
            "plan.json: launcher: expected {ranks}, {nodes}, {ranks_per_node} or {cpus} in braces, found "
            "\"{node}\"");
  EXPECT_EQ(fault("{" + problems_ + "," + runs_ + R"(,"within_devices":"gpus"})"),
            "plan.json: within_devices: expected cpu, gpu or accelerator, found \"gpus\"");
}

TEST(BuiltInPlans, AreWhole) {
  const fs::path folder = fs::path(BOLTZMARK_SOURCE_DIR) / "analysis" / "plans";
  const auto names = plan_names(folder);
  EXPECT_EQ(join_words(names),
            "compilers full gpu ladder ladder-short quick scaling-gpu-strong scaling-gpu-weak scaling-strong "
            "scaling-weak vvl");
  const std::map<std::string, std::size_t> problems = {
      {"compilers", 2},          {"full", 4},          {"ladder", 9}, {"ladder-short", 4},
      {"scaling-gpu-strong", 3}, {"quick", 4},         {"vvl", 2},    {"scaling-gpu-weak", 6},
      {"scaling-strong", 4},     {"scaling-weak", 10}, {"gpu", 5}};
  for (const auto& name : names) {
    const Plan plan = load_plan(find_plan(name, folder));
    EXPECT_FALSE(plan.summary.empty());
    EXPECT_EQ(load_problems(plan).size(), problems.at(name));
    EXPECT_EQ(plan.stream.empty(), name.starts_with("scaling") || name == "compilers" || name == "vvl");
    const bool on_gpus = name.starts_with("scaling-gpu") || name == "ladder" || name == "gpu";
    EXPECT_EQ(plan.within_cores, name == "scaling-strong" || name == "scaling-weak");
    EXPECT_EQ(plan.within_devices, on_gpus ? "gpu" : "");
  }
  EXPECT_EQ(error_of([&] { find_plan("quack", folder); }),
            "plan: expected " + join_words(names, ", ") + " or a plan file, found \"quack\"");
}

TEST(BuiltInPlans, ClimbTheLadderStepByStep) {
  const fs::path analysis = fs::path(BOLTZMARK_SOURCE_DIR) / "analysis";
  std::string published;
  for (const auto& step : load_json(analysis / "report/published.json").at("optimisation_steps").at("steps"))
    published += step.at("variant").get<std::string>() + '\n';
  for (const char* name : {"ladder", "ladder-short"}) {
    std::string variants;
    for (const PlanRun& run : load_plan(analysis / "plans" / (name + std::string(".json"))).runs)
      variants += run.variant + '\n';
    EXPECT_TRUE(variants.starts_with(published)) << variants;
  }
}

TEST_F(PlanTest, MakesARunOfEveryVectorLength) {
  const auto runs =
      load_plan(
          write("{" + problems_ + R"(,"runs":[{"model":"m","options":["--a"],"vvl":[4,16]},{"model":"*"}]})"))
          .runs;
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(join_words(runs[0].options) + ' ' + join_words(runs[1].options), "--a --vvl 4 --a --vvl 16");
  EXPECT_TRUE(runs[2].options.empty());
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{"model":"m","vvl":[4,0]}]})"),
            "plan.json: runs[0].vvl[1]: expected an integer of at least 1, found 0");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{"model":"m","vvl":4}]})"),
            "plan.json: runs[0].vvl: expected a list of integers, found 4");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{"model":"*","vvl":[4]}]})"),
            "plan.json: runs[0].vvl: expected a run that names its model, found one of every model");
}

/// The presets of CMakePresets.json and the builds of the plan are one list.
TEST(BuiltInPlans, NameTheBuildsThatPresetsMake) {
  const fs::path source(BOLTZMARK_SOURCE_DIR);
  const Plan plan = load_plan(source / "analysis" / "plans" / "compilers.json");
  std::string folders;
  const nlohmann::json presets = load_json(source / "CMakePresets.json");
  for (const auto& preset : presets.at("configurePresets"))
    folders += preset.at("binaryDir").get<std::string>() + '\n';
  EXPECT_GE(plan.builds.size(), 4u);
  for (const PlanBuild& build : plan.builds) {
    EXPECT_EQ(build.folder.filename(), "build-" + build.name);
    EXPECT_TRUE(has(folders, "}/build-" + build.name + '\n')) << build.name;
    EXPECT_EQ(build.make, "make compilers COMPILERS=" + build.name);
    EXPECT_FALSE(build.compiler.empty() || build.flags.empty());
  }
}

// ---- the builds of a plan

class BuildsTest : public PlanTest {
 protected:
  /// A build folder with these models, of which `built` has a program.
  void make_build(const std::string& name, const std::string& built) {
    fs::create_directories(folder_ / name / "bin");
    write_text(folder_ / (name + "/bin/models.json"),
               R"([{"name":"serial","program":"lbm-serial","skipped":""},
                   {"name":"mpi","program":"lbm-mpi","launcher":true,"skipped":""}])");
    write_text(folder_ / (name + "/bin/lbm-" + built), "");
  }
  Plan plan(const std::string& builds) {
    return load_plan(write("{" + problems_ + "," + runs_ + R"(,"builds":)" + builds + "}"));
  }
};

TEST_F(BuildsTest, AreReadOneAfterTheOtherAndThoseThatAreNotThereAreSaid) {
  make_build("a", "serial");
  make_build("c", "mpi");
  std::vector<std::string> complaints;
  const auto models =
      models_for(plan(R"([{"name":"A","folder":"a","make":"make A"},{"name":"B","folder":"b","make":"make B"},
                                          {"name":"C","folder":"c","make":"make C"}])"),
                 "nowhere", complaints);
  ASSERT_EQ(models.size(), 4u);
  EXPECT_EQ(models[0].build + models[1].build + models[2].build + models[3].build, "AACC");
  EXPECT_EQ(models[0].program, folder_ / "a/bin/lbm-serial");
  EXPECT_EQ(models[0].skipped + models[3].skipped, "");
  EXPECT_EQ(models[1].skipped, "build A has no lbm-mpi; make it with: make A");
  EXPECT_EQ(models[2].skipped, "build C has no lbm-serial; make it with: make C");
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_EQ(complaints[0], "build B: expected " + (folder_ / "b/bin/models.json").string() +
                               ", found none; make it with: make B; its runs are left out");
}

TEST_F(BuildsTest, OfWhichNoneIsThereAreUnavailable) {
  std::vector<std::string> complaints;
  try {
    models_for(plan(R"([{"name":"B","folder":"b","make":"make B"}])"), "nowhere", complaints);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::unavailable);
    EXPECT_TRUE(has(error.what(), "plan.json: none of its builds is there; the first: build B: expected "))
        << error.what();
  }
}

TEST_F(BuildsTest, AreHeldAgainstTheRecords) {
  const auto builds =
      plan(
          R"([{"name":"A","folder":"a","compiler":"GNU","flags":["-Ofast"],"without":["-march=native"],"make":"make A"}])")
          .builds;
  const auto status_of = [&](const std::string& build, const std::string& compiler,
                             const std::string& flags) {
    RunEntry e = entry("serial", "fused", 1, {0.5});
    e.key.build = build;
    e.record["provenance"]["compiler"] = compiler;
    e.record["provenance"]["flags"] = flags;
    check_build(builds, e);
    EXPECT_EQ(e.record.is_null(), e.status != RunStatus::ok);
    return to_string(e.status) + ": " + e.reason;
  };
  EXPECT_EQ(status_of("A", "GNU 12.2.0", "-O3 -Ofast"), "ok: ");
  EXPECT_EQ(status_of("", "Clang 16", "-O3"), "ok: ");
  EXPECT_EQ(
      status_of("A", "Clang 16", "-O3 -Ofast"),
      "failed: build A: expected GNU with -Ofast, without -march=native, found Clang 16, -O3 -Ofast; make it "
      "with: make A");
  EXPECT_TRUE(has(status_of("A", "GNU 12.2.0", "-O3"), "failed: "));
  EXPECT_TRUE(has(status_of("A", "GNU 12.2.0", "-Ofast -march=native"), "failed: "));
}

TEST(ReasonTest, IsNoWarning) {
  const std::string warning = "lbm-openmp: warning: 4 threads on 2 processors wait\n";
  EXPECT_EQ(reason_in(warning), "");
  EXPECT_EQ(reason_in("Segmentation fault\n" + warning), "Segmentation fault");
  EXPECT_EQ(reason_in(warning + "lbm-openmp: error: no memory\n"), "no memory");
}

}  // namespace
}  // namespace boltzmark
