// A plan and the models that are here, turned into a list of jobs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <memory>

#include "analysis/run/plan.hpp"
#include "analysis/run/runner.hpp"
#include "analysis/run/schedule.hpp"
#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"
#include "entries.hpp"
#include "plan_files.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

TEST(Launchers, LayRanksOnAsFewNodesAsTheyNeed) {
  const Allocation two{.nodes = 2, .ranks_per_node = 4, .cpus_per_rank = 2};
  Launcher launcher{.command = "srun -n {ranks} -N {nodes} --ntasks-per-node={ranks_per_node} -c {cpus}",
                    .arguments = "-q",
                    .allocation = two};
  const auto line = [&](int ranks, int threads) { return join(launcher_words(launcher, ranks, threads), " "); };
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

TEST(Rounds, AreShuffledByTheirSeedAlone) {
  std::vector<Job> jobs(6);
  std::vector<const Job*> order;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].number = static_cast<int>(i);
    order.push_back(&jobs[i]);
  }
  const auto shuffled = [&](std::uint32_t seed) {
    auto some = order;
    shuffle(some, seed);
    std::string numbers;
    for (const Job* const job : some) numbers += std::to_string(job->number);
    return numbers;
  };
  EXPECT_EQ(shuffled(1), shuffled(1));
  EXPECT_NE(shuffled(1), shuffled(2));
  std::string sorted = shuffled(3);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, "012345");
}

TEST(Rounds, AreAsWideAsTheirWidestPart) {
  std::vector<RunEntry> rounds;
  const auto width = [&rounds] {
    std::vector<const RunEntry*> all;
    for (const RunEntry& round : rounds) all.push_back(&round);
    return width_of(all);
  };
  for (const double seconds : {1.0, 1.1, 0.9}) rounds.push_back(entry("serial", "fused", 1, {seconds, seconds, 9.0}));
  EXPECT_NEAR(width(), 0.1, 1e-12);
  for (RunEntry& round : rounds) {
    const double seconds = round.record->compute_seconds;
    round.record->parts = {{"copy", 1, 1, 0, {1.0}}, {"triad", 1, 1, 0, {seconds * seconds}}};
  }
  EXPECT_NEAR(width(), 0.5 * (1.21 - 0.81), 1e-12);
  rounds[1].status = RunStatus::wrong;
  EXPECT_EQ(width(), 0.0);
  rounds.resize(1);
  EXPECT_TRUE(std::isinf(width()));
}

class ScheduleTest : public PlanTest {
 protected:
  std::vector<Job> schedule(const std::string& runs, ScheduleOptions options = {}) {
    plan_ = load_plan(write("{\"repeats\":2,\"launcher\":\"env {ranks}\"," + cases_ + R"(,"runs":)" + runs + "}"));
    plan_.within_devices = within_devices_;
    plan_.launcher.allocation = allocation_;
    options.cores = 6;
    read_ = std::make_unique<Cases>(plan_);
    return make_schedule(plan_, *read_, programs_, options, signals_);
  }
  static std::string text(const std::vector<Job>& jobs) {
    std::string text;
    for (const Job& job : jobs)
      text +=
          std::to_string(job.key.round) + ' ' + describe(job.key) + (job.predetermined ? ": " + job.reason : "") + '\n';
    return text;
  }

  static ProbedProgram program(const std::string& model, const std::vector<std::string>& takes, bool launcher = false,
                               const std::string& workload = usual_workload) {
    ProbedProgram probed;
    probed.program.workload = workload;
    probed.program.model = model;
    probed.program.path = "bin/" + workload + '-' + model;
    probed.program.launcher = launcher;
    probed.description.takes = takes + std::vector<std::string>{"variant", "precision", "repeat", "check"};
    probed.description.variants = {{"plain", "", "textbook", {"f32"}, {}, {}},
                                   {"fused", "", "like-for-like", {"f32", "f64"}, {}, {}}};
    return probed;
  }
  static ProbedProgram absent() {
    ProbedProgram probed;  // nobody to ask
    probed.program.workload = usual_workload;
    probed.program.model = "absent";
    probed.program.skipped = "not here";
    return probed;
  }
  std::vector<ProbedProgram> programs_ = {program("one", {"steps"}), program("many", {"steps", "threads"}),
                                          program("ranks", {"steps"}, true), absent()};
  std::string within_devices_;
  std::optional<Allocation> allocation_;
  Plan plan_;
  std::unique_ptr<Cases> read_;
  SignalWatch signals_;
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
  EXPECT_EQ(text(schedule(R"([{"model":"*","threads":2,"ranks":3,"repeats":1}])")),
            "1 one default\n1 many default, 2 threads\n1 ranks default, 3 ranks\n1 absent default: not here\n");
}

