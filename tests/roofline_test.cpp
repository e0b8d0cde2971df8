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

/// A run of a square grid on the processor whose effective bandwidth is given.
RunFigures run_at(double gb_per_s, int side, int workers) {
  RunFigures run;
  run.model = "openmp";
  run.variant = "fused";
  run.precision = "f32";
  run.device = "four cores";
  run.device_type = "cpu";
  run.workers = workers;
  run.cells = std::int64_t{side} * side;
  run.steps = 100;
  run.grid_bytes = 72.0 * static_cast<double>(run.cells);
  run.bytes_per_update = 72.0;
  run.flops_per_update = 100.0;
  run.seconds = 72e-9 * static_cast<double>(run.cells) * run.steps / gb_per_s;
  return run;
}

RunFigures on_gpu(RunFigures run) {
  run.device = "a GPU";
  run.device_type = "gpu";
  run.workers = 0;
  return run;
}

TEST(RooflineTest, GivesBandwidthIntensityAndRates) {
  const Peaks peaks = machine();
  const auto r = analyse(run_at(30.0, 1024, 4), {.peaks = &peaks, .triad_gb_per_s = 60.0});
  EXPECT_NEAR(r.gb_per_s, 30.0, 1e-9);
  EXPECT_NEAR(r.counted.flop_per_byte, 100.0 / 72.0, 1e-12);
  EXPECT_NEAR(r.counted.gflop_per_s, 30.0 * 100.0 / 72.0, 1e-9);
  EXPECT_NEAR(r.conventional.flop_per_byte, 122.0 / 72.0, 1e-12);
  EXPECT_NEAR(r.conventional.gflop_per_s, 30.0 * 122.0 / 72.0, 1e-9);
  EXPECT_EQ(r.level, "DRAM");
  EXPECT_NEAR(*r.fraction_of_level, 0.75, 1e-9);
  EXPECT_NEAR(*r.fraction_of_triad, 0.5, 1e-9);
  EXPECT_NEAR(*r.ridge_flop_per_byte, 640.0 / 40.0, 1e-9);
  EXPECT_NEAR(*r.fraction_of_peak, 30.0 * 100.0 / 72.0 / 640.0, 1e-9);
}

TEST(RooflineTest, FindsTheLevelThatHoldsTheGrid) {
  const Peaks peaks = machine();
  const auto level = [&](int side, int workers) {
    return analyse(run_at(10, side, workers), {.peaks = &peaks}).level;
  };
  EXPECT_EQ(level(16, 1), "L1");     // 18 KiB
  EXPECT_EQ(level(100, 1), "L2");    // 703 KiB
  EXPECT_EQ(level(128, 1), "L3");    // 1.1 MiB: one core reaches one L2
  EXPECT_EQ(level(128, 2), "L2");    // two cores reach two
  EXPECT_EQ(level(682, 4), "L3");    // 31.9 MiB
  EXPECT_EQ(level(683, 4), "DRAM");  // 32.03 MiB
  EXPECT_EQ(analyse(on_gpu(run_at(10, 800, 0)), {.peaks = &peaks}).level, "cache");
  EXPECT_EQ(analyse(on_gpu(run_at(10, 1024, 0)), {.peaks = &peaks}).level, "memory");
}

TEST(RooflineTest, TakesPeaksForAsManyWorkers) {
  const Peaks peaks = machine();
  const auto bandwidth = [&](int side, int workers) {
    return *analyse(run_at(10, side, workers), {.peaks = &peaks}).level_gb_per_s;
  };
  EXPECT_EQ(bandwidth(1024, 1), 20.0);
  EXPECT_EQ(bandwidth(1024, 3), 40.0);  // three times one core would be more than all have
  EXPECT_EQ(bandwidth(400, 2), 100.0);
  EXPECT_EQ(bandwidth(1024, 9), 40.0);  // more workers than cores
  EXPECT_EQ(*analyse(run_at(10, 64, 2), {.peaks = &peaks}).peak_gflop_per_s, 320.0);
}

TEST(RooflineTest, SaysWhatLimitsARun) {
  const Peaks peaks = machine();
  const auto bound = [&](RunFigures run, std::optional<double> one_worker = {}) {
    const auto r = analyse(run, {.peaks = &peaks, .one_worker_seconds = one_worker});
    EXPECT_FALSE(r.why.empty());
    return r.bound;
  };
  EXPECT_EQ(bound(run_at(30, 1024, 4)), Bound::memory);
  EXPECT_EQ(bound(run_at(70, 512, 4)), Bound::cache);
  EXPECT_EQ(bound(run_at(100, 1024, 4)), Bound::above_memory_roof);
  EXPECT_EQ(bound(run_at(3, 1024, 4)), Bound::code);
  EXPECT_EQ(bound(on_gpu(run_at(3000, 8192, 0))), Bound::memory);

  RunFigures dense = run_at(30, 1024, 4);
  dense.flops_per_update = 1000;  // 417 of 640 GFLOP/s; 0.75 of the bandwidth, too, and that is more
  EXPECT_EQ(bound(dense), Bound::memory);
  dense.flops_per_update = 1400;  // 583 GFLOP/s
  EXPECT_EQ(bound(dense), Bound::compute);
  RunFigures blocked = run_at(100, 1024, 4);
  blocked.flops_per_update = 450;  // far above the memory roof, but at 625 of 640 GFLOP/s
  EXPECT_EQ(bound(blocked), Bound::above_memory_roof);  // the memory roof is passed by more

  const RunFigures small = on_gpu(run_at(150, 128, 0));  // 7.9 us a step, 5 of them for the launch
  EXPECT_EQ(bound(small), Bound::launch);
  RunFigures launched_once = small;
  launched_once.steps_a_launch = small.steps;
  EXPECT_NE(bound(launched_once), Bound::launch);
  EXPECT_TRUE(has(analyse(small, {.peaks = &peaks}).why, "of which starting a kernel takes 5 us"));

  const RunFigures waiting = run_at(20, 64, 4);
  EXPECT_EQ(bound(waiting, waiting.seconds), Bound::synchronisation);  // no faster than one worker
  EXPECT_EQ(bound(waiting, 3.5 * waiting.seconds), Bound::code);  // well divided, and slow for another reason
  EXPECT_EQ(bound(waiting), Bound::code);
}

