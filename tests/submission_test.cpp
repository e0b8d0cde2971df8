// A program from outside the suite: its command line, its reported time, and its limits.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>

#include "analysis/run/submission.hpp"
#include "analysis/submission/checks.hpp"
#include "analysis/support/confined.hpp"
#include "common/base/statistics.hpp"
#include "common/lbm/check.hpp"
#include "common/lbm/output.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

TEST(CheckTest, RowsThatNoTestTellsApartShareARank) {
  const auto row = [](std::vector<double> seconds) {
    CheckRow one;
    one.folder = std::to_string(seconds[0]);
    one.seconds = median(seconds);
    one.speed_up = 1.0 / *one.seconds;
    one.all_seconds = seconds;
    return one;
  };
  const auto ranks = [](std::vector<CheckRow> rows) {
    std::vector<int> found;
    for (const CheckRow& one : ranked(rows, {})) found.push_back(one.rank);
    return found;
  };
  const std::vector rows = {row({3.0, 3.01, 3.02}), row({1.0, 1.1, 1.3}), row({1.05, 1.11, 1.2}),
                            row({2.0, 2.01, 2.02})};
  EXPECT_EQ(ranks(rows), (std::vector{4, 1, 1, 3}));
  EXPECT_TRUE(has(check_table(ranked(rows, {}), 120), " 1= of 4\n"));
  // Both like the row between them, and yet apart: no rank is better than that of a shorter time.
  EXPECT_EQ(ranks({row({1.2, 1.21, 1.22}), row({1.0, 1.15, 1.3}), row({1.0, 1.01, 1.02})}), (std::vector{3, 1, 1}));
  EXPECT_EQ(ranks({row({1.0, 1.5, 1.9}), row({2.0, 2.5, 3.0})}), (std::vector{1, 2})) << "far apart without overlap";
  auto others = rows;
  for (CheckRow& one : others) one.steps = 20;
  others.insert(others.end(), rows.begin(), rows.end());
  EXPECT_EQ(ranks(others), (std::vector{4, 1, 1, 3, 4, 1, 1, 3})) << "each problem and number of steps by itself";
  EXPECT_EQ(ranks({row({1.0}), row({1.04, 1.05}), row({1.1})}), (std::vector{0, 0, 0})) << "too few to rank";
}

TEST(SubmissionTest, ItsLineHasTheFilesWhereItSaysOrAtItsEnd) {
  TemporaryFolder folder;
  write_text(folder / "mine", "");
  const lbm::ProblemFiles arguments = {"/tmp/a b/in.params", "o.dat"};
  const auto line = [&](const std::string& run) {
    return submission_line({.name = "x", .run = run, .base = folder.path, .threads = 3}, arguments);
  };
  const std::string mine = (folder / "mine").string();
  EXPECT_EQ(line("./mine"), mine + " '/tmp/a b/in.params' o.dat");
  EXPECT_EQ(line("OMP_NUM_THREADS={threads} ./mine -o {obstacles} {params} | cat"),
            "OMP_NUM_THREADS=3 " + mine + " -o o.dat '/tmp/a b/in.params' | cat");
  EXPECT_EQ(line("python3 ./other"), "python3 ./other '/tmp/a b/in.params' o.dat");
  for (const char* bad : {"", "./mine {params}", "./mine {obstacles}", "./mine {parms} {params} {obstacles}"})
    EXPECT_TRUE(has(error_of([&] { check_submission_line(bad, "plan"); }), "plan: expected ")) << bad;
  EXPECT_EQ(error_of([] { check_submission_line("A=${B} ./x {params} {obstacles} {ranks}", "plan"); }), "");
}

