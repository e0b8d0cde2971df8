// `boltzmark job`: the scripts are good shell, and run the plan's runs with the ranks that it says.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "analysis/run/plan.hpp"
#include "analysis/store/store.hpp"
#include "analysis/support/process.hpp"
#include "common/cpu/processors.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
namespace fs = std::filesystem;
class JobTest : public ::testing::Test {
 protected:
  JobTest() {
    write_problem(folder_, grid("box"));
    write_text(folder_ / "plan.json",
               R"({"repeats":1,"cases":[{"params":"input_box.params","obstacles":"obstacles_box.dat","steps":20}],
                   "runs":[{"model":"mpi","variant":"like-for-like","ranks":[1,2,5]}]})");
  }

  Outcome job(const Words& options, const std::string& plan = "") const {
    return testing::run_command(Words{std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "job",
                                      plan.empty() ? (folder_ / "plan.json").string() : plan} +
                                options);
  }
  /// The script, kept in a file; the results go beside it.
  std::string script(const Words& options) const {
    const Outcome outcome = job(options + Words{"--results", (folder_ / "results").string()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    write_text(folder_ / "job.sh", outcome.output);
    const Outcome syntax = testing::run_command({"bash", "-n", (folder_ / "job.sh").string()});
    EXPECT_EQ(syntax.status, 0) << syntax.errors << outcome.output;
    return outcome.output;
  }
  /// Runs the script with `bin` of the folder first on the path.
  Outcome run() const {
    return testing::run_command(
        {"sh", "-c", "PATH=" + (folder_ / "bin").string() + ":$PATH exec bash " + (folder_ / "job.sh").string()});
  }
  /// Ranks of the runs that were right, and what became of the others.
  std::string results() const {
    std::string text;
    for (const RunEntry& entry : read_results(folder_ / "results").entries)  // in the plan's order
      text += entry.status == RunStatus::ok ? std::to_string(entry.record->ranks) + '\n'
                                            : entry.reason.substr(0, entry.reason.find('\n')) + '\n';
    return text;
  }

  TemporaryFolder folder_;
};

TEST_F(JobTest, ScriptsHaveNothingThatShellcheckWarnsOf) {
  if (!is_built("mpi")) GTEST_SKIP() << "mpi was not built";
  if (find_program("shellcheck").empty()) GTEST_SKIP() << "shellcheck is not installed";
  for (const Words& options :
       {Words{"--scheduler", "slurm", "--nodes", "2", "--ranks-per-node", "1", "--setup", "echo \"$HOSTNAME\""},
        {"--scheduler", "pbs", "--nodes", "2", "--ranks-per-node", "1"},
        {"--scheduler", "flux", "--nodes", "2", "--ranks-per-node", "1"},
        {"--scheduler", "mpirun", "--ranks-per-node", "2", "--hosts", (folder_ / "hosts").string()}}) {
    script(options);
    const Outcome lint = testing::run_command({"shellcheck", "--severity=warning", (folder_ / "job.sh").string()});
    EXPECT_EQ(lint.status, 0) << lint.output;
  }
}

TEST_F(JobTest, StartsEveryRunOfThePlanThroughSrun) {
  if (!is_built("mpi")) GTEST_SKIP() << "mpi was not built";
  fs::create_directories(folder_ / "bin");
  // What stands in for Slurm: keeps its options, and starts as many ranks as it is told.
  write_text(folder_ / "bin/srun",
             "#!/bin/bash\nfor word; do [[ $word == --* ]] || break; options+=($word); shift; done\n"
             "echo \"${options[@]}\" >> " +
                 (folder_ / "srun.log").string() +
                 "\n[[ \" ${options[*]} \" =~ \\ --ntasks=([0-9]+)\\  ]] || exit 9\n"
                 "exec mpirun -np \"${BASH_REMATCH[1]}\" \"$@\"\n");
  fs::permissions(folder_ / "bin/srun", fs::perms::owner_all);
  const std::string text = script({"--scheduler",      "slurm",       "--nodes",         "2",
                                   "--ranks-per-node", "1",           "--gpus-per-rank", "1",
                                   "--time",           "00:05:00",    "--partition",     "test",
                                   "--account",        "me",          "--mpi",           "pmix",
                                   "--directive",      "--exclusive", "--setup",         "echo \"on $HOSTNAME\" >&2"});
  for (const char* line :
       {"\n#SBATCH --nodes=2\n", "\n#SBATCH --ntasks-per-node=1\n", "\n#SBATCH --cpus-per-task=1\n",
        "\n#SBATCH --gpus-per-node=1\n", "\n#SBATCH --time=00:05:00\n", "\n#SBATCH --partition=test\n",
        "\n#SBATCH --account=me\n", "\n#SBATCH --exclusive\n", "no room for 5 ranks"})
    EXPECT_TRUE(has(text, line)) << line << text;
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(outcome.errors.starts_with("on ")) << outcome.errors;
  EXPECT_EQ(results(), "1\n2\n5 ranks of 1 thread, but 2 nodes with 1 rank of 1 core\n");
  const std::string binding =
      " --cpus-per-task=1 --cpu-bind=cores --distribution=block:block --kill-on-bad-exit=1 --mpi=pmix\n";
  const std::string log = read_text(folder_ / "srun.log");  // in any order
  EXPECT_EQ(count_of(log, "\n"), 2) << log;
  EXPECT_TRUE(has(log, "--nodes=1 --ntasks=1 --ntasks-per-node=1" + binding)) << log;
  EXPECT_TRUE(has(log, "--nodes=2 --ntasks=2 --ntasks-per-node=1" + binding)) << log;
}

TEST_F(JobTest, RanksThatAreAloneAreNoRunOfSeveral) {
  if (!is_built("mpi")) GTEST_SKIP() << "mpi was not built";
  fs::create_directories(folder_ / "bin");
  write_text(folder_ / "bin/srun", "#!/bin/bash\nwhile [[ $1 == --* ]]; do shift; done\nexec \"$@\"\n");
  fs::permissions(folder_ / "bin/srun", fs::perms::owner_all);
  script({"--scheduler", "slurm", "--ranks-per-node", "2"});
  EXPECT_EQ(run().status, 1);
  EXPECT_EQ(results(),
            "1\nexpected 2 ranks, found 1: is the launcher that of another MPI library?\n"
            "5 ranks of 1 thread, but 1 node with 2 ranks of 1 core\n");
}

TEST_F(JobTest, StartsEveryRunOfThePlanOnTheHostsOfAFile) {
  if (!is_built("mpi")) GTEST_SKIP() << "mpi was not built";
  if (usable_physical_cores() < 2) GTEST_SKIP() << "two ranks are bound to two cores";
  const std::string hosts = (folder_ / "hosts").string();
  script({"--scheduler", "mpirun", "--ranks-per-node", "2", "--hosts", hosts});
  write_text(hosts, "# none\n\n");
  const Outcome none = run();
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.errors, hosts + ": expected 1 node, one per line\n");
  write_text(hosts, "localhost slots=2\n");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_EQ(results(), "1\n2\n5 ranks of 1 thread, but 1 node with 2 ranks of 1 core\n");
}

