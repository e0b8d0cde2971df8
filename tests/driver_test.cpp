// The driver: its parts on made-up input, and the program `boltzmark` itself on tiny problems, also killed
// half-way.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>

#include "analysis/comparison_output.hpp"
#include "analysis/models.hpp"
#include "analysis/plan.hpp"
#include "analysis/process.hpp"
#include "analysis/runner.hpp"
#include "analysis/schedule.hpp"
#include "analysis/store.hpp"
#include "analysis/table.hpp"
#include "common/error.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;
namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
  return count;
}

/// The line of the Error that `work` throws, "" when it throws none.
std::string error_of(const std::function<void()>& work) {
  try {
    work();
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::bad_input);
    return error.what();
  }
}

/// Waits for something to come true, at most 20 seconds.
bool eventually(const std::function<bool()>& is_true) {
  for (int i = 0; i < 2000; ++i) {
    if (is_true()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// ---------------------------------------------------------------------------------------------- plan

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
             "repeats":4,"warm_up":true,"options":["--a","b"],"problems":["box"]}]})"));
  EXPECT_EQ(plan.name, "plan");
  EXPECT_EQ(plan.repeats, 5);
  EXPECT_EQ(plan.time_limit_seconds, 1.5);
  EXPECT_EQ(plan.compare, "c");
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
  }
  EXPECT_EQ(error_of([&] { find_plan("quack", folder); }),
            "plan: expected full, quick or a plan file, found \"quack\"");
}

// ------------------------------------------------------------------------------------------ schedule

class ScheduleTest : public PlanTest {
 protected:
  std::vector<Job> schedule(const std::string& runs, ScheduleOptions options = {}) {
    plan_ = load_plan(
        write("{\"repeats\":2,\"launcher\":\"env {ranks}\"," + problems_ + R"(,"runs":)" + runs + "}"));
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

// --------------------------------------------------------------------------------------------- table

TEST(TableTest, AlignsText) {
  Table table({{"name"}, {"first\nline", Align::right}, {"note"}});
  table.add_row({"a", "1", "x"});
  table.add_row({"größe", "12345", ""});
  EXPECT_EQ(table.text(),
            "       first\n"
            "name    line  note\n"
            "-----  -----  ----\n"
            "a          1  x\n"
            "größe  12345\n");
}

TEST(TableTest, CutsOnlyColumnsThatShrink) {
  Table table({{"device", Align::left, true}, {"n", Align::right}});
  table.add_row({"a long device name", "1"});
  EXPECT_EQ(table.text(15),
            "device        n\n"
            "------------  -\n"
            "a long devi…  1\n");
  EXPECT_EQ(table.text(3).substr(0, 12), "device    n\n");  // never below eight columns
}

TEST(TableTest, WritesMarkdownAndCsv) {
  Table table({{"a|b"}, {"two\nlines", Align::right}});
  table.add_row({"x|y", "1,5"});
  table.add_row({"say \"hi\""});
  EXPECT_EQ(table.markdown(), "| a\\|b | two lines |\n| --- | ---: |\n| x\\|y | 1,5 |\n| say \"hi\" |  |\n");
  EXPECT_EQ(table.csv(), "a|b,\"two\nlines\"\nx|y,\"1,5\"\n\"say \"\"hi\"\"\",\n");
}

TEST(TableTest, KnowsTheWidthOfCharacters) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("äöü"), 3);
  EXPECT_EQ(display_width("e\u0301"), 1);  // combining accent
  EXPECT_EQ(display_width("漢字"), 4);
  EXPECT_EQ(display_width("\xff\xfe"), 2);  // no UTF-8: a byte a column
  EXPECT_EQ(shortened("漢字漢字", 5), "漢字…");
  EXPECT_EQ(shortened("abc", 3), "abc");
}