TEST_F(ScheduleTest, KnowsARunByTheFilesThatItReads) {
  programs_.push_back(program("one", {"input"}, false, "nbody"));
  const auto key_with = [&](const std::string& content) {
    for (const char* array : {"m", "x"}) write_text(folder_ / ("in." + std::string(array) + ".f64"), content);
    plan_ = load_plan(write(R"({"cases":[{"workload":"nbody","arguments":["--input",")" + (folder_ / "in").string() +
                            R"("]}],"runs":[{"workload":"nbody","model":"one","repeats":1}]})"));
    read_ = std::make_unique<Cases>(plan_);
    return make_schedule(plan_, *read_, programs_, {}, signals_).at(0).key;
  };
  EXPECT_EQ(key_with("12345678").identity(), key_with("12345678").identity());
  EXPECT_NE(key_with("12345678").identity(), key_with("12345679").identity());
}

TEST_F(ScheduleTest, LeavesOutWhatTheMachineIsTooSmallForWithoutARow) {
  programs_[1].description.compiles_kernels = true;
  const std::string runs = R"([{"model":"many","cores":[1,4,8],"repeats":1},
                               {"model":"one","on_numa":true,"repeats":1}])";
  const auto jobs = schedule(runs);
  EXPECT_EQ(text(jobs), "1 many default, 1 thread\n1 many default, 4 threads\n");
  EXPECT_TRUE(jobs.at(0).compiles_kernels);
  EXPECT_EQ(text(schedule(runs, {.numa_nodes = 2})),
            "1 many default, 1 thread\n1 many default, 4 threads\n1 one default\n");
}

TEST_F(ScheduleTest, GivesEveryModelAsManyCores) {
  const auto jobs = schedule(R"([{"model":"*","cores":[1,2],"repeats":1}])");
  EXPECT_EQ(text(jobs),
            "1 one default, 1 thread\n1 many default, 1 thread\n1 ranks default, 1 rank\n1 absent default, 1 thread: "
            "not here\n1 one default, 2 threads\n1 many default, 2 threads\n1 ranks default, 2 ranks\n"
            "1 absent default, 2 threads: not here\n");
  const Job &one = jobs.at(0), &many = jobs.at(1);
  EXPECT_TRUE(one.key.is_confined() && !many.key.is_confined() && !jobs.at(2).key.is_confined());
  const Runner runner(folder_.path, plan_.launcher, 1.0);
  const std::string first = std::to_string(usable_processors_by_core().front());
  EXPECT_TRUE(runner.command_line(one).starts_with("taskset --cpu-list " + first + " bin/lbm-one --"));
  EXPECT_FALSE(has(runner.command_line(one), "--threads"));
  EXPECT_TRUE(has(runner.command_line(many), "--threads 1")) << runner.command_line(many);
  EXPECT_NE(one.key.configuration(), jobs.at(4).key.configuration());
}

TEST_F(ScheduleTest, KnowsVariantsByTheirRole) {
  programs_.resize(2);
  programs_.push_back(program("opencl", {}));
  programs_.back().description.variants = {{"fused", "", "", {"f32"}, {}, {}},
                                           {"grids", "", "like-for-like", {"f32"}, {}, {}}};
  EXPECT_EQ(text(schedule(R"([{"model":"*","variant":["like-for-like","textbook"],"repeats":1}])")),
            "1 one fused\n1 many fused, 6 threads\n1 opencl grids\n"
            "1 one plain\n1 many plain, 6 threads\n1 opencl textbook: no variant textbook; there is fused, grids\n");
  EXPECT_EQ(text(schedule(R"([{"model":"*","variant":["same-algorithm"],"repeats":1}])")),
            text(schedule(R"([{"model":"*","variant":"like-for-like","repeats":1}])")));
}

TEST_F(ScheduleTest, GivesANamedModelWhatThePlanSays) {
  const auto jobs = schedule(R"([{"model":"one","threads":2,"warm_up":true,"options":{"frob":true},"repeats":1}])");
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(join({jobs[0].command.begin(), jobs[0].command.begin() + 9}, " "),
            "bin/lbm-one --precision f32 --threads 2 --repeat 1 --frob --no-output");
}

TEST_F(ScheduleTest, LeavesTheTeamsOfAGpuToTheProgram) {
  programs_[1].description.devices = {{"cpu", "host", ""}};
  EXPECT_EQ(text(schedule(R"([{"model":"many","repeats":1}])")), "1 many default, 6 threads\n");
  programs_[1].description.devices.insert(programs_[1].description.devices.begin(), {"gpu", "fast", ""});
  EXPECT_EQ(text(schedule(R"([{"model":"many","repeats":1}])")), "1 many default\n");
}

