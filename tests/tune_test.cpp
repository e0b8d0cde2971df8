// `boltzmark tune`: the order of the search, and the command itself as a user runs it, with a
// made-up model beside a copy of the driver and with a real one.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include "analysis/store/store.hpp"
#include "analysis/tune/search.hpp"
#include "common/base/text.hpp"
#include "common/run/tuned.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;
namespace fs = std::filesystem;
/// A search with known times; records the trials requested, and ends after this many.
struct KnownTimes {
  std::map<std::string, double> seconds;  ///< by options; 1 s for others
  std::size_t most = 100;
  Words asked = {};

  std::optional<Trial> operator()(const TunedOptions& options, std::optional<double>) {
    if (asked.size() == most) return {};
    std::string words;
    for (const auto& [name, value] : options) words += name + value + ' ';
    asked.push_back(words);
    Trial trial;
    const auto at = seconds.find(words);
    trial.seconds = at == seconds.end() ? 1.0 : at->second;
    return trial;
  }
};

const std::vector<Tunable>& two_tunables() {
  static const std::vector<Tunable> tunables = {{"a", {"1", "2"}}, {"b", {"x", "y"}}};
  return tunables;
}

TEST(Search, GoesFromOneTunableToTheNextWithTheBest) {
  KnownTimes times{.seconds = {{"a2 ", 0.5}, {"a2 by ", 0.4}}};
  const SearchResult result = search(two_tunables(), false, std::ref(times));
  EXPECT_EQ(times.asked, (Words{"", "a1 ", "a2 ", "a2 bx ", "a2 by "}));
  EXPECT_EQ(result.best()->options, (TunedOptions{{"a", "2"}, {"b", "y"}}));
  EXPECT_EQ(result.best()->stage, "b");
  EXPECT_EQ(result.worst()->seconds, 1.0);
  EXPECT_EQ(result.left, 0);
  EXPECT_EQ(search_size(two_tunables(), false), 5u);
}

TEST(Search, KeepsTheDefaultsWhereNothingIsFaster) {
  KnownTimes times{.seconds = {{"", 0.5}}};
  const SearchResult result = search(two_tunables(), false, std::ref(times));
  EXPECT_EQ(times.asked, (Words{"", "a1 ", "a2 ", "bx ", "by "}));
  EXPECT_EQ(result.best(), result.defaults());
}

TEST(Search, DoesTheFullProduct) {
  KnownTimes times{.seconds = {{"a1 by ", 0.5}}};
  const SearchResult result = search(two_tunables(), true, std::ref(times));
  EXPECT_EQ(times.asked, (Words{"", "a1 bx ", "a1 by ", "a2 bx ", "a2 by "}));
  EXPECT_EQ(result.best()->options, (TunedOptions{{"a", "1"}, {"b", "y"}}));
  EXPECT_EQ(search_size(two_tunables(), true), 5u);
}

TEST(Search, SaysWhatItLeftWhenItIsEnded) {
  KnownTimes times{.seconds = {}, .most = 2};
  EXPECT_EQ(search(two_tunables(), false, std::ref(times)).left, 3);
}

TEST(Search, EndsAfterDefaultsWithoutAResult) {
  int asked = 0;
  const SearchResult result = search(two_tunables(), false, [&](const TunedOptions&, std::optional<double>) {
    ++asked;
    Trial trial;
    trial.end = Trial::End::wrong;
    return std::optional(trial);
  });
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(result.best(), nullptr);
}

class TuneCommand : public ::testing::Test {
 protected:
  TuneCommand() {
    fs::create_directory(folder_ / "bin");
    fs::copy_file(std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", folder_ / "bin/boltzmark");
    fs::create_directories(folder_ / "share/boltzmark");
    write_text(folder_ / "share/boltzmark/programs.json",
               R"([{"workload":"lbm","model":"fake","program":"lbm-fake","skipped":""},
                   {"workload":"lbm","model":"absent","program":"none","skipped":"no compiler"}])");
    problem_ = write_problem(folder_, grid("box"));
    write_text(folder_ / "description", json(description()).dump());
    write_text(folder_ / "record", record().dump());
    write_text(folder_ / "times", "default tree 0.020\n4x2 tree 0.010\n4x2 halves 0.008\n2x2 tree 0.012\n");
    write_program();
  }

