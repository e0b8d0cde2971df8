// Child processes, launchers, and how a run is judged.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "analysis/run/plan.hpp"
#include "analysis/run/runner.hpp"
#include "analysis/support/process.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

/// Whether a process exists and has not ended.
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
  const auto result = run_process({.command = {"sh", "-c", script}, .time_limit_seconds = 2.0}, signals);
  EXPECT_TRUE(result.timed_out);
  EXPECT_LT(result.seconds, 60.0);  // before the grandchild ends by itself
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
  const auto done = capture_process({.command = {"sh", "-c", "echo $BOLTZMARK_TEST_SET $BOLTZMARK_TEST_UNSET"},
                                     .environment = {{"BOLTZMARK_TEST_SET", "a"}, {"BOLTZMARK_TEST_UNSET", "b"}}},
                                    signals);
  EXPECT_EQ(done.output, "mine b\n");
}

TEST(LauncherTest, StartsAsRootWithMoreRanksThanCores) {
  if (find_program("mpirun").empty()) GTEST_SKIP() << "no mpirun here";
  SignalWatch signals;
  auto words = launcher_words({}, 7, 1);
  words.insert(words.end(), {"sh", "-c", "echo one"});
  const auto done = capture_process({.command = words, .environment = launcher_environment()}, signals);
  EXPECT_EQ(done.result.exit_status, 0) << done.errors;
  EXPECT_EQ(count_of(done.output, "one\n"), 7);
}

TEST(LauncherTest, SaysWhatToInstall) {
  EXPECT_EQ(launcher_missing({.command = "no-such-launcher {ranks}"}),
            "no launcher no-such-launcher found; name another with --launcher");
}

TEST(RunnerTest, JudgesHowARunEnded) {
  const auto judged = [](const ProcessResult& result, const std::string& errors, bool record) {
    RunEntry e;
    if (record) e.record = Record();
    judge_run(result, errors, "lbm-x", 5.0, e);
    return to_string(e.status) + ": " + e.reason + (e.record ? " +" : "");
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
  EXPECT_EQ(judged(exited(3), "lbm-x: error: no GPU\nsrun: error: task 0: exit 3\n", false), "impossible: no GPU");
  EXPECT_EQ(judged(exited(77), "", false), "failed: ended with status 77");
  ProcessResult result;
  result.signal = SIGSEGV;
  EXPECT_EQ(judged(result, "", true), "failed: ended by signal 11 (Segmentation fault)");
  result = {};
  result.timed_out = true;
  EXPECT_EQ(judged(result, "noise", true), "timeout: killed at the time limit of 5 s");
}

}  // namespace
}  // namespace boltzmark
