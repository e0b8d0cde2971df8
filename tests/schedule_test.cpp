// A plan and the models that are here, turned into a list of jobs.
#include <gtest/gtest.h>

#include "analysis/run/launcher.hpp"
#include "analysis/run/schedule.hpp"
#include "plan_files.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

TEST(Launchers, LayRanksOnAsFewNodesAsTheyNeed) {
  const Allocation two{.nodes = 2, .ranks_per_node = 4, .cpus_per_rank = 2};
  Launcher launcher{.command = "srun -n {ranks} -N {nodes} --ntasks-per-node={ranks_per_node} -c {cpus}",
                    .arguments = "-q",
                    .allocation = two};
  const auto line = [&](int ranks, int threads) {
    return join_words(launcher_words(launcher, ranks, threads));
  };
  EXPECT_EQ(line(1, 0), "srun -n 1 -N 1 --ntasks-per-node=1 -c 2 -q");
  EXPECT_EQ(line(4, 1), "srun -n 4 -N 1 --ntasks-per-node=4 -c 2 -q");
  EXPECT_EQ(line(5, 2), "srun -n 5 -N 2 --ntasks-per-node=4 -c 2 -q");
  EXPECT_EQ(line(2, 8), "srun -n 2 -N 2 --ntasks-per-node=1 -c 8 -q");  // a node each
  EXPECT_EQ(line(4, 3), "srun -n 4 -N 2 --ntasks-per-node=2 -c 3 -q");
  EXPECT_FALSE(place(two, 9, 1));
  EXPECT_FALSE(place(two, 3, 8));
  EXPECT_FALSE(place(two, 1, 9));
  EXPECT_EQ(launcher_line(launcher, 5, 2), "srun -n {ranks} -N 2 --ntasks-per-node=4 -c 2 -q");
  launcher.allocation.reset();
  EXPECT_EQ(line(3, 4), "srun -n 3 -N 1 --ntasks-per-node=3 -c 4 -q");
}

class ScheduleTest : public PlanTest {
 protected:
  std::vector<Job> schedule(const std::string& runs, ScheduleOptions options = {},
                            const std::string& stream = "[]") {
    plan_ = load_plan(write("{\"repeats\":2,\"launcher\":\"env {ranks}\"," + problems_ + R"(,"runs":)" +
                            runs + R"(,"stream":)" + stream + "}"));
    problems_read_ = load_problems(plan_);
    plan_.within_devices = within_devices_;
    plan_.launcher.allocation = allocation_;
    options.cores = 6;
    return make_schedule(plan_, problems_read_, models_, options);
  }
  static std::string text(const std::vector<Job>& jobs) {
    std::string text;
    for (const Job& job : jobs)
      text += std::to_string(job.key.round) + ' ' + describe(job.key) +
              (job.foregone ? ": " + job.reason : "") + '\n';
    return text;
  }

  static ProbedModel model(const std::string& name, bool launcher, bool threads,
                           const std::string& skipped = "") {
    ProbedModel probed;
    probed.model = {.name = name, .program = "bin/lbm-" + name, .launcher = launcher, .skipped = skipped};
    if (!skipped.empty()) return probed;  // nobody to ask
    probed.abilities.takes_threads = threads;
    probed.abilities.has_stream = true;
    probed.abilities.variants = {{"fused", {"f32", "f64"}, ""}};
    return probed;
  }
  std::vector<ProbedModel> models_ = {model("one", false, false), model("many", false, true),
                                      model("ranks", true, false), model("absent", false, true, "not here")};
  std::string within_devices_;
  std::optional<Allocation> allocation_;
  Plan plan_;
  std::vector<ScheduledProblem> problems_read_;
};

TEST_F(ScheduleTest, InterleavesRoundsAndGivesOptionsOnlyWhereTheyMeanSomething) {
  EXPECT_EQ(text(schedule(R"([{"model":"one","variant":"plain","repeats":1},
                              {"model":"*","variant":"fused","device":"gpu","work_group":"4x4"}])")),
            "1 one plain\n"
            "1 one fused\n"
            "1 many fused, 6 threads\n"
            "1 ranks fused, 6 ranks\n"
            "1 absent fused: not here\n"
            "2 one fused\n"
            "2 many fused, 6 threads\n"
            "2 ranks fused, 6 ranks\n");
  EXPECT_EQ(
      text(schedule(R"([{"model":"*","threads":2,"ranks":3,"repeats":1}])")),
      "1 one default\n1 many default, 2 threads\n1 ranks default, 3 ranks\n1 absent default: not here\n");
}

