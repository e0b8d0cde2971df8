// peaks.json and its sources: the file, its description, Google Benchmark's JSON, figures and tables.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <sstream>

#include "analysis/peaks/circle.hpp"
#include "analysis/peaks/figures.hpp"
#include "analysis/peaks/probe.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "common/base/text.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;

/// Peaks with something in every field and list.
Peaks whole_peaks() {
  const Spread spread = {2.0, 1.0, 3.0};
  Peaks peaks;
  peaks.host = "host";
  peaks.date = "2026-01-02T03:04:05Z";
  peaks.key = "cpu:1 opencl:2";
  peaks.compiler = "GNU 12";
  peaks.flags = "-O3";
  peaks.revision = "abc";
  peaks.processor = {.name = "processor",
                     .cores = 2,
                     .memory_bytes = 1 << 30,
                     .caches = {{"L1", 32768, 2, 1}},
                     .bandwidths = {{"L1", "read", 2, spread, 8192, 16384}},
                     .computes = {{"f32", true, 2, 512, spread, 3.5, 4.0}},
                     .latencies = {{"L1", spread, 4096, 8192}},
                     .notes = {"a note"}};
  DevicePeaks device;
  device.name = "device";
  device.type = "gpu";
  device.platform = "platform";
  device.driver = "driver 1";
  device.compute_units = 132;
  device.memory_bytes = 1 << 30;
  device.bandwidths = {{"memory", "copy", 0, spread, 1 << 20, 1 << 21}, {"local", "read", 0, spread, 1, 1}};
  device.computes = {{"f64", false, 0, 0, spread, {}, {}}};
  device.latencies = {{"memory", spread, 1 << 20, 1 << 20}};
  device.launch_seconds = {2e-6, 1e-6, 3e-6};
  device.wait_seconds = {3e-6, 2e-6, 4e-6};
  device.to_device_gb_per_s = device.from_device_gb_per_s = spread;
  device.notes = {"another"};
  peaks.devices = {device};
  peaks.sweep = {{"read", 1, 8192, spread}};
  return peaks;
}

std::string text_of(const Peaks& peaks) {
  return joined(peak_tables(make_peak_rows(peaks)), "\n", [](const TableData& table) { return table.text(120); });
}

TEST(PeaksFile, ReadsWhatItWrites) {
  const TemporaryFolder folder;
  const json written = json(whole_peaks());
  write_text(folder / "peaks.json", written.dump());
  EXPECT_EQ(json(read_peaks(folder / "peaks.json")), written);
  write_text(folder / "peaks.json", json(Peaks()).dump());
  EXPECT_EQ(json(read_peaks(folder / "peaks.json")), json(Peaks()));
}

TEST(PeaksFile, EveryFaultIsALineThatNamesThePlace) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "peaks.json";
  const auto fault = [&](const std::string& text) {
    write_text(file, text);
    const std::string line = error_of([&] { read_peaks(file); });
    EXPECT_EQ(count_of(line, "\n"), 0) << line;
    EXPECT_TRUE(line.starts_with(file.string())) << line;
    return line.substr(std::min(line.size(), file.string().size()));
  };
  const auto changed = [&](const char* pointer, const json& value) {
    json peaks = json(whole_peaks());
    peaks[json::json_pointer(pointer)] = value;
    return fault(peaks.dump());
  };
  const std::string text = json(whole_peaks()).dump(1);
  EXPECT_TRUE(has(fault(text.substr(0, text.size() / 2)), "expected JSON"));
  EXPECT_TRUE(has(fault(""), ": expected JSON"));
  EXPECT_EQ(fault("[]"), ": expected an object, found []");
  EXPECT_EQ(changed("/format", 2), ": format: expected version 1 of peaks.json, found 2");
  EXPECT_EQ(changed("/host", 7), ": host: expected a string, found 7");
  EXPECT_EQ(changed("/processor/caches/0/bytes", -1),
            ": processor.caches[0].bytes: expected an integer of at least 0, found -1");
  EXPECT_EQ(changed("/devices/0/bandwidths/0/gb_per_s/median", "fast"),
            ": devices[0].bandwidths[0].gb_per_s.median: expected a number, found \"fast\"");
  EXPECT_EQ(changed("/processor/computes", json::object()),
            ": processor.computes: expected a list of objects, found {}");
  EXPECT_TRUE(has(changed("/processor/colour", "blue"), ": processor: expected only the keys"));
  for (const char* key : {"format", "host", "key", "processor"}) {
    json peaks = json(whole_peaks());
    peaks.erase(key);
    EXPECT_TRUE(has(fault(peaks.dump()), std::string(": ") + key + ": expected ")) << key;
  }
  json peaks = json(whole_peaks());
  peaks["sweep"][0]["gb_per_s"].erase("max");
  EXPECT_EQ(fault(peaks.dump()), ": sweep[0].gb_per_s.max: expected a number, found nothing");
  std::filesystem::remove(file);
  EXPECT_TRUE(has(error_of([&] { read_peaks(file); }), "found no such file"));
}

