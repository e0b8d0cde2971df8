// `boltzmark peaks` as a user runs it: with made-up measuring programs beside a copy of the driver, so that
// every way they can behave is quick to try, and with the real ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "analysis/peaks/plateau.hpp"
#include "analysis/peaks/samples.hpp"
#include "analysis/roofline/peaks.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/results_folder.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;
namespace fs = std::filesystem;

std::string real_program(const std::string& name) { return std::string(BOLTZMARK_BIN_DIR) + '/' + name; }

json benchmark(const std::string& name, const std::string& rate, double value) {
  return {{"run_name", name}, {"run_type", "iteration"}, {rate, value}};
}

class PeaksCommand : public ::testing::Test {
 protected:
  PeaksCommand() {
    fs::create_directory(folder_ / "bin");
    fs::copy_file(real_program("boltzmark"), folder_ / "bin/boltzmark");
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
    write_text(folder_ / "cpu.described", to_json(processor_).dump());
    write_text(folder_ / "opencl.described", to_json(devices_).dump());
  }
  void write_figures(const std::string& half, const std::vector<json>& entries) {
    write_text(folder_ / (half + ".figures"), json{{"benchmarks", entries}}.dump());
  }
  /// The script of a program that says what it is and gives its figures.
  std::string answering(const std::string& half, const std::string& before_figures = "") const {
    const std::string prefix = (folder_ / half).string();
    return "[ \"$1\" = --describe ] && exec cat " + prefix + ".described\n" + "echo >> " + prefix +
           ".runs\n" + before_figures + "\ncp " + prefix + ".figures \"${1#--benchmark_out=}\"\n";
  }
  void write_program(const std::string& half, const std::string& script) {
    const fs::path file = folder_ / ("bin/boltzmark-peaks-" + half);
    write_text(file, "#!/bin/sh\n" + script);
    fs::permissions(file, fs::perms::owner_all);
  }
  /// How often a program has measured.
  int runs(const std::string& half) const { return count_of(read_text(folder_ / (half + ".runs")), "\n"); }

  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    return std::vector<std::string>{(folder_ / "bin/boltzmark").string(), "peaks", "--results",
                                    results_.string()} +
           more;
  }
  Outcome peaks(const std::vector<std::string>& more = {}) const {
    return testing::run_command(command(more));
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
  EXPECT_TRUE(has(first.output, "kernel launch: 10.00 (10.00-10.00) microseconds")) << first.output;
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
  // What does not bear on the figures.
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
  ASSERT_EQ(peaks().status, 0);
  EXPECT_EQ(runs("cpu"), 2);
  ASSERT_EQ(peaks({"--brief"}).status, 0);
  EXPECT_EQ(runs("cpu"), 2) << "full figures do for who wants brief ones";
}

TEST_F(PeaksCommand, SaysWhatToInstall) {
  fs::remove(folder_ / "bin/boltzmark-peaks-opencl");
  const Outcome without_opencl = peaks({"--quiet"});
  EXPECT_EQ(without_opencl.status, 0);
  EXPECT_EQ(count_of(without_opencl.errors, "\n"), 1) << without_opencl.errors;
  EXPECT_TRUE(has(without_opencl.errors, "OpenCL devices: it was not built; install libbenchmark-dev"));
  EXPECT_TRUE(kept().key.ends_with("opencl:-")) << kept().key;
  const Outcome only = peaks({"--only", "opencl"});
  EXPECT_EQ(only.status, 3);
  EXPECT_TRUE(has(only.errors, "ocl-icd-opencl-dev")) << only.errors;
  fs::remove(folder_ / "bin/boltzmark-peaks-cpu");
  const Outcome neither = peaks();
  EXPECT_EQ(neither.status, 3);
  EXPECT_EQ(neither.output, "");
  EXPECT_TRUE(has(neither.errors, "the processor: it was not built; install libbenchmark-dev"))
      << neither.errors;
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
                                       {"exec sleep 60", "time limit of 0.5 s"}}) {
    SCOPED_TRACE(script);
    write_program("opencl", answering("opencl", script));
    const Outcome outcome = peaks({"--quiet", "--fresh", "--time-limit", "0.5"});
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
  // The same file as before but for what it does: its digest is over the whole, so it is asked to measure
  // anew.
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
    if (!std::freopen((folder_ / "out").c_str(), "w", stdout) ||
        !std::freopen((folder_ / "err").c_str(), "w", stderr))
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
  EXPECT_TRUE(has(outcome.errors, "it is measured anew")) << outcome.errors;
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
  EXPECT_TRUE(has(peaks({"--dry-run"}).output, "# nothing: "));
}

