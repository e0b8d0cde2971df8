// Plans: read strictly, and turned into a list of jobs.
#include <gtest/gtest.h>

#include <functional>

#include "analysis/run/models.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/run/schedule.hpp"
#include "common/error.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
namespace fs = std::filesystem;

class PlanTest : public ::testing::Test {
 protected:
  PlanTest() { write_problem(folder_, grid("box")); }

  fs::path write(const std::string& content) {
    write_text(folder_ / "plan.json", content);
    return folder_ / "plan.json";
  }
  /// What is wrong with this plan, without the folder's name.
  std::string fault(const std::string& content) {
    std::string line = error_of([&] { load_problems(load_plan(write(content))); });
    for (std::size_t at = 0; (at = line.find(folder_.path.string() + '/')) != line.npos;)
      line.erase(at, folder_.path.string().size() + 1);
    return line;
  }

  const std::string problems_ =
      R"("problems":[{"params":"input_box.params","obstacles":"obstacles_box.dat"}])";
  const std::string runs_ = R"("runs":[{"model":"*"}])";
  TemporaryFolder folder_;
};

TEST_F(PlanTest, ReadsEveryKey) {
  const Plan plan = load_plan(write(R"({"summary":"s","repeats":5,"time_limit_seconds":1.5,"compare":"c",
    "baselines":[{"model":"m","variant":"v"}],"launcher":"srun -n {ranks}","launcher_args":"--x y",
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
  EXPECT_EQ(join_words(launcher_words(plan.launcher, 4)), "srun -n 4 --x y");
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
            "repeats, "
            "threads, variant, warm_up, work_group, found \"thread\"");
  EXPECT_EQ(fault("{" + problems_ + "," + runs_ + R"(,"time_limit_seconds":0})"),
            "plan.json: time_limit_seconds: expected a number of seconds above zero, found 0");
  EXPECT_EQ(fault("{" + problems_ + R"(,"runs":[{"model":"*","problems":["bax"]}]})"),
            "plan.json: runs[0].problems[0]: expected one of box, found \"bax\"");
  EXPECT_EQ(fault("{" + runs_ + R"(,"problems":[{"params":"none.params","obstacles":"none"}]})"),
            "plan.json: problems[0].params: expected a file, found none at none.params");
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

TEST(BuiltInPlans, AreWhole) {
  const fs::path folder = fs::path(BOLTZMARK_SOURCE_DIR) / "analysis" / "plans";
  const auto names = plan_names(folder);
  EXPECT_EQ(names, (std::vector<std::string>{"full", "quick"}));
  for (const auto& name : names) {
    const Plan plan = load_plan(find_plan(name, folder));
    EXPECT_FALSE(plan.summary.empty());
    EXPECT_EQ(load_problems(plan).size(), 4u);
    EXPECT_FALSE(plan.stream.empty());
  }
  EXPECT_EQ(error_of([&] { find_plan("quack", folder); }),
            "plan: expected full, quick or a plan file, found \"quack\"");
}

class ScheduleTest : public PlanTest {
 protected:
  std::vector<Job> schedule(const std::string& runs, ScheduleOptions options = {},
                            const std::string& stream = "[]") {
    plan_ = load_plan(write("{\"repeats\":2,\"launcher\":\"env {ranks}\"," + problems_ + R"(,"runs":)" +
                            runs + R"(,"stream":)" + stream + "}"));
    problems_read_ = load_problems(plan_);
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

}  // namespace
}  // namespace boltzmark
