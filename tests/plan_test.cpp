// Plans, read strictly.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "analysis/run/cases.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"
#include "common/lbm/problem_files.hpp"
#include "entries.hpp"
#include "plan_files.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
namespace fs = std::filesystem;

TEST_F(PlanTest, ReadsEveryKey) {
  const Plan plan = load_plan(write(R"({"summary":"s","repeats":5,"time_limit_seconds":1.5,
    "models":["m","w"],"ladder":["m a","m b"],"launcher":"srun -n {ranks}","launcher_args":"--x y",
    "builds":[{"name":"a","folder":"x/a","compiler":"GNU","flags":["-O3"],"without":["-g"],"make":"do it"},
              {"name":"b","folder":"x/b"}],
    "cases":[{"params":"input_box.params","obstacles":"none","steps":7},
             {"workload":"w","name":"n","arguments":["9","x"],"steps":3,"check":false}],
    "runs":[{"model":"m","variant":"v","precision":"f64","threads":2,"ranks":3,"device":"gpu","work_group":"8x4",
             "repeats":4,"warm_up":true,"options":{"a":"b","c":true,"d":false,"e":7},"cases":["box"]},
            {"workload":"w","model":"*"}]})"));
  EXPECT_EQ(plan.name, "plan");
  EXPECT_EQ(plan.repeats.at_least * 10 + plan.repeats.at_most, 55);
  EXPECT_EQ(plan.time_limit_seconds, 1.5);
  EXPECT_EQ(join(plan.models, " "), "m w");
  EXPECT_EQ(join(plan.ladder, ", "), "m a, m b");
  EXPECT_EQ(join(launcher_words(plan.launcher, 4, 0), " "), "srun -n 4 --x y");
  ASSERT_EQ(plan.builds.size(), 2u);
  EXPECT_EQ(plan.builds[0].name + plan.builds[0].compiler + plan.builds[0].make, "aGNUdo it");
  EXPECT_EQ(plan.builds[0].folder, folder_ / "x/a");
  EXPECT_EQ(join(plan.builds[0].flags + plan.builds[0].without, " "), "-O3 -g");
  EXPECT_EQ(plan.builds[1].make,
            "cmake -B " + (folder_ / "x/b").string() + " && cmake --build " + (folder_ / "x/b").string());
  EXPECT_EQ(plan.cases.at(0).params, folder_ / "input_box.params");
  EXPECT_EQ(plan.cases.at(0).obstacles, "none");
  EXPECT_EQ(plan.cases.at(0).steps, 7);
  const PlanCase& other = plan.cases.at(1);
  EXPECT_EQ(other.workload + other.name + join(other.arguments, " "), "wn9 x");
  EXPECT_FALSE(other.check);
  const PlanRun& run = plan.runs.at(0);
  EXPECT_EQ(run.workload + run.model + run.variant + run.precision + run.device + run.work_group, "lbmmvf64gpu8x4");
  EXPECT_EQ(*run.threads * 100 + *run.ranks * 10 + run.repeats->at_most, 234);
  EXPECT_TRUE(run.warm_up);
  EXPECT_EQ(run.options, (std::vector<std::pair<std::string, std::string>>{{"a", "b"}, {"c", ""}, {"e", "7"}}));
  EXPECT_EQ(join(run.cases, " "), "box");
  EXPECT_EQ(plan.runs.at(1).workload + plan.runs.at(1).precision, "wf32");
}