TEST_F(ScheduleTest, KnowsTheVariantThatAModelIsComparedIn) {
  models_.push_back(model("opencl", false, false));
  models_.back().abilities.variants = {{"fused", {"f32"}, ""}, {"two-grid", {"f32"}, ""}};
  EXPECT_EQ(text(schedule(R"([{"model":"*","variant":"compare","repeats":1}])")),
            "1 one fused\n1 many fused, 6 threads\n1 ranks fused, 6 ranks\n1 absent fused: not here\n"
            "1 opencl two-grid\n");
}

TEST_F(ScheduleTest, GivesANamedModelWhatThePlanSays) {
  const auto jobs =
      schedule(R"([{"model":"one","threads":2,"warm_up":true,"options":["--frob"],"repeats":1}])");
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(join_words({jobs[0].command.begin(), jobs[0].command.begin() + 9}),
            "bin/lbm-one --precision f32 --threads 2 --repeat 1 --frob --no-output");
}

TEST_F(ScheduleTest, PutsStreamBeforeTheProblemsOfEachRound) {
  models_[0].abilities.has_stream = false;
  const auto jobs =
      schedule(R"([{"model":"many","threads":1}])", {},
               R"([{"model":"*","precision":"f64","device":"gpu","options":["--repeat","8"]}])");
  EXPECT_EQ(text(jobs),
            "1 one f64 --repeat 8: no STREAM kernels\n"
            "1 many f64, 6 threads --repeat 8\n"
            "1 ranks f64, 6 ranks --repeat 8\n"
            "1 absent f64 --repeat 8: not here\n"
            "1 many default, 1 thread\n"
            "2 many f64, 6 threads --repeat 8\n"
            "2 ranks f64, 6 ranks --repeat 8\n"
            "2 many default, 1 thread\n");
  EXPECT_EQ(join_words(jobs[1].command), "bin/lbm-many --stream --precision f64 --threads 6 --repeat 8");
  EXPECT_EQ(jobs[1].problem, no_problem);
  EXPECT_EQ(jobs[1].name, "stream");
  EXPECT_TRUE(jobs[1].key.is_stream());
  EXPECT_EQ(jobs[1].key.oracle, "");
  EXPECT_FALSE(jobs[4].key.is_stream());
}

TEST_F(ScheduleTest, TakesStreamForAProblemThatCanBeChosen) {
  const std::string runs = R"([{"model":"one"}])", stream = R"([{"model":"many","repeats":1}])";
  EXPECT_EQ(text(schedule(runs, {.problems = {"stream"}}, stream)), "1 many, 6 threads\n");
  EXPECT_EQ(text(schedule(runs, {.problems = {"box"}}, stream)), "1 one default\n2 one default\n");
  EXPECT_EQ(text(schedule(runs, {.models = {"one"}}, stream)), "1 one default\n2 one default\n");
  EXPECT_EQ(error_of([&] { schedule(runs, {.problems = {"stream"}}); }),
            "--problems: expected some of box, found \"stream\"");
}

TEST_F(ScheduleTest, DoesEveryRunInEveryBuild) {
  models_ = {model("one", false, false), model("many", false, true), model("one", false, false)};
  models_[0].model.build = models_[1].model.build = "gcc";
  models_[2].model.build = "clang";
  const std::string runs = R"([{"model":"one","variant":"fused","repeats":1},{"model":"many","repeats":1}])";
  EXPECT_EQ(text(schedule(runs)),
            "1 one fused, build gcc\n1 one fused, build clang\n1 many default, 6 threads, build gcc\n");
  EXPECT_EQ(text(schedule(runs, {.builds = {"clang"}})), "1 one fused, build clang\n");
  EXPECT_EQ(error_of([&] { schedule(runs, {.builds = {"icc"}}); }),
            "--builds: expected some of gcc, clang, found \"icc\"");
}

TEST_F(ScheduleTest, TellsWhatNeedNotBeTried) {
  EXPECT_EQ(text(schedule(R"([{"model":"*","variant":"other"}])", {.models = {"one"}})),
            "1 one other: no variant other; there is fused\n");
  EXPECT_EQ(text(schedule(R"([{"model":"one","ranks":2}])")),
            "1 one default, 2 ranks: ranks are named for a model that is one process\n");
  models_[0].failure = "no library";
  const auto jobs = schedule(R"([{"model":"one"}])");
  EXPECT_EQ(jobs.at(0).foregone, RunStatus::failed);
}

