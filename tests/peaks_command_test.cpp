// `boltzmark peaks` as a user runs it: with made-up measuring programs beside a copy of the driver, so that
// every way they can behave is quick to try, and with the real ones.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "analysis/store/peaks.hpp"
#include "analysis/store/store.hpp"
#include "analysis/support/process.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;
namespace fs = std::filesystem;

json benchmark(const std::string& name, const std::string& rate, double value) {
  return {{"run_name", name}, {"run_type", "iteration"}, {rate, value}};
}

class PeaksCommand : public ::testing::Test {
 protected:
  PeaksCommand() {
    fs::create_directory(folder_ / "bin");
    fs::copy_file(std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", folder_ / "bin/boltzmark");
    processor_.host = devices_.host = "made-up";
    processor_.processor.name = "processor";
    processor_.processor.cores = 1;
    processor_.processor.caches = {{"L1", 32 << 10, 1, 1}};
    devices_.devices.resize(1);
    devices_.devices[0].name = "device";
    devices_.devices[0].driver = "driver 1";
    write_descriptions();
    write_figures("cpu", {benchmark("bandwidth/pattern:read/cores:1/bytes:16384", "bytes_per_second", 1e11),
                          benchmark("bandwidth/pattern:read/cores:1/bytes:8192", "bytes_per_second", 1e11)});
    write_figures("opencl", {benchmark("launch/device:0", "items_per_second", 1e5)});
    write_program("cpu", answering("cpu"));
    write_program("opencl", answering("opencl"));
  }

  void write_descriptions() {
    write_text(folder_ / "cpu.described", nlohmann::json(processor_).dump());
    write_text(folder_ / "opencl.described", nlohmann::json(devices_).dump());
  }
  void write_figures(const std::string& half, const std::vector<json>& entries) {
    write_text(folder_ / (half + ".figures"), json{{"benchmarks", entries}}.dump());
    std::string list;
    for (const json& one : entries) list += text_in(one, "run_name") + "/min_time:0.005/manual_time\n";
    write_text(folder_ / (half + ".list"), list);
  }
  /// The script of a program that describes itself and prints its figures.
  std::string answering(const std::string& half, const std::string& before_figures = "") const {
    const std::string prefix = (folder_ / half).string();
    return "[ \"$1\" = --describe ] && exec cat " + prefix +
           ".described\n[ \"$1\" = --benchmark_list_tests=true ] && exec cat " + prefix + ".list\n" + "echo >> " +
           prefix + ".runs\n" + before_figures + "\ncp " + prefix + ".figures \"${1#--benchmark_out=}\"\n";
  }
  void write_program(const std::string& half, const std::string& script) {
    const fs::path file = folder_ / ("bin/boltzmark-peaks-" + half);
    write_text(file, "#!/bin/sh\n" + script);
    fs::permissions(file, fs::perms::owner_all);
  }
  /// How often a program has measured.
  int runs(const std::string& half) const { return count_of(read_text(folder_ / (half + ".runs")), "\n"); }

  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    return std::vector<std::string>{(folder_ / "bin/boltzmark").string(), "peaks", "--results", results_.string()} +
           more;
  }
  /// Its output, without the line that the program for the network is missing.
  Outcome peaks(const std::vector<std::string>& more = {}) const {
    Outcome outcome = testing::run_command(command(more));
    const std::string line =
        "boltzmark: the network: it was not built; install libbenchmark-dev, libopenmpi-dev and openmpi-bin, and build "
        "again\n";
    if (const auto at = outcome.errors.find(line); at != std::string::npos) outcome.errors.erase(at, line.size());
    return outcome;
  }
  Peaks kept() const { return read_peaks(results_ / "peaks.json"); }
  /// Folders old-DATE.
  std::vector<fs::path> aside() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(results_))
      if (entry.path().filename().string().starts_with("old-")) found.push_back(entry.path());
    return found;
  }

  TemporaryFolder folder_;
  fs::path results_ = folder_ / "results";
  Peaks processor_, devices_;
};