  static ProgramDescription description() {
    ProgramDescription fake;
    fake.workload = "lbm";
    fake.model = "fake";
    fake.program = "lbm-fake";
    fake.takes = {"variant", "precision", "steps",    "check",      "repeat",   "json",
                  "device",  "tuned",     "no-tuned", "work-group", "reduction"};
    OptionDescription reduction, group;
    reduction.name = "reduction";
    reduction.worth_trying = {"tree", "halves"};
    group.name = "work-group";
    group.is_shape = true;
    fake.options = {reduction, group};
    fake.variants = {{"plain", "made up", "", {"f32", "f64"}, {reduction, group}, {}},
                     {"bare", "made up", "", {"f32"}, {}, {}}};
    fake.devices = {{"gpu", "Device", ""}};
    fake.limits = {{"name", "Device"}, {"max_work_group", 16}, {"max_work_group_x", 16}, {"max_work_group_y", 8}};
    return fake;
  }
  /// The program's output, with words in place of figures.
  static json record() {
    Record made_up;
    made_up.workload = "lbm";
    made_up.model = "fake";
    made_up.variant = "plain";
    made_up.precision = "f32";
    made_up.device = "Device";
    made_up.case_ = {.name = "box", .digest = "0", .extent = {32, 32}, .facts = json::object(), .size = "32x32"};
    made_up.metrics = {{"mlups", "MLUPS", 1.0}};
    json all = made_up;
    all["repeats"] = "REPEATS";
    all["compute_seconds"] = "SECONDS";
    all["settings"] = {{"work_group", "GROUP"}};
    return all;
  }

  /// A program that takes as long as the file `times` says (1 s if that says nothing) and refuses two shapes.
  /// It notes every call in the file `calls`, and is wrong in the shape that the file `wrong` holds.
  void write_program() {
    std::string script = R"sh(#!/bin/sh
cd "@"
case "$1" in
--describe) cat description; exit;;
esac
echo "$*" >> calls
shape=default reduction=tree json= repeat=1 steps=10 check=
while [ $# -gt 0 ]; do
  case "$1" in
  --work-group) shape=$2;; --reduction) reduction=$2;; --json) json=$2;; --repeat) repeat=$2;; --steps) steps=$2;;
  --check) check=$2;;
  esac
  shift
done
[ "$shape" = 8x1 ] && { echo "lbm-fake: error: too little local memory" >&2; exit 2; }
[ "$shape" = 1x8 ] && { echo "lbm-fake: error: no such kernel here" >&2; exit 3; }
[ -z "$check" ] || [ "$check" = reference ] || [ -e "$check.av_vels.npy" ] || { echo "lbm-fake: error: no answer" >&2; exit 2; }
seconds=$(awk -v s="$shape" -v r="$reduction" '$1 == s && $2 == r {print $3}' times)
timing() { echo "{\"init_seconds\": 0, \"compute_seconds\": $1, \"collate_seconds\": 0}"; }
repeats=$(timing ${seconds:-1.0})
[ "$repeat" = 1 ] || repeats="$repeats, $(timing 5.0)"
group=$shape; [ "$shape" = default ] && group=16x1
sed "s/\"REPEATS\"/[$repeats]/; s/\"SECONDS\"/${seconds:-1.0}/; s/GROUP/$group/" record > "$json"; echo >> "$json"
[ "$check" = reference ] && [ "$steps" -gt "$(cat bears)" ] && shape=$(cat wrong)
[ "$shape" = "$(cat wrong 2>/dev/null)" ] && { echo "lbm-fake: error: the result is wrong" >&2; exit 1; }
exit 0
)sh";
    script.replace(script.find('@'), 1, folder_.path.string());
    write_text(folder_ / "bin/lbm-fake", script);
    fs::permissions(folder_ / "bin/lbm-fake", fs::perms::owner_all);
  }

  Outcome tune(const Words& more = {}) const {
    return testing::run_command(
        Words{(folder_ / "bin/boltzmark").string(), "tune"} + problem_ +
        (contains(more, "--steps") ? Words{} : Words{"--steps", "5"}) +
        Words{"--model", "fake", "--results", (folder_ / "results").string(), "--tuned", tuned_.string()} + more);
  }
  std::string calls() const { return read_text(folder_ / "calls"); }
  std::vector<RunEntry> entries() const { return read_runs(folder_ / "results/tuning.jsonl").entries; }
  TunedOptions kept() const {
    return find_tuned(tuned_, {.workload = "lbm",
                               .model = "fake",
                               .device = "Device",
                               .variant = "plain",
                               .precision = "f32",
                               .size = "32x32"});
  }

  TemporaryFolder folder_;
  fs::path tuned_ = folder_ / "tuned.json";
  Words problem_;
};