TEST_F(JobTest, TakesItsRoomFromThePlan) {
  if (!is_built("mpi")) GTEST_SKIP() << "mpi was not built";
  const auto line_of = [&](const Words& options, const std::string& plan) {
    const std::string text = job(options, plan).output;
    const auto at = text.find("--nodes ");
    return text.substr(at, text.find(" \\", at) - at);
  };
  EXPECT_EQ(line_of({"--scheduler", "slurm"}, "scaling-strong"), "--nodes 1 --ranks-per-node 16 --cpus-per-rank 1");
  EXPECT_EQ(line_of({"--scheduler", "slurm", "--nodes", "2", "--ranks-per-node", "2"}, "scaling-strong"),
            "--nodes 2 --ranks-per-node 2 --cpus-per-rank 4");
  const auto of_gpus = [&](const char* scheduler) {
    return job({"--scheduler", scheduler, "--nodes", "2", "--name", "n"}, "scaling-gpu-weak").output;
  };
  EXPECT_TRUE(has(of_gpus("slurm"), "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=2\n#SBATCH --cpus-per-task=1\n"));
  EXPECT_TRUE(has(of_gpus("slurm"), "#SBATCH --gpus-per-node=2\n"));
  EXPECT_TRUE(
      has(of_gpus("pbs"), "#PBS -N n\n#PBS -l select=2:ncpus=2:mpiprocs=2:ngpus=2\n#PBS -l walltime=01:00:00\n"));
  EXPECT_TRUE(has(of_gpus("flux"), "#flux: --nodes=2\n#flux: --nslots=4\n#flux: --cores-per-slot=1\n"));
  EXPECT_TRUE(has(of_gpus("flux"), "#flux: --gpus-per-slot=1\n"));
}