TEST_F(PeaksCommand, MeasuresOnceAndThenPrintsWhatIsKept) {
  const Outcome first = peaks({"--quiet"});
  EXPECT_EQ(first.status, 0) << first.errors;
  EXPECT_EQ(first.errors, "");
  EXPECT_TRUE(has(first.output, "Processor: processor")) << first.output;
  EXPECT_TRUE(has(first.output, "launch  us    10.00 (10.00-10.00)")) << first.output;
  EXPECT_EQ(kept().host, "made-up");
  EXPECT_EQ(kept().processor.bandwidths.size(), 1u);
  EXPECT_EQ(kept().sweep.size(), 2u);
  EXPECT_TRUE(fs::exists(results_ / "peaks/cpu.json") && fs::exists(results_ / "peaks/opencl.json"));

  const std::string before = read_text(results_ / "peaks.json");
  const Outcome second = peaks();
  EXPECT_EQ(second.status, 0) << second.errors;
  EXPECT_TRUE(has(second.output, "measured before")) << second.output;
  EXPECT_EQ(runs("cpu") + runs("opencl"), 2);
  EXPECT_EQ(read_text(results_ / "peaks.json"), before);

  EXPECT_EQ(peaks({"--fresh"}).status, 0);
  EXPECT_EQ(runs("cpu") + runs("opencl"), 4);
  ASSERT_EQ(aside().size(), 1u);
  EXPECT_EQ(read_text(aside()[0] / "peaks.json"), before);
  EXPECT_TRUE(fs::exists(aside()[0] / "peaks/cpu.json"));
}

TEST_F(PeaksCommand, MeasuresTheHalfThatHasChanged) {
  ASSERT_EQ(peaks().status, 0);
  const std::string key = kept().key;
  processor_.processor.caches[0].bytes *= 2;
  write_descriptions();
  ASSERT_EQ(peaks().status, 0);
  EXPECT_EQ(runs("cpu"), 2);
  EXPECT_EQ(runs("opencl"), 1);
  EXPECT_NE(kept().key, key);
  EXPECT_EQ(kept().devices.size(), 1u);
  devices_.devices[0].driver = "driver 2";
  write_descriptions();
  ASSERT_EQ(peaks().status, 0);
  EXPECT_EQ(runs("cpu"), 2);
  EXPECT_EQ(runs("opencl"), 2);
  EXPECT_EQ(kept().devices[0].driver, "driver 2");
  write_program("cpu", answering("cpu") + "# another build\n");
  ASSERT_EQ(peaks().status, 0);
  EXPECT_EQ(runs("cpu"), 3);
  EXPECT_EQ(runs("opencl"), 2);
  // Settings that do not affect the figures.
  processor_.date = "later";
  processor_.processor.memory_bytes = 5;
  write_descriptions();
  ASSERT_EQ(peaks().status, 0);
  EXPECT_EQ(runs("cpu"), 3);
}

TEST_F(PeaksCommand, OneHalfAlone) {
  ASSERT_EQ(peaks({"--only", "opencl"}).status, 0);
  EXPECT_EQ(runs("cpu"), 0);
  EXPECT_EQ(kept().processor.cores, 0);
  EXPECT_TRUE(kept().key.starts_with("cpu:- opencl:")) << kept().key;
  ASSERT_EQ(peaks({"--only", "cpu", "--fresh"}).status, 0);
  EXPECT_EQ(kept().processor.cores, 1);
  EXPECT_EQ(kept().devices.size(), 1u);
  ASSERT_EQ(peaks().status, 0);
  EXPECT_EQ(runs("cpu") + runs("opencl"), 2);
}

TEST_F(PeaksCommand, BriefFiguresDoNotPassForFullOnes) {
  ASSERT_EQ(peaks({"--brief"}).status, 0);
  ASSERT_EQ(peaks({"--brief"}).status, 0);
  EXPECT_EQ(runs("cpu"), 1);
  EXPECT_EQ(kept().processor.notes.back(), "rough (--brief): bandwidths; `boltzmark peaks` measures them better");
  ASSERT_EQ(peaks().status, 0);
  EXPECT_EQ(runs("cpu"), 2);
  EXPECT_FALSE(has(kept().processor.notes.back(), "rough"));
  ASSERT_EQ(peaks({"--brief"}).status, 0);
  EXPECT_EQ(runs("cpu"), 2) << "full figures do for who wants brief ones";
}