/// Leaves of a JSON value under dotted names, the elements of lists under "[]"; spreads are leaves.
void flatten(const json& value, const std::string& name, std::map<std::string, json>& leaves) {
  if (value.is_object() && !value.contains("median"))
    for (const auto& [key, member] : value.items()) flatten(member, name.empty() ? key : name + '.' + key, leaves);
  else if (value.is_array())
    for (const json& element : value) flatten(element, name + "[]", leaves);
  else
    leaves[name] = value;
}

TEST(PeaksFile, IsAsDescribed) {
  std::map<std::string, json> written;
  Peaks peaks = whole_peaks();
  peaks.network.messages = {{"nodes", "one", 1, 8, {1e-6, 1e-6, 1e-6}, 1e-6}};
  peaks.network.fits = {{"nodes", "one", 1, 8, 64, 1e-6, 1e-9, 0.1}};
  peaks.network.rates = {{"nodes", 1, {1e6, 1e6, 1e6}}};
  peaks.network.notes = {"not here: pairs of ranks on two sockets"};
  flatten(json(peaks), "", written);
  std::map<std::string, std::string> described;
  std::istringstream lines(read_text(BOLTZMARK_SOURCE_DIR "/docs/method/peaks.md"));
  const std::regex row(R"(\| `([^`]+)` \| (\w+) \| .*\|)");
  std::smatch match;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, match, row)) described[match[1]] = match[2];
  EXPECT_GT(described.size(), 40u);
  for (const auto& [name, value] : written) {
    ASSERT_TRUE(described.contains(name)) << name << " is written but not described";
    const std::string& type = described[name];
    EXPECT_TRUE(value.is_null() || (type == "spread"    ? value.is_object() && value.size() == 3
                                    : type == "integer" ? value.is_number_integer()
                                    : type == "number"  ? value.is_number()
                                                        : type == value.type_name()))
        << name << " is no " << type << ": " << value;
  }
  for (const auto& [name, type] : described)
    EXPECT_TRUE(written.contains(name)) << name << " is described but not written";
}

/// A file as Google Benchmark writes it, with these entries.
std::string benchmarks(const std::vector<json>& entries) {
  return json{{"context", {{"host_name", "x"}}}, {"benchmarks", entries}}.dump(1);
}

json benchmark_entry(const std::string& name, const std::string& rate, double value) {
  return {{"name", name + "/min_time:0.010/manual_time"},
          {"run_name", name + "/min_time:0.010/manual_time"},
          {"run_type", "iteration"},
          {"repetitions", 2},
          {"real_time", 1.0},
          {rate, value}};
}

TEST(Samples, AreTheRepetitionsOfEachBenchmark) {
  const TemporaryFolder folder;
  json mean = benchmark_entry("bandwidth/pattern:read/cores:2", "bytes_per_second", 99.0);
  mean["run_type"] = "aggregate";
  json failed = benchmark_entry("local/device:0", "real_time", 0.0);
  failed["error_occurred"] = true;
  failed["error_message"] = "no such memory";
  json flops = benchmark_entry("compute/precision:f32", "items_per_second", 5.0);
  flops["clock_hz"] = 3e9;
  flops["items_per_cycle"] = 31.5;
  write_text(
      folder / "x.json",
      benchmarks({benchmark_entry("bandwidth/pattern:read/cores:2", "bytes_per_second", 1.0), flops,
                  benchmark_entry("bandwidth/pattern:read/cores:2", "bytes_per_second", 2.0), mean, failed, failed}));
  const auto samples = read_samples(folder / "x.json");
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[0].kind, "bandwidth");
  EXPECT_EQ(samples[0].label("pattern"), "read");
  EXPECT_EQ(samples[0].number("cores"), 2);
  EXPECT_EQ(samples[0].bytes_per_second, (std::vector{1.0, 2.0}));
  EXPECT_EQ(samples[1].items_per_second, (std::vector{5.0}));
  EXPECT_EQ(samples[1].clock_hz, (std::vector{3e9}));
  EXPECT_EQ(samples[1].items_per_cycle, (std::vector{31.5}));
  EXPECT_EQ(samples[2].error, "no such memory");
  EXPECT_EQ(error_of([&] { (void)samples[0].label("device"); }),
            "benchmark bandwidth: expected a label device, found none");
  EXPECT_EQ(error_of([&] { (void)samples[0].number("pattern"); }),
            "benchmark bandwidth: pattern: expected a whole number, found \"read\"");
}