TEST_F(TuneCommand, FindsTheBestAndKeepsIt) {
  const Outcome outcome = tune();
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_EQ(kept(), (TunedOptions{{"reduction", "halves"}, {"work-group", "4x2"}}));
  // Of 15 shapes one is beyond the limit in y, two are refused by the model.
  for (const char* part :
       {"lbm fake plain f32 on Device\n", "box: 32 x 32, 5 steps", "--reduction halves --work-group 4x2",
        "The defaults take 2.500 times as long as the best.\n",
        "15 tried: 5 measured in full, 10 stopped early; 3 skipped\n",
        "  1 x more than the device's 8 work-items in y\n", "  1 x no such kernel here\n",
        "  1 x too little local memory\n", "stopped after one run"})
    EXPECT_TRUE(has(outcome.output, part)) << part << " in\n" << outcome.output;
  EXPECT_EQ(count_of(calls(), "--check "), 2 * 5 + 10 + 2 + 8) << calls();  // and a short run for the variant
  EXPECT_EQ(count_of(calls(), "--no-tuned"), count_of(calls(), "\n"));
  EXPECT_FALSE(has(calls(), "--work-group 1x16"));
}

TEST_F(TuneCommand, KeepsEveryRunAndMeasuresNoneTwice) {
  const std::string first = tune().output, before = calls();
  const auto all = entries();
  ASSERT_EQ(all.size(), 2u * 5 + 10 + 2 + 8);
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const RunEntry& e) { return e.stopped; }), 10);
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const RunEntry& e) { return !e.record; }), 2);
  const Outcome again = tune({"--variant", "plain"});
  EXPECT_EQ(calls(), before);
  EXPECT_EQ(again.output, first);
  EXPECT_TRUE(has(again.errors, "(known)")) << again.errors;
  EXPECT_EQ(entries().size(), all.size());
  tune({"--shapes", "2x2", "--only", "work-group", "--fresh"});
  EXPECT_EQ(entries().size(), 2u * 2 + 8);
}

TEST_F(TuneCommand, LeavesWhatAnotherSearchMeasuredInFull) {
  write_text(folder_ / "times", "default tree 0.020\n2x1 tree 0.028\n4x2 tree 0.010\n");
  tune({"--shapes", "2x1,4x2", "--only", "work-group"});
  const std::string before = read_text(folder_ / "results/tuning.jsonl");
  tune({"--shapes", "4x2,2x1", "--only", "work-group"});
  EXPECT_EQ(read_text(folder_ / "results/tuning.jsonl"), before);
}

TEST_F(TuneCommand, IsDoneWithItsBudget) {
  const Outcome outcome = tune({"--budget", "0"});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(outcome.output, "; 17 not tried within the budget")) << outcome.output;
  EXPECT_EQ(kept(), TunedOptions{});
}

TEST_F(TuneCommand, SkipsWhatTheDefaultsHave) {
  json same = record();
  same["settings"]["reduction"] = "tree";
  write_text(folder_ / "record", same.dump());
  EXPECT_TRUE(has(tune({"--only", "reduction"}).output, "; 1 skipped\n  1 x what the defaults have\n"));
  EXPECT_TRUE(has(calls(), "--reduction halves") && !has(calls(), "--reduction tree")) << calls();
}

TEST_F(TuneCommand, CountsTheWholeCallAgainstItsBudget) {
  write_text(folder_ / "bin/lbm-fake", "#!/bin/sh\n[ \"$1\" = --describe ] || sleep 0.4\n" +
                                           read_text(folder_ / "bin/lbm-fake").substr(sizeof("#!/bin/sh\n") - 1));
  const Outcome outcome = tune({"--budget", "1.5", "--only", "reduction"});  // the defaults' two processes take 0.8
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(outcome.output, "; 2 not tried within the budget")) << outcome.output;
}