TEST(TableTest, RoundsToSignificantDigits) {
  EXPECT_EQ(significant(35.2149, 4), "35.21");
  EXPECT_EQ(significant(0.061234, 4), "0.06123");
  EXPECT_EQ(significant(9.9996, 4), "10.00");
  EXPECT_EQ(significant(124356.7, 4), "124357");
  EXPECT_EQ(significant(1.34e-6, 2), "1.3e-06");
  EXPECT_EQ(significant(0.0, 4), "0");
  EXPECT_EQ(significant(-2.5, 1), "-2");
  EXPECT_EQ(significant(std::nan(""), 4), "-");
}

// ---------------------------------------------------------------------------------------- comparison

/// A run of a 1000 x 100 problem of 10 steps, i.e. a million updates.
RunEntry entry(const std::string& model, const std::string& variant, int round, std::vector<double> seconds) {
  RunEntry e;
  e.key.model = model;
  e.key.variant = variant;
  e.key.precision = "f32";
  e.key.round = round;
  e.key.steps = 10;
  e.key.problem = "0123456789abcdef";
  e.problem = "p";
  json repeats = json::array();
  for (const double s : seconds)
    repeats.push_back({{"init_seconds", 0.0}, {"compute_seconds", s}, {"collate_seconds", 0.0}});
  e.record = {{"problem", {{"nx", 1000}, {"ny", 100}}},
              {"steps", 10},
              {"variant", variant},
              {"device", "Some(R) CPU"},
              {"threads", 2},
              {"ranks", 1},
              {"repeats", repeats},
              {"bytes_per_update", 72.0},
              {"check", {{"av_vels", 1e-6}, {"speed", 3e-6}, {"pressure", nullptr}}},
              {"provenance",
               {{"host", "h"},
                {"cpu", "c"},
                {"system", "s"},
                {"cores", 2},
                {"compiler", "g"},
                {"flags", "-O3"},
                {"version", "0"},
                {"revision", "r"}}}};
  return e;
}

RunEntry failed(const std::string& model, const std::string& variant, int round, RunStatus status) {
  RunEntry e = entry(model, variant, round, {});
  e.status = status;
  e.reason = "because";
  e.record = nullptr;
  return e;
}

const std::vector<Baseline> both_serials = {{"serial", "textbook"}, {"serial", "fused"}};

TEST(ComparisonTest, TakesMediansOverRoundsAndRepeats) {
  const auto comparison =
      make_comparison({entry("openmp", "fused", 1, {0.4}), entry("serial", "textbook", 1, {8.0}),
                       entry("openmp", "fused", 2, {0.1, 0.2}), entry("openmp", "fused", 3, {0.3}),
                       entry("serial", "fused", 1, {0.5})},
                      "fused", both_serials);
  ASSERT_EQ(comparison.problems.size(), 1u);
  const auto& rows = comparison.problems[0].rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].variant + rows[1].model + rows[2].model, "textbookserialopenmp");  // baselines first
  const ComparisonRow& openmp = rows[2];
  EXPECT_EQ(openmp.seconds, (std::vector<double>{0.4, 0.1, 0.2, 0.3}));
  EXPECT_DOUBLE_EQ(openmp.median, 0.25);
  EXPECT_DOUBLE_EQ(openmp.minimum, 0.1);
  EXPECT_DOUBLE_EQ(openmp.maximum, 0.4);
  EXPECT_DOUBLE_EQ(openmp.mlups, 4.0);
  EXPECT_DOUBLE_EQ(openmp.gb_per_s, 0.288);
  EXPECT_DOUBLE_EQ(openmp.speed_ups.at(0).value(), 32.0);
  EXPECT_DOUBLE_EQ(openmp.speed_ups.at(1).value(), 2.0);
  EXPECT_DOUBLE_EQ(openmp.deviation.value(), 3e-6);
  EXPECT_FALSE(comparison.problems[0].has_better_variants());
}