TEST_F(ScheduleTest, TreatsWorkloadsAlike) {
  programs_.push_back(program("many", {"threads"}, false, "sum"));
  programs_.push_back(program("one", {"steps", "blocks"}, false, "sum"));
  const std::string cases =
      R"({"cases":[{"workload":"sum","arguments":["9","8"],"steps":4},{"workload":"sum","name":"big","check":false}],)";
  plan_ = load_plan(write(cases + R"("runs":[{"workload":"sum","model":"*","repeats":1,"options":{"blocks":3}}]})"));
  read_ = std::make_unique<Cases>(plan_);
  const auto jobs = make_schedule(plan_, *read_, programs_, {.cores = 2, .oracle = "v"}, signals_);
  ASSERT_EQ(jobs.size(), 4u);
  EXPECT_EQ(join(jobs[0].command, " "), "bin/sum-many --precision f32 --threads 2 9 8");
  EXPECT_EQ(join(jobs[1].command, " "), "bin/sum-one --precision f32 --steps 4 --blocks 3 9 8");
  EXPECT_EQ(join(jobs[3].command, " "), "bin/sum-one --precision f32 --blocks 3");
  EXPECT_EQ(jobs[0].key.workload + ' ' + jobs[0].key.case_ + jobs[0].key.oracle, "sum 9 8");
  EXPECT_EQ(jobs[0].of->name + ' ' + jobs[3].of->name, "9 8 big");
  EXPECT_TRUE(jobs[0].checked && !jobs[3].checked);
}

TEST_F(ScheduleTest, PutsAWorkloadsDefaultCaseFirst) {
  programs_ = {program("one", {}), program("one", {}, false, "sum")};
  const std::string runs = R"([{"model":"one"},{"workload":"sum","model":"*","repeats":1}])";
  EXPECT_EQ(text(schedule(runs)), "1 one default\n1 one default\n2 one default\n");
  EXPECT_EQ(schedule(runs).front().key.workload, "sum");
  EXPECT_EQ(text(schedule(runs, {.workloads = {"sum"}})), "1 one default\n");
  EXPECT_EQ(text(schedule(runs, {.cases = {"box"}})), "1 one default\n2 one default\n");
  EXPECT_EQ(error_of([&] { schedule(runs, {.workloads = {"product"}}); }),
            "--workloads: expected some of lbm, sum, found \"product\"");
}

TEST_F(ScheduleTest, DoesEveryRunInEveryBuild) {
  programs_ = {program("one", {}), program("many", {"threads"}), program("one", {})};
  programs_[0].program.build = programs_[1].program.build = "gcc";
  programs_[2].program.build = "clang";
  const std::string runs = R"([{"model":"one","variant":"fused","repeats":1},{"model":"many","repeats":1}])";
  EXPECT_EQ(text(schedule(runs)),
            "1 one fused, build gcc\n1 one fused, build clang\n1 many default, 6 threads, build gcc\n");
  EXPECT_EQ(text(schedule(runs, {.builds = {"clang"}})), "1 one fused, build clang\n");
  EXPECT_EQ(error_of([&] { schedule(runs, {.builds = {"icc"}}); }),
            "--builds: expected some of gcc, clang, found \"icc\"");
}

TEST_F(ScheduleTest, TellsWhatNeedNotBeTried) {
  EXPECT_EQ(text(schedule(R"([{"model":"*","variant":"other"}])", {.models = {"one"}})),
            "1 one other: no variant other; there is plain, fused\n");
  EXPECT_EQ(text(schedule(R"([{"model":"one","ranks":2}])")),
            "1 one default, 2 ranks: ranks were given for a model without ranks\n");
  programs_[0].failure = "no library";
  const auto jobs = schedule(R"([{"model":"one"}])");
  EXPECT_EQ(jobs.at(0).predetermined, RunStatus::failed);
}

TEST_F(ScheduleTest, LeavesOutWhatIsNotAskedForAndWhatIsThereAlready) {
  EXPECT_EQ(text(schedule(R"([{"model":"*"},{"model":"one"}])", {.models = {"one"}, .repeats = 1})), "1 one default\n");
  EXPECT_EQ(error_of([&] { schedule(R"([{"model":"*"}])", {.models = {"none"}}); }),
            "--models: expected some of one, many, ranks, absent, found \"none\"");
  EXPECT_EQ(error_of([&] { schedule(R"([{"model":"*"}])", {.cases = {"bax"}}); }),
            "--cases: expected some of box, found \"bax\"");
}