TEST_F(TuneCommand, KeepsTheDefaultsWhereTheyAreAsGood) {
  // Only the first of three runs is faster.
  write_text(folder_ / "times", "default tree 0.0200\n4x2 tree 0.0199\n");
  std::string script = read_text(folder_ / "bin/lbm-fake");
  const std::string second = "repeats=\"$repeats, $(timing 5.0)\"";
  script.replace(script.find(second), second.size(), "repeats=\"$(timing 0.03), $(timing 5.0)\"");
  write_text(folder_ / "bin/lbm-fake", script);
  const Outcome outcome = tune({"--shapes", "4x2", "--only", "work-group"});
  EXPECT_EQ(kept(), TunedOptions{});
  EXPECT_TRUE(has(outcome.output, ", within its spread: the defaults are as good.\n")) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "\nThe defaults are kept in ")) << outcome.output;
}

TEST_F(TuneCommand, NeverKeepsWhatIsWrong) {
  write_text(folder_ / "wrong", "4x2");
  const Outcome outcome = tune();
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  EXPECT_EQ(kept(), (TunedOptions{{"work-group", "2x2"}}));
  EXPECT_TRUE(has(outcome.output, "1 wrong:\n  1 x the result is wrong\n")) << outcome.output;
  write_text(folder_ / "wrong", "default");
  const Outcome none = tune({"--steps", "6"});
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(has(none.errors, "the result is wrong")) << none.errors;
}

TEST_F(TuneCommand, TakesNoRateBeyondAllRoofs) {
  write_text(folder_ / "times", "default tree 0.020\n4x2 tree 0.010\n4x2 halves 1e-9\n");
  json all = json::parse(read_text(folder_ / "record"));
  all["device_type"] = "cpu";
  all["work"]["updates"] = 1e6;
  all["work"]["bytes_per_update"] = 72.0;
  all["work"]["bytes_held"] = 72e6;
  write_text(folder_ / "record", all.dump());
  Peaks peaks;
  peaks.processor.cores = 2;
  peaks.processor.bandwidths = {{"DRAM", "copy", 1, {10, 10, 10}}, {"DRAM", "copy", 2, {10, 10, 10}}};
  fs::create_directories(folder_ / "results");
  write_text(folder_ / "results/peaks.json", json(peaks).dump());
  const Outcome outcome = tune();
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  EXPECT_EQ(kept(), (TunedOptions{{"work-group", "4x2"}}));
  EXPECT_TRUE(
      has(outcome.output,
          "1 wrong:\n  1 x 0.072 GB through DRAM at 15 GB/s (copy on 1 core) take 0.0048 s, but the run took 1e-09 s"))
      << outcome.output;
}

TEST_F(TuneCommand, TriesWhatTheUserNames) {
  tune({"--shapes", "2x2,4x2", "--option", "reduction=halves,linear", "--all"});
  EXPECT_EQ(entries().front().key.work_group, "");
  Words tried;
  for (const RunEntry& entry : entries())
    if (entry.key.round == 1 && !entry.key.options.empty())
      tried.push_back(entry.key.work_group + ' ' + entry.key.options.back());
  EXPECT_EQ(tried, (Words{"2x2 halves", "2x2 linear", "4x2 halves", "4x2 linear"}));
}

TEST_F(TuneCommand, ChoosesStepsOnceAndFindsThemAgain) {
  const auto tune_free = [&](const Words& more) {
    return testing::run_command(Words{(folder_ / "bin/boltzmark").string(), "tune"} + problem_ +
                                Words{"--model", "fake", "--shapes", "4x2", "--results", (folder_ / "results").string(),
                                      "--tuned", tuned_.string()} +
                                more);
  };
  EXPECT_EQ(tune_free({}).status, 0);
  EXPECT_EQ(entries().front().key.steps, 50);  // 60 are the file's
  write_text(folder_ / "times", "default tree 0.2\n");
  EXPECT_EQ(tune_free({}).status, 0);
  EXPECT_EQ(entries().back().key.steps, 50);
}

