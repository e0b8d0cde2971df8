// The program `boltzmark` itself, run as a user does.
#include <gtest/gtest.h>

#include <regex>

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "analysis/store/store.hpp"
#include "analysis/support/process.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;
namespace fs = std::filesystem;

class DriverTest : public ::testing::Test {
 protected:
  DriverTest() { write_problem(folder_, grid("box")); }

  void write_plan(const std::string& runs, int steps, int repeats) {
    write_text(folder_ / "plan.json",
               R"({"repeats":)" + std::to_string(repeats) +
                   R"(,"cases":[{"params":"input_box.params","obstacles":"obstacles_box.dat","steps":)" +
                   std::to_string(steps) + R"(}],"runs":)" + runs + "}");
  }
  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    return std::vector<std::string>{std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "run",
                                    (folder_ / "plan.json").string(), "--results", (folder_ / "results").string()} +
           more;
  }
  Outcome drive(const std::vector<std::string>& more = {}) const { return testing::run_command(command(more)); }
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
  /// A line for each configuration: model, variant, status, rounds and so on.
  std::string csv() const { return read_text(folder_ / "results" / "figures.csv"); }
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

/// Without the breaks of a text that was made to fit the terminal.
std::string unwrapped(const std::string& text) { return std::regex_replace(text, std::regex("\\n +"), " "); }

TEST_F(DriverTest, RunsAPlanAndComparesEveryModelThatIsBuilt) {
  write_plan(R"([{"model":"serial","variant":"textbook"},{"model":"*","variant":"like-for-like"}])", 50, 1);
  const Outcome outcome = drive({"--launcher-args", "-q"});
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  std::size_t programs = 0;
  for (const auto& program : read_programs(BOLTZMARK_BIN_DIR)) {
    if (program.workload != usual_workload) continue;
    ++programs;
    EXPECT_TRUE(has(csv(), "runs,lbm," + program.model + ",")) << csv();
    EXPECT_TRUE(program.skipped.empty() || has(unwrapped(outcome.output), program.skipped)) << outcome.output;
  }
  EXPECT_EQ(runs().size(), programs + 1);
  EXPECT_TRUE(has(outcome.errors, "[1/")) << outcome.errors;
  EXPECT_EQ(drive({"--launcher-args", "-q", "--quiet"}).errors, "");
}

TEST_F(DriverTest, RunsAnyWorkload) {
  write_text(folder_ / "plan.json", R"({"repeats":2,
    "cases":[{"params":"input_box.params","obstacles":"obstacles_box.dat","steps":20},
             {"workload":"stream","arguments":["5000"]}, {"workload":"stream","arguments":["0"]}],
    "runs":[{"workload":"stream","model":"serial","precision":"f64","options":{"repeat":2},"cases":["5000"]},
            {"workload":"stream","model":"serial","cases":["0"]}, {"model":"serial","variant":"like-for-like"}]})");
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 1) << outcome.output << outcome.errors;  // zero is not a size
  const auto entries = read_results(folder_ / "results").entries;    // in the plan's order, whatever the rounds' was
  ASSERT_EQ(entries.size(), 6u);
  EXPECT_EQ(entries[0].record->workload, "lbm");
  EXPECT_EQ(entries[1].case_name, "5000");
  EXPECT_EQ(entries[1].record->case_.extent, std::vector<std::int64_t>{5000});
  EXPECT_EQ(entries[1].record->check.passed, true);
  EXPECT_EQ(entries[2].status, RunStatus::failed);
  EXPECT_TRUE(has(outcome.errors, "] stream 5000: serial default f64 --repeat 2, round 2 of 2: ")) << outcome.errors;
  EXPECT_TRUE(has(drive().errors, "4 of 6 runs are finished already\n"));
  const std::string dry = drive({"--workloads", "stream", "--dry-run"}).output;
  EXPECT_EQ(count_of(dry, "/stream-serial --check reference "), 2) << dry;
}