TEST(ComparisonTest, GivesNoSpeedUpWithoutARightBaseline) {
  RunEntry wrong = entry("serial", "fused", 1, {0.5});
  wrong.status = RunStatus::wrong;
  const auto rows = make_comparison({wrong, entry("openmp", "fused", 1, {0.25})}, "fused", both_serials)
                        .problems.at(0)
                        .rows;
  EXPECT_FALSE(rows[1].speed_ups.at(0));  // not there
  EXPECT_FALSE(rows[1].speed_ups.at(1));  // wrong
  EXPECT_FALSE(rows[0].speed_ups.at(1));
  EXPECT_DOUBLE_EQ(rows[0].median, 0.5);  // measured all the same
  EXPECT_FALSE(rows[0].best_of_model);
}

TEST(ComparisonTest, ShowsTheWorstRound) {
  const auto comparison =
      make_comparison({entry("openmp", "fused", 1, {0.2}), failed("openmp", "fused", 2, RunStatus::timeout),
                       failed("mpi", "fused", 1, RunStatus::skipped)},
                      "fused", both_serials);
  const auto& rows = comparison.problems.at(0).rows;
  EXPECT_EQ(rows[0].status, RunStatus::timeout);
  EXPECT_EQ(rows[0].worst_round, 2);
  EXPECT_EQ(rows[0].seconds.size(), 1u);
  EXPECT_EQ(rows[1].status, RunStatus::skipped);
  const std::string text = comparison_text(comparison, {});
  EXPECT_TRUE(has(text, "\n  openmp fused: timeout (round 2): because\n  mpi fused: skipped: because\n"))
      << text;
}

TEST(ComparisonTest, SetsBestVariantsApartOnlyWhereTheyAreBetter) {
  std::vector<RunEntry> entries = {entry("serial", "fused", 1, {0.5}), entry("openmp", "fused", 1, {0.25}),
                                   entry("openmp", "slow", 1, {0.75})};
  std::string text = comparison_text(make_comparison(entries, "fused", both_serials), {});
  EXPECT_FALSE(has(text, "Best variant")) << text;
  EXPECT_TRUE(has(text, "Other runs\n")) << text;
  entries.push_back(entry("openmp", "in-place", 1, {0.1}));
  text = comparison_text(make_comparison(entries, "fused", both_serials), {});
  const auto best = text.find("Best variant of each model"), other = text.find("Other runs");
  ASSERT_NE(best, text.npos);
  EXPECT_TRUE(has(text.substr(best, other - best), "in-place"));
  EXPECT_TRUE(has(text.substr(other), "slow"));
}

TEST(ComparisonTest, KeepsProblemsStepsAndPrecisionsApart) {
  auto f64 = entry("serial", "fused", 1, {1.0}), longer = entry("serial", "fused", 1, {2.0});
  f64.key.precision = "f64";
  longer.key.steps = 20;
  EXPECT_EQ(make_comparison({entry("serial", "fused", 1, {0.5}), f64, longer}, "fused", both_serials)
                .problems.size(),
            3u);
}

TEST(ComparisonTest, IsWrittenByteByByte) {
  const std::vector<RunEntry> entries = {entry("serial", "textbook", 1, {2.0}),
                                         entry("mpi", "fused", 1, {0.25}),
                                         failed("opencl", "fused", 1, RunStatus::impossible)};
  const auto comparison = make_comparison(entries, "fused", {{"serial", "textbook"}});
  EXPECT_EQ(comparison_text(comparison, make_footer(entries)),
            R"(p: 1000 x 100 cells, 10 steps, f32

Like for like: variant fused in every model
                                                                            speed-up
                          ranks x  median     min     max                     serial    largest
model   variant   device  threads       s       s       s   MLUPS     GB/s  textbook  deviation  status
------  --------  ------  -------  ------  ------  ------  ------  -------  --------  ---------  ----------
serial  textbook  Some        1x2   2.000   2.000   2.000  0.5000  0.03600      1.00    3.0e-06  ok
mpi     fused     Some        1x2  0.2500  0.2500  0.2500   4.000   0.2880      8.00    3.0e-06  ok
opencl  fused     -             -       -       -       -       -        -         -          -  impossible

  opencl fused: impossible: because

Devices: Some(R) CPU
Machine: h, c, s, 2 cores
Built:   boltzmark 0 (r), g -O3
)");
  EXPECT_EQ(comparison_csv(comparison),
            "problem,nx,ny,steps,precision,model,variant,setting,device,ranks,threads,repeats,median_seconds,"
            "min_seconds,"
            "max_seconds,mlups,gb_per_s,speed_up_over_serial_textbook,largest_deviation,status,like_for_like,"
            "best_of_model,reason\n"
            "p,1000,100,10,f32,serial,textbook,,Some(R) CPU,1,2,1,2,2,2,0.5,0.036,1,3e-06,ok,yes,yes,\n"
            "p,1000,100,10,f32,mpi,fused,,Some(R) CPU,1,2,1,0.25,0.25,0.25,4,0.288,8,3e-06,ok,yes,yes,\n"
            "p,1000,100,10,f32,opencl,fused,,,0,0,0,,,,,,,,impossible,yes,no,because\n");
}