TEST_F(PeaksCommand, ARoofBelowAnotherThatItCannotBeBelowIsMeasuredOnceMore) {
  const auto write_read = [&](double first_cache) {
    std::vector<json> all;
    for (const auto& [bytes, rate] :
         {std::pair(8192, first_cache), {16384, first_cache}, {128 << 20, 4e10}, {256 << 20, 4e10}})
      all.push_back(benchmark(fmt::format("bandwidth/pattern:read/cores:1/bytes:{}", bytes), "bytes_per_second", rate));
    write_figures("cpu", all);
  };
  write_read(1e10);
  write_program("cpu", answering("cpu", "echo \"$@\" > " + (folder_ / "asked").string()));
  const Outcome outcome = peaks({"--quiet"});
  const std::string line = "L1 read on 1 core (10.0 GB/s) is below DRAM read on 1 core (40.0 GB/s)";
  EXPECT_EQ(outcome.errors, "boltzmark: " + line + "; repeat `boltzmark peaks --fresh` on a quiet machine\n");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(runs("cpu"), 2);
  EXPECT_TRUE(has(read_text(folder_ / "asked"), "bytes:8192|bandwidth/pattern:read/cores:1/bytes:16384)/"));
  EXPECT_FALSE(has(read_text(folder_ / "asked"), "bytes:134217728"));
  EXPECT_EQ(kept().processor.notes.back(), "contradiction: " + line);
  EXPECT_EQ(kept().processor.bandwidths.front().roof, 10.0) << "what was measured";
  const std::string prefix = (folder_ / "cpu").string();
  write_program(
      "cpu", answering("cpu", "[ $(wc -l < " + prefix + ".runs) = 4 ] && sed -i s/10000000000/90000000000/g " + prefix +
                                  ".figures"));
  EXPECT_EQ(peaks({"--quiet", "--fresh"}).errors, "");
  EXPECT_EQ(runs("cpu"), 4) << "the second look was right";
}

TEST_F(PeaksCommand, ForAPlanWhatItsRunsNeedAndLaterTheRest) {
  const auto figure = [](const std::string& name) {
    return benchmark(name, name.starts_with("bandwidth") ? "bytes_per_second" : "items_per_second", 1e9);
  };
  const auto write_listing = [&](const std::string& half, const std::string& needed, const std::string& other) {
    std::string list = "[ \"$1\" = --benchmark_list_tests=true ] && { ";
    for (const std::string& name : {needed, other}) list += "echo " + name + "/min_time:0.005/manual_time; ";
    write_figures(half, {figure(needed)});
    write_program(
        half, list + "exit 0; }\necho \"$@\" >> " + (folder_ / (half + ".calls")).string() + "\n" + answering(half));
  };
  const std::string latency = "latency/level:L1/cores:1/bytes:16384", transfer = "transfer/device:0/direction:to";
  write_listing("cpu", "bandwidth/pattern:read/cores:1/bytes:16384", latency);
  devices_.devices[0].type = "cpu";
  write_descriptions();
  write_listing("opencl", "launch/device:0", transfer);
  fs::create_directories(folder_ / "share/boltzmark");
  write_text(folder_ / "share/boltzmark/programs.json", json::array({{{"program", "stream-serial"},
                                                                      {"workload", "stream"},
                                                                      {"model", "serial"},
                                                                      {"launcher", false},
                                                                      {"skipped", ""}},
                                                                     {{"program", "stream-opencl"},
                                                                      {"workload", "stream"},
                                                                      {"model", "opencl"},
                                                                      {"launcher", false},
                                                                      {"skipped", ""}}})
                                                            .dump());
  const fs::path plan = folder_ / "short.json";
  write_text(plan, R"({"summary": "short", "runs": [{"workload": "stream", "model": "*"}]})");
  const auto calls = [this](const std::string& half) { return read_text(folder_ / (half + ".calls")); };

  const Outcome serial = peaks({"--for", plan.string(), "--models", "serial", "--quiet"});
  ASSERT_EQ(serial.status, 0) << serial.errors;
  EXPECT_EQ(runs("cpu"), 1);
  EXPECT_TRUE(has(calls("cpu"), "--benchmark_filter=^(bandwidth/pattern:read/cores:1/bytes:16384)/")) << calls("cpu");
  EXPECT_FALSE(fs::exists(folder_ / "opencl.runs")) << "no model of the plan uses it";
  ASSERT_FALSE(kept().processor.notes.empty());
  EXPECT_TRUE(has(kept().processor.notes.back(), "no run of the plan short is bound by it: latencies"));

  ASSERT_EQ(peaks({"--for", plan.string(), "--quiet"}).status, 0);
  EXPECT_EQ(runs("cpu"), 1) << "what the plan needs is there";
  EXPECT_TRUE(has(calls("opencl"), "--benchmark_filter=^(launch/device:0)/")) << calls("opencl");

  write_figures("cpu", {figure(latency)});
  write_figures("opencl", {figure(transfer)});
  ASSERT_EQ(peaks({"--brief", "--quiet"}).status, 0);
  EXPECT_TRUE(has(kept().processor.notes.back(), "rough (--brief): latencies;")) << "and no figure for the plan";
  EXPECT_TRUE(has(kept().key, "-part")) << kept().key;
  ASSERT_EQ(peaks({"--quiet"}).status, 0);
  EXPECT_EQ(count_of(calls("cpu"), "--benchmark_filter=^(latency/level:L1/cores:1/bytes:16384)/"), 2) << calls("cpu");
  EXPECT_EQ(count_of(read_text(results_ / "peaks/cpu.json"), latency), 1) << "the better one replaces the rough one";
  EXPECT_TRUE(has(calls("opencl"), "--benchmark_filter=^(transfer/device:0/direction:to)/")) << calls("opencl");
  EXPECT_TRUE(aside().empty()) << "nothing is replaced";
  EXPECT_FALSE(has(kept().key, "-part")) << kept().key;
  ASSERT_EQ(peaks({"--for", plan.string(), "--quiet"}).status, 0);
  EXPECT_EQ(runs("cpu") + runs("opencl"), 6) << "all figures do for a plan";
}