TEST(SubmissionTest, AnotherProgramHasAnotherDigest) {
  TemporaryFolder folder;
  write_text(folder / "mine", "a");
  Submission program = {.name = "x", .run = "./mine", .base = folder.path};
  const std::string before = submission_digest(program);
  EXPECT_EQ(submission_digest(program), before);
  write_text(folder / "mine", "b");
  EXPECT_NE(submission_digest(program), before);
  program.folder = folder.path;
  const std::string of_folder = submission_digest(program);
  write_text(folder / "more", "");
  EXPECT_NE(submission_digest(program), of_folder);
}

TEST(SubmissionTest, ItsSecondsAreThoseOfTheLastLineThatSaysThem) {
  EXPECT_EQ(said_seconds("Elapsed Compute time:\t\t\t1.5 (s)\nElapsed Total time: 9\n"), 1.5);
  EXPECT_EQ(said_seconds("Elapsed time: 7\n  Elapsed Compute time: 2\nElapsed Compute time: 3\n"), 3.0);
  EXPECT_EQ(said_seconds("Elapsed time:\t\t\t0.25 (s)\n"), 0.25);
  for (const char* none : {"", "Elapsed Compute time:\n", "Elapsed Compute time: nan", "Elapsed Compute time: 0",
                           "Elapsed Compute time: -1", "time: 3"})
    EXPECT_EQ(said_seconds(none), std::nullopt) << none;
}

TEST(SubmissionTest, ABuildThatFailsSaysWhatIsMissing) {
  const std::string make = "make: *** [Makefile:2: d2q9-bgk] Error ";
  EXPECT_EQ(telling_line("make: icc: No such file or directory\n" + make + "127\n"), "icc: not found");
  EXPECT_EQ(telling_line("/bin/sh: 1: mpiicc: not found\nmake[1]: *** [x] Error 127\n" + make + "2\n"),
            "mpiicc: not found");
  EXPECT_EQ(telling_line("bash: line 1: nvcc: command not found\n"), "nvcc: not found");
  EXPECT_EQ(
      telling_line("/usr/bin/ld: /tmp/x.o: in function `main':\na.c:(.text+0x1): undefined reference to `helper'\n"
                   "collect2: error: ld returned 1 exit status\n" +
                   make + "1\n"),
      "undefined reference to `helper'");
  EXPECT_EQ(telling_line("/usr/bin/ld: cannot find -lnothere\ncollect2: error: ld returned 1 exit status\n"),
            "cannot find -lnothere");
  EXPECT_EQ(telling_line("clang: error: linker command failed with exit code 1\nld.lld: error: undefined symbol: f\n"),
            "ld.lld: error: undefined symbol: f");
  EXPECT_EQ(
      telling_line("make: git: No such file or directory\na.c:3:1: error: unknown type name 'x'\na.c:4: error: y\n" +
                   make + "1\n"),
      "a.c:3:1: error: unknown type name 'x'");
  // A harmless omission is not a reason.
  EXPECT_EQ(telling_line("make: git: No such file or directory\nmkdir: cannot create directory 'obj'\n" + make + "1\n"),
            "mkdir: cannot create directory 'obj'");
  EXPECT_EQ(telling_line("make: *** No rule to make target 'a.c', needed by 'b'.  Stop.\n"),
            "make: *** No rule to make target 'a.c', needed by 'b'.  Stop.");
  EXPECT_EQ(telling_line(make + "3\n"), make + "3");
  EXPECT_EQ(telling_line(""), "");
}