TEST_F(DriverTest, RoundsGoOnUntilIntervalsAreNarrow) {
  write_text(folder_ / "plan.json", R"({"repeats":{"until":1e-9,"at_least":2,"at_most":4},
    "cases":[{"params":"input_box.params","obstacles":"obstacles_box.dat","steps":20}],
    "runs":[{"model":"serial","variant":"fused"},{"model":"serial","variant":"textbook","repeats":1},
            {"model":"serial","variant":"in-place","repeats":{"until":0.99,"at_least":2,"at_most":9}}]})");
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "fused, round 4 of 2 to 4: ")) << outcome.errors;
  std::map<std::string, int> rounds;
  for (const RunEntry& entry : runs()) {
    ++rounds[entry.key.variant];
    EXPECT_TRUE(entry.order && entry.roofs.empty());
  }
  EXPECT_EQ(rounds["fused"] * 10 + rounds["textbook"], 41);
  EXPECT_LT(rounds["in-place"], 9);
  EXPECT_EQ(runs()[0].order->seed, runs()[1].order->seed);
  const auto finished = runs().size();
  EXPECT_TRUE(has(drive().errors, "5 of 5 runs are finished already\n"));
  EXPECT_EQ(runs().size(), finished);
  std::string plan = read_text(folder_ / "plan.json");
  write_text(folder_ / "plan.json", "{\"within_seconds\":1e-3," + plan.substr(1));
  EXPECT_EQ(drive({"--fresh"}).status, 0);
  EXPECT_EQ(runs().size(), 5u);  // at_least rounds of each whatever the time
  EXPECT_TRUE(has(drive({"--dry-run"}).output, "  # x 2 to 4\n"));
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
  EXPECT_TRUE(has(outcome.errors, std::to_string(finished) + " of 8 runs are finished already\n")) << outcome.errors;
  EXPECT_FALSE(has(outcome.errors, "references")) << outcome.errors;  // they are kept
  EXPECT_TRUE(read_text(folder_ / "results" / "runs.jsonl").starts_with(before));
  EXPECT_EQ(runs().size(), 8u);
  EXPECT_EQ(count_of(csv(), ",serial,textbook,") + count_of(csv(), ",serial,fused,"), 2) << csv();
  EXPECT_EQ(count_of(csv(), ",ok,,1,4,"), 2) << csv();  // four rounds in both rows
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
  EXPECT_EQ(second.errors, "boltzmark: error: " + (folder_ / "results").string() +
                               ": expected a folder that no other boltzmark is using, found one at work in it\n");
}

TEST_F(DriverTest, AFailingModelIsARowAndTheOthersGoOn) {
  write_plan(R"([{"model":"serial","options":{"frob":true}},{"model":"serial","variant":"fused","threads":2},
                 {"model":"serial","variant":"fused"}])",
             20, 1);
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(count_of(csv(), ",failed,"), 2) << csv();
  EXPECT_EQ(count_of(csv(), ",ok,"), 1) << csv();
  EXPECT_TRUE(has(outcome.errors, "serial default --frob, round 1 of 1: failed: ")) << outcome.errors;
  // What failed is tried again, what is right is not.
  EXPECT_TRUE(has(drive().errors, "1 of 3 runs are finished already\n"));
}

TEST_F(DriverTest, ComparesTheBuildsOfAPlanAndSaysWhichIsNotThere) {
  const std::string own = fs::path(BOLTZMARK_BIN_DIR).parent_path().string();
  const std::string absent = R"({"name":"theirs","folder":"nowhere","make":"make theirs"})";
  const auto plan = [&](const std::string& builds) {
    write_plan(R"([{"model":"serial","variant":"fused"},{"model":"serial","variant":"textbook"}],"builds":)" + builds,
               20, 1);
  };
  plan(R"([{"name":"ours","folder":")" + own + R"("},)" + absent + R"(,{"name":"again","folder":")" + own + R"("}])");
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_EQ(count_of(outcome.errors, "boltzmark: build theirs: expected "), 1) << outcome.errors;
  EXPECT_EQ(count_of(outcome.errors, "; make it with: make theirs; its runs are left out\n"), 1) << outcome.errors;
  ASSERT_EQ(runs().size(), 4u);
  const std::string compiler = runs()[0].record->provenance.compiler;
  EXPECT_EQ(count_of(csv(), "}\",ours,") + count_of(csv(), "{},ours,") + count_of(csv(), "}\",again,") +
                count_of(csv(), "{},again,"),
            4)
      << csv();
  EXPECT_TRUE(has(drive().errors, "4 of 4 runs are finished already\n"));
  EXPECT_EQ(count_of(drive({"--builds", "again", "--dry-run"}).output, "/lbm-serial "), 2);

  plan(R"([{"name":"ours","folder":")" + own + R"(","flags":["-no-such-flag"]}])");
  const Outcome other = drive({"--fresh"});
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(has(other.errors, "failed: build ours: expected any compiler with -no-such-flag, found " + compiler))
      << other.errors;
  plan("[" + absent + "]");
  const Outcome none = drive();
  EXPECT_EQ(none.status, 3);
  EXPECT_TRUE(none.errors.starts_with("boltzmark: error: ") && has(none.errors, "all of its builds are missing"))
      << none.errors;
}