// --------------------------------------------------------------------------------------------- store

TEST(StoreTest, RemembersTheNewestEntryOfEveryKey) {
  TemporaryFolder folder;
  {
    Store store(folder.path, false);
    store.add(failed("serial", "fused", 1, RunStatus::failed));
    store.add(entry("serial", "fused", 1, {0.5}));
    store.add(entry("serial", "fused", 1, {0.5}));  // says nothing new
    store.add(failed("serial", "fused", 2, RunStatus::timeout));
  }
  EXPECT_EQ(read_runs(folder / "runs.jsonl").entries.size(), 3u);
  Store store(folder.path, false);
  EXPECT_TRUE(store.complaints().empty());
  RunKey key = entry("serial", "fused", 1, {}).key;
  EXPECT_TRUE(is_final(store.find(key)));
  EXPECT_EQ(store.find(key)->to_json(), entry("serial", "fused", 1, {0.5}).to_json());
  key.round = 2;
  EXPECT_FALSE(is_final(store.find(key)));
  key.round = 3;
  EXPECT_EQ(store.find(key), nullptr);
}

TEST(StoreTest, EveryPartOfTheKeyCounts) {
  const RunKey key = entry("serial", "fused", 1, {}).key;
  const json whole = key.to_json();
  for (const auto& item : whole.items()) {
    json changed = whole;
    json& value = changed[item.key()];
    if (value.is_string())
      value = "other";
    else if (value.is_boolean())
      value = !value.get<bool>();
    else if (value.is_array())
      value.push_back("other");
    else
      value = value.get<int>() + 1;
    EXPECT_NE(RunKey::from_json(changed).identity(), key.identity()) << item.key();
  }
}

TEST(StoreTest, CutsOffAnUnfinishedLastLineOnce) {
  TemporaryFolder folder;
  { Store(folder.path, false).add(entry("serial", "fused", 1, {0.5})); }
  const std::string whole = read_text(folder / "runs.jsonl");
  write_text(folder / "runs.jsonl", whole + whole.substr(0, whole.size() / 2));
  {
    Store store(folder.path, false);
    ASSERT_EQ(store.complaints().size(), 1u);
    EXPECT_EQ(store.complaints()[0],
              (folder / "runs.jsonl").string() + ":2: the last line is cut off; that run is done again");
    store.add(entry("serial", "fused", 2, {0.5}));
  }
  Store store(folder.path, false);
  EXPECT_TRUE(store.complaints().empty());
  EXPECT_EQ(read_runs(folder / "runs.jsonl").entries.size(), 2u);
}

TEST(StoreTest, ComplainsOfABrokenLineAndGoesOn) {
  TemporaryFolder folder;
  { Store(folder.path, false).add(entry("serial", "fused", 1, {0.5})); }
  const std::string whole = read_text(folder / "runs.jsonl");
  json newer = json::parse(whole);
  newer["format"] = 99;
  write_text(folder / "runs.jsonl", "half a line\n{}\n" + newer.dump() + "\n" + whole);
  Store store(folder.path, false);
  ASSERT_EQ(store.complaints().size(), 3u);
  for (int line = 1; line <= 3; ++line)
    EXPECT_TRUE(store.complaints()[static_cast<std::size_t>(line) - 1].starts_with(
        (folder / "runs.jsonl").string() + ":" + std::to_string(line) +
        ": expected a finished run, found something else"))
        << store.complaints()[static_cast<std::size_t>(line) - 1];
  EXPECT_TRUE(has(store.complaints()[2], "format 99, where this program reads 1"));
  EXPECT_TRUE(is_final(store.find(entry("serial", "fused", 1, {}).key)));
}

