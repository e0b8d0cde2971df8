// The roofline on made-up machines: bounds of runs and their reasons.
#include <gtest/gtest.h>

#include "analysis/roofline/roofline.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

Spread all_of(double value) { return {value, value, value}; }

/// Four cores with 1 MiB of L2 each and 32 MiB of L3 between them; a GPU with 50 MB of cache.
Peaks machine() {
  Peaks peaks;
  peaks.processor.name = "four cores";
  peaks.processor.cores = 4;
  peaks.processor.caches = {{"L1", 32 << 10, 4, 1}, {"L2", 1 << 20, 4, 1}, {"L3", 32 << 20, 1, 4}};
  const std::pair<const char*, std::pair<double, double>> levels[] = {
      {"L1", {200, 800}}, {"L2", {100, 400}}, {"L3", {50, 120}}, {"DRAM", {20, 40}}};
  for (const auto& [level, rates] : levels) {
    peaks.processor.bandwidths.push_back({level, "copy", 1, all_of(rates.first)});
    peaks.processor.bandwidths.push_back({level, "copy", 4, all_of(rates.second)});
  }
  for (const bool fma : {true, false}) {
    peaks.processor.computes.push_back({"f32", fma, 1, 512, all_of(fma ? 160 : 80), {}, {}});
    peaks.processor.computes.push_back({"f32", fma, 4, 512, all_of(fma ? 640 : 320), {}, {}});
    peaks.processor.computes.push_back({"f32", fma, 4, 128, all_of(fma ? 160 : 80), {}, {}});
  }
  DevicePeaks gpu;
  gpu.name = "a GPU";
  gpu.type = "gpu";
  gpu.cache_bytes = 50'000'000;
  gpu.bandwidths = {{"memory", "copy", 0, all_of(4000)}, {"cache", "copy", 0, all_of(8000)}};
  gpu.computes = {{"f32", true, 0, 0, all_of(60000), {}, {}}};
  gpu.launch_seconds = all_of(5e-6);
  peaks.devices = {gpu};
  return peaks;
}

/// A run of a square grid that moves so much in every step, 72 bytes and 100 FLOPs an update.
RunFigures run_at(double gb_per_s, int side, int workers) {
  RunFigures run;
  run.precision = "f32";
  run.device = "four cores";
  run.device_type = "cpu";
  run.workers = workers;
  run.updates = 100.0 * side * side;
  run.flops = 100.0 * run.updates;
  run.traffic = {{"data", 72.0 * side * side, 72.0}};
  run.seconds = 1e-9 * 72.0 * run.updates / gb_per_s;
  return run;
}

RunFigures on_gpu(RunFigures run) {
  run.device = "a GPU";
  run.device_type = "gpu";
  run.workers = 0;
  return run;
}

/// A second with this many GFLOPs, and little traffic.
RunFigures arithmetic_at(double gflop_per_s) {
  RunFigures run = run_at(1.0, 64, 4);
  run.traffic = {{"data", 1e6, 1.0}};
  run.seconds = 1.0;
  run.flops = 1e9 * gflop_per_s;
  return run;
}

// Roofs are those of copies in bytes that move: a copy of 40 GB/s moves 60.
TEST(LevelShares, ACacheOfADeviceHoldsWhatACopyOrATriadMovesAtItsRate) {
  DevicePeaks gpu;
  const Spread rate = {8000, 8000, 8000};
  gpu.bandwidths = {{"memory", "copy", 0, rate}, {"cache", "copy", 0, rate, 8 << 20, 16 << 20}};
  EXPECT_EQ(level_shares(gpu, 38e6).at(0).level, "memory");
  gpu.bandwidths.push_back({"cache", "triad", 0, rate, 24 << 20, 45 << 20});
  const auto shares = level_shares(gpu, 38e6);
  ASSERT_EQ(shares.size(), 1u);
  EXPECT_EQ(shares[0].level, "cache");
}