TEST_F(PeaksCommand, BadUsageIsALine) {
  for (const auto& words :
       {std::vector<std::string>{"--only", "gpu"}, {"--time-limit", "0"}, {"--nonsense"}}) {
    const Outcome outcome = peaks(words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, words.front())) << outcome.errors;
  }
  const FolderLock lock(results_);
  const Outcome busy = peaks();
  EXPECT_EQ(busy.status, 2);
  EXPECT_TRUE(has(busy.errors, "another boltzmark at work")) << busy.errors;
}

// The real programs. Figures depend on what else runs: only their presence is looked at.

bool is_there(const std::string& program) { return fs::exists(real_program(program)); }

TEST(MeasuringPrograms, MeasureTheProcessor) {
  if (!is_there("boltzmark-peaks-cpu")) GTEST_SKIP() << "Google Benchmark was not found";
  const TemporaryFolder folder;
  const fs::path file = folder / "cpu.json";
  const Outcome outcome =
      run_command({real_program("boltzmark-peaks-cpu"), "--min-time=0.0002", "--benchmark_repetitions=2",
                   "--benchmark_out=" + file.string(),
                   "--benchmark_filter=cores:1/bytes:(4096|8192|16384)/|compute.*bits:128/cores"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  int bandwidths = 0, computes = 0;
  for (const Sample& sample : read_samples(file)) {
    EXPECT_EQ(sample.error, "");
    EXPECT_GE(sample.number("cores"), 1);
    if (sample.kind == "bandwidth") {
      ++bandwidths;
      EXPECT_EQ(sample.bytes_per_second.size(), 2u);
    } else {
      ++computes;
      EXPECT_EQ(sample.items_per_second.size(), 2u);
      ASSERT_EQ(sample.clock_hz.size(), 2u);
      EXPECT_GT(sample.clock_hz[0], 1e8);  // no processor in use is slower
      EXPECT_LT(sample.clock_hz[0], 1e11);
    }
  }
  EXPECT_GT(bandwidths, 0);
  EXPECT_GE(computes, 2);
}

TEST(MeasuringPrograms, MeasureDevices) {
  if (!is_there("boltzmark-peaks-opencl")) GTEST_SKIP() << "OpenCL or Google Benchmark was not found";
  if (!cannot_run_here("opencl").empty()) GTEST_SKIP() << "no OpenCL device here";
  const TemporaryFolder folder;
  const fs::path file = folder / "opencl.json";
  const Outcome outcome = run_command(
      {real_program("boltzmark-peaks-opencl"), "--min-time=0.0005", "--benchmark_repetitions=1",
       "--benchmark_out=" + file.string(),
       "--benchmark_filter=device:0/(pattern:(copy|read)/bytes:1[0-9]*/|precision:f32|min)|launch|local"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::map<std::string, int> kinds;
  for (const Sample& sample : read_samples(file)) {
    ++kinds[sample.kind];
    if (sample.kind == "local") continue;  // on a CPU it says why not
    EXPECT_EQ(sample.error, "");
    EXPECT_EQ(sample.bytes_per_second.size() + sample.items_per_second.size(), 1u);
  }
  EXPECT_GT(kinds["bandwidth"], 1);
  EXPECT_EQ(kinds["compute"], 2);
  EXPECT_EQ(kinds["launch"], 1);
  EXPECT_EQ(kinds["local"], 1);
}

TEST(MeasuringPrograms, FailWithALine) {
  for (const char* program : {"boltzmark-peaks-cpu", "boltzmark-peaks-opencl"}) {
    if (!is_there(program)) continue;
    for (const char* option : {"--nonsense", "--min-time=0"}) {
      const Outcome outcome = run_command({real_program(program), option});
      EXPECT_EQ(outcome.status, 2);
      EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
      EXPECT_TRUE(outcome.errors.starts_with(std::string(program) + ": error: ")) << outcome.errors;
    }
  }
  if (!is_there("boltzmark-peaks-opencl")) return;
  const Outcome none = run_command(
      {"env", "OCL_ICD_VENDORS=/nonexistent", real_program("boltzmark-peaks-opencl"), "--describe"});
  EXPECT_EQ(none.status, 3) << none.errors;
  EXPECT_TRUE(has(none.errors, "no OpenCL device found")) << none.errors;
}

/// What the program takes a made-up machine for: one that `variable` of hwloc describes.
ProcessorPeaks described(const std::string& machine, const std::string& variable = "HWLOC_SYNTHETIC") {
  const Outcome outcome =
      run_command({"env", variable + '=' + machine, real_program("boltzmark-peaks-cpu"), "--describe"});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  return peaks_from_json(json::parse(outcome.output), "--describe").processor;
}

/// A file for HWLOC_XMLFILE: processors 0 to 3 under one last cache of no size, each with a first one of 32
/// KiB.
std::string machine_with_an_empty_cache() {
  const auto object = [](const char* type, int number, const std::string& set, const std::string& more) {
    return fmt::format(
        R"(<object type="{0}" os_index="{1}" gp_index="{2}" cpuset="{3}" complete_cpuset="{3}" )"
        R"(nodeset="0x1" complete_nodeset="0x1" {4})",
        type, number, 100 + number + 10 * type[1], set, more);
  };
  const std::string all = R"(allowed_cpuset="0xf" allowed_nodeset="0x1">)";
  std::string text =
      R"(<?xml version="1.0"?><!DOCTYPE topology SYSTEM "hwloc2.dtd"><topology version="2.0">)";
  text += object("Machine", 0, "0xf", all);
  text += object("NUMANode", 0, "0xf", R"(local_memory="1073741824"/>)");
  text += object("L3Cache", 0, "0xf", R"(cache_size="0" depth="3" cache_type="0">)");
  for (int i = 0; i < 4; ++i) {
    const std::string set = fmt::format("{:#x}", 1 << i);
    text += object("L1Cache", i, set, R"(cache_size="32768" depth="1" cache_type="1">)");
    text += object("Core", i, set, ">") + object("PU", i, set, "/>") + "</object></object>";
  }
  return text + "</object></object></topology>";
}

TEST(MeasuringPrograms, KnowOddMachines) {
  if (!is_there("boltzmark-peaks-cpu")) GTEST_SKIP() << "Google Benchmark was not found";
  // One hardware thread a core, so that what this process may use is a part of it.
  const ProcessorPeaks usual =
      described("l3:2(size=33554432) l2:4(size=1048576) l1d:1(size=32768) core:1 pu:1");
  ASSERT_EQ(usual.caches.size(), 3u);
  EXPECT_EQ(usual.caches[0].name, "L1");
  EXPECT_EQ(usual.caches[0].bytes, 32 << 10);
  EXPECT_EQ(usual.caches[2].bytes, 32 << 20);
  EXPECT_EQ(usual.caches[0].instances, usual.cores);
  EXPECT_EQ(usual.caches[1].cores, 1);
  EXPECT_GE(usual.caches[2].cores, std::min(usual.cores, 4));
  const ProcessorPeaks no_last = described("l2:8(size=256kB) l1d:1(size=48kB) core:1 pu:1");
  ASSERT_EQ(no_last.caches.size(), 2u);
  EXPECT_EQ(no_last.caches.back().name, "L2");
  EXPECT_TRUE(described("core:8 pu:1").caches.empty());
  EXPECT_TRUE(described("pu:8").caches.empty()) << "a machine that tells nothing of cores";
  const TemporaryFolder folder;
  write_text(folder / "machine.xml", machine_with_an_empty_cache());
  const ProcessorPeaks empty_cache = described(folder / "machine.xml", "HWLOC_XMLFILE");
  ASSERT_EQ(empty_cache.caches.size(), 1u) << "a size of zero is no cache";
  EXPECT_EQ(empty_cache.caches[0].name, "L1");
}

TEST(MeasuringPrograms, ServeTheDriver) {
  if (!is_there("boltzmark-peaks-cpu")) GTEST_SKIP() << "Google Benchmark was not found";
  const TemporaryFolder folder;
  const Outcome outcome = run_command({real_program("boltzmark"), "peaks", "--only", "cpu", "--brief",
                                       "--quiet", "--results", folder.path.string()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const Peaks peaks = read_peaks(folder / "peaks.json");
  ASSERT_GT(peaks.processor.cores, 0);
  EXPECT_EQ(peaks.processor.bandwidths.size() % 3, 0u) << "three patterns for every level";
  EXPECT_TRUE(find_bandwidth(peaks.processor.bandwidths, "DRAM", "triad", 1));
  for (const char* precision : {"f32", "f64"}) {
    const ComputePeak* const peak =
        find_compute(peaks.processor.computes, precision, false, peaks.processor.cores);
    ASSERT_TRUE(peak) << precision;
    EXPECT_GT(peak->gflop_per_s.minimum, 0.0);
    EXPECT_TRUE(peak->clock_ghz && peak->expected_gflop_per_s);
  }
  for (const SweepPoint& point : peaks.sweep) EXPECT_GT(point.gb_per_s.minimum, 0.0);
}

}  // namespace
}  // namespace boltzmark