TEST(SubmissionTest, WhatToTryFitsTheSources) {
  const auto hint = [](const std::vector<std::pair<const char*, const char*>>& files) {
    TemporaryFolder folder;
    for (const auto& [name, text] : files) write_text(folder / name, text);
    return makefile_missing(folder.path);
  };
  const char *program = "int main (void) { return 0; }\n", *part = "int domain(int of) { return of; }\n";
  EXPECT_EQ(hint({{"notes.txt", program}}), "");
  EXPECT_EQ(hint({{"a.c", program}, {"b.c", part}}),
            R"(expected a Makefile, found a.c; try --build "gcc -O3 -o d2q9-bgk *.c -lm")");
  EXPECT_EQ(
      hint({{"a b.c", program}, {"c.c", part}, {"d.c", program}}),
      "expected a Makefile, found 2 programs (a b.c, d.c); for the first try --build \"gcc -O3 -o d2q9-bgk 'a b.c' "
      "c.c -lm\"");
  EXPECT_EQ(
      hint({{"a.c", "#include <mpi.h>\nint main() {\n#pragma omp parallel\n}"}}),
      "expected a Makefile, found a.c; try --build \"mpicc -O3 -fopenmp -o d2q9-bgk *.c -lm\" --run \"mpirun -np 4 "
      "./d2q9-bgk\"");
  EXPECT_TRUE(
      has(hint({{"a.cpp", "#include <CL/cl.h>\nint main() {}"}}), "\"g++ -O3 -o d2q9-bgk *.cpp -lOpenCL -lm\""));
  EXPECT_TRUE(has(hint({{"a.cu", program}, {"b.cpp", part}}), "\"nvcc -O3 -o d2q9-bgk a.cu b.cpp -lm\""));
  EXPECT_EQ(hint({{"Makefile.c", "d2q9-bgk: a.c\n"}, {"a.c", program}}),
            "expected a Makefile, found Makefile.c: rename it, or try --build \"make -B -f Makefile.c\"");
  EXPECT_TRUE(has(hint({{"CMakeLists.txt", ""}, {"a.c", program}}), "found CMakeLists.txt; try --build \"cmake"));
}

/// A variable of the environment for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class ConfinedTest : public ::testing::Test {
 protected:
  ConfinedResult run(const std::string& line, const ProcessLimits& limits = {.seconds = 20.0}, bool isolated = false) {
    return run_confined(
        {.line = line, .start = folder_.path, .home = folder_.path, .limits = limits, .is_isolated = isolated},
        signals_);
  }
  /// Whether a process that has written its number into a file no longer exists.
  bool is_gone(const std::string& file) {
    const int process = std::atoi(read_text(folder_ / file).c_str());
    return process > 0 && eventually([&] { return kill(process, 0) != 0; });
  }

  TemporaryFolder folder_;
  SignalWatch signals_;
};

TEST_F(ConfinedTest, SaysHowItEndedAndWhatItPrinted) {
  const auto done = run("echo $HOME; echo b >&2; exit 3");
  EXPECT_EQ(done.verdict, "");
  EXPECT_EQ(done.exit_status, 3);
  EXPECT_EQ(done.output, folder_.path.string() + "\n");
  EXPECT_EQ(done.errors, "b\n");
  EXPECT_EQ(run("kill -SEGV $$").signal, SIGSEGV);
  EXPECT_EQ(run("sh -c 'kill -SEGV $$'; exit $?").signal, SIGSEGV);  // as a shell tells of it
  const auto cut = run("head -c 1000000 /dev/zero | tr '\\0' x; echo; echo end");
  EXPECT_EQ(cut.printed, 1000005u);
  EXPECT_LT(cut.output.size(), 200000u);
  EXPECT_TRUE(cut.output.ends_with("x\nend\n"));
}

TEST_F(ConfinedTest, ItsLimitsEndItWithAllThatItStarted) {
  EXPECT_EQ(run("setsid sh -c 'echo $$ > pid; trap \"\" TERM; sleep 60' & sleep 60", {.seconds = 2.0}).verdict,
            verdict::timeout);
  EXPECT_TRUE(is_gone("pid"));
  EXPECT_EQ(run("yes", {.seconds = 20.0, .output_bytes = 100000}).verdict, verdict::output);
  EXPECT_EQ(run("while :; do sleep 20 & done", {.seconds = 20.0, .processes = 40}).verdict, verdict::processes);
  // Each within the limit, but together beyond it: tail holds its data, which sleep never reads.
  const std::string holds = "(head -c 90000000 /dev/zero | tail -c 90000000 | sleep 20) & ";
  EXPECT_EQ(run(holds + holds + "wait", {.seconds = 20.0, .memory_bytes = 150'000'000}).verdict, verdict::memory);
  const auto large = run("head -c 300000 /dev/zero > large", {.seconds = 20.0, .file_bytes = 200000});
  EXPECT_TRUE(large.signal == SIGXFSZ || large.exit_status != 0);
  EXPECT_EQ(std::filesystem::file_size(folder_ / "large"), 200000u);
}