TEST_F(PlanTest, ReadsProgramsThatAreNotOurs) {
  fs::create_directory(folder_ / "mine");
  const auto of = [this](const std::string& run) { return "{" + cases_ + R"(,"runs":[)" + run + "]}"; };
  const auto runs = load_plan(write(of(R"({"program":"./x {params} {obstacles}","folder":"mine","build":"make",
    "environment":{"A":"b"},"tolerance":1e-3,"threads":[1,2],"repeats":2},{"program":"y","name":"z","precision":"f64"})")))
                        .runs;
  ASSERT_EQ(runs.size(), 3u);
  const Submission& x = *runs[0].submission;
  EXPECT_EQ(runs[0].model + ' ' + runs[0].variant + ' ' + x.run + ' ' + x.build, "own x ./x {params} {obstacles} make");
  EXPECT_EQ(x.folder, folder_ / "mine");
  EXPECT_EQ(x.environment, (Environment{{"A", "b"}}));
  EXPECT_EQ(x.tolerance, 1e-3);
  EXPECT_EQ(*runs[1].threads * 10 + runs[1].repeats->at_most, 22);
  EXPECT_EQ(runs[1].submission, runs[0].submission);
  EXPECT_EQ(runs[2].submission->name + runs[2].precision, "zf64");
  EXPECT_EQ(runs[2].submission->tolerance, submission_tolerance);
  for (const auto& [run, line] : std::map<std::string, std::string>{
           {R"({"program":"x {params}"})", "program: expected a command with both {params} and {obstacles}"},
           {R"({"program":"x","model":"serial"})", "expected only the keys build, cases, "},
           {R"({"program":"x","folder":"none"})", "folder: expected a folder, found none at none"},
           {R"({"program":"x","build":"make"})", "folder: expected the folder in a copy of which to build"},
           {R"({"program":"x","tolerance":0})", "tolerance: expected a number above zero"},
           {R"({"program":"x","environment":{"A":1}})", "environment.A: expected a string"},
           {R"({"program":"x"},{"program":"a/x"})",
            "runs[1].name: expected a name that no other has, found \"x\" again"}})
    EXPECT_TRUE(has(fault(of(run)), line)) << run << '\n' << fault(of(run));
}

TEST_F(PlanTest, MakesARunOfEveryValueOfASetting) {
  const auto runs = load_plan(write("{" + cases_ + R"(,"runs":[
      {"model":"m","variant":["u","v"],"threads":[1,2],"options":{"vvl":[4,16],"x":"y"}},{"model":["a","b"]}]})"))
                        .runs;
  ASSERT_EQ(runs.size(), 10u);
  std::string text;
  for (const PlanRun& run : runs) {
    text += run.model + run.variant + std::to_string(run.threads.value_or(0));
    for (const auto& [name, value] : run.options) text += ' ' + name + ' ' + value;
    text += '\n';
  }
  EXPECT_TRUE(text.starts_with("mu1 vvl 4 x y\nmu1 vvl 16 x y\nmu2 vvl 4 x y\n")) << text;
  EXPECT_TRUE(text.ends_with("mv2 vvl 16 x y\na0\nb0\n")) << text;
  EXPECT_EQ(fault("{" + cases_ + R"(,"runs":[{"model":"m","threads":[4,0]}]})"),
            "plan.json: runs[0].threads[1]: expected an integer of at least 1, found 0");
  EXPECT_EQ(fault("{" + cases_ + R"(,"runs":[{"model":"m","variant":[]}]})"),
            "plan.json: runs[0].variant: expected a value or a list of some, found an empty list");
  EXPECT_EQ(fault("{" + cases_ + R"(,"runs":[{"model":"m","options":{"vvl":[[]]}}]})"),
            "plan.json: runs[0].options.vvl[0]: expected a string that is not empty, found []");
}

TEST_F(PlanTest, MakesBoxesOfAnySize) {
  const Plan plan = load_plan(write(R"({"cases":[{"box":"7x5","steps":9}],"within_cores":true,)" + runs_ + "}"));
  EXPECT_TRUE(plan.within_cores);
  const Cases cases(plan, folder_ / "made");
  const Case& box = cases[0];
  EXPECT_EQ(box.name, "box_7x5");
  EXPECT_EQ(box.lbm->problem.fluid_cells(), 5 * 3);
  EXPECT_EQ(box.steps, 9);
  EXPECT_FALSE(fs::exists(folder_ / "made"));
  make_files(box);
  EXPECT_EQ(lbm::load_problem(box.lbm->params, box.lbm->obstacles).digest(), box.digest);

  EXPECT_EQ(fault(R"({"cases":[{"box":"7x","steps":9}],)" + runs_ + "}"),
            "plan.json: cases[0].box: expected NXxNY cells, at least 3x4, or NXxNYxNZ, at least 3x4x3, found "
            "\"7x\"");
  EXPECT_EQ(fault(R"({"cases":[{"box":"7x5"}],)" + runs_ + "}"),
            "plan.json: cases[0].steps: expected an integer of at least 1, found nothing");
}