TEST(Samples, BrokenFilesAreALine) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "x.json";
  const auto fault = [&](const std::string& text) {
    write_text(file, text);
    return error_of([&] { read_samples(file); });
  };
  const std::string whole = benchmarks({benchmark_entry("a/b:1", "bytes_per_second", 1.0)});
  EXPECT_EQ(fault(whole), "");
  EXPECT_TRUE(has(fault(whole.substr(0, whole.size() - 9)), "expected JSON"));
  EXPECT_TRUE(has(fault(R"({"benchmarks": [{"bytes_per_second": nan}]})"), "expected JSON"));
  EXPECT_TRUE(has(fault("{}"), "benchmarks: expected at least one measurement, found none"));
  EXPECT_TRUE(has(fault(R"({"benchmarks": 3})"), "benchmarks: expected a list of objects"));
  EXPECT_TRUE(has(fault(R"({"benchmarks": [{"run_name": "x"}]})"), "benchmarks[0].run_type: expected"));
  EXPECT_TRUE(has(fault(benchmarks({benchmark_entry("a/b:1", "bytes_per_second", 0.0)})),
                  "benchmarks[0].bytes_per_second: expected a rate above zero, found 0"));
  EXPECT_TRUE(has(fault(benchmarks({benchmark_entry("a/b:1", "clock_hz", -1.0)})), "expected a rate above zero"));
}

TEST(Figures, UnitsAreWholeOrAHalf) {
  EXPECT_EQ(units_from(0.49), 0.5);
  EXPECT_EQ(units_from(0.76), 1.0);
  EXPECT_EQ(units_from(0.97), 1.0);
  EXPECT_EQ(units_from(1.93), 2.0);
  EXPECT_EQ(units_from(3.8), 4.0);
}

Sample compute_sample(const std::string& labels, const std::vector<double>& flops, double clock_hz, double best_flops) {
  const TemporaryFolder folder;
  std::vector<json> entries;
  for (const double rate : flops) {
    entries.push_back(benchmark_entry("compute/" + labels, "items_per_second", rate));
    entries.back()["clock_hz"] = clock_hz;
    entries.back()["items_per_cycle"] = best_flops / clock_hz;
  }
  write_text(folder / "x.json", benchmarks(entries));
  return read_samples(folder / "x.json").front();
}

TEST(Figures, ExpectTheRateOfWholeUnitsAtTheMeasuredClock) {
  Peaks peaks;
  // Two units of 8 lanes at 3 GHz allow 96 GFLOP/s a core; four cores were disturbed all the time.
  add_processor_figures({compute_sample("precision:f64/fma:1/bits:512/cores:4", {150e9, 170e9, 160e9}, 3e9, 172e9),
                         compute_sample("precision:f64/fma:1/bits:512/cores:1", {90e9, 95e9, 94e9}, 3e9, 95.5e9),
                         compute_sample("precision:f64/fma:0/bits:512/cores:1", {47e9}, 3e9, 48e9)},
                        peaks);
  ASSERT_EQ(peaks.processor.computes.size(), 3u);
  const ComputePeak& one = peaks.processor.computes[0];
  EXPECT_EQ(one.cores, 1);
  EXPECT_EQ(one.gflop_per_s.median, 94.0);
  EXPECT_NEAR(*one.expected_gflop_per_s, 96.0, 1e-9);
  EXPECT_NEAR(*peaks.processor.computes[1].expected_gflop_per_s, 4 * 96.0, 1e-9);
  EXPECT_NEAR(*peaks.processor.computes[2].expected_gflop_per_s, 48.0, 1e-9);
  ASSERT_EQ(peaks.processor.notes.size(), 1u);
  EXPECT_TRUE(has(peaks.processor.notes[0], "1 of 3 FLOP rates are below 90 %")) << peaks.processor.notes[0];
  EXPECT_TRUE(has(peaks.processor.notes[0], "(f64 with FMA, 512 bits, 4 cores: 42 %)")) << peaks.processor.notes[0];
}