TEST_F(TuneCommand, TakesNoMoreStepsThanTheProblemBears) {
  write_text(folder_ / "share/boltzmark/programs.json",
             R"([{"workload":"nbody","model":"fake","program":"lbm-fake","skipped":""}])");
  const auto of_bodies = [](json all) {
    all["workload"] = "nbody";
    return all;
  };
  write_text(folder_ / "description", of_bodies(description()).dump());
  write_text(folder_ / "record", of_bodies(record()).dump());
  write_text(folder_ / "times", "default tree 0.001\n4x2 tree 0.0005\n");
  write_text(folder_ / "bears", "300");
  write_text(folder_ / "wrong", "more steps than it bears");
  const Outcome outcome =
      testing::run_command({folder_ / "bin/boltzmark", "tune", "--workload", "nbody", "--model", "fake", "--shapes",
                            "4x2", "--results", folder_ / "results", "--tuned", tuned_});
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "trials have fewer steps")) << outcome.errors;
  for (const RunEntry& entry : entries()) EXPECT_EQ(entry.key.steps, 200);
}

TEST_F(TuneCommand, SaysInOneLineWhatItCannotDo) {
  for (const auto& [more, line] : std::vector<std::pair<Words, std::string>>{
           {{"--model", "fakes"}, "--model: expected one of fake, absent, found \"fakes\""},
           {{"--variant", "smart"}, "--variant: fake has no variant smart; there is plain, bare"},
           {{"--variant", "bare"}, "--variant: fake bare has nothing to tune"},
           {{"--shapes", "wide"},
            "--shapes: expected powers, published, tiles or shapes such as 32x4,64x2, found \"wide\""},
           {{"--option", "sum=1"},
            "--option: expected an option that fake plain can tune (work-group, reduction), "
            "found \"sum\""},
           {{"--option", "reduction"}, "--option: expected NAME=value,value,..., found \"reduction\""},
           {{"--option", "work-group=1x1"}, "--option: expected work-groups in --shapes"},
           {{"--only", "sum"},
            "--only: expected an option that fake plain can tune (work-group, reduction), found \"sum\""},
           {{"--threads", "2"}, "--threads: fake does not take it"},
           {{"--ranks", "2"}, "--ranks: fake does not take it"},
           {{"--workload", "poem"}, "--workload: expected one of lbm, found \"poem\""},
           {{"--budget", "much"}, "--budget"},
           {{"--steps", "0"}, "--steps"}}) {
    Words command = {(folder_ / "bin/boltzmark").string(), "tune"};
    if (!contains(more, "--model")) command = command + Words{"--model", "fake"};
    const Outcome outcome = testing::run_command(command + problem_ + more + Words{"--results", folder_ / "results"});
    EXPECT_EQ(outcome.status, 2) << outcome.errors;
    EXPECT_TRUE(outcome.errors.starts_with("boltzmark: error: ") && has(outcome.errors, line)) << line << "\n"
                                                                                               << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
  }
  const Outcome absent = testing::run_command(Words{folder_ / "bin/boltzmark", "tune", "--model", "absent"} + problem_);
  EXPECT_EQ(absent.status, 3);
  EXPECT_EQ(absent.errors, "boltzmark: error: absent was not built: no compiler\n");
}

/// A matrix product's size is none of its extents side by side.
TEST(TunedOptionsOfPrograms, AreFoundAgainForTheSizeThatWasTuned) {
  if (!is_built("serial", "matmul")) GTEST_SKIP() << "no matmul-serial";
  for (const std::string size : {"40", "40x24x56"}) {
    const TemporaryFolder folder;
    const fs::path tuned = folder / "tuned.json";
    const Outcome outcome =
        run_command({BOLTZMARK_BIN_DIR "/boltzmark", "tune", size, "--workload", "matmul", "--model", "serial",
                     "--option", "vvl=4", "--results", folder / "results", "--tuned", tuned.string()});
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    const json entry = json::parse(read_text(tuned)).at("tuned").at(0);
    keep_tuned(tuned, entry.get<TunedFor>(), {{"vvl", "4"}}, 1.0);  // whatever was fastest
    ASSERT_EQ(run_model("serial", {size, "--tuned", tuned.string(), "--json", folder / "record"}, 0, "matmul").status,
              0);
    EXPECT_EQ(records_in(folder / "record").at(0).settings.at("vvl"), 4) << entry.dump();
  }
}

