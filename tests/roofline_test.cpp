// The roofline on made-up machines: where a run stands, and why.
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

/// A run of a square grid on the processor whose effective bandwidth is given; 100 FLOPs on 72 bytes.
RunFigures run_at(double gb_per_s, int side, int workers) {
  RunFigures run;
  run.precision = "f32";
  run.device = "four cores";
  run.device_type = "cpu";
  run.workers = workers;
  run.steps = 100;
  run.bytes_held = 72.0 * side * side;
  run.seconds = 1e-9 * run.bytes_held * 100 / gb_per_s;
  run.gb_per_s = gb_per_s;
  run.gflop_per_s = gb_per_s * 100.0 / 72.0;
  return run;
}

RunFigures on_gpu(RunFigures run) {
  run.device = "a GPU";
  run.device_type = "gpu";
  run.workers = 0;
  return run;
}

TEST(RooflineTest, GivesRoofsAndShares) {
  const Peaks peaks = machine();
  const auto r = analyse(run_at(30.0, 1024, 4), &peaks);
  EXPECT_EQ(r.peaks_of + ' ' + r.roof, "processor DRAM");
  EXPECT_NEAR(*r.share_of_roof, 0.75, 1e-9);
  EXPECT_NEAR(*r.ridge_flop_per_byte, 640.0 / 40.0, 1e-9);
  EXPECT_NEAR(*r.share_of_peak, 30.0 * 100.0 / 72.0 / 640.0, 1e-9);
  EXPECT_EQ(analyse(on_gpu(run_at(30.0, 1024, 4)), &peaks).peaks_of, "a GPU");
}

TEST(RooflineTest, FindsTheLevelThatHoldsTheData) {
  const Peaks peaks = machine();
  const auto level = [&](int side, int workers) { return analyse(run_at(10, side, workers), &peaks).roof; };
  EXPECT_EQ(level(16, 1), "L1");     // 18 KiB
  EXPECT_EQ(level(100, 1), "L2");    // 703 KiB
  EXPECT_EQ(level(128, 1), "L3");    // 1.1 MiB: one core reaches one L2
  EXPECT_EQ(level(128, 2), "L2");    // two cores reach two
  EXPECT_EQ(level(682, 4), "L3");    // 31.9 MiB
  EXPECT_EQ(level(683, 4), "DRAM");  // 32.03 MiB
  EXPECT_EQ(analyse(on_gpu(run_at(10, 800, 0)), &peaks).roof, "cache");
  EXPECT_EQ(analyse(on_gpu(run_at(10, 1024, 0)), &peaks).roof, "memory");
}

TEST(RooflineTest, TakesPeaksForAsManyWorkers) {
  Peaks peaks = machine();
  const auto bandwidth = [&](int side, int workers) {
    return analyse(run_at(10, side, workers), &peaks).roof_gb_per_s->median;
  };
  EXPECT_EQ(bandwidth(1024, 1), 20.0);
  EXPECT_EQ(bandwidth(1024, 3), 40.0);  // three times one core would be more than all have
  EXPECT_EQ(bandwidth(400, 2), 100.0);
  EXPECT_EQ(bandwidth(1024, 9), 40.0);  // more workers than cores
  EXPECT_EQ(*analyse(run_at(10, 64, 2), &peaks).peak_gflop_per_s, 320.0);
  EXPECT_NEAR(analyse(run_at(10, 400, 2), &peaks).roof_gb_per_s->minimum, 97.0, 1e-9);
  for (auto& peak : peaks.processor.computes)
    if (!peak.fma && peak.vector_bits == 512 && peak.cores == 4) peak.roof = 700.0;
  EXPECT_EQ(*analyse(run_at(10, 400, 4), &peaks).peak_gflop_per_s, 700.0);  // the fastest arithmetic of any kind
}