TEST_F(ScheduleTest, LeavesOutWhatIsNotAskedForAndWhatIsThereAlready) {
  EXPECT_EQ(text(schedule(R"([{"model":"*"},{"model":"one"}])", {.models = {"one"}, .repeats = 1})),
            "1 one default\n");
  EXPECT_EQ(error_of([&] { schedule(R"([{"model":"*"}])", {.models = {"none"}}); }),
            "--models: expected some of one, many, ranks, absent, found \"none\"");
  EXPECT_EQ(error_of([&] { schedule(R"([{"model":"*"}])", {.problems = {"bax"}}); }),
            "--problems: expected some of box, found \"bax\"");
}

TEST_F(ScheduleTest, GivesARunItsOwnSteps) {
  models_.resize(1);
  const auto jobs =
      schedule(R"([{"model":"one","variant":"fused"},{"model":"one","steps":3},{"model":"one","steps":3}])",
               {.repeats = 1});
  EXPECT_EQ(text(jobs), "1 one fused\n1 one default\n");
  ASSERT_EQ(problems_read_.size(), 2u);
  EXPECT_EQ(jobs[0].key.steps, problems_read_[0].steps);
  EXPECT_EQ(jobs[1].key.steps, 3);
  EXPECT_EQ(jobs[1].problem, 1);
  EXPECT_TRUE(has(join_words(jobs[1].command), " --steps 3 "));
  EXPECT_EQ(jobs[0].key.problem, jobs[1].key.problem);
}

TEST_F(ScheduleTest, WantsADeviceForEveryRank) {
  within_devices_ = "gpu";
  models_[0].devices[{}] = {.number = 1};
  models_[2].devices[{"--local", "opencl"}] = {.number = 2};
  const std::string runs =
      R"([{"model":"one","repeats":1},
          {"model":"ranks","ranks":2,"options":["--local","opencl"],"repeats":1},
          {"model":"ranks","ranks":4,"options":["--local","opencl"],"repeats":1}])";
  EXPECT_EQ(text(schedule(runs)),
            "1 one default\n1 ranks default, 2 ranks --local opencl\n"
            "1 ranks default, 4 ranks --local opencl: 4 ranks, but 2 gpus\n");
  allocation_ = {.nodes = 2, .ranks_per_node = 2, .cpus_per_rank = 1};
  EXPECT_FALSE(schedule(runs)[2].foregone);  // two on each of two nodes
  allocation_.reset();
  models_[2].devices[{"--local", "opencl"}] = {};
  const auto none = schedule(runs);
  EXPECT_EQ(none[1].reason, "no gpu here");
  EXPECT_TRUE(none[1].lacks_device);
  EXPECT_FALSE(none[0].lacks_device);
  models_[2].devices[{"--local", "opencl"}] = {.failure = "lbm-ranks: no --local", .is_refused = true};
  EXPECT_EQ(schedule(runs)[1].foregone, RunStatus::failed);
}

TEST_F(ScheduleTest, KeepsToTheRoomOfAJob) {
  allocation_ = {.nodes = 2, .ranks_per_node = 2, .cpus_per_rank = 3};
  EXPECT_EQ(
      text(schedule(R"([{"model":"ranks","repeats":1},{"model":"ranks","ranks":5},
                              {"model":"ranks","ranks":2,"threads":6,"repeats":1},{"model":"ranks","ranks":3,"threads":6}])")),
      "1 ranks default, 4 ranks\n"
      "1 ranks default, 5 ranks: 5 ranks of 1 thread, but 2 nodes with 2 ranks of 3 cores\n"
      "1 ranks default, 2 ranks, 6 threads\n"
      "1 ranks default, 3 ranks, 6 threads: 3 ranks of 6 threads, but 2 nodes with 2 ranks of 3 cores\n");
}

TEST_F(ScheduleTest, LeavesTheOracleOutWhereAProblemIsNotChecked) {
  plan_ = load_plan(
      write(R"({"problems":[{"box":"9x8","steps":2,"check":false},{"box":"8x8","steps":2}],)" + runs_ + "}"));
  problems_read_ = load_problems(plan_);
  models_.resize(1);
  const auto jobs = make_schedule(plan_, problems_read_, models_, {.repeats = 1, .oracle = "v1"});
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_FALSE(jobs[0].checked);
  EXPECT_EQ(jobs[0].key.oracle + jobs[1].key.oracle, "v1");
}

}  // namespace
}  // namespace boltzmark