TEST_F(PeaksCommand, SaysWhatToInstall) {
  fs::remove(folder_ / "bin/boltzmark-peaks-opencl");
  const Outcome without_opencl = peaks({"--quiet"});
  EXPECT_EQ(without_opencl.status, 0);
  EXPECT_EQ(count_of(without_opencl.errors, "\n"), 1) << without_opencl.errors;
  EXPECT_TRUE(has(without_opencl.errors, "OpenCL devices: it was not built; install libbenchmark-dev"));
  EXPECT_TRUE(has(kept().key, " opencl:- ")) << kept().key;
  const Outcome only = peaks({"--only", "opencl"});
  EXPECT_EQ(only.status, 3);
  EXPECT_TRUE(has(only.errors, "ocl-icd-opencl-dev")) << only.errors;
  fs::remove(folder_ / "bin/boltzmark-peaks-cpu");
  const Outcome neither = peaks();
  EXPECT_EQ(neither.status, 3);
  EXPECT_EQ(neither.output, "");
  EXPECT_TRUE(has(neither.errors, "the processor: it was not built; install libbenchmark-dev")) << neither.errors;
}

TEST_F(PeaksCommand, DevicesThatAreGoneAreDropped) {
  ASSERT_EQ(peaks().status, 0);
  write_program("opencl", "echo 'boltzmark-peaks-opencl: error: no OpenCL device found' >&2; exit 3\n");
  const Outcome outcome = peaks({"--quiet"});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "boltzmark: the OpenCL devices: no OpenCL device found\n");
  EXPECT_TRUE(kept().devices.empty());
  EXPECT_EQ(kept().processor.cores, 1);
  EXPECT_EQ(runs("cpu"), 1);
}