TEST(StoreTest, StartsAfreshWithoutDeleting) {
  TemporaryFolder folder;
  { Store(folder.path, false).add(entry("serial", "fused", 1, {0.5})); }
  const std::string before = read_text(folder / "runs.jsonl");
  for (int i = 0; i < 2; ++i) {
    Store store(folder.path, true);
    EXPECT_EQ(store.find(entry("serial", "fused", 1, {}).key), nullptr);
    store.add(failed("serial", "fused", 1, RunStatus::failed));
  }
  int kept = 0, same = 0;
  for (const auto& old : fs::directory_iterator(folder.path))
    if (old.path().filename().string().starts_with("old-")) {
      ++kept;
      same += read_text(old.path() / "runs.jsonl") == before;
    }
  EXPECT_EQ(kept, 2);
  EXPECT_EQ(same, 1);
}

TEST(StoreTest, IsForOneAtATime) {
  TemporaryFolder folder;
  const Store first(folder.path, false);
  EXPECT_EQ(error_of([&] { Store(folder.path, false); }),
            folder.path.string() +
                ": expected a results folder for this run alone, found another boltzmark at work in it");
}

// ------------------------------------------------------------------------------------------- process

/// Whether a process is there and has not ended.
bool is_alive(int pid) {
  const std::string stat = read_text("/proc/" + std::to_string(pid) + "/stat");
  const auto name_end = stat.rfind(')');
  return name_end != stat.npos && stat.size() > name_end + 2 && stat[name_end + 2] != 'Z';
}

TEST(ProcessTest, GivesOutputAndExitStatus) {
  SignalWatch signals;
  const auto done = capture_process({.command = {"sh", "-c", "echo out; echo err >&2; exit 3"}}, signals);
  EXPECT_EQ(done.output, "out\n");
  EXPECT_EQ(done.errors, "err\n");
  EXPECT_EQ(done.result.exit_status, 3);
  EXPECT_EQ(capture_process({.command = {"sh", "-c", "kill -SEGV $$"}}, signals).result.signal, SIGSEGV);
  EXPECT_EQ(capture_process({.command = {"no-such-program"}}, signals).result.start_error,
            "no-such-program: No such file or directory");
}

TEST(ProcessTest, TheTimeLimitKillsGrandchildrenToo) {
  TemporaryFolder folder;
  SignalWatch signals;
  // The grandchild does not listen to SIGTERM.
  const std::string script = "(trap '' TERM; sleep 60) & echo $! > " + (folder / "pid").string() + "; wait";
  const auto result = run_process({.command = {"sh", "-c", script}, .time_limit_seconds = 0.5}, signals);
  EXPECT_TRUE(result.timed_out);
  EXPECT_LT(result.seconds, 5.0);
  const int grandchild = std::atoi(read_text(folder / "pid").c_str());
  ASSERT_GT(grandchild, 0);
  EXPECT_TRUE(eventually([&] { return !is_alive(grandchild); }));
}

TEST(ProcessTest, NothingIsLeftRunningAfterANormalEnd) {
  SignalWatch signals;
  const auto done = capture_process({.command = {"sh", "-c", "sleep 60 & echo $!"}}, signals);
  EXPECT_EQ(done.result.exit_status, 0);
  EXPECT_TRUE(eventually([&] { return !is_alive(std::atoi(done.output.c_str())); }));
}