TEST(RooflineTest, TheRoofOfALevelIsItsBestPatternInBytesThatMove) {
  Peaks peaks = machine();
  const auto roof = [&](int side, int workers) {
    return analyse(run_at(10, side, workers), &peaks).roof_gb_per_s->median;
  };
  EXPECT_EQ(roof(1400, 4), 60.0);
  EXPECT_EQ(roof(1400, 1), 30.0);
  EXPECT_EQ(roof(1400, 3), 60.0);  // three times one core would be more than all have
  EXPECT_EQ(roof(1400, 9), 60.0);  // more workers than cores
  EXPECT_EQ(roof(170, 2), 300.0);
  EXPECT_EQ(roof(16, 4), 1200.0);
  peaks.processor.bandwidths.push_back({"L2", "read", 1, all_of(900)});
  EXPECT_EQ(roof(170, 4), 900.0) << "four cores can do what one does, whatever disturbed them";
  peaks.processor.bandwidths.push_back({"DRAM", "read", 4, all_of(66)});
  EXPECT_EQ(roof(1400, 4), 66.0);
  peaks.processor.bandwidths.push_back({"DRAM", "triad", 4, {45, 40, 60}, 0, 0, 54});
  EXPECT_EQ(roof(1400, 4), 72.0);
  EXPECT_EQ(analyse(on_gpu(run_at(10, 2000, 0)), &peaks).roof_gb_per_s->median, 4000.0) << "no line is fetched first";
}

TEST(RooflineTest, ARunIsHeldAgainstPatternsThatWriteAsMuch) {
  Peaks peaks = machine();
  const auto roof = [&](std::optional<double> written) {
    RunFigures run = run_at(10, 1400, 4);
    run.written = written;
    return analyse(run, &peaks).roof_gb_per_s->median;
  };
  peaks.processor.bandwidths.push_back({"DRAM", "read", 4, all_of(45)});
  EXPECT_EQ(roof(0.5), 60.0) << "of older peaks without such a pattern: whatever it writes";
  peaks.processor.bandwidths.push_back({"DRAM", "update", 4, all_of(70)});
  EXPECT_EQ(roof(0.0), 45.0);
  EXPECT_EQ(roof(0.01), 45.0);
  EXPECT_EQ(roof(1.0 / 3.0), 60.0);
  EXPECT_EQ(roof(0.5), 70.0);
  EXPECT_EQ(roof({}), 70.0);
  RunFigures fast = run_at(50, 1400, 4);
  fast.written = 0.0;
  EXPECT_EQ(analyse(fast, &peaks).verdict, "DRAM, 71 %") << "faster than reads were: of all patterns";
}

TEST(RooflineTest, ADeviceIsHeldAgainstPatternsThatWriteAsMuchToo) {
  Peaks peaks = machine();
  for (const auto& [pattern, rate] : {std::pair("read", 4600), {"triad", 4300}, {"update", 3900}})
    peaks.devices.front().bandwidths.push_back({"memory", pattern, 0, all_of(rate)});
  const auto roof_of = [&](std::optional<double> written) {
    RunFigures run = on_gpu(run_at(10, 2000, 0));
    run.written = written;
    return analyse(run, &peaks).roof_of;
  };
  EXPECT_EQ(roof_of(0.0), "read");
  EXPECT_EQ(roof_of(1.0 / 3.0), "triad");
  EXPECT_EQ(roof_of(0.5), "copy") << "the faster one of copy and update";
  EXPECT_EQ(roof_of({}), "read");
}

TEST(RooflineTest, OneCoreHasNoRoofWhereItWasNotMeasured) {
  Peaks peaks = machine();
  EXPECT_EQ(analyse(run_at(10, 1400, 1), &peaks).roof_of, "copy on 1 core");
  std::erase_if(peaks.processor.bandwidths, [](const BandwidthPeak& peak) { return peak.cores == 1; });
  EXPECT_EQ(analyse(run_at(10, 1400, 4), &peaks).roof_gb_per_s->median, 60.0);
  EXPECT_FALSE(analyse(run_at(10, 1400, 1), &peaks).roof_gb_per_s);
  EXPECT_EQ(analyse(run_at(700, 1400, 1), &peaks).bound, "arithmetic");
  EXPECT_NE(analyse(run_at(700, 1400, 1), &peaks).impossible.find("at 60 GB/s (copy on 4 cores) take"),
            std::string::npos)
      << "no core is ten times as fast as all";
}