TEST(Figures, ThoseBelowWhatTheClockAllowsAreNamed) {
  Peaks peaks;
  add_processor_figures({compute_sample("precision:f32/fma:1/bits:512/cores:2", {128e9, 130e9, 129e9}, 3e9, 192e9),
                         compute_sample("precision:f64/fma:1/bits:512/cores:2", {50e9, 94e9, 95e9, 93e9}, 3e9, 96e9)},
                        peaks);
  EXPECT_EQ(disturbed_benchmarks(peaks.processor),
            (std::vector<std::string>{"compute/precision:f32/fma:1/bits:512/cores:2"}));
  EXPECT_EQ(benchmark_filter({"a", "b"}), "--benchmark_filter=^(a|b)/");
}

TEST(Probes, AreOfWhatThePeaksAreMadeOf) {
  Peaks peaks;
  peaks.processor.cores = 2;
  for (const int cores : {1, 2}) {
    peaks.processor.bandwidths.push_back({"L2", "copy", cores, {}, 100, 300, 50});
    peaks.processor.bandwidths.push_back({"DRAM", "copy", cores, {}, 1000, 3000, 10});
    peaks.processor.bandwidths.push_back({"DRAM", "read", cores, {}, 1000, 3000, 12});
    for (const int bytes : {100, 200, 300, 1000, 2000, 3000}) peaks.sweep.push_back({"copy", cores, bytes, {}});
    peaks.processor.computes.push_back({"f32", true, cores, 512, {}, {}, {}, 80});
    peaks.processor.computes.push_back({"f32", false, cores, 256, {}, {}, {}, 90});
  }
  const auto names = probe_benchmarks(peaks, {"f32"}, false);
  EXPECT_EQ(names, (std::vector<std::string>{"bandwidth/pattern:copy/cores:2/bytes:200",
                                             "bandwidth/pattern:copy/cores:2/bytes:1000",
                                             "compute/precision:f32/fma:0/bits:256/cores:2"}));
  EXPECT_EQ(probe_benchmarks(peaks, {"f32"}, true).size(), 6u);
  const TemporaryFolder folder;
  write_text(folder / "x.json", benchmarks({benchmark_entry(names[0], "bytes_per_second", 40e9),
                                            benchmark_entry(names[1], "bytes_per_second", 9e9),
                                            benchmark_entry(names[2], "items_per_second", 60e9)}));
  const Roofs roofs = roofs_in(read_samples(folder / "x.json"), peaks);
  EXPECT_EQ(roofs.size(), 3u);
  EXPECT_NEAR(roofs.at("L2 on 2 cores"), 40.0, 1e-9);
  EXPECT_NEAR(roofs.at("DRAM on 2 cores"), 9.0, 1e-9);
  EXPECT_NEAR(roofs.at("f32 on 2 cores"), 60.0, 1e-9);
}

TEST(Figures, AreLeftOutWithALineWhereNothingWasMeasured) {
  Peaks peaks;
  Sample broken = compute_sample("precision:f32/fma:1/bits:512/cores:1", {1e9}, 3e9, 1e9);
  broken.items_per_second.clear();
  broken.error = "out of order";
  add_processor_figures({broken}, peaks);
  EXPECT_TRUE(peaks.processor.computes.empty());
  ASSERT_EQ(peaks.processor.notes.size(), 2u);
  EXPECT_EQ(peaks.processor.notes[0], "f32 with FMA, 512 bits, 1 core: not measured: out of order");
  EXPECT_TRUE(has(peaks.processor.notes[1], "FMA: left out")) << peaks.processor.notes[1];
}