TEST_F(ConfinedTest, WhatLivesOnIsEnded) {
  const auto done = run("setsid sh -c 'echo $$ > pid; sleep 60' & while ! [ -s pid ]; do sleep 0.01; done");
  EXPECT_EQ(done.verdict, "");
  EXPECT_GE(done.left_behind, 1);
  EXPECT_TRUE(is_gone("pid"));
}

TEST_F(ConfinedTest, IsolatedItWritesToItsFolderAlone) {
  if (const std::string missing = isolation_missing(signals_); !missing.empty()) GTEST_SKIP() << missing;
  TemporaryFolder other;
  const std::string elsewhere = (other / "file").string();
  const auto done = run("echo a > here; echo b > " + elsewhere + "; touch /var/tmp/x; kill -9 -1; echo $$", {}, true);
  EXPECT_EQ(read_text(folder_ / "here"), "a\n");
  EXPECT_FALSE(std::filesystem::exists(elsewhere));
  EXPECT_TRUE(has(done.errors, "Read-only file system")) << done.errors;
  EXPECT_LT(std::atoi(done.output.c_str()), 100);  // a number of its own group
  run("setsid sleep 60 &", {}, true);
}

TEST_F(ConfinedTest, ItsEnvironmentIsAShortListAndItsLocaleC) {
  const Variable token("MY_TOKEN", "secret"), locale("LC_ALL", "de_DE.UTF-8"), waiting("OMP_WAIT_POLICY", "passive");
  const std::string shown = '\n' + run("env").output;
  EXPECT_FALSE(has(shown, "secret"));
  for (const char* expected : {"\nLC_ALL=C\n", "\nOMP_WAIT_POLICY=passive\n", "\nPATH="})
    EXPECT_TRUE(has(shown, expected)) << expected << shown;
  const auto trusted = run_confined(
      {.line = "echo $MY_TOKEN $LC_ALL", .start = folder_.path, .home = folder_.path, .is_trusted = true}, signals_);
  EXPECT_EQ(trusted.output, "secret C\n");
  if (const std::string missing = isolation_missing(signals_); !missing.empty()) GTEST_SKIP() << missing;
  EXPECT_FALSE(has(run("cat /proc/*/environ", {}, true).output, "secret"));  // nor is it in that of its parents
}

TEST_F(ConfinedTest, IsolatedItReachesNoSocketAndNoHome) {
  if (const std::string missing = isolation_missing(signals_); !missing.empty()) GTEST_SKIP() << missing;
  // One of each in the folder for temporary files, and one in that of the tests.
  TemporaryFolder temporary;
  const fs::path here = fs::current_path() / fmt::format("submission_test-{}", getpid());
  for (const fs::path& folder : {temporary.path, here}) {
    const fs::path home = folder / "home", socket_file = folder / "socket";
    fs::create_directories(home);
    write_text(home / "key", "");
    const Variable variable("HOME", home.string());
    EXPECT_NE(run("test -e " + (home / "key").string(), {}, true).exit_status, 0);
    // But a compiler that is installed there, with all it needs.
    for (const char* part : {"bin", "lib", "include"}) fs::create_directories(home / "compiler" / part);
    write_text(home / "compiler/lib/part", "its part\n");
    write_text(home / "compiler/bin/compile", "cat " + (home / "compiler/lib/part").string() + '\n');
    fs::permissions(home / "compiler/bin/compile", fs::perms::owner_all);
    const Variable path("PATH", (home / "compiler/bin").string() + ':' + std::getenv("PATH"));
    EXPECT_EQ(run("compile && ! test -e " + (home / "key").string(), {}, true).output, "its part\n");
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    if (socket_file.string().size() >= sizeof address.sun_path) continue;
    socket_file.string().copy(address.sun_path, sizeof address.sun_path - 1);
    const int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(run("test -S " + socket_file.string()).exit_status, 0);
    EXPECT_NE(run("test -S " + socket_file.string(), {}, true).exit_status, 0);
    close(listening);
  }
  fs::remove_all(here);
}