TEST(RooflineTest, PlacesASetInTheLevelThatHoldsIt) {
  const Peaks peaks = machine();
  const auto level = [&](int side, int workers) { return analyse(run_at(10, side, workers), &peaks).level; };
  EXPECT_EQ(level(16, 1), "L1");     // 18 KiB
  EXPECT_EQ(level(100, 1), "L2");    // 703 KiB
  EXPECT_EQ(level(200, 1), "L3");    // 2.7 MiB: one core reaches one L2
  EXPECT_EQ(level(200, 4), "L2");    // four cores reach four
  EXPECT_EQ(level(682, 4), "L3");    // 31.9 MiB
  EXPECT_EQ(level(966, 4), "DRAM");  // 64.1 MiB, more than twice of L3
  EXPECT_EQ(analyse(on_gpu(run_at(10, 800, 0)), &peaks).level, "cache");
  EXPECT_EQ(analyse(on_gpu(run_at(10, 2000, 0)), &peaks).level, "memory");
}

TEST(RooflineTest, OfASetThatIsALittleLargerAtLeastTheRestCrossesTheSlowerLevel) {
  const Peaks peaks = machine();
  const double capacity = 32 << 20;
  RunFigures run = run_at(30, 1000, 4);
  run.traffic.front().bytes = 1.25 * capacity;
  const auto r = analyse(run, &peaks);
  ASSERT_EQ(r.limits.size(), 3u);
  const double gb = 1e-9 * 72.0 * run.updates;
  EXPECT_EQ(r.limits[0].name, "L3");
  EXPECT_NEAR(r.limits[0].seconds, 0.8 * gb / 180.0, 1e-9);
  EXPECT_EQ(r.limits[1].name, "DRAM");
  EXPECT_NEAR(r.limits[1].seconds, 0.2 * gb / 60.0, 1e-9);
}

TEST(RooflineTest, WhatALevelHoldsIsSeenInTheSweep) {
  Peaks peaks = machine();
  peaks.processor.caches.back().bytes = std::int64_t{300} << 20;  // as the system says
  for (BandwidthPeak& peak : peaks.processor.bandwidths)
    if (peak.level == "L3") peak.from_bytes = 8 << 20;
  const auto level = [&](int side) { return analyse(run_at(10, side, 4), &peaks).level; };
  EXPECT_EQ(level(1400), "L3");  // 135 MiB
  for (const auto& [mebibytes, rate] :
       {std::pair(8, 120.0), {16, 118.0}, {32, 90.0}, {48, 60.0}, {64, 45.0}, {96, 110.0}})
    peaks.sweep.push_back({"copy", 4, std::int64_t{mebibytes} << 20, all_of(rate)});
  EXPECT_EQ(level(1400), "DRAM");
  EXPECT_EQ(level(682), "L3");
}

TEST(RooflineTest, TheLongestOfAllLimitsIsTheBound) {
  const Peaks peaks = machine();
  const auto verdict = [&](const RunFigures& run) { return analyse(run, &peaks).verdict; };
  EXPECT_EQ(verdict(run_at(45, 1400, 4)), "DRAM, 75 %");
  EXPECT_EQ(verdict(run_at(90, 682, 4)), "L3, 50 %");
  EXPECT_EQ(verdict(run_at(6, 1400, 4)), "latency or code, 10 % of DRAM");
  EXPECT_EQ(verdict(on_gpu(run_at(3000, 8192, 0))), "memory, 75 %");
  EXPECT_EQ(verdict(arithmetic_at(576)), "arithmetic, 90 %");
  RunFigures near = run_at(29, 1400, 4);
  EXPECT_EQ(verdict(near), "latency or code, 48 % of DRAM");
  near.least_seconds = 0.95 * near.seconds;
  EXPECT_EQ(verdict(near), "DRAM, 48 %") << "its interval reaches a half";

  RunFigures swept = run_at(20, 1400, 4);  // eight steps a sweep: a window in L2
  swept.flops /= 10.0;
  swept.traffic = {{"grid", 72.0 * 1400 * 1400, 9.0}, {"window", 2e6, 72.0}};
  swept.seconds = 1e-9 * 72.0 * swept.updates / 360.0;
  const auto r = analyse(swept, &peaks);
  EXPECT_EQ(r.verdict, "DRAM, 75 %") << "45 GB/s of 60, where the window has 360 of 600";
  swept.traffic.front().per_update = 4.5;
  EXPECT_EQ(verdict(swept), "L2, 60 %");
  EXPECT_NEAR(*analyse(swept, &peaks).flop_per_byte, 10.0 / 72.0, 1e-9) << "of the bytes of the binding level";
  EXPECT_NEAR(*r.flop_per_byte, 10.0 / 9.0, 1e-9);
  EXPECT_NEAR(*r.ridge_flop_per_byte, 640.0 / 60.0, 1e-9);
  swept.traffic = {{"halo", 1e6, 0.1}, {"populations", 1e9, 72.0, true}};
  EXPECT_EQ(analyse(swept, &peaks).level, "L2") << "no roof bounds what is on the chip";
}