TEST_F(TuneCommand, LooksForAPlaceBeforeItSearches) {
  write_text(folder_ / "file", "");
  write_text(folder_ / "broken.json", "{");
  for (const auto& [tuned, line] :
       std::vector<std::pair<fs::path, std::string>>{{folder_ / "file/tuned.json", "expected a folder to write to"},
                                                     {folder_.path, "expected a file to write to, found a folder"},
                                                     {folder_ / "broken.json", "not a file of tuned options"},
                                                     {"/proc/tuned.json", "expected to create this file"}}) {
    const Outcome outcome = testing::run_command(Words{folder_ / "bin/boltzmark", "tune", "--model", "fake", "--tuned",
                                                       tuned, "--results", folder_ / "results"} +
                                                 problem_);
    EXPECT_EQ(outcome.status, 2) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, line)) << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
  }
  EXPECT_FALSE(fs::exists(folder_ / "results/tuning.jsonl"));
}

/// Jobs of an array share the file in their user's home.
TEST(TunedOptionsFile, KeepsWhatSeveralProcessesTuneAtOnce) {
  const TemporaryFolder folder;
  const fs::path file = folder / "tuned.json";
  const auto of = [](int process, int i) {
    return TunedFor{"lbm", "m", "d", "v", "f32", std::to_string(process) + 'x' + std::to_string(i)};
  };
  constexpr int processes = 4, each = 25;
  std::vector<pid_t> children;
  for (int p = 0; p < processes; ++p) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    int status = 0;
    try {
      for (int i = 0; i < each; ++i) keep_tuned(file, of(p, i), {{"delay", std::to_string(i)}}, 0.1);
    } catch (const std::exception&) {
      status = 1;
    }
    _exit(status);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (int p = 0; p < processes; ++p)
    for (int i = 0; i < each; ++i)
      EXPECT_EQ(find_tuned(file, of(p, i)), (TunedOptions{{"delay", std::to_string(i)}})) << p << ' ' << i;
  for (const auto& left : fs::directory_iterator(folder.path)) EXPECT_NE(left.path().extension(), ".tmp");
}

TEST(Tune, MakesARealModelUseWhatIsBest) {
  const TemporaryFolder folder;
  const Words problem = write_problem(folder, grid("odd"));
  const std::string tuned = folder / "tuned.json", record = folder / "record";
  const Outcome outcome =
      testing::run_command(Words{std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "tune"} + problem +
                           Words{"--model", "serial", "--variant", "wavefront", "--option", "vvl=1,4", "--option",
                                 "time-block=2,3", "--steps", "20", "--results", folder / "results", "--tuned", tuned});
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(has(outcome.output, " kept in " + tuned + ": lbm-serial uses it with --tuned ")) << outcome.output;
  const json kept = json::parse(read_text(tuned))["tuned"][0]["options"];
  // Whatever was best by chance, a run takes it, and --no-tuned does not.
  const auto settings = [&](const Words& more) {
    fs::remove(record);
    EXPECT_EQ(
        run_model("serial", problem + Words{"--no-output", "--variant", "wavefront", "--json", record} + more).status,
        0);
    return records_in(record).at(0).settings;
  };
  EXPECT_EQ(settings({"--tuned", tuned}).value("tuned", json::object()), kept.empty() ? json::object() : kept);
  EXPECT_FALSE(settings({"--no-tuned"}).contains("tuned"));
  const RunsFile trials = read_runs(folder / "results/tuning.jsonl");
  EXPECT_TRUE(trials.complaints.empty());
  EXPECT_GE(trials.entries.size(), 5u);
  for (const RunEntry& trial : trials.entries) EXPECT_EQ(trial.status, RunStatus::ok) << trial.reason;
}

TEST(Tune, TakesAnyWorkloadThatHasSomethingToTune) {
  const TemporaryFolder folder;
  const Outcome outcome =
      testing::run_command({std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "tune", "--workload", "stream", "--model",
                            "serial", "5000", "--results", folder / "results", "--tuned", folder / "tuned.json"});
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_EQ(outcome.errors, "boltzmark: error: --variant: serial plain has nothing to tune\n");
}

}  // namespace
}  // namespace boltzmark