/// Every damage to a right answer that is kept, one after another: no model is blamed for it.
TEST_F(DriverTest, ADamagedAnswerIsMadeAgain) {
  write_plan(R"([{"model":"serial","variant":"fused"}])", 20, 1);
  ASSERT_EQ(drive().status, 0);
  fs::path state, averages, digest;
  for (const auto& file : fs::directory_iterator(folder_ / "results" / "oracle")) {
    const std::string name = file.path().filename().string();
    (name.ends_with(".digest") ? digest : name.ends_with(".av_vels.npy") ? averages : state) = file.path();
  }
  const std::string right_state = read_text(state), right_averages = read_text(averages);
  std::string other = right_state;
  other[other.size() - 16] ^= 1;  // a cell that is not solid and not quite fluid
  const std::vector<std::function<void()>> damages = {
      [&] { write_text(state, ""); }, [&] { write_text(state, other); }, [&] { fs::remove(averages); },
      [&] { write_text(averages, right_averages.substr(0, right_averages.size() - 5)); }, [&] { fs::remove(digest); }};
  for (std::size_t i = 0; i < damages.size(); ++i) {
    SCOPED_TRACE(i);
    damages[i]();
    const Outcome outcome = drive({"--fresh"});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, "expected the stored reference, found a damaged one")) << outcome.errors;
    EXPECT_EQ(read_text(state), right_state);
    EXPECT_EQ(read_text(averages), right_averages);
    EXPECT_FALSE(has(drive({"--fresh"}).errors, "damaged"));
  }
}

/// Two at once would draw over each other's files.
TEST_F(DriverTest, ASecondReportIsTurnedAway) {
  write_plan(R"([{"model":"serial","variant":"fused"}])", 20, 1);
  ASSERT_EQ(drive().status, 0);
  const std::vector<std::string> report = {std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "report", "--no-plots",
                                           "--results", (folder_ / "results").string()};
  {
    const FolderLock other(folder_ / "results" / "report");
    const Outcome outcome = testing::run_command(report);
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    EXPECT_EQ(outcome.errors, "boltzmark: error: " + (folder_ / "results" / "report").string() +
                                  ": expected a folder that no other boltzmark is using, found one at work in it\n");
  }
  EXPECT_EQ(testing::run_command(report).status, 0);
}

TEST_F(DriverTest, AReportElsewhereLeavesTheResultsAlone) {
  write_plan(R"([{"model":"serial","variant":"fused"}])", 20, 1);
  ASSERT_EQ(drive().status, 0);
  const fs::path results = folder_ / "results", out = folder_ / "out";
  for (const char* name : {"figures.csv", "peaks.csv", "columns.json", "complaints.txt"}) fs::remove(results / name);
  const auto files = [&] {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(results)) names.insert(entry.path());
    return names;
  };
  const auto before = files();
  const std::string boltzmark = std::string(BOLTZMARK_BIN_DIR) + "/boltzmark";
  const std::vector<std::string> to = {"--out", out.string()};
  const std::vector<std::string> report = {boltzmark, "report", "--no-plots", "--results", results.string()};
  EXPECT_EQ(testing::run_command(report + to).status, 0);
  EXPECT_TRUE(fs::exists(out / "figures.csv"));
  EXPECT_EQ(testing::run_command(std::vector<std::string>{boltzmark, "figures", "--results", results} + to).status, 0);
  const Outcome compared = testing::run_command(
      std::vector<std::string>{boltzmark, "report", "--compare", results, results, "--no-plots"} + to);
  EXPECT_TRUE(compared.status == 3 || fs::exists(out / "comparison.html")) << compared.errors;
  EXPECT_EQ(files(), before);
}

TEST_F(DriverTest, AReportOfAForeignFileWritesNothing) {
  const std::string file = folder_ / "stream.csv";
  write_text(file, "function,num_times,n_elements,sizeof,max_mbytes_per_sec\n");
  const fs::path out = folder_ / "out";
  for (const std::string& results : {file, "A=" + file}) {
    const Outcome outcome = testing::run_command(
        {std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "report", results, "--no-plots", "--out", out.string()});
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    EXPECT_TRUE(has(outcome.errors, "found BabelStream's CSV")) << outcome.errors;
    EXPECT_FALSE(fs::exists(out));
  }
}