TEST(RooflineTest, LaunchesAndMessagesAreLimitsToo) {
  Peaks peaks = machine();
  peaks.devices.front().wait_seconds = all_of(12e-6);
  RunFigures run = on_gpu(run_at(3000, 128, 0));
  run.seconds = 1e-3;
  run.calls.launches = 100;  // of 5 us
  EXPECT_EQ(analyse(run, &peaks).verdict, "launches, 50 %");
  run.calls.waits = 50;
  EXPECT_EQ(analyse(run, &peaks).verdict, "launches, 85 %");
  peaks.devices.front().launch_seconds.median = 7e-6;
  EXPECT_EQ(analyse(run, &peaks).verdict, "launches, 85 to 95 %") << "from the shortest to the median";
  run.is_opencl = false;
  EXPECT_EQ(analyse(run, &peaks).bound.find("launches"), std::string::npos) << "not known of another runtime";
  EXPECT_TRUE(has(analyse(run, &peaks).verdict, "latency or code (launches not timed), "))
      << analyse(run, &peaks).verdict;
  run.calls = {100, 50, 2e-6, 10e-6};
  EXPECT_EQ(analyse(run, &peaks).verdict, "launches, 60 %") << "measured by the run itself";
  RunFigures ranks = run_at(6, 1400, 4);
  ranks.network_seconds = 0.6 * ranks.seconds;
  EXPECT_EQ(analyse(ranks, &peaks).verdict, "messages, 60 %");
}

TEST(RooflineTest, OperationsWithRoofsOfTheirOwnAreLimits) {
  Peaks peaks = machine();
  peaks.processor.computes.push_back({"f32", false, 4, 512, all_of(20), {}, {}, 0.0, operation::division});
  peaks.processor.computes.push_back({"u32", false, 4, 512, all_of(10), {}, {}, 0.0, operation::wide_multiplication});
  RunFigures run = arithmetic_at(64);
  EXPECT_EQ(analyse(run, &peaks).verdict, "latency or code, 10 % of arithmetic");
  run.operations = {{operation::division, 18e9}, {operation::wide_multiplication, 1e9}};
  EXPECT_EQ(analyse(run, &peaks).verdict, "divisions, 90 %");
  run.operations = {{operation::wide_multiplication, 7e9}};
  EXPECT_EQ(analyse(run, &peaks).verdict, "wide multiplications, 70 %") << "whatever the run's precision";
  run.operations = {{operation::root, 1e12}};  // a roof that was not measured
  EXPECT_EQ(analyse(run, &peaks).verdict, "latency or code, 10 % of arithmetic");
}

TEST(RooflineTest, RunsOnTensorCoresAreHeldAgainstThese) {
  Peaks peaks = machine();
  RunFigures run = arithmetic_at(2700);
  run.tensor_cores = "tf32";
  EXPECT_FALSE(analyse(run, &peaks).peak_gflop_per_s) << "no peak of theirs";
  peaks.processor.computes.push_back({"tf32", true, 4, 0, all_of(3000), {}, {}, 0.0, operation::tensor});
  EXPECT_EQ(analyse(run, &peaks).verdict, "tensor cores, 90 %");
  run.flops = 40e12;
  EXPECT_EQ(
      analyse(run, &peaks).impossible,
      "4e+04 GFLOP in tf32 on tensor cores at 3000 GFLOP/s take 13.3 s, but the run took 1 s: it cannot have done "
      "all its work");
}

TEST(RooflineTest, AShareAboveAllErrorsIsADefectOfTheCountOrTheRoof) {
  const Peaks peaks = machine();
  EXPECT_EQ(analyse(run_at(62.9, 1400, 4), &peaks).defect, "");
  const auto r = analyse(run_at(72, 1400, 4), &peaks);
  EXPECT_EQ(r.verdict, "DRAM, 120 %: count or roof wrong");
  EXPECT_TRUE(has(r.defect, "14.11 GB through DRAM at 60 GB/s (copy) take 0.2352 s, 120 % of the 0.196 s measured"))
      << r.defect;
  EXPECT_EQ(r.impossible, "");
  EXPECT_NE(analyse(run_at(1300, 1400, 4), &peaks).impossible, "");
}