TEST(ProcessTest, DoesNotOverrideTheUsersEnvironment) {
  SignalWatch signals;
  setenv("BOLTZMARK_TEST_SET", "mine", 1);
  unsetenv("BOLTZMARK_TEST_UNSET");
  const auto done =
      capture_process({.command = {"sh", "-c", "echo $BOLTZMARK_TEST_SET $BOLTZMARK_TEST_UNSET"},
                       .environment = {{"BOLTZMARK_TEST_SET", "a"}, {"BOLTZMARK_TEST_UNSET", "b"}}},
                      signals);
  EXPECT_EQ(done.output, "mine b\n");
}

TEST(LauncherTest, StartsAsRootWithMoreRanksThanCores) {
  if (find_program("mpirun").empty()) GTEST_SKIP() << "no mpirun here";
  SignalWatch signals;
  auto words = launcher_words({}, 7);
  words.insert(words.end(), {"sh", "-c", "echo one"});
  const auto done = capture_process({.command = words, .environment = launcher_environment()}, signals);
  EXPECT_EQ(done.result.exit_status, 0) << done.errors;
  EXPECT_EQ(count_of(done.output, "one\n"), 7);
}

TEST(LauncherTest, SaysWhatToInstall) {
  EXPECT_EQ(launcher_missing({.command = "no-such-launcher {ranks}"}),
            "no launcher no-such-launcher found; install openmpi-bin or name one with --launcher");
}

TEST(RunnerTest, JudgesHowARunEnded) {
  const auto judged = [](const ProcessResult& result, const std::string& errors, bool record) {
    RunEntry e;
    if (record) e.record = {{"mlups", 1.0}};
    judge_run(result, errors, 5.0, e);
    return to_string(e.status) + ": " + e.reason + (e.record.is_null() ? "" : " +");
  };
  const auto exited = [](int status) {
    ProcessResult result;
    result.exit_status = status;
    return result;
  };
  EXPECT_EQ(judged(exited(0), "", true), "ok:  +");
  EXPECT_EQ(judged(exited(0), "", false), "failed: no record was written");
  EXPECT_EQ(judged(exited(1), "lbm-x: error: off by 2\n", true), "wrong: off by 2 +");
  EXPECT_EQ(judged(exited(1), "mpirun: no slots\n------\n", false), "failed: mpirun: no slots");
  EXPECT_EQ(judged(exited(2), "lbm-x: error: bad\n-----\nPrimary job ended\n", false), "failed: bad");
  EXPECT_EQ(judged(exited(3), "lbm-x: error: no GPU\n", false), "impossible: no GPU");
  EXPECT_EQ(judged(exited(77), "", false), "failed: ended with status 77");
  ProcessResult result;
  result.signal = SIGSEGV;
  EXPECT_EQ(judged(result, "", true), "failed: ended by signal 11 (Segmentation fault)");
  result = {};
  result.timed_out = true;
  EXPECT_EQ(judged(result, "noise", true), "timeout: killed at the time limit of 5 s");
}

// ------------------------------------------------------------------------------------- the program itself

class DriverTest : public ::testing::Test {
 protected:
  DriverTest() { write_problem(folder_, grid("box")); }

  void write_plan(const std::string& runs, int steps, int repeats) {
    write_text(folder_ / "plan.json",
               R"({"repeats":)" + std::to_string(repeats) +
                   R"(,"problems":[{"params":"input_box.params","obstacles":"obstacles_box.dat","steps":)" +
                   std::to_string(steps) + R"(}],"runs":)" + runs + "}");
  }
  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    return std::vector<std::string>{std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "run",
                                    (folder_ / "plan.json").string(), "--results",
                                    (folder_ / "results").string()} +
           more;
  }
  Outcome drive(const std::vector<std::string>& more = {}) const {
    return testing::run_command(command(more));
  }
  /// Starts the driver and lets it run; its standard error goes to a file.
  pid_t start() {
    const auto words = command();
    return fork_worker(signals_, [&] {
      std::vector<char*> arguments;
      for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      if (!std::freopen((folder_ / "out").c_str(), "w", stdout) ||
          !std::freopen((folder_ / "err").c_str(), "w", stderr))
        return 127;
      execv(arguments[0], arguments.data());
      return 127;
    });
  }
  /// Finished runs on disk.
  std::vector<RunEntry> runs() const { return read_runs(folder_ / "results" / "runs.jsonl").entries; }
  std::string csv() const { return read_text(folder_ / "results" / "comparison.csv"); }
  static int end_of(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  static constexpr int a_while = 8000;  // steps that take the textbook variant some tenths of a second
  const std::string serial_runs_ = R"([{"model":"serial","variant":"textbook","precision":"f64"},
                                       {"model":"serial","variant":"fused","precision":"f64"}])";
  TemporaryFolder folder_;
  SignalWatch signals_;
};