TEST(Figures, OfLatencyAreNanosecondsOfALoadByLevel) {
  const TemporaryFolder folder;
  const auto samples = [&](const std::string& side) {
    json failed = benchmark_entry("latency/" + side + "/level:L3/bytes:9", "real_time", 1.0);
    failed["error_occurred"] = true;
    failed["error_message"] = "no memory";
    write_text(
        folder / "x.json",
        benchmarks({benchmark_entry("latency/" + side + "/level:memory/bytes:4096", "items_per_second", 1e7),
                    benchmark_entry("latency/" + side + "/level:memory/bytes:8192", "items_per_second", 5e6),
                    benchmark_entry("latency/" + side + "/level:memory/bytes:8192", "items_per_second", 4e6),
                    benchmark_entry("latency/" + side + "/level:L1/bytes:1024", "items_per_second", 1e9), failed}));
    return read_samples(folder / "x.json");
  };
  Peaks peaks;
  peaks.devices.resize(2);
  add_processor_figures(samples("cores:1"), peaks);
  add_device_figures(samples("device:1"), peaks);
  EXPECT_TRUE(peaks.devices[0].latencies.empty());
  EXPECT_TRUE(contains(peaks.devices[1].notes, "latency of L3: not measured: no memory"));
  for (const auto& latencies : {peaks.processor.latencies, peaks.devices[1].latencies}) {
    ASSERT_EQ(latencies.size(), 2u);
    EXPECT_EQ(latencies[0].level, "L1");
    EXPECT_EQ(latencies[0].nanoseconds.median, 1.0);
    EXPECT_EQ(latencies[1].nanoseconds.minimum, 100.0);
    EXPECT_EQ(latencies[1].nanoseconds.median, 200.0);
    EXPECT_EQ(latencies[1].nanoseconds.maximum, 250.0);
    EXPECT_EQ(latencies[1].from_bytes, 4096);
    EXPECT_EQ(latencies[1].to_bytes, 8192);
  }
}

TEST(Circle, LeadsThroughAllPlacesOnce) {
  for (const std::size_t places : {1, 2, 7, 1000}) {
    const auto next = random_circle(places);
    std::vector<bool> seen(places);
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < places; ++i, at = next[at]) {
      EXPECT_FALSE(seen[at]);
      seen[at] = true;
    }
    EXPECT_EQ(at, 0u);
  }
}

TEST(PeaksFile, OfBeforeLatenciesIsRead) {
  json old = json(whole_peaks());
  old["processor"].erase("latencies");
  old["devices"][0].erase("latencies");
  EXPECT_TRUE(peaks_from_json(old, "old").processor.latencies.empty());
}

TEST(PeaksFile, OfBeforeOtherOperationsHasMultiplyAdds) {
  json old = json(whole_peaks());
  old["processor"]["computes"][0].erase("operation");
  const Peaks peaks = peaks_from_json(old, "old");
  EXPECT_TRUE(peaks.processor.computes[0].is_of_flops());
  EXPECT_TRUE(find_fastest(peaks.processor.computes, "f32", 2));
}

TEST(Figures, OfOtherOperationsStandBesideTheFlops) {
  EXPECT_EQ(compute_name("f64", false, 512, 1, operation::division),
            "compute/operation:division/precision:f64/fma:0/bits:512/cores:1");
  Peaks peaks;
  add_processor_figures(
      {compute_sample("operation:division/precision:f64/fma:0/bits:512/cores:1", {4e9, 5e9, 4.9e9}, 3e9, 5e9),
       compute_sample("operation:wide-multiplication/precision:u32/fma:0/bits:512/cores:1", {24e9}, 3e9, 24e9),
       compute_sample("precision:f64/fma:1/bits:512/cores:1", {95e9}, 3e9, 96e9)},
      peaks);
  const auto& computes = peaks.processor.computes;
  ASSERT_EQ(computes.size(), 3u);
  EXPECT_TRUE(computes[0].is_of_flops()) << "FLOPs come first";
  EXPECT_EQ(find_fastest(computes, "f64", 1), &computes[0]) << "however many operations a second others are";
  ASSERT_EQ(find_fastest(computes, "f64", 1, operation::division), &computes[1]);
  EXPECT_NEAR(computes[1].gflop_per_s.median, 4.9, 1e-9);
  EXPECT_FALSE(computes[1].expected_gflop_per_s) << "a division takes several cycles of its unit";
  EXPECT_EQ(
      find_fastest(computes, precision_of(operation::wide_multiplication, "f32"), 1, operation::wide_multiplication),
      &computes[2]);
  EXPECT_TRUE(disturbed_benchmarks(peaks.processor).empty());
  peaks.processor.name = "processor";
  peaks.processor.cores = 1;
  const std::string text = text_of(peaks);
  EXPECT_TRUE(has(text, "u32 wide multiplications 512 bits")) << text;
  EXPECT_EQ(count_of(text, "division"), 1) << text;
}