TEST(RooflineTest, ARunFasterThanMemoryHadAsMuchCacheAsNeighboursLeaveInTheBestMoments) {
  Peaks peaks = machine();
  for (auto& peak : peaks.processor.bandwidths)
    if (peak.level == "L3") peak.from_bytes = 1 << 20;
  for (const auto& [mebibytes, median, best] : {std::tuple{32, 120, 120}, {64, 60, 120}, {256, 45, 120}, {512, 40, 42}})
    peaks.sweep.push_back({"copy", 4, std::int64_t{mebibytes} << 20, {double(median), 40, double(best)}});
  EXPECT_EQ(analyse(run_at(50, 1400, 4), &peaks).verdict, "DRAM, 83 %") << "as most of the sweep";
  EXPECT_EQ(analyse(run_at(99, 1400, 4), &peaks).verdict, "L3, 55 %");
  EXPECT_EQ(analyse(run_at(90, 2800, 4), &peaks).verdict, "DRAM, 150 %: count or roof wrong") << "no moment holds it";
}

/// Rates of these probes for a copy in memory on all cores.
Peaks probed(const std::vector<double>& copies) {
  Peaks peaks = machine();
  std::vector<Roofs> moments;
  for (const double copy : copies)
    moments.push_back({{"DRAM on 4 cores", copy}, {"f32 on 4 cores", 640.0 - static_cast<double>(moments.size())}});
  judge_roofs(moments, peaks);
  return peaks;
}

TEST(RooflineTest, UnderASteadyRoofNothingIsAnInterval) {
  const Peaks peaks = probed({40, 38, 39, 36.5, 39.5});
  EXPECT_EQ(peaks.processor.noise, "");
  EXPECT_TRUE(peaks.processor.notes.empty());
  const auto r = analyse(run_at(45, 1400, 4), &peaks);
  EXPECT_EQ(r.verdict, "DRAM, 75 %");
  EXPECT_FALSE(r.share_most);
  EXPECT_EQ(r.noise, "");
  EXPECT_EQ(analyse(run_at(6, 1400, 4), &peaks).verdict, "latency or code, 10 % of DRAM");
  EXPECT_EQ(probed({20}).processor.noise, "") << "a single probe tells of no change";
  const Peaks slow = probed({90, 91, 92});
  EXPECT_EQ(analyse(run_at(90, 1400, 4), &slow).verdict, "DRAM, 65 %") << "of probes above peaks of a slow moment";
}

TEST(RooflineTest, ARoofThatFlipsMakesSharesIntervals) {
  Peaks peaks = probed({40, 20, 39.5, 21, 40, 20.5, 8});
  EXPECT_EQ(peaks.processor.noise, "DRAM on 4 cores 30.0 to 60.0 GB/s (of 7 probes 3 near the one, 3 near the other)");
  EXPECT_EQ(peaks.processor.notes, std::vector<std::string>{"noisy roofs: " + peaks.processor.noise});
  const auto at = [&](double gb_per_s) { return analyse(run_at(gb_per_s, 1400, 4), &peaks); };
  EXPECT_EQ(at(27).verdict, "DRAM, 45 to 90 %") << "no latency or code where the roof may explain it";
  EXPECT_NEAR(*at(27).share, 0.45, 1e-9);
  EXPECT_NEAR(*at(27).share_most, 0.9, 1e-9);
  EXPECT_EQ(at(27).noise, peaks.processor.noise);
  EXPECT_EQ(at(27).roof_gb_per_s->minimum, 30.0);
  EXPECT_EQ(at(6).verdict, "latency or code, 10 to 20 % of DRAM");
  EXPECT_EQ(at(57).verdict, "DRAM, 95 to >100 %") << "the lower end is no roof of this run";
  EXPECT_NEAR(*at(57).share_most, 1.9, 1e-9);
  EXPECT_EQ(at(30.1).verdict, "DRAM, 50 to 100 %");
  EXPECT_EQ(at(72).verdict, "DRAM, 120 %: count or roof wrong") << "whatever the slow moments";
  EXPECT_NE(at(72).defect, "");
  EXPECT_EQ(analyse(run_at(90, 682, 4), &peaks).verdict, "L3, 50 %") << "whose roof is steady";
  RunFigures run = run_at(27, 1400, 4);  // the arithmetic takes 48 % of the time, of a steady roof
  run.flops = 0.48 * 640e9 * run.seconds;
  EXPECT_EQ(analyse(run, &peaks).verdict, "DRAM, 45 to 90 %");
  judge_roofs({{{"DRAM on 4 cores", 21.0}}, {{"DRAM on 4 cores", 20.0}}}, peaks, true);
  EXPECT_EQ(at(27).verdict, "DRAM, 45 to 90 %") << "probes that agree say nothing new after STREAM";
  judge_roofs({{{"DRAM on 4 cores", 25.0}}, {{"DRAM on 4 cores", 40.0}}}, peaks, true);
  EXPECT_EQ(at(27).verdict, "DRAM, 45 to 72 %");
  EXPECT_EQ(peaks.processor.notes.size(), 1u) << "the last judgement";
  judge_roofs({{{"f32 on 4 cores", 300.0}}, {{"f32 on 4 cores", 639.0}}, {{"f32 on 4 cores", 640.0}}}, peaks);
  EXPECT_EQ(peaks.processor.noise, "f32 on 4 cores 300 to 640 GFLOP/s (of 3 probes 1 near the one, 2 near the other)");
  EXPECT_EQ(analyse(arithmetic_at(192), &peaks).verdict, "arithmetic, 30 to 64 %");
}