TEST(RooflineTest, SaysWhatLimitsARun) {
  const Peaks peaks = machine();
  const auto bound = [&](RunFigures run, std::optional<double> one_worker = {}) {
    run.one_worker_seconds = one_worker;
    const auto r = analyse(run, &peaks);
    EXPECT_FALSE(r.why.empty());
    return r.bound;
  };
  EXPECT_EQ(bound(run_at(30, 1024, 4)), Bound::memory);
  EXPECT_EQ(bound(run_at(70, 512, 4)), Bound::cache);
  EXPECT_EQ(bound(run_at(100, 1024, 4)), Bound::above_memory_roof);
  EXPECT_EQ(bound(run_at(3, 1024, 4)), Bound::code);
  EXPECT_EQ(bound(on_gpu(run_at(3000, 8192, 0))), Bound::memory);

  RunFigures dense = run_at(30, 1024, 4);
  dense.gflop_per_s = 417;  // of 640; 0.75 of the bandwidth, too, and that is more
  EXPECT_EQ(bound(dense), Bound::memory);
  dense.gflop_per_s = 583;
  EXPECT_EQ(bound(dense), Bound::compute);
  RunFigures blocked = run_at(100, 1024, 4);
  blocked.gflop_per_s = 625;  // the memory roof is passed by more
  EXPECT_EQ(bound(blocked), Bound::above_memory_roof);

  const RunFigures small = on_gpu(run_at(150, 128, 0));  // 7.9 us a step, 5 of them for the launch
  EXPECT_EQ(bound(small), Bound::launch);
  RunFigures launched_once = small;
  launched_once.steps_per_launch = small.steps;
  EXPECT_NE(bound(launched_once), Bound::launch);
  EXPECT_TRUE(has(analyse(small, &peaks).why, "1 step takes 7.86 us, of which starting a kernel takes 5 us"));

  const RunFigures waiting = run_at(20, 64, 4);
  EXPECT_EQ(bound(waiting, waiting.seconds), Bound::synchronisation);  // no faster than one worker
  EXPECT_EQ(bound(waiting, 3.5 * waiting.seconds), Bound::code);       // well divided, and slow for another reason
  EXPECT_EQ(bound(waiting), Bound::code);
}

/// Divisions and wide multiplications on four cores: 20 and 10 billion a second.
Peaks machine_with_operations() {
  Peaks peaks = machine();
  peaks.processor.computes.push_back({"f32", false, 4, 512, all_of(20), {}, {}, 0.0, operation::division});
  peaks.processor.computes.push_back({"u32", false, 4, 512, all_of(10), {}, {}, 0.0, operation::wide_multiplication});
  return peaks;
}

TEST(RooflineTest, TheLowestRoofMayBeThatOfAnOperation) {
  const Peaks peaks = machine_with_operations();
  RunFigures run = run_at(0.0, 64, 4);
  run.seconds = 1.0;
  run.gflop_per_s = 64;  // a tenth
  EXPECT_EQ(analyse(run, &peaks).bound, Bound::code);
  run.operations_per_s = {{operation::division, 18e9}, {operation::wide_multiplication, 1e9}};
  const auto r = analyse(run, &peaks);
  EXPECT_EQ(to_string(r.bound), "divisions");
  EXPECT_EQ(r.operation, operation::division);
  EXPECT_NEAR(*r.share_of_operation, 0.9, 1e-9);
  EXPECT_NEAR(*r.share_of_nearest(), 0.9, 1e-9);
  EXPECT_TRUE(has(r.why, "18 billion divisions a second are 90 % of the 20 billion in f32; 64 GFLOP/s")) << r.why;

  run.operations_per_s = {{operation::wide_multiplication, 7e9}};
  EXPECT_EQ(to_string(analyse(run, &peaks).bound), "wide-multiplications") << "whatever the run's precision";
  run.gflop_per_s = 500;  // 78 % of arithmetic are nearer
  EXPECT_EQ(analyse(run, &peaks).bound, Bound::compute);
  run.gflop_per_s = 64;
  run.operations_per_s = {{operation::root, 1e12}};  // a roof that was not measured
  EXPECT_EQ(analyse(run, &peaks).bound, Bound::code);
  EXPECT_FALSE(analyse(run, &peaks).share_of_operation);
}