TEST_F(PlanTest, MakesBoxesInThreeDimensions) {
  const Plan plan = load_plan(write(R"({"cases":[{"box":"7x5x4","steps":9,"grows":true}],)" + runs_ + "}"));
  Cases cases(plan, folder_ / "made");
  for (const int workers : {1, 3}) {
    const Case& box = cases.at(0, {}, workers);
    EXPECT_EQ(box.name, fmt::format("box_7x5x{}", 4 * workers));
    EXPECT_EQ(box.lbm->problem.fluid_cells(), 5 * 3 * (4 * workers - 2));
    make_files(box);
    const auto read = lbm::load_problem(box.lbm->params, box.lbm->obstacles);
    EXPECT_EQ(read.digest(), box.digest);
    EXPECT_EQ(read.parameters.dimension, 3);
  }
  for (const char* wrong : {"7x5x2", "7x3x4", "7x5x4x2"})
    EXPECT_TRUE(has(fault(fmt::format(R"({{"cases":[{{"box":"{}","steps":9}}],{}}})", wrong, runs_)),
                    "cases[0].box: expected NXxNY cells"))
        << wrong;
}

TEST_F(PlanTest, LetsABoxGrowWithTheWorkers) {
  const Plan plan = load_plan(write(R"({"cases":[{"box":"7x5","steps":9,"grows":true}],)" + runs_ + "}"));
  Cases cases(plan);
  EXPECT_EQ(cases.at(0, {}, 1).name, "box_7x5");
  const Case& grown = cases.at(0, {}, 4);
  EXPECT_EQ(grown.name, "box_7x20");
  EXPECT_EQ(&cases.at(0, {}, 4), &grown);
  const Case& longer = cases.at(0, 11, 4);
  EXPECT_EQ(longer.digest, grown.digest);
  EXPECT_EQ(longer.steps, 11);
}

TEST_F(PlanTest, DoublesCoresUpToAllOfThem) {
  const auto runs = load_plan(write("{" + cases_ + R"(,"runs":[{"model":"*","cores":"doubling"}]})")).runs;
  EXPECT_EQ(each(runs, [](const PlanRun& run) { return run.cores.value_or(0); }), doubled_up_to(default_workers()));
}

TEST_F(PlanTest, GivesAWorkloadWithoutCasesItsDefault) {
  const Cases cases(load_plan(write(R"({"runs":[{"workload":"stream","model":"*"}]})")));
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].workload + ' ' + cases[0].name, "stream default");
  EXPECT_TRUE(cases[0].arguments.empty() && cases[0].digest.empty());
  EXPECT_EQ(fault(R"({"runs":[{"model":"*"}]})"), "plan.json: cases: expected at least one case of lbm, found none");
}

TEST_F(PlanTest, KnowsWhatThisMachineHasNoRoomFor) {
  write_text(folder_ / "huge.params", "1000000\n1000000\n1\n1\n0.1\n0.005\n1.85\n");
  const Cases cases(load_plan(
      write(R"({"cases":[{"params":"huge.params","obstacles":"none"},{"box":"9x8","steps":2}],)" + runs_ + "}")));
  EXPECT_TRUE(has(cases[0].impossible, "huge.params:1: expected a grid that fits")) << cases[0].impossible;
  EXPECT_EQ(cases[0].name, "huge");
  EXPECT_EQ(cases[1].impossible, "");
}