TEST(RooflineTest, UnderUnsteadyRoofsTheBoundIsNotNamedAlone) {
  Peaks peaks = probed({40, 20, 39.5, 21, 40, 20.5});
  RunFigures run = run_at(33, 1400, 4);  // memory from 55 % of the time on
  run.flops = 0.6 * 640e9 * run.seconds;
  auto r = analyse(run, &peaks);
  EXPECT_EQ(r.verdict, "arithmetic or DRAM, 60 to >100 %");
  EXPECT_EQ(r.bound, "arithmetic or DRAM");
  EXPECT_NEAR(*r.share, 0.6, 1e-9);
  run.flops = 0.5 * 640e9 * run.seconds;
  EXPECT_EQ(analyse(run, &peaks).bound, "DRAM") << "from 55 % on, and arithmetic takes 50";
  judge_roofs({{{"DRAM on 4 cores", 10.0}}, {{"DRAM on 4 cores", 40.0}}}, peaks);
  r = analyse(run_at(20, 1400, 4), &peaks);
  EXPECT_EQ(r.verdict, "undecided: DRAM unsteady (33 to >100 %)");
  EXPECT_NEAR(r.swing, 4.0, 1e-9);
  EXPECT_EQ(r.kind, "undecided");
  EXPECT_EQ(r.bound, "");
  EXPECT_FALSE(r.share || r.share_most);
}

TEST(RooflineTest, RoofsThatContradictEachOtherAreNamedAndNoisy) {
  Peaks peaks = machine();
  EXPECT_TRUE(reconcile(peaks).empty());
  const auto at = [&](const char* level, int cores) -> BandwidthPeak& {
    for (BandwidthPeak& peak : peaks.processor.bandwidths)
      if (peak.level == level && peak.cores == cores) return peak;
    throw std::logic_error(level);
  };
  at("DRAM", 4).gb_per_s = all_of(125);  // L3: 120
  EXPECT_TRUE(reconcile(peaks).empty()) << "within noise";
  at("L3", 4).gb_per_s = all_of(30);
  const std::string found = "L3 copy on 4 cores (30.0 GB/s) is below DRAM copy on 4 cores (125 GB/s)";
  EXPECT_EQ(reconcile(peaks), std::vector<std::string>{found});
  EXPECT_EQ(peaks.processor.notes, std::vector<std::string>{"contradiction: " + found});
  const auto r = analyse(run_at(45, 682, 4), &peaks);
  EXPECT_EQ(r.verdict, "undecided: L3 unsteady (24 to 100 %)") << "at least as fast as memory";
  EXPECT_EQ(r.noise, found);
  EXPECT_TRUE(reconcile(peaks).empty()) << "once";
  for (ComputePeak& peak : peaks.processor.computes)
    if (peak.fma && peak.cores == 4) peak.gflop_per_s = all_of(100);
  peaks.devices.front().bandwidths.front().gb_per_s = all_of(9000);
  EXPECT_EQ(reconcile(peaks), (std::vector<std::string>{
                                  "f32 FMA, 512 bits on 4 cores (100 GFLOP/s) is below f32 without FMA, 512 bits on 4 "
                                  "cores (320 GFLOP/s)",
                                  "a GPU: cache copy (8000 GB/s) is below memory copy (9000 GB/s)"}));
}

