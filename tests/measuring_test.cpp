// The real measuring programs and `boltzmark peaks` with them. Figures depend on other load: only their presence is
// tested.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "analysis/peaks/figures.hpp"
#include "analysis/store/peaks.hpp"
#include "common/base/text.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;
namespace fs = std::filesystem;

std::string path_of(const std::string& name) { return std::string(BOLTZMARK_BIN_DIR) + '/' + name; }
bool is_there(const std::string& program) { return fs::exists(path_of(program)); }

/// Beginnings of the names of one core's bandwidths over its smallest working set, separated by "|": the sizes depend
/// on the machine's caches.
std::string smallest_bandwidths() {
  const Outcome list = testing::run_command({path_of("boltzmark-peaks-cpu"), "--benchmark_list_tests=true"});
  const std::string bytes = "/bytes:";
  std::optional<std::int64_t> smallest;
  std::string names;
  for (const auto& line : split(list.output, '\n')) {
    const auto at = line.find(bytes);
    if (!line.starts_with("bandwidth") || !has(line, "/cores:1/") || at == line.npos) continue;
    const std::int64_t size = std::strtoll(line.c_str() + at + bytes.size(), nullptr, 10);
    if (smallest && size > *smallest) continue;
    if (!smallest || size < *smallest) names.clear();
    smallest = size;
    names += (names.empty() ? "" : "|") + line.substr(0, line.find('/', at + 1) + 1);
  }
  return names;
}