TEST_F(DriverTest, RunsAPlanAndComparesEveryModelThatIsBuilt) {
  write_plan(R"([{"model":"serial","variant":"textbook"},{"model":"*","variant":"fused"}])", 50, 1);
  const Outcome outcome = drive({"--launcher-args", "-q"});
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  const auto entries = runs();
  EXPECT_EQ(entries.size(), read_models(BOLTZMARK_BIN_DIR).size() + 1);
  for (const auto& model : read_models(BOLTZMARK_BIN_DIR)) {
    EXPECT_TRUE(has(csv(), ",f32," + model.name + ",fused,")) << csv();
    EXPECT_TRUE(model.skipped.empty() ||
                has(outcome.output, model.name + " fused: skipped: " + model.skipped));
  }
  EXPECT_TRUE(has(outcome.errors, "[1/")) << outcome.errors;
  EXPECT_EQ(drive({"--launcher-args", "-q", "--quiet"}).errors, "");
}

TEST_F(DriverTest, TakesUpWhereItWasKilled) {
  write_plan(serial_runs_, a_while, 4);
  const pid_t driver = start();
  ASSERT_TRUE(eventually([&] { return runs().size() >= 3; })) << read_text(folder_ / "err");
  kill(driver, SIGKILL);
  EXPECT_EQ(end_of(driver), -SIGKILL);
  const std::string before = read_text(folder_ / "results" / "runs.jsonl");
  const auto finished = runs().size();
  ASSERT_LT(finished, 8u);

  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, std::to_string(finished) + " of 8 runs are finished already\n"))
      << outcome.errors;
  EXPECT_FALSE(has(outcome.errors, "right answers")) << outcome.errors;  // they are kept
  EXPECT_TRUE(read_text(folder_ / "results" / "runs.jsonl").starts_with(before));
  EXPECT_EQ(runs().size(), 8u);
  EXPECT_TRUE(has(csv(), ",serial,textbook,,") && has(csv(), ",serial,fused,,")) << csv();
  EXPECT_EQ(count_of(csv(), ",1,1,4,"), 2) << csv();  // one rank, one thread, all four repeats in both rows
}

TEST_F(DriverTest, StopsOnASignalAndSaysHowToGoOn) {
  write_plan(serial_runs_, a_while, 4);
  const pid_t driver = start();
  ASSERT_TRUE(eventually([&] { return !runs().empty(); })) << read_text(folder_ / "err");
  kill(driver, SIGINT);
  EXPECT_EQ(end_of(driver), 130);
  const std::string errors = read_text(folder_ / "err");
  EXPECT_TRUE(has(errors, "boltzmark: stopped; ")) << errors;
  EXPECT_TRUE(has(errors, "; to go on: " + shell_line(command()) + "\n")) << errors;
  for (const auto& e : runs()) EXPECT_EQ(e.status, RunStatus::ok);
}

TEST_F(DriverTest, SecondDriverOnTheSameResultsIsTurnedAway) {
  write_plan(serial_runs_, a_while, 4);
  const pid_t driver = start();
  ASSERT_TRUE(eventually([&] { return !runs().empty(); })) << read_text(folder_ / "err");
  const Outcome second = drive();
  kill(driver, SIGTERM);
  EXPECT_EQ(end_of(driver), 143);
  EXPECT_EQ(second.status, 2);
  EXPECT_EQ(second.errors,
            "boltzmark: error: " + (folder_ / "results").string() +
                ": expected a results folder for this run alone, found another boltzmark at work in it\n");
}