TEST_F(PlanTest, SaysWhatIsWrongAndWhere) {
  const auto run_fault = [this](const std::string& run) { return fault("{" + cases_ + ",\"runs\":" + run + "}"); };
  EXPECT_EQ(fault("{" + cases_ + "}"), "plan.json: runs: expected at least one run, found none");
  EXPECT_EQ(fault("{" + runs_ + "," + runs_ + "}"),
            "plan.json: expected JSON, found a fault: the key \"runs\" twice in one object");
  EXPECT_EQ(fault("[]"), "plan.json: expected an object, found []");
  EXPECT_EQ(run_fault("{}"), "plan.json: runs: expected a list of objects, found {}");
  EXPECT_EQ(run_fault("[7]"), "plan.json: runs[0]: expected an object, found 7");
  EXPECT_EQ(run_fault("[{}]"), "plan.json: runs[0].model: expected a string that is not empty, found nothing");
  EXPECT_EQ(run_fault(R"([{"model":"*"},{"model":"*","threads":"two"}])"),
            "plan.json: runs[1].threads: expected an integer of at least 1, found \"two\"");
  EXPECT_EQ(run_fault(R"([{"model":"*","ranks":0}])"),
            "plan.json: runs[0].ranks: expected an integer of at least 1, found 0");
  EXPECT_EQ(run_fault(R"([{"model":"*","cores":"all"}])"),
            "plan.json: runs[0].cores: expected an integer of at least 1, or \"doubling\", found \"all\"");
  EXPECT_EQ(run_fault(R"([{"model":"*","cores":2,"ranks":2}])"),
            "plan.json: runs[0].ranks: expected no number of its own beside cores, found 2");
  EXPECT_EQ(run_fault(R"([{"model":"*","repeats":3000000000}])"),
            "plan.json: runs[0].repeats: expected an integer of at least 1, found 3000000000");
  EXPECT_EQ(run_fault(R"([{"model":"*","repeats":{"until":2}}])"),
            "plan.json: runs[0].repeats.until: expected a share above 0 and below 1, found 2");
  EXPECT_EQ(run_fault(R"([{"model":"*","repeats":{"until":0.1,"at_least":5,"at_most":4}}])"),
            "plan.json: runs[0].repeats.at_most: expected at least 5, found 4");
  EXPECT_EQ(run_fault(R"([{"model":"*","repeats":{"at_most":4}}])"),
            "plan.json: runs[0].repeats.until: expected a share above 0 and below 1, found nothing");
  EXPECT_EQ(run_fault(R"([{"model":"*","options":["a"]}])"),
            "plan.json: runs[0].options: expected an object, found [\"a\"]");
  EXPECT_EQ(
      run_fault(R"([{"model":"*","thread":1}])"),
      "plan.json: runs[0]: expected only the keys cases, cores, device, if_time, model, on_numa, options, precision, "
      "program, ranks, repeats, steps, threads, variant, warm_up, work_group, workload, found \"thread\"");
  EXPECT_EQ(fault("{" + cases_ + "," + runs_ + R"(,"time_limit_seconds":0})"),
            "plan.json: time_limit_seconds: expected a number of seconds above zero, found 0");
  EXPECT_EQ(run_fault(R"([{"model":"*","cases":["bax"]}])"),
            "plan.json: runs[0].cases[0]: expected one of box, found \"bax\"");
  EXPECT_EQ(fault("{" + runs_ + R"(,"cases":[{"params":"none.params","obstacles":"none"}]})"),
            "plan.json: cases[0].params: expected a file, found none at none.params");
  EXPECT_EQ(fault("{" + cases_ + "," + runs_ + R"(,"builds":[{"name":"a","folder":"x"},{"name":"a","folder":"y"}]})"),
            "plan.json: builds[1].name: expected a name that no other has, found \"a\" again");
  EXPECT_EQ(fault("{" + cases_ + "," + runs_ + R"(,"builds":[{"name":"a"}]})"),
            "plan.json: builds[0].folder: expected a string that is not empty, found nothing");
  EXPECT_EQ(fault("{" + cases_ + "," + runs_ + R"(,"launcher":"mpirun"})"),
            "plan.json: launcher: expected a launcher command with {ranks} in it, such as \"srun -n "
            "{ranks}\", found \"mpirun\"");
}

TEST_F(PlanTest, NamesLineAndColumnOfASyntaxFault) {
  EXPECT_TRUE(fault("{\n  \"runs\": [,]\n}").starts_with("plan.json:2:12: expected JSON, found a fault: "))
      << fault("{\n  \"runs\": [,]\n}");
  EXPECT_TRUE(fault("").starts_with("plan.json:1:0: expected JSON")) << fault("");
  EXPECT_EQ(fault(std::string(100000, '[') + std::string(100000, ']')),
            "plan.json: expected JSON, found a fault: more than 100 levels");
  EXPECT_EQ(error_of([] { load_json("/dev/zero"); }), "/dev/zero: expected a JSON file, found a device");
}

TEST_F(PlanTest, ChecksMarksAndDevices) {
  EXPECT_EQ(fault("{" + cases_ + "," + runs_ + R"(,"launcher":"srun -n {ranks} -N {node}"})"),
            "plan.json: launcher: expected {ranks}, {nodes}, {ranks_per_node} or {cpus} in braces, found "
            "\"{node}\"");
  EXPECT_EQ(fault("{" + cases_ + "," + runs_ + R"(,"within_devices":"gpus"})"),
            "plan.json: within_devices: expected cpu, gpu or accelerator, found \"gpus\"");
}