TEST(MeasuringPrograms, MeasureTheProcessor) {
  if (!is_there("boltzmark-peaks-cpu")) GTEST_SKIP() << "Google Benchmark was not found";
  const TemporaryFolder folder;
  const fs::path file = folder / "cpu.json";
  const Outcome outcome = run_command({path_of("boltzmark-peaks-cpu"), "--min-time=0.0002", "--benchmark_repetitions=2",
                                       "--benchmark_out=" + file.string(),
                                       "--benchmark_filter=^(" + smallest_bandwidths() + ")|compute.*bits:128/cores"});
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

/// Number of the first OpenCL device that is a CPU, "" where none is: others may be there, with other figures.
std::string first_cpu_device() {
  const Outcome outcome = testing::run_command({path_of("boltzmark-peaks-opencl"), "--describe"});
  const Peaks peaks = peaks_from_json(json::parse(outcome.output), "--describe");
  for (std::size_t number = 0; number < peaks.devices.size(); ++number)
    if (peaks.devices[number].type == "cpu") return std::to_string(number);
  return "";
}

TEST(MeasuringPrograms, MeasureDevices) {
  if (!is_there("boltzmark-peaks-opencl")) GTEST_SKIP() << "OpenCL or Google Benchmark was not found";
  if (!cannot_run_here("opencl").empty()) GTEST_SKIP() << "no OpenCL device here";
  const std::string device = first_cpu_device();
  if (device.empty()) GTEST_SKIP() << "no CPU among the OpenCL devices";
  const TemporaryFolder folder;
  const fs::path file = folder / "opencl.json";
  const Outcome outcome =
      run_command({path_of("boltzmark-peaks-opencl"), "--min-time=0.0005", "--benchmark_repetitions=1",
                   "--benchmark_out=" + file.string(),
                   "--benchmark_filter=device:" + device +
                       "/(pattern:(copy|read)/bytes:1[0-9]*/|pattern:read/min|precision:f32|min|level:(first|cache))"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::map<std::string, int> kinds;
  for (const Sample& sample : read_samples(file)) {
    ++kinds[sample.kind];
    if (sample.kind == "local") continue;  // on a CPU it says why not
    EXPECT_EQ(sample.label("device"), device);
    EXPECT_EQ(sample.error, "");
    const bool is_launch = sample.kind.starts_with("launch");  // as many whatever the command line says
    EXPECT_EQ(sample.bytes_per_second.size() + sample.items_per_second.size(), is_launch ? 9u : 1u) << sample.kind;
  }
  EXPECT_GT(kinds["bandwidth"], 1);
  EXPECT_EQ(kinds["compute"], 4);  // fused and not, divisions, roots
  EXPECT_EQ(kinds["launch"], 1);
  EXPECT_EQ(kinds["latency"], 2);
  EXPECT_EQ(kinds["local"], 1);
}

TEST(MeasuringPrograms, FailWithALine) {
  for (const char* program : {"boltzmark-peaks-cpu", "boltzmark-peaks-opencl"}) {
    if (!is_there(program)) continue;
    for (const char* option : {"--nonsense", "--min-time=0"}) {
      const Outcome outcome = testing::run_command({path_of(program), option});
      EXPECT_EQ(outcome.status, 2);
      EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
      EXPECT_TRUE(outcome.errors.starts_with(std::string(program) + ": error: ")) << outcome.errors;
    }
  }
}

TEST(MeasuringPrograms, SayThatThereIsNoDevice) {
  if (!is_there("boltzmark-peaks-opencl")) GTEST_SKIP() << "OpenCL or Google Benchmark was not found";
  // As a loader without drivers answers, wherever it looks for them.
  const Outcome none = testing::run_command({"env", "LD_PRELOAD=" BOLTZMARK_OPENCL_FAULT,
                                             "BOLTZMARK_TEST_FAULT=clGetPlatformIDs 1 -1001",
                                             path_of("boltzmark-peaks-opencl"), "--describe"});
  EXPECT_EQ(none.status, 3) << none.errors;
  EXPECT_TRUE(has(none.errors, "no OpenCL device found")) << none.errors;
}

/// The program's description of a made-up machine, which `variable` of hwloc defines.
ProcessorPeaks described(const std::string& machine, const std::string& variable = "HWLOC_SYNTHETIC") {
  const Outcome outcome = run_command({"env", variable + '=' + machine, path_of("boltzmark-peaks-cpu"), "--describe"});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  return peaks_from_json(json::parse(outcome.output), "--describe").processor;
}

/// A file for HWLOC_XMLFILE: processors 0 to 3 under one last cache of no size, each with a first one of 32
/// KiB.
std::string machine_with_an_empty_cache() {
  const auto object = [](const char* type, int number, const std::string& set, const std::string& more) {
    return fmt::format(R"(<object type="{0}" os_index="{1}" gp_index="{2}" cpuset="{3}" complete_cpuset="{3}" )"
                       R"(nodeset="0x1" complete_nodeset="0x1" {4})",
                       type, number, 100 + number + 10 * type[1], set, more);
  };
  const std::string all = R"(allowed_cpuset="0xf" allowed_nodeset="0x1">)";
  std::string text = R"(<?xml version="1.0"?><!DOCTYPE topology SYSTEM "hwloc2.dtd"><topology version="2.0">)";
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
  // One hardware thread per core, so that the process may use only a part of the machine.
  const ProcessorPeaks usual = described("l3:2(size=33554432) l2:4(size=1048576) l1d:1(size=32768) core:1 pu:1");
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
  // Small caches, for any of 256 cores: past those of a large one each measurement takes seconds.
  const Outcome outcome = testing::run_command(
      {"env", "HWLOC_SYNTHETIC=pack:1 l3:1(size=16MB) l2:256(size=1MB) l1d:1(size=32KB) core:1 pu:1",
       path_of("boltzmark"), "peaks", "--only", "cpu", "--brief", "--quiet", "--results", folder.path.string()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const Peaks peaks = read_peaks(folder / "peaks.json");
  ASSERT_GT(peaks.processor.cores, 0);
  EXPECT_EQ(peaks.processor.bandwidths.size() % 4, 0u) << "four patterns for every level";
  EXPECT_TRUE(find_bandwidth(peaks.processor.bandwidths, "DRAM", "triad", 1));
  EXPECT_TRUE(find_bandwidth(peaks.processor.bandwidths, "DRAM", "update", 1));
  ASSERT_FALSE(peaks.processor.latencies.empty());
  EXPECT_EQ(peaks.processor.latencies.back().level, "DRAM");
  for (const LatencyPeak& peak : peaks.processor.latencies) EXPECT_GT(peak.nanoseconds.minimum, 0.0) << peak.level;
  for (const char* precision : {"f32", "f64"}) {
    const ComputePeak* const peak = find_compute(peaks.processor.computes, precision, false, peaks.processor.cores);
    ASSERT_TRUE(peak) << precision;
    EXPECT_GT(peak->gflop_per_s.minimum, 0.0);
    EXPECT_TRUE(peak->clock_ghz && peak->expected_gflop_per_s);
  }
  for (const SweepPoint& point : peaks.sweep) EXPECT_GT(point.gb_per_s.minimum, 0.0);
}

}  // namespace
}  // namespace boltzmark