TEST_F(DriverTest, AFailingModelIsARowAndTheOthersGoOn) {
  write_plan(R"([{"model":"serial","options":["--frob"]},{"model":"serial","variant":"fused","threads":2},
                 {"model":"serial","variant":"fused"}])",
             20, 1);
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(count_of(csv(), ",failed,"), 2) << csv();
  EXPECT_EQ(count_of(csv(), ",ok,"), 1) << csv();
  EXPECT_TRUE(has(outcome.output, "serial default: failed: ") && has(outcome.output, "--frob"))
      << outcome.output;
  // What failed is tried again, what is right is not.
  EXPECT_TRUE(has(drive().errors, "1 of 3 runs are finished already\n"));
}

TEST_F(DriverTest, AWrongResultStaysOne) {
  write_plan(R"([{"model":"serial","variant":"fused"}])", 20, 1);
  ASSERT_EQ(drive().status, 0);
  for (const auto& file : fs::directory_iterator(folder_ / "results" / "oracle"))
    if (has(file.path().string(), ".av_vels.dat")) {
      std::string text = read_text(file.path());
      const auto digit = text.find(".") + 1;
      text[digit] = text[digit] == '5' ? '6' : '5';
      write_text(file.path(), text);
    }
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = i == 0 ? drive({"--fresh"}) : drive();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(has(outcome.output, "serial fused: wrong: the result is wrong: it deviates by"))
        << outcome.output;
  }
  EXPECT_EQ(runs().size(), 1u);
}

TEST_F(DriverTest, StartsRanksThroughTheLauncher) {
  if (!is_built("mpi")) GTEST_SKIP() << "mpi was not built";
  write_plan(R"([{"model":"mpi","variant":"fused","ranks":3}])", 20, 1);
  EXPECT_EQ(drive().status, 0);
  EXPECT_EQ(runs().at(0).record.at("ranks"), 3);
  const Outcome none = drive({"--launcher", "no-such-launcher {ranks}"});
  EXPECT_EQ(none.status, 0);
  EXPECT_TRUE(
      has(none.output, "mpi fused: impossible: no launcher no-such-launcher found; install openmpi-bin"))
      << none.output;
  const Outcome broken = drive({"--launcher", "false {ranks}"});
  EXPECT_EQ(broken.status, 1);
  EXPECT_TRUE(has(broken.output, "mpi fused: failed: ended with status 1")) << broken.output;
}

TEST_F(DriverTest, DryRunOnlyPrints) {
  write_plan(R"([{"model":"serial","variant":"fused"}])", 20, 2);
  const Outcome outcome = drive({"--dry-run"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(count_of(outcome.output, "/lbm-serial --check "), 2) << outcome.output;
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

TEST_F(DriverTest, BadUsageIsOneLineAndStatusTwo) {
  write_plan(R"([{"model":"seriel"}])", 20, 1);
  for (const auto& [more, line] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{}, "plan.json: runs[0].model: expected * or one of serial,"},
           {{"--launcher", "mpirun"}, "--launcher: expected a launcher command"},
           {{"--repeats", "0"}, "--repeats"},
           {{"--frob"}, "--frob"}}) {
    const Outcome outcome = drive(more);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(outcome.errors.starts_with("boltzmark: error: ") && has(outcome.errors, line))
        << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

TEST_F(DriverTest, ListsWhatIsThere) {
  const Outcome outcome = testing::run_command({std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "list"});
  EXPECT_EQ(outcome.status, 0);
  for (const auto& model : read_models(BOLTZMARK_BIN_DIR))
    EXPECT_TRUE(
        has(outcome.output, model.name + (model.skipped.empty() ? ": " : ": not built: " + model.skipped)))
        << outcome.output;
  for (const char* line :
       {"    textbook  f32,f64  ", "\n  devices\n    0  cpu  ", "\nplans\n    full   ", "\n    quick  "})
    EXPECT_TRUE(has(outcome.output, line)) << line << " in\n" << outcome.output;
}

}  // namespace
}  // namespace boltzmark