TEST(BuiltInPlans, AreWhole) {
  const fs::path folder = fs::path(BOLTZMARK_SOURCE_DIR) / "analysis" / "plans";
  const auto names = plan_names(folder);
  EXPECT_TRUE(contains(names, std::string("quick")));
  for (const auto& name : names) {
    SCOPED_TRACE(name);
    const Plan plan = load_plan(find_plan(name, folder));
    EXPECT_FALSE(plan.summary.empty());
    EXPECT_GE(Cases(plan).size(), 2u);
    const bool on_gpus = name.find("gpu") != name.npos || name == "ladder";
    EXPECT_EQ(plan.within_cores, name.starts_with("scaling-") && !on_gpus);
    EXPECT_EQ(plan.within_devices, on_gpus ? "gpu" : "");
  }
  EXPECT_EQ(error_of([&] { find_plan("quack", folder); }),
            "plan: expected " + join(names, ", ") + " or a plan file, found \"quack\"");
}

TEST(BuiltInPlans, ClimbTheLadderStepByStep) {
  const fs::path analysis = fs::path(BOLTZMARK_SOURCE_DIR) / "analysis";
  std::string published;
  const nlohmann::json all = load_json(analysis / "report/published.json");
  for (const auto& table : all.at("tables"))
    if (table.at("id") == "table-2")
      for (const auto& step : table.at("lines"))
        if (step.at("grid") == "128x128") published += step.at("variant").get<std::string>() + '\n';
  ASSERT_TRUE(published.starts_with("initial\n")) << published;
  for (const char* name : {"ladder", "ladder-short"}) {
    std::string variants;
    for (const PlanRun& run : load_plan(analysis / "plans" / (name + std::string(".json"))).runs)
      if (run.workload == usual_workload) variants += run.variant + '\n';
    EXPECT_TRUE(variants.starts_with(published)) << variants;
  }
}

/// The presets of CMakePresets.json and the builds of the plans are one list.
TEST(BuiltInPlans, NameTheBuildsThatPresetsMake) {
  const fs::path source(BOLTZMARK_SOURCE_DIR);
  std::string folders;
  const nlohmann::json presets = load_json(source / "CMakePresets.json");
  for (const auto& preset : presets.at("configurePresets")) folders += preset.at("binaryDir").get<std::string>() + '\n';
  for (const auto& [name, least] : {std::pair("compilers", 4u), std::pair("compilers-gpu", 2u)}) {
    const Plan plan = load_plan(source / "analysis" / "plans" / (name + std::string(".json")));
    EXPECT_GE(plan.builds.size(), least) << name;
    for (const PlanBuild& build : plan.builds) {
      EXPECT_EQ(build.folder.filename(), "build-" + build.name);
      EXPECT_TRUE(has(folders, "}/build-" + build.name + '\n')) << build.name;
      EXPECT_EQ(build.make, "make compilers COMPILERS=" + build.name);
      EXPECT_FALSE(build.compiler.empty()) << build.name;
    }
  }
}

// ---- the builds of a plan

class BuildsTest : public PlanTest {
 protected:
  /// A build folder with these models, of which `built` has a program.
  void make_build(const std::string& name, const std::string& built) {
    fs::create_directories(folder_ / name / "bin");
    fs::create_directories(folder_ / name / "share/boltzmark");
    write_text(folder_ / (name + "/share/boltzmark/programs.json"),
               R"([{"workload":"lbm","model":"serial","program":"lbm-serial","skipped":""},
                   {"workload":"lbm","model":"mpi","program":"lbm-mpi","launcher":true,"skipped":""}])");
    write_text(folder_ / (name + "/bin/lbm-" + built), "");
  }
  Plan plan(const std::string& builds) {
    return load_plan(write("{" + cases_ + "," + runs_ + R"(,"builds":)" + builds + "}"));
  }
};