TEST_F(PeaksCommand, AFailureOfOneHalfLeavesTheOther) {
  for (const auto& [script, reason] : {std::pair("kill -SEGV $$", "ended by signal 11"),
                                       {"echo 'x: error: bad luck' >&2; exit 2", "bad luck"},
                                       {"echo half > ${1#--benchmark_out=}; exit 0", "expected JSON"},
                                       {"echo {} > ${1#--benchmark_out=}; exit 0", "expected at least one measurement"},
                                       {"exec sleep 60", "time limit of 2 s"}}) {
    SCOPED_TRACE(script);
    write_program("opencl", answering("opencl", script));
    const Outcome outcome = peaks({"--quiet", "--fresh", "--brief", "--time-limit", "2"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, reason)) << outcome.errors;
    EXPECT_EQ(kept().processor.cores, 1);
    EXPECT_TRUE(kept().devices.empty());
    EXPECT_FALSE(fs::exists(results_ / "peaks/opencl.json.new"));
  }
}

TEST_F(PeaksCommand, AFailureLeavesWhatWasMeasuredBefore) {
  ASSERT_EQ(peaks().status, 0);
  const std::string before = read_text(results_ / "peaks.json");
  // The same file with a different script: its digest covers the whole, so it has to measure again.
  write_program("cpu", answering("cpu", "exit 1"));
  write_program("opencl", answering("opencl", "exit 1"));
  EXPECT_EQ(peaks({"--fresh"}).status, 1);
  EXPECT_TRUE(aside().empty());
  EXPECT_EQ(read_text(results_ / "peaks.json"), before);
}

TEST_F(PeaksCommand, StoppedByASignalItChangesNothing) {
  ASSERT_EQ(peaks().status, 0);
  const std::string before = read_text(results_ / "peaks.json");
  write_program("opencl", answering("opencl", "sleep 60"));
  SignalWatch signals;
  const auto words = command({"--fresh"});
  const pid_t driver = fork_worker(signals, [&] {
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    if (!std::freopen((folder_ / "out").c_str(), "w", stdout) || !std::freopen((folder_ / "err").c_str(), "w", stderr))
      return 127;
    execv(arguments[0], arguments.data());
    return 127;
  });
  EXPECT_TRUE(eventually([&] { return runs("opencl") == 2; }));
  kill(driver, SIGINT);
  int status = 0;
  waitpid(driver, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(has(read_text(folder_ / "err"), "boltzmark: stopped")) << read_text(folder_ / "err");
  EXPECT_EQ(read_text(results_ / "peaks.json"), before);
  EXPECT_TRUE(aside().empty());
  EXPECT_FALSE(fs::exists(results_ / "peaks/cpu.json.new") || fs::exists(results_ / "peaks/opencl.json.new"));
}

TEST_F(PeaksCommand, ABrokenFileIsSaidAndMeasuredAnew) {
  ASSERT_EQ(peaks().status, 0);
  const std::string half = read_text(results_ / "peaks.json").substr(0, 500);
  write_text(results_ / "peaks.json", half);
  const Outcome outcome = peaks({"--quiet"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(has(outcome.errors, "peaks.json:")) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "measuring again")) << outcome.errors;
  EXPECT_EQ(count_of(outcome.errors, "\n"), 1);
  EXPECT_EQ(kept().processor.cores, 1);
  ASSERT_EQ(aside().size(), 1u);
  EXPECT_EQ(read_text(aside()[0] / "peaks.json"), half);
}

TEST_F(PeaksCommand, DryRunShowsTheCommandsAndTouchesNothing) {
  const Outcome outcome = peaks({"--dry-run"});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(count_of(outcome.output, "--benchmark_out="), 2) << outcome.output;
  EXPECT_FALSE(fs::exists(results_));
  ASSERT_EQ(peaks().status, 0);
  EXPECT_TRUE(has(peaks({"--dry-run"}).output, "# nothing to do: "));
}

TEST_F(PeaksCommand, BadUsageIsALine) {
  for (const auto& words : {std::vector<std::string>{"--only", "gpu"}, {"--time-limit", "0"}, {"--nonsense"}}) {
    const Outcome outcome = peaks(words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, words.front())) << outcome.errors;
  }
  const FolderLock lock(results_);
  const Outcome busy = peaks();
  EXPECT_EQ(busy.status, 2);
  EXPECT_TRUE(has(busy.errors, "no other boltzmark is using")) << busy.errors;
}

}  // namespace
}  // namespace boltzmark