TEST_F(JobTest, FindsTheBatchSystemAndTheCoresOfItsNodes) {
  if (!is_built("mpi")) GTEST_SKIP() << "mpi was not built";
  fs::create_directories(folder_ / "bin");
  const auto stand_in = [&](const char* name, const std::string& text) {
    write_text(folder_ / "bin" / name, "#!/bin/sh\n" + text + '\n');
    fs::permissions(folder_ / "bin" / name, fs::perms::owner_all);
  };
  const auto job_with_path = [&](const Words& words = {"quick"}) {
    return testing::run_command(Words{"/usr/bin/env", "PATH=" + (folder_ / "bin").string(),
                                      std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "job"} +
                                words);
  };
  EXPECT_TRUE(has(job_with_path().errors, "--scheduler: expected slurm, pbs, flux or mpirun, found none, and no"));
  stand_in("sbatch", "");
  stand_in("sinfo", "echo '4 16+'; echo '2 24'");
  const Outcome outcome = job_with_path();
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(outcome.output, "#SBATCH --ntasks-per-node=48\n")) << outcome.output;
  // Threads that a plan leaves open use a whole node; serial programs do not.
  const auto request = [](int ranks, int cpus) {
    return fmt::format("--ntasks-per-node={}\n#SBATCH --cpus-per-task={}\n", ranks, cpus);
  };
  EXPECT_TRUE(has(job_with_path({"ladder-cpu"}).output, request(1, 48)));
  EXPECT_TRUE(has(job_with_path({"ladder-cpu", "--models", "serial"}).output, request(1, 1)));
  EXPECT_TRUE(has(job_with_path({"ladder-cpu", "--cpus-per-rank", "6"}).output, request(1, 6)));
  EXPECT_TRUE(has(job_with_path({"scaling-strong", "--nodes", "2"}).output, request(8, 2)));  // 16 threads of OpenMP
  const Outcome too_many = job_with_path({"quick", "--ranks-per-node", "64"});
  EXPECT_EQ(too_many.status, 0);
  EXPECT_TRUE(has(too_many.errors,
                  "expected at most the 48 cores of a node, found --ranks-per-node and --cpus-per-rank for 64"));
  EXPECT_EQ(count_of(job_with_path({"quick", "--ranks-per-node", "48"}).errors, "\n"), 0);
  fs::remove(folder_ / "bin/sinfo");
  const Outcome unknown = job_with_path({"ladder-cpu"});
  EXPECT_TRUE(has(unknown.output, request(1, 1))) << unknown.output;
  for (const std::string& text : {unknown.output, unknown.errors})
    EXPECT_TRUE(has(text, "use all cores of the job on a node, here 1; --cpus-per-rank asks for more")) << text;
  EXPECT_TRUE(has(job_with_path().errors, "--ranks-per-node: expected the number of cores of a node"));
}

TEST_F(JobTest, BadOptionsAreOneLine) {
  for (const auto& [options, line] : std::vector<std::pair<Words, std::string>>{
           {{"--scheduler", "lsf"}, "--scheduler: expected slurm, pbs, flux or mpirun, found \"lsf\""},
           {{"--scheduler", "slurm", "--time", "soon"},
            "--time: expected minutes, hours:minutes:seconds or days-hours, found \"soon\""},
           {{"--scheduler", "slurm", "--partition", "a b"}, "--partition: expected one word, found \"a b\""},
           {{"--scheduler", "slurm", "--hosts", "h"},
            "--hosts: expected only with --scheduler mpirun, found it with slurm"},
           {{"--scheduler", "mpirun", "--time", "5"},
            "--time: expected only with --scheduler slurm, pbs or flux, found it with mpirun"},
           {{"--scheduler", "mpirun", "--nodes", "2"},
            "--hosts: expected a file with a line for each of 2 nodes, found nothing"},
           {{"--scheduler", "slurm", "--directive", "exclusive"},
            "--directive: expected one line that begins with a dash"},
           {{"--scheduler", "slurm", "--start", "ssh"}, "--start: expected srun or mpirun, found \"ssh\""},
           {{"--scheduler", "slurm", "--nodes", "0"}, "--nodes"},
           {{"--scheduler", "slurm", "--cases", "lake"}, "--cases: expected some of box, found \"lake\""},
           {{"--scheduler", "slurm", "--models", "mpy"}, "--models: expected some of serial, "}}) {
    const Outcome outcome = job(options);
    EXPECT_EQ(outcome.status, 2) << line;
    EXPECT_TRUE(has(outcome.errors, line)) << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }
  EXPECT_TRUE(has(job({"--scheduler", "slurm"}, "full").errors,
                  "--ranks-per-node: expected the number of cores of a node, as plan full fills nodes"));
}

}  // namespace
}  // namespace boltzmark