TEST(RooflineTest, RunsOnTensorCoresAreHeldAgainstThese) {
  Peaks peaks = machine();
  RunFigures run = run_at(0.0, 64, 4);
  run.seconds = 1.0;
  run.gflop_per_s = 2700;  // four times what multiply-adds reach
  EXPECT_TRUE(analyse(run, &peaks).is_doubtful);
  run.tensor_cores = "tf32";
  EXPECT_EQ(analyse(run, &peaks).why.find("the peaks have no FLOP rate in tf32 on tensor cores for "), 0u);
  for (const char* format : {"tf32", "f16"})
    peaks.processor.computes.push_back({format, true, 4, 0, all_of(3000), {}, {}, 0.0, operation::tensor});
  const auto r = analyse(run, &peaks);
  EXPECT_EQ(r.bound, Bound::compute);
  EXPECT_NEAR(*r.share_of_peak, 0.9, 1e-9);
  EXPECT_TRUE(has(r.why, "2700 GFLOP/s are 90 % of the 3000 GFLOP/s of arithmetic in tf32 on tensor cores")) << r.why;
  EXPECT_FALSE(r.share_of_operation) << "their FLOPs are no operations besides";
  run.gflop_per_s = 4000;
  EXPECT_FALSE(analyse(run, &peaks).is_doubtful);
  EXPECT_TRUE(has(analyse(run, &peaks).why, "by instructions other than the mma.sync of that peak"));
  run.gflop_per_s = 40000;
  EXPECT_TRUE(has(analyse(run, &peaks).impossible, "that are the most in tf32 on tensor cores"));
}

TEST(RooflineTest, OfAnOperationSaysNothingThatItsRoofDoesNotCarry) {
  Peaks peaks = machine_with_operations();
  RunFigures run = run_at(0.0, 64, 4);
  run.seconds = 1.0;
  run.operations_per_s = {{operation::division, 10.1e9}};  // half of the roof, but not of the best repetition
  EXPECT_EQ(analyse(run, &peaks).bound, Bound::divisions);
  for (ComputePeak& peak : peaks.processor.computes)
    if (peak.operation == operation::division) peak.gflop_per_s.maximum = 22.0;
  const auto r = analyse(run, &peaks);
  EXPECT_EQ(r.bound, Bound::unknown);
  EXPECT_TRUE(r.why.starts_with("divisions or code: ")) << r.why;
  run.operations_per_s[operation::division] = 23e9;
  EXPECT_TRUE(analyse(run, &peaks).is_doubtful);
  run.operations_per_s[operation::division] = 300e9;
  EXPECT_TRUE(has(analyse(run, &peaks).impossible, "300 billion divisions a second are"));
}

TEST(RooflineTest, ExplainsWhatIsAboveTheMemoryRoof) {
  Peaks peaks = machine();
  const auto why = [&](const RunFigures& run, bool is_doubtful) {
    const auto r = analyse(run, &peaks);
    EXPECT_EQ(r.bound, Bound::above_memory_roof);
    EXPECT_EQ(r.is_doubtful, is_doubtful) << r.why;
    return r.why;
  };
  RunFigures run = run_at(55, 1024, 4);
  EXPECT_TRUE(has(why(run, true), "nothing explains it"));
  peaks.processor.bandwidths.push_back({"DRAM", "read", 4, all_of(60)});
  EXPECT_TRUE(has(why(run, false), "a copy also reads the lines that it writes; other patterns reach 60 GB/s"));
  run.steps_per_launch = 16;
  EXPECT_TRUE(has(why(run, false), "16 steps in one sweep use data again"));
  EXPECT_TRUE(has(why(run_at(55, 900, 4), false), "a part of the data stays in a faster level"));  // 56 of 32 MiB
}

TEST(RooflineTest, SaysNothingThatTheRoofDoesNotCarry) {
  Peaks peaks = machine();
  const auto run = run_at(30, 1024, 4);
  for (auto& peak : peaks.processor.bandwidths)
    if (peak.level == "DRAM") peak = {"DRAM", "copy", peak.cores, {26, 9, 70}, 0, 0, 45};
  EXPECT_EQ(analyse(run, &peaks).bound, Bound::unknown);
  EXPECT_TRUE(has(analyse(run, &peaks).why, "memory or code: ")) << analyse(run, &peaks).why;
  EXPECT_NEAR(*analyse(run, &peaks).share_of_roof, 30.0 / 45.0, 1e-9);
  for (auto& peak : peaks.processor.bandwidths)
    if (peak.level == "DRAM") peak.gb_per_s.maximum = 46;
  EXPECT_EQ(analyse(run, &peaks).bound, Bound::memory);
  RunFigures dense = run;
  dense.gflop_per_s = 800;  // of 640
  EXPECT_EQ(analyse(dense, &peaks).bound, Bound::unknown);
  EXPECT_TRUE(analyse(dense, &peaks).is_doubtful);
}