TEST(RooflineTest, SaysWhatIsMissing) {
  EXPECT_EQ(analyse(run_at(30, 64, 4), {}).bound, Bound::unknown);
  EXPECT_EQ(analyse(run_at(30, 64, 4), {}).why, "no peaks were measured");
  Peaks peaks = machine();
  peaks.devices.clear();
  EXPECT_EQ(analyse(on_gpu(run_at(30, 64, 0)), {.peaks = &peaks}).why, "no peaks were measured for a GPU");
  peaks.processor.bandwidths.clear();
  const auto r = analyse(run_at(30, 64, 4), {.peaks = &peaks});
  EXPECT_EQ(r.bound, Bound::unknown);
  EXPECT_EQ(r.why, "the peaks have no bandwidth of L2 for four cores");
  EXPECT_FALSE(r.fraction_of_level);
}

TEST(RooflineTest, ADeviceWithoutANameIsTheOnlyOneOfItsType) {
  Peaks peaks = machine();
  RunFigures run = on_gpu(run_at(3000, 8192, 0));
  run.device = "nvptx64 offload device 0";
  EXPECT_EQ(*analyse(run, {.peaks = &peaks}).level_gb_per_s, 4000.0);
  peaks.devices.push_back(peaks.devices.front());
  EXPECT_EQ(analyse(run, {.peaks = &peaks}).bound, Bound::unknown);
}

TEST(RooflineTest, DrawsRoofsFromTheFastestToTheSlowest) {
  const Peaks peaks = machine();
  const RooflineChart cpu = processor_chart(peaks, "f32");
  ASSERT_EQ(cpu.roofs.size(), 4u);
  EXPECT_EQ(cpu.roofs.front().label, "L1");
  EXPECT_EQ(cpu.roofs.back().gb_per_s.median, 40.0);
  ASSERT_EQ(cpu.ceilings.size(), 2u);
  EXPECT_EQ(cpu.ceilings[0].gflop_per_s, 640.0);  // the widest vectors
  EXPECT_EQ(cpu.ceilings[1].gflop_per_s, 320.0);
  EXPECT_EQ(*cpu.ridge_flop_per_byte, 16.0);
  EXPECT_FALSE(processor_chart(peaks, "f64").ridge_flop_per_byte);
  EXPECT_EQ(device_chart(peaks.devices[0], "f32").roofs.size(), 2u);
}

TEST(RooflineTest, ReadsARecordAndSaysWhatItLacks) {
  nlohmann::json record = {{"model", "mpi"},
                           {"variant", "fused"},
                           {"precision", "f32"},
                           {"device", "cpu x"},
                           {"device_type", "cpu"},
                           {"threads", 2},
                           {"ranks", 3},
                           {"problem", {{"nx", 10}, {"ny", 20}}},
                           {"steps", 7},
                           {"grid_bytes", 14400},
                           {"bytes_per_update", 72},
                           {"flops_per_update", 98},
                           {"flops_per_update_conventional", 122}};
  const RunFigures run = figures_of(record, 0.5, "runs.jsonl:3");
  EXPECT_EQ(run.workers, 6);
  EXPECT_EQ(run.cells, 200);
  EXPECT_EQ(run.seconds, 0.5);
  record.erase("grid_bytes");
  EXPECT_EQ(error_of([&] { figures_of(record, 0.5, "runs.jsonl:3"); }),
            "runs.jsonl:3: record.grid_bytes: expected a number, found nothing");
}

// Collision: density 8 + 1, velocity 6 + 6, its square 3, the nine projections 7, and for each of nine
// directions 9 for the equilibrium and 3 for the relaxation; average velocity: density 9, velocity 6 + 6, its
// length 3 + 1.
TEST(CountedFlops, OfTheTextbookUpdateAreThoseCountedByHand) {
  const TemporaryFolder folder;
  const std::string json = folder / "record.jsonl";
  const auto words = std::vector<std::string>{"--variant", "textbook", "--no-output", "--json", json} +
                     write_problem(folder, grid("one_step"));
  ASSERT_EQ(run_model("serial", words).status, 0);
  const double by_hand = 8 + 1 + 6 + 6 + 3 + 7 + 9 * (9 + 3) + 9 + 6 + 6 + 3 + 1;
  EXPECT_EQ(nlohmann::json::parse(read_text(json))["flops_per_update"], by_hand);
}

}  // namespace
}  // namespace boltzmark