TEST_F(ScheduleTest, GivesARunItsOwnSteps) {
  programs_.resize(1);
  const auto jobs = schedule(
      R"([{"model":"one","variant":"fused"},{"model":"one","steps":3},{"model":"one","steps":3}])", {.repeats = 1});
  EXPECT_EQ(text(jobs), "1 one fused\n1 one default\n");
  EXPECT_EQ(jobs[0].key.steps, (*read_)[0].steps);
  EXPECT_EQ(jobs[1].key.steps, 3);
  EXPECT_TRUE(has(join(jobs[1].command, " "), " --steps 3 "));
  EXPECT_EQ(jobs[0].key.case_, jobs[1].key.case_);
}

TEST_F(ScheduleTest, WantsADeviceForEveryRank) {
  within_devices_ = "gpu";
  programs_[0].devices[{}] = {.number = 1};
  programs_[2].devices[{"--local", "opencl"}] = {.number = 2};
  const std::string runs =
      R"([{"model":"one","repeats":1},
          {"model":"ranks","ranks":2,"options":{"local":"opencl"},"repeats":1},
          {"model":"ranks","ranks":4,"options":{"local":"opencl"},"repeats":1}])";
  EXPECT_EQ(text(schedule(runs)),
            "1 one default\n1 ranks default, 2 ranks --local opencl\n"
            "1 ranks default, 4 ranks --local opencl: 4 ranks, but 2 gpus\n");
  allocation_ = {.nodes = 2, .ranks_per_node = 2, .cpus_per_rank = 1};
  EXPECT_FALSE(schedule(runs)[2].predetermined);  // two on each of two nodes
  allocation_.reset();
  programs_[2].devices[{"--local", "opencl"}] = {};
  const auto none = schedule(runs);
  EXPECT_EQ(none[1].reason, "no gpu here");
  EXPECT_TRUE(none[1].lacks_device);
  EXPECT_FALSE(none[0].lacks_device);
  programs_[2].devices[{"--local", "opencl"}] = {.failure = "lbm-ranks: no --local", .is_refused = true};
  EXPECT_EQ(schedule(runs)[1].predetermined, RunStatus::failed);
}

TEST_F(ScheduleTest, KeepsToTheRoomOfAJob) {
  allocation_ = {.nodes = 2, .ranks_per_node = 2, .cpus_per_rank = 3};
  EXPECT_EQ(text(schedule(R"([{"model":"ranks","repeats":1},{"model":"ranks","ranks":5},
                              {"model":"ranks","ranks":2,"threads":6,"repeats":1},{"model":"ranks","ranks":3,"threads":6}])")),
            "1 ranks default, 4 ranks\n"
            "1 ranks default, 5 ranks: 5 ranks of 1 thread, but 2 nodes with 2 ranks of 3 cores\n"
            "1 ranks default, 2 ranks, 6 threads\n"
            "1 ranks default, 3 ranks, 6 threads: 3 ranks of 6 threads, but 2 nodes with 2 ranks of 3 cores\n");
}

TEST_F(ScheduleTest, LeavesTheOracleOutWhereAProblemIsNotChecked) {
  plan_ =
      load_plan(write(R"({"cases":[{"box":"9x8","steps":2,"check":false},{"box":"8x8","steps":2}],)" + runs_ + "}"));
  read_ = std::make_unique<Cases>(plan_);
  programs_.resize(1);
  const auto jobs = make_schedule(plan_, *read_, programs_, {.repeats = 1, .oracle = "v1"}, signals_);
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_FALSE(jobs[0].checked);
  EXPECT_EQ(jobs[0].key.oracle + jobs[1].key.oracle, "v1");
}

TEST_F(ScheduleTest, EndsAtASignal) {
  std::raise(SIGTERM);
  EXPECT_TRUE(schedule(R"([{"model":"*"}])").empty());
  EXPECT_EQ(signals_.stopped_by(), SIGTERM);
}

TEST_F(ScheduleTest, HasARowForWhatThisMachineHasNoRoomFor) {
  write_text(folder_ / "huge.params", "1000000\n1000000\n1\n1\n0.1\n0.005\n1.85\n");
  plan_ = load_plan(write(R"({"cases":[{"params":"huge.params","obstacles":"none"}],)" + runs_ + "}"));
  read_ = std::make_unique<Cases>(plan_);
  programs_.resize(1);
  const auto jobs = make_schedule(plan_, *read_, programs_, {}, signals_);
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].predetermined, RunStatus::impossible);
}

}  // namespace
}  // namespace boltzmark