TEST(RooflineTest, PeaksOfAMomentAreScaledTogether) {
  Peaks peaks = machine();
  peaks.processor.bandwidths.push_back({"DRAM", "read", 4, all_of(60)});
  const Peaks slow = at_moment(peaks, {{"DRAM on 4 cores", 20.0}, {"f32 on 4 cores", 320.0}});
  EXPECT_EQ(find_bandwidth(slow.processor.bandwidths, "DRAM", "copy", 4)->limit().maximum, 20.0);
  EXPECT_EQ(find_bandwidth(slow.processor.bandwidths, "L2", "copy", 4)->limit().median, 400.0);
  const Peaks interrupted = at_moment(peaks, {{"DRAM on 4 cores", 0.1}});
  EXPECT_EQ(find_bandwidth(interrupted.processor.bandwidths, "DRAM", "copy", 4)->limit().median, 40.0);
  EXPECT_EQ(find_fastest(slow.processor.computes, "f32", 4)->limit().median, 320.0);
  const Peaks half = at_moment(machine_with_operations(), {{"f32 on 4 cores", 320.0}});
  EXPECT_NEAR(find_fastest(half.processor.computes, "u32", 4, operation::wide_multiplication)->limit().median, 5.0,
              1e-9)
      << "as FLOPs do";
  EXPECT_EQ(changes_of_speed({{{"DRAM on 4 cores", 20.0}}, {{"DRAM on 4 cores", 21.0}}}), "");
  EXPECT_EQ(
      changes_of_speed({{{"DRAM on 4 cores", 20.0}, {"f32 on 4 cores", 300.0}},
                        {{"DRAM on 4 cores", 41.0}, {"f32 on 4 cores", 640.0}}}),
      "the machine changed its speed under the plan: DRAM on 4 cores 20.0 to 41.0 GB/s, f32 on 4 cores 300 to 640 "
      "GFLOP/s; each run is held against the roof of its own round");
}

TEST(RooflineTest, SaysWhatIsMissing) {
  EXPECT_EQ(analyse(run_at(30, 64, 4), nullptr).bound, Bound::unknown);
  EXPECT_EQ(analyse(run_at(30, 64, 4), nullptr).why, "no peaks were measured");
  Peaks peaks = machine();
  peaks.devices.clear();
  EXPECT_EQ(analyse(on_gpu(run_at(30, 64, 0)), &peaks).why, "no peaks were measured for a GPU");
  RunFigures on_host = on_gpu(run_at(30, 64, 0));
  on_host.memory = "host";
  const Peaks all = machine();
  EXPECT_EQ(analyse(on_host, &all).why, "its arrays are on the host (--memory host), for which there is no roof");
  peaks.processor.bandwidths.clear();
  const auto r = analyse(run_at(30, 64, 4), &peaks);
  EXPECT_EQ(r.bound, Bound::unknown);
  EXPECT_EQ(r.why, "the peaks have no bandwidth of L2 for four cores");
  EXPECT_FALSE(r.share_of_roof);
}

TEST(RooflineTest, ADeviceWithoutANameIsTheOnlyOneOfItsType) {
  Peaks peaks = machine();
  RunFigures run = on_gpu(run_at(3000, 8192, 0));
  run.device = "nvptx64 offload device 0";
  EXPECT_EQ(analyse(run, &peaks).roof_gb_per_s->median, 4000.0);
  peaks.devices.push_back(peaks.devices.front());
  EXPECT_EQ(analyse(run, &peaks).bound, Bound::unknown);
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

TEST(Roofline, MessagesThatTakeHalfOfTheTimeAreTheBound) {
  const Peaks peaks = machine();
  RunFigures run = run_at(5.0, 2000, 4);
  run.one_worker_seconds = run.seconds;  // or it would be called waiting
  EXPECT_EQ(analyse(run, &peaks).bound, Bound::synchronisation);
  run.network_seconds = 0.6 * run.seconds;
  const auto found = analyse(run, &peaks);
  EXPECT_EQ(found.bound, Bound::network);
  EXPECT_NE(found.why.find("messages between ranks take"), std::string::npos) << found.why;
  run.network_seconds = 0.4 * run.seconds;
  EXPECT_EQ(analyse(run, &peaks).bound, Bound::synchronisation);
}

}  // namespace
}  // namespace boltzmark