TEST_F(BuildsTest, AreReadOneAfterTheOtherAndThoseThatAreNotThereAreSaid) {
  make_build("a", "serial");
  make_build("c", "mpi");
  std::vector<std::string> complaints;
  const auto programs =
      programs_for(plan(R"([{"name":"A","folder":"a","make":"make A"},{"name":"B","folder":"b","make":"make B"},
                                          {"name":"C","folder":"c","make":"make C"}])"),
                   "nowhere", complaints);
  ASSERT_EQ(programs.size(), 4u);
  EXPECT_EQ(programs[0].build + programs[1].build + programs[2].build + programs[3].build, "AACC");
  EXPECT_EQ(programs[0].path, folder_ / "a/bin/lbm-serial");
  EXPECT_EQ(programs[0].skipped + programs[3].skipped, "");
  EXPECT_EQ(programs[1].skipped, "build A has no lbm-mpi; make it with: make A");
  EXPECT_EQ(programs[2].skipped, "build C has no lbm-serial; make it with: make C");
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_EQ(complaints[0], "build B: expected " + (folder_ / "b/share/boltzmark/programs.json").string() +
                               ", found none; make it with: make B; its runs are left out");
}

TEST_F(BuildsTest, OfWhichNoneIsThereAreUnavailable) {
  std::vector<std::string> complaints;
  try {
    programs_for(plan(R"([{"name":"B","folder":"b","make":"make B"}])"), "nowhere", complaints);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::unavailable);
    EXPECT_TRUE(has(error.what(), "plan.json: all of its builds are missing; make the first: build B: expected "))
        << error.what();
  }
}

TEST_F(BuildsTest, AreHeldAgainstTheRecords) {
  const auto builds =
      plan(
          R"([{"name":"A","folder":"a","compiler":"GNU","flags":["-Ofast"],"without":["-march=native"],"make":"make A"}])")
          .builds;
  const auto status_of = [&](const std::string& build, const std::string& compiler, const std::string& flags) {
    RunEntry e = entry("serial", "fused", 1, {0.5});
    e.key.build = build;
    e.record->provenance.compiler = compiler;
    e.record->provenance.flags = flags;
    check_build(builds, e);
    EXPECT_EQ(e.record.has_value(), e.status == RunStatus::ok);
    return to_string(e.status) + ": " + e.reason;
  };
  EXPECT_EQ(status_of("A", "GNU 12.2.0", "-O3 -Ofast"), "ok: ");
  EXPECT_EQ(status_of("", "Clang 16", "-O3"), "ok: ");
  EXPECT_EQ(status_of("A", "Clang 16", "-O3 -Ofast"),
            "failed: build A: expected GNU with -Ofast, without -march=native, found Clang 16, -O3 -Ofast; make it "
            "with: make A");
  EXPECT_TRUE(has(status_of("A", "GNU 12.2.0", "-O3"), "failed: "));
  EXPECT_TRUE(has(status_of("A", "GNU 12.2.0", "-Ofast -march=native"), "failed: "));
}

TEST(ReasonTest, IsNoWarning) {
  const std::string warning = "lbm-openmp: warning: 4 threads on 2 processors wait\n";
  EXPECT_EQ(reason_in(warning, "lbm-openmp"), "");
  EXPECT_EQ(reason_in("Segmentation fault\n" + warning, "lbm-openmp"), "Segmentation fault");
  EXPECT_EQ(reason_in(warning + "lbm-openmp: error: no memory\n", "lbm-openmp"), "no memory");
}

TEST(ReasonTest, IsTheCauseInWhatALauncherSays) {
  const std::string rule(74, '-'), warned = rule + "\nWARNING: a slow network.\n" + rule + '\n',
                                   lost = rule +
                                          "\nORTE has lost communication with a\nremote daemon. It has\n\n"
                                          "therefore will terminate the job.\n" +
                                          rule + '\n';
  EXPECT_EQ(reason_in(warned + lost + "Local abort\n", "lbm-mpi"), "ORTE has lost communication with a remote daemon");
  EXPECT_EQ(reason_in(warned + "Segmentation fault\n", "lbm-mpi"), "Segmentation fault");
  EXPECT_EQ(reason_in("lbm-mpi: error: no memory\n" + lost, "lbm-mpi"), "no memory");
  EXPECT_EQ(reason_in("srun: error: n1: task 0: Segmentation fault\nsrun: error: n2: task 1: Terminated\n"
                      "srun: Force Terminated StepId=9.2\n",
                      "lbm-mpi"),
            "srun: error: n1: task 0: Segmentation fault");
}

}  // namespace
}  // namespace boltzmark