TEST_F(DriverTest, HelpFitsAScreen) {
  const std::string boltzmark = std::string(BOLTZMARK_BIN_DIR) + "/boltzmark";
  for (const char* of :
       {"", "run", "report", "figures", "summary", "peaks", "tune", "job", "compare-with", "check", "list"}) {
    std::vector<std::string> words = {boltzmark, of, "--help"};
    if (words[1].empty()) words.erase(words.begin() + 1);
    const auto lines = split(testing::run_command(words).output, '\n');
    EXPECT_LE(lines.size(), 41u) << of;
    for (const auto& line : lines) EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST_F(DriverTest, AWrongResultStaysOne) {
  write_plan(R"([{"model":"serial","variant":"fused"}])", 20, 1);
  ASSERT_EQ(drive().status, 0);
  for (const auto& file : fs::directory_iterator(folder_ / "results" / "oracle"))
    if (const std::string path = file.path().string(); path.ends_with(".av_vels.npy")) {
      std::string text = read_text(path);
      text[text.size() - 2] ^= 1;  // of the exponent of the last average velocity
      write_text(path, text);
      // As if it had been computed so: its digests are right.
      const std::string prefix = path.substr(0, path.size() - std::string(".av_vels.npy").size());
      write_text(prefix + ".digest", digest_of_file(prefix + ".final_state.npy") + ' ' + digest_of_file(path) + '\n');
    }
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = i == 0 ? drive({"--fresh"}) : drive();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(has(csv(), ",wrong,\"the result is wrong: ")) << csv();
  }
  EXPECT_EQ(runs().size(), 1u);
}

TEST_F(DriverTest, ARateBeyondAllRoofsIsWrong) {
  write_plan(R"([{"model":"serial","variant":"fused"}])", 20, 1);
  Peaks slow;
  slow.processor.cores = 1;
  slow.processor.bandwidths = {{"DRAM", "copy", 1, {1e-6, 1e-6, 1e-6}}};
  fs::create_directories(folder_ / "results");
  write_text(folder_ / "results/peaks.json", json(slow).dump());
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, " GB through DRAM at 1.5e-06 GB/s take ")) << outcome.errors;
  EXPECT_TRUE(has(csv(), "it cannot have done all its work")) << csv();
  slow.processor.bandwidths[0].gb_per_s.maximum = 1e6;
  write_text(folder_ / "results/peaks.json", json(slow).dump());
  EXPECT_EQ(drive().status, 0);  // other peaks
}

TEST_F(DriverTest, StartsRanksThroughTheLauncher) {
  if (!is_built("mpi")) GTEST_SKIP() << "mpi was not built";
  write_plan(R"([{"model":"mpi","variant":"fused","ranks":3}])", 20, 1);
  EXPECT_EQ(drive().status, 0);
  EXPECT_EQ(runs().at(0).record->ranks, 3);
  const Outcome none = drive({"--launcher", "no-such-launcher {ranks}"});
  EXPECT_EQ(none.status, 0);
  EXPECT_TRUE(has(none.errors, "impossible: no launcher no-such-launcher found; name another with --launcher"))
      << none.errors;
  const Outcome broken = drive({"--launcher", "false {ranks}"});
  EXPECT_EQ(broken.status, 1);
  EXPECT_TRUE(has(broken.errors, "failed: ended with status 1")) << broken.errors;
}

TEST_F(DriverTest, SaysInOneLineThatThereIsNoDevice) {
  // No runtime that these tests meet has one.
  write_plan(R"([{"model":"serial","variant":"fused"}],"within_devices":"accelerator")", 20, 2);
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.errors,
            "boltzmark: error: plan plan: expected one accelerator for each rank, found none: no accelerator "
            "here\n");
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  write_plan(R"([{"model":"serial","variant":"fused"}],"within_devices":"cpu")", 20, 1);
  EXPECT_EQ(drive().status, 0);
}

TEST_F(DriverTest, RunsABoxWithoutACheck) {
  write_text(folder_ / "plan.json", R"({"repeats":1,"cases":[{"box":"40x30","steps":20,"check":false}],
    "runs":[{"model":"serial","variant":"fused"},{"model":"serial","variant":"textbook"}]})");
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  ASSERT_EQ(runs().size(), 2u);
  EXPECT_FALSE(runs()[0].record->check.passed.has_value());
  EXPECT_FALSE(fs::exists(folder_ / "results" / "oracle"));
}