TEST(Figures, OfADevice) {
  const TemporaryFolder folder;
  json failed = benchmark_entry("local/device:1/pattern:read", "real_time", 1.0);
  failed["error_occurred"] = true;
  failed["error_message"] = "ordinary cached memory";
  write_text(
      folder / "x.json",
      benchmarks({benchmark_entry("launch/device:1", "items_per_second", 2e5),
                  benchmark_entry("launch_and_wait/device:1", "items_per_second", 2e4),
                  benchmark_entry("transfer/device:1/direction:to", "bytes_per_second", 50e9),
                  benchmark_entry("transfer/device:1/direction:from", "bytes_per_second", 40e9),
                  benchmark_entry("compute/device:1/precision:f32/fma:1", "items_per_second", 60e12), failed,
                  benchmark_entry("compute/operation:root/device:1/precision:f32/fma:0", "items_per_second", 70e12),
                  benchmark_entry("compute/operation:tensor/device:1/precision:bf16/fma:1", "items_per_second", 6e14),
                  benchmark_entry("bandwidth/device:1/pattern:copy/bytes:1073741824", "bytes_per_second", 4e12),
                  benchmark_entry("bandwidth/device:1/pattern:copy/bytes:536870912", "bytes_per_second", 4.2e12)}));
  const auto samples = read_samples(folder / "x.json");
  Peaks peaks;
  peaks.devices.resize(2);
  add_device_figures(samples, peaks);
  const DevicePeaks& device = peaks.devices[1];
  EXPECT_NEAR(device.launch_seconds.median, 5e-6, 1e-12);
  EXPECT_NEAR(device.wait_seconds.median, 50e-6, 1e-12);
  EXPECT_EQ(device.to_device_gb_per_s.median, 50.0);
  EXPECT_EQ(device.from_device_gb_per_s.median, 40.0);
  ASSERT_TRUE(find_compute(device.computes, "f32", true, 0));
  EXPECT_NEAR(find_compute(device.computes, "f32", true, 0)->gflop_per_s.median, 60000.0, 1e-6);
  EXPECT_FALSE(device.computes[0].expected_gflop_per_s);
  ASSERT_TRUE(find_fastest(device.computes, "f32", 0, operation::root));
  EXPECT_NEAR(find_fastest(device.computes, "f32", 0, operation::root)->roof, 70000.0, 1e-6);
  ASSERT_TRUE(find_fastest(device.computes, "bf16", 0, operation::tensor));
  EXPECT_NEAR(find_fastest(device.computes, "bf16", 0, operation::tensor)->roof, 6e5, 1e-3);
  ASSERT_TRUE(find_bandwidth(device.bandwidths, "memory", "copy", 0));
  EXPECT_NEAR(find_bandwidth(device.bandwidths, "memory", "copy", 0)->gb_per_s.median, 4100.0, 1e-9);
  EXPECT_EQ(device.notes[0], "local memory: not measured: ordinary cached memory");
  EXPECT_TRUE(peaks.devices[0].bandwidths.empty());
  peaks.devices.resize(1);
  EXPECT_TRUE(has(error_of([&] { add_device_figures(samples, peaks); }), "expected a device below 1, found 1"));
}

TEST(PeaksText, ShowsEveryFigure) {
  Peaks peaks = whole_peaks();
  peaks.network = {.ranks = 2, .hosts = 1, .library = "a library"};
  peaks.network.fits = {{"socket", "both", 1, 8, 1024, 2e-6, 1e-10, 0.05},
                        {"sockets", "polled", 1, 262144, 2097152, 0.0, 3.8e-14, 0.866}};
  peaks.network.rates = {{"socket", 1, {2e6, 1e6, 3e6}}};
  const std::string text = text_of(peaks);
  for (const char* part :
       {"Processor: processor, 2 cores\n", "L1 32.0 KiB 2 of them, each shared by 1", "L1 read", "2.000 (1.000-3.000!)",
        "f32 FMA 512 bits", "L1 latency", "- a note\n", "device: platform, driver 1, 132 compute units\n",
        "launch and wait  us", "from device", "- another\n", "--fresh on an idle machine",
        "Network: a library, 2 ranks on 1 host\n", "8 B - 1.00 KiB", "2.00",
        "- socket, 1 pair: 2.000 (1.000-3.000!) million messages per second"})
    EXPECT_TRUE(has(text, part)) << part << " in\n" << text;
  peaks.processor = {};
  EXPECT_FALSE(has(text_of(peaks), "Processor"));
  EXPECT_TRUE(has(text_of(peaks), "sockets, 1 pair, polled, 256 KiB - 2.00 MiB: not measured (residual above 50 %)"));
  EXPECT_FALSE(has(text_of(peaks), "86.6"));
}

}  // namespace
}  // namespace boltzmark