TEST(SubmissionResultTest, EveryFaultHasItsWord) {
  lbm::Problem problem;
  problem.parameters = {
      .nx = 4, .ny = 5, .iterations = 6, .reynolds_dim = 10, .density = 0.1, .accel = 0.005, .omega = 1.2};
  problem.solid = {0, 7};
  const lbm::Answer answer = lbm::solve_reference(problem, 6);
  TemporaryFolder folder;
  const auto text_of = [&](const char* name, const std::function<void(AtomicFile&)>& write) {
    AtomicFile file(folder / name);
    write(file);
    file.commit();
    return read_text(folder / name);
  };
  const std::string state =
      text_of(lbm::state_file, [&](AtomicFile& file) { lbm::write_final_state(file, problem, answer.state); });
  const std::string averages =
      text_of(lbm::averages_file, [&](AtomicFile& file) { lbm::write_av_vels(file, answer.av_vels); });
  const auto judged = [&](const std::string& of_state, const std::string& of_averages) {
    write_text(folder / lbm::state_file, of_state);
    write_text(folder / lbm::averages_file, of_averages);
    SubmissionOutcome outcome;
    judge_files(folder.path, problem, 6, &answer, 1e-2, outcome);
    return outcome.verdict + ": " + outcome.reason;
  };
  const auto changed = [](std::string text, std::size_t line, const std::string& with) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < line; ++i) at = text.find('\n', at) + 1;
    return text.replace(at, text.find('\n', at) - at, with);
  };
  EXPECT_EQ(judged(state, averages), "right: ");
  EXPECT_EQ(judged(changed(state, 14, "2 3 0.1 0 0.1 0.0333 0"), averages).substr(0, 16), "wrong: speed dev");
  EXPECT_TRUE(has(judged(changed(state, 14, "2 3 0.1 0 0.1 0.0333 0"), averages), " in cell 2 3,"));
  EXPECT_TRUE(has(judged(state, changed(averages, 4, "4:\t1.0")), " at step 4,"));
  EXPECT_TRUE(
      has(judged(changed(state, 14, "2 3 nan 0 nan 0.0333 0"), averages), "nan: speed of cell 2 3 is not a number"));
  EXPECT_TRUE(has(judged(state, changed(averages, 4, "4:\tinf")), "nan: av_vels of step 4 is not a number"));
  EXPECT_EQ(
      judged(state, averages.substr(0, averages.rfind("5:"))),
      "steps: av_vels.dat:6: expected \"5:\" and the average velocity of that step (of 6 steps), found the end of "
      "the file");
  EXPECT_TRUE(has(judged(state, averages + "6: 1\n"), "steps: av_vels.dat:7: "));
  EXPECT_TRUE(has(judged(state.substr(0, state.rfind("3 4")), averages), "lines: final_state.dat:20: "));
  EXPECT_TRUE(has(judged(changed(state, 2, "what is this"), averages), "format: final_state.dat:3: "));
  EXPECT_TRUE(has(judged(std::string(3000000, ' '), averages), "too-large: final_state.dat: "));
  std::filesystem::remove(folder / lbm::averages_file);
  SubmissionOutcome outcome;
  judge_files(folder.path, problem, 6, &answer, 1e-2, outcome);
  EXPECT_EQ(outcome.verdict + ": " + outcome.reason, "missing: av_vels.dat: expected a file, found none");
}

}  // namespace
}  // namespace boltzmark