TEST_F(DriverTest, ARunThatIsTooLargeIsARowAndTheOthersGoOn) {
  write_text(folder_ / "huge.params", "1000000\n1000000\n1\n1\n0.1\n0.005\n1.85\n");
  write_text(folder_ / "plan.json", R"({"repeats":1,"cases":[{"params":"huge.params","obstacles":"none"},
    {"box":"40000x40000","steps":2},{"params":"input_box.params","obstacles":"obstacles_box.dat","steps":20}],
    "runs":[{"model":"serial","variant":"like-for-like"}]})");
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  ASSERT_EQ(runs().size(), 3u);
  for (const RunEntry& one : runs())  // in the order that they were shuffled to
    EXPECT_EQ(one.status, one.case_name == "box" ? RunStatus::ok : RunStatus::impossible)
        << one.case_name << one.reason;
}

TEST_F(DriverTest, DryRunOnlyPrints) {
  write_plan(R"([{"model":"serial","variant":"fused"}])", 20, 2);
  const Outcome outcome = drive({"--dry-run"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(count_of(outcome.output, "/lbm-serial --check "), 1) << outcome.output;
  EXPECT_TRUE(outcome.output.ends_with("  # x 2\n")) << outcome.output;
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  ASSERT_EQ(drive().status, 0);
  EXPECT_TRUE(std::regex_search(drive({"--dry-run"}).output,
                                std::regex("\n# 2 of 2 runs ran before, and would take [0-9]+ s if repeated\n$")));
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
    EXPECT_TRUE(outcome.errors.starts_with("boltzmark: error: ") && has(outcome.errors, line)) << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

/// `make run` builds these.
TEST_F(DriverTest, NamesTheProgramsOfAPlan) {
  write_plan(R"([{"workload":"stream","model":"serial"},{"model":"serial","variant":"fused"}])", 20, 1);
  EXPECT_EQ(drive({"--programs"}).output, "lbm-serial\nstream-serial\n");
  EXPECT_EQ(drive({"--programs", "--workloads", "stream"}).output, "stream-serial\n");
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  write_plan(R"([{"model":"abacus"}])", 20, 1);
  const Outcome outcome = drive({"--programs"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(has(outcome.errors, "abacus")) << outcome.errors;
  EXPECT_EQ(outcome.output, "");
}

TEST_F(DriverTest, LeavesOutModelsThatThePlanDoesNotName) {
  const auto of_quick = [](const Words& more) {
    return testing::run_command(Words{std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "run", "quick", "--programs"} +
                                more)
        .output;
  };
  EXPECT_TRUE(has(of_quick({}), "lbm-serial\n"));
  for (const std::string model : {"tbb", "kokkos", "thrust", "sycl", "openacc", "hip"}) {
    EXPECT_FALSE(has(of_quick({}), "-" + model + "\n"));
    if (testing::is_built(model, "stream")) {
      EXPECT_TRUE(has(of_quick({"--models", "serial," + model}), "stream-" + model + "\n"));
    }
  }
}

TEST_F(DriverTest, NamesTheModelsThatAPlanLeavesOutOnce) {
  write_text(folder_ / "plan.json", R"({"models":["serial"],"runs":[{"model":"*","variant":"textbook"}],
    "cases":[{"params":"input_box.params","obstacles":"obstacles_box.dat","steps":20}],"repeats":2})");
  std::vector<std::string> others;
  for (const auto& program : read_programs(BOLTZMARK_BIN_DIR))
    if (program.workload == usual_workload && program.model != "serial") others.push_back(program.model);
  const std::string line = "boltzmark: plan plan leaves out " + join(others, ", ") +
                           "; these are added by `boltzmark run " + (folder_ / "plan.json").string() +
                           " --models NAMES`\n";
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(count_of(outcome.errors, line), 1) << outcome.errors;
  EXPECT_EQ(runs().size(), 2u);
  EXPECT_FALSE(has(drive({"--models", "serial"}).errors, "leaves out"));  // who names models has chosen
}

TEST_F(DriverTest, EndsALadderWithTheGainOfEachStep) {
  write_text(folder_ / "plan.json",
             R"({"ladder":["serial textbook","serial no-branches","serial fused","serial in-place"],
    "cases":[{"params":"input_box.params","obstacles":"obstacles_box.dat","steps":50}],
    "runs":[{"model":"serial","variant":"in-place"},{"model":"serial","variant":"textbook"},
            {"model":"serial","variant":"fused"},{"model":"serial","variant":"wavefront"}]})");
  const auto steps_in = [](const std::string& text) {  // numbers behind the name of each
    std::map<std::string, std::vector<double>> found;
    std::smatch line;
    const std::regex step("\nserial ([\\w-]+)((?: +[0-9.]+)+)(?=\n)");
    for (auto at = text.cbegin(); std::regex_search(at, text.cend(), line, step); at = line[0].second)
      for (const std::string& word : words_in(line.str(2)))
        found[line[1]].push_back(parse_number<double>(word).value());
    return found;
  };
  const Outcome outcome = drive();
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  auto steps = steps_in(outcome.output);
  ASSERT_EQ(steps.size(), 3u) << outcome.output;  // of those that ran, and of the ladder alone
  EXPECT_EQ(steps["textbook"].size(), 1u);
  ASSERT_EQ(steps["fused"].size(), 3u);
  ASSERT_EQ(steps["in-place"].size(), 3u);
  const double first = steps["textbook"][0], fused = steps["fused"][0], last = steps["in-place"][0];
  EXPECT_NEAR(steps["fused"][1], fused / first, 0.01 * fused / first);
  EXPECT_NEAR(steps["in-place"][1], last / fused, 0.01 * last / fused);
  EXPECT_NEAR(steps["in-place"][2], last / first, 0.01 * last / first);
  EXPECT_TRUE(has(unwrapped(outcome.output),
                  "boltzmark report --results " + (folder_ / "results").string() + ", page learn.html\n"))
      << outcome.output;
  write_plan(serial_runs_, 50, 1);
  EXPECT_TRUE(steps_in(drive().output).empty());
}

TEST_F(DriverTest, SaysHowToBuildWhatIsNotThereYet) {
  const fs::path build = folder_ / "build", driver = build / "bin/boltzmark";
  fs::create_directories(build / "bin");
  fs::copy_file(fs::path(BOLTZMARK_BIN_DIR) / "boltzmark", driver);
  fs::create_directories(build / "share/boltzmark");
  write_text(build / "CMakeCache.txt", "");
  write_text(build / "share/boltzmark/programs.json",
             R"([{"workload":"lbm","model":"serial","program":"lbm-serial","skipped":""},
                 {"workload":"lbm","model":"mpi","program":"lbm-mpi","launcher":true,"skipped":"no MPI"}])");
  write_plan(R"([{"model":"*"}])", 20, 1);
  auto words = command();
  words[0] = driver;
  EXPECT_EQ(testing::run_command(words + std::vector<std::string>{"--programs"}).output, "lbm-serial\n");
  const Outcome outcome = testing::run_command(words);
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  const std::string how =
      "lbm-serial is not built yet; make it with: cmake --build " + build.string() + " --target lbm-serial";
  EXPECT_TRUE(has(csv(), how) && has(csv(), "no MPI")) << csv();
  EXPECT_TRUE(has(unwrapped(outcome.output), how)) << outcome.output;
}

TEST_F(DriverTest, ListsWhatIsThere) {
  const auto list = [](const Words& names) {
    return testing::run_command(Words{std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "list"} + names);
  };
  const std::string all = list({}).output;
  EXPECT_TRUE(std::regex_search(all, std::regex("\n *full  .*\n(.*\n)* *quick  .*\n(.*\n)*\n *workload .* serial")));
  EXPECT_TRUE(std::regex_search(all, std::regex("\n *lbm  .* yes .*\n"))) << all;
  EXPECT_EQ(list({"abacus"}).status, 2);
  EXPECT_TRUE(has(list({"compilers"}).output, "compilers: g++ and clang++") &&
              has(list({"compilers"}).output, "\n  build gcc-o3: "));
  const Outcome outcome = list({"lbm"});
  EXPECT_EQ(outcome.status, 0);
  for (const auto& program : read_programs(BOLTZMARK_BIN_DIR))
    EXPECT_TRUE(program.workload != usual_workload ||
                has(outcome.output, program.workload + ' ' + program.model +
                                        (program.skipped.empty() ? ": " : ": not built: " + program.skipped)))
        << outcome.output;
  for (const char* line : {"\n    textbook ", " f32,f64  ", "\n  devices\n    0  cpu  "})
    EXPECT_TRUE(has(outcome.output, line)) << line << " in\n" << outcome.output;
}

}  // namespace
}  // namespace boltzmark