TEST(RooflineTest, LowerEndsAreInTheOrderOfTheRoofs) {
  Peaks peaks = machine();
  judge_roofs({{{"L3 on 4 cores", 120.0}, {"DRAM on 4 cores", 40.0}},
               {{"L3 on 4 cores", 30.0}, {"DRAM on 4 cores", 39.5}},
               {{"L3 on 4 cores", 31.0}, {"DRAM on 4 cores", 39.9}}},
              peaks);
  EXPECT_EQ(analyse(run_at(50, 682, 4), &peaks).verdict, "undecided: L3 unsteady (28 to >100 %)");
  Peaks on_all = peaks;
  std::erase_if(on_all.processor.bandwidths, [](const BandwidthPeak& peak) { return peak.cores == 1; });
  EXPECT_TRUE(reconcile(on_all).empty());
  EXPECT_EQ(analyse(run_at(50, 682, 4), &on_all).verdict, "L3, 28 to 86 %") << "at least 1.5 x 38.8 GB/s, as memory";
  EXPECT_TRUE(reconcile(peaks).empty());
  EXPECT_EQ(analyse(run_at(50, 682, 4), &peaks).verdict, "L3, 28 to 69 %") << "at least 1.5 x 48.5 GB/s, as one core";
}

TEST(RooflineTest, SaysWhatIsMissing) {
  Peaks peaks = machine();
  EXPECT_EQ(analyse(run_at(30, 64, 4), nullptr).verdict, "no peaks");
  RunFigures run = on_gpu(run_at(30, 64, 0));
  run.memory = "host";
  EXPECT_EQ(analyse(run, &peaks).verdict, "arrays on the host (no roof)");
  peaks.devices.clear();
  EXPECT_EQ(analyse(on_gpu(run_at(30, 64, 0)), &peaks).verdict, "no peaks of this device");
  peaks.processor.bandwidths.clear();
  peaks.processor.computes.clear();
  EXPECT_EQ(analyse(run_at(30, 64, 4), &peaks).verdict, "no roof measured");
  // Of older records, the unavoidable traffic reveals a run that cannot be right.
  const Peaks all = machine();
  RunFigures old = run_at(30, 1400, 4);
  old.has_traffic = false;
  const auto r = analyse(old, &all);
  EXPECT_EQ(r.verdict, "traffic not recorded");
  EXPECT_EQ(r.bound + r.level, "");
  EXPECT_FALSE(r.share);
  old.seconds /= 100.0;
  EXPECT_NE(analyse(old, &all).impossible, "");
}

TEST(RooflineTest, ADeviceWithoutANameIsTheOnlyOneOfItsType) {
  Peaks peaks = machine();
  RunFigures run = on_gpu(run_at(3000, 8192, 0));
  run.device = "nvptx64 offload device 0";
  EXPECT_EQ(analyse(run, &peaks).roof_gb_per_s->median, 4000.0);
  peaks.devices.push_back(peaks.devices.front());
  EXPECT_EQ(analyse(run, &peaks).verdict, "no peaks of this device");
}

// Collision: density 8, momentum 6 + 6, its square 3, the nine projections 7, what directions share 2 + 3, the
// population at rest 4, and for each of the eight others 6 for the equilibrium and 3 for the relaxation; average
// velocity: density 9, momentum 5 + 5, its length 3 + 1, the speed 1 and adding it 1.
TEST(CountedFlops, OfTheTextbookUpdateAreThoseCountedByHand) {
  const TemporaryFolder folder;
  const std::string record = folder / "record.jsonl";
  const auto words = std::vector<std::string>{"--variant", "textbook", "--no-output", "--json", record} +
                     write_problem(folder, grid("one_step"));
  ASSERT_EQ(run_model("serial", words).status, 0);
  const double by_hand = 8 + 6 + 6 + 3 + 7 + 2 + 3 + 4 + 8 * (6 + 3) + 9 + 5 + 5 + 3 + 1 + 1 + 1;
  EXPECT_EQ(nlohmann::json::parse(read_text(record))["work"]["flops_per_update"], by_hand);
}

}  // namespace
}  // namespace boltzmark
