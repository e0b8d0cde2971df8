// The working-set sweep and the rule that picks a level's bandwidth from it, on made-up sweeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/peaks/figures.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

constexpr std::int64_t kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;

/// Two cores with caches of their own and a shared one.
const std::vector<CacheLevel> two_cores = {{"L1", 32 * kib, 2, 1}, {"L2", 1 * mib, 2, 1}, {"L3", 32 * mib, 1, 2}};

/// Bandwidth of a core by working set: 200, 100, 80, 10 with steps where the caches end.
double rate_of(std::int64_t bytes, int cores, const std::vector<CacheLevel>& caches) {
  const std::vector<double> rates = {200.0, 100.0, 80.0, 10.0};
  std::size_t level = 0;
  while (level < caches.size() && bytes > caches[level].bytes * std::min(cores, caches[level].instances)) ++level;
  return rates[level] * cores;
}

/// A sweep over these caches, each repetition changed by `noise` at most.
std::vector<MeasuredPoint> sweep_of(const std::vector<CacheLevel>& caches, int cores, double noise) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> change(-noise, noise);
  std::vector<MeasuredPoint> sweep;
  for (const std::int64_t bytes : sweep_sizes(caches, cores, 64 * gib)) {
    MeasuredPoint point{"triad", cores, bytes, {}};
    for (int i = 0; i < 5; ++i) point.gb_per_s.push_back(rate_of(bytes, cores, caches) * (1.0 + change(random)));
    sweep.push_back(point);
  }
  std::shuffle(sweep.begin(), sweep.end(), random);
  return sweep;
}

std::string levels_of(const std::vector<BandwidthPeak>& peaks) {
  std::string levels;
  for (const auto& peak : peaks) levels += peak.level + ' ';
  return levels;
}

TEST(LevelRanges, AreClearOfTheLevelsBelow) {
  const auto one = level_ranges(two_cores, 1), two = level_ranges(two_cores, 2);
  ASSERT_EQ(one.size(), 4u);
  EXPECT_EQ(one[0].from_bytes, 8 * kib);
  EXPECT_EQ(one[0].to_bytes, 24 * kib);
  EXPECT_EQ(one[1].from_bytes, 64 * kib);
  EXPECT_EQ(one[1].to_bytes, 512 * kib);
  EXPECT_EQ(one[2].from_bytes, 2 * mib);
  EXPECT_EQ(one[2].to_bytes, 16 * mib);
  EXPECT_EQ(one[3].level, "DRAM");
  EXPECT_EQ(one[3].from_bytes, 128 * mib);
  EXPECT_EQ(two[0].to_bytes, 48 * kib);
  EXPECT_EQ(two[2].from_bytes, 4 * mib);
  EXPECT_EQ(two[2].to_bytes, 16 * mib) << "a shared cache does not grow with the cores";
}

TEST(LevelRanges, MemoryLiesBeyondCachesThatMayBeHidden) {
  EXPECT_EQ(level_ranges({}, 4).back().from_bytes, 128 * mib);
  EXPECT_EQ(level_ranges({{"L1", 32 * kib, 4, 1}}, 4).back().from_bytes, 128 * mib);
  EXPECT_EQ(level_ranges({{"L3", 100 * mib, 1, 4}}, 4).back().from_bytes, 400 * mib);
  EXPECT_EQ(level_ranges({{"L3", 480 * mib, 1, 2}}, 2).back().from_bytes, 512 * mib) << "of a hundred cores";
}

TEST(SweepSizes, GiveEveryRangeTwoPoints) {
  const std::vector<std::vector<CacheLevel>> machines = {
      two_cores,
      {},
      {{"L1", 48 * kib, 2, 1}, {"L2", 2 * mib, 2, 1}},
      {{"L1", 32 * kib, 64, 1}, {"L2", 512 * kib, 64, 1}, {"L3", 32 * mib, 8, 8}},
      {{"L1", 64 * kib, 2, 1}, {"L2", 300 * kib, 2, 1}, {"L3", 1300 * kib, 1, 2}},  // narrow ranges
      {{"L1", 0, 1, 1}, {"L2", 16, 1, 1}}};
  for (const auto& caches : machines)
    for (const int cores : {1, 2, 64}) {
      const auto sizes = sweep_sizes(caches, cores, 1024 * gib);
      EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
      for (const auto& range : level_ranges(caches, cores)) {
        if (range.from_bytes >= range.to_bytes || range.to_bytes < 4 * kib) continue;
        EXPECT_GE(std::count_if(sizes.begin(), sizes.end(), [&](auto size) { return range.contains(size); }), 2)
            << range.level << " on " << cores;
      }
    }
}

TEST(SweepSizes, ReachFarBeyondTheLastCacheButNotBeyondTheMemory) {
  EXPECT_GE(sweep_sizes(two_cores, 2, 64 * gib).back(), 6 * 32 * mib);
  EXPECT_LE(sweep_sizes(two_cores, 2, 400 * mib).back(), 100 * mib);
  EXPECT_FALSE(sweep_sizes(two_cores, 2, 0).empty());
}

TEST(Plateaus, OfACleanSweep) {
  for (const int cores : {1, 2}) {
    std::vector<std::string> notes;
    const auto peaks = pick_plateaus(sweep_of(two_cores, cores, 0.0), two_cores, notes);
    EXPECT_EQ(levels_of(peaks), "L1 L2 L3 DRAM ");
    EXPECT_TRUE(notes.empty()) << notes.front();
    for (const auto& [level, rate] : {std::pair("L1", 200.0), {"L2", 100.0}, {"L3", 80.0}, {"DRAM", 10.0}}) {
      const auto* const peak = find_bandwidth(peaks, level, "triad", cores);
      ASSERT_TRUE(peak) << level;
      EXPECT_EQ(peak->gb_per_s.median, rate * cores);
      EXPECT_EQ(peak->gb_per_s.minimum, peak->gb_per_s.maximum);
      EXPECT_LT(peak->from_bytes, peak->to_bytes);
    }
  }
}

TEST(Plateaus, OfANoisySweep) {
  std::vector<std::string> notes;
  auto sweep = sweep_of(two_cores, 2, 0.1);
  // One repetition that was interrupted, and one point that was disturbed altogether.
  for (auto& point : sweep) {
    if (point.working_set_bytes == 256 * kib) point.gb_per_s[3] = 1.0;
    if (point.working_set_bytes == 512 * kib) point.gb_per_s = {2.0, 2.0, 2.0, 2.0, 2.0};
  }
  const auto peaks = pick_plateaus(sweep, two_cores, notes);
  const auto* const peak = find_bandwidth(peaks, "L2", "triad", 2);
  ASSERT_TRUE(peak);
  EXPECT_NEAR(peak->gb_per_s.median, 200.0, 10.0);
  EXPECT_EQ(peak->gb_per_s.minimum, 1.0);
  EXPECT_GT(peak->gb_per_s.maximum, 200.0);
}

TEST(Plateaus, AnEvenNumberOfPointsHasTheMiddleOfTheTwo) {
  std::vector<std::string> notes;
  const std::vector<MeasuredPoint> sweep = {{"read", 1, 128 * kib, {90, 100, 110}},
                                            {"read", 1, 256 * kib, {110, 120, 130}}};
  const auto peaks = pick_plateaus(sweep, two_cores, notes);
  const auto* const peak = find_bandwidth(peaks, "L2", "read", 1);
  ASSERT_TRUE(peak);
  EXPECT_EQ(peak->gb_per_s.median, 110.0);
  EXPECT_EQ(peak->gb_per_s.minimum, 90.0);
  EXPECT_EQ(peak->gb_per_s.maximum, 130.0);
  EXPECT_EQ(peak->from_bytes, 128 * kib);
  EXPECT_EQ(peak->to_bytes, 256 * kib);
}

TEST(Plateaus, LevelsWithTooFewPointsAreLeftOutAndSaid) {
  std::vector<std::string> notes;
  const std::vector<MeasuredPoint> sweep = {
      {"copy", 1, 16 * kib, {5.0}}, {"copy", 1, 128 * kib, {4.0}}, {"copy", 1, 256 * kib, {4.0}}};
  EXPECT_EQ(levels_of(pick_plateaus(sweep, two_cores, notes)), "L2 ");
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0],
            "L1, 1 core, copy: left out: expected at least 2 working sets from 8.00 KiB to 24.0 KiB, found 1");
  EXPECT_EQ(notes[2], "DRAM, 1 core, copy: left out: expected at least 2 working sets from 128 MiB on, found 0");
}

TEST(Plateaus, ALevelThatIsHardlyLargerThanTheOneBelowIsLeftOutOnce) {
  const std::vector<CacheLevel> caches = {{"L1", 32 * kib, 8, 1}, {"L2", 2 * mib, 8, 1}, {"L3", 24 * mib, 1, 8}};
  std::vector<MeasuredPoint> sweep = sweep_of(caches, 8, 0.0), reads = sweep;
  for (auto& point : reads) point.pattern = "read";
  sweep.insert(sweep.end(), reads.begin(), reads.end());
  std::vector<std::string> notes;
  EXPECT_EQ(levels_of(pick_plateaus(sweep, caches, notes)), "L1 L2 DRAM L1 L2 DRAM ");
  EXPECT_EQ(notes, (std::vector<std::string>{"L3, 8 cores: left out: twice the size of the levels below (32.0 MiB) "
                                             "exceeds half of its size (12.0 MiB)"}));
}

TEST(Plateaus, AMissingLevelLeavesNoGap) {
  const std::vector<CacheLevel> caches = {{"L1", 32 * kib, 1, 1}, {"L3", 32 * mib, 1, 1}};
  std::vector<std::string> notes;
  EXPECT_EQ(levels_of(pick_plateaus(sweep_of(caches, 1, 0.0), caches, notes)), "L1 L3 DRAM ");
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(levels_of(pick_plateaus(sweep_of({}, 1, 0.0), {}, notes)), "DRAM ");
}

/// A device's sweep: `cache_rate` up to `cache_bytes`, then 1000.
std::vector<MeasuredPoint> device_sweep(double cache_rate, std::int64_t cache_bytes) {
  std::vector<MeasuredPoint> sweep;
  for (std::int64_t bytes = 4 * mib; bytes <= 4 * gib; bytes *= 2) {
    const double rate = bytes <= cache_bytes ? cache_rate : 1000.0;
    sweep.push_back({"read", 0, bytes, {rate * 0.9, rate, rate * 1.1}});
  }
  return sweep;
}

TEST(DevicePlateaus, TellCacheFromMemory) {
  std::vector<std::string> notes;
  auto sweep = device_sweep(4000.0, 32 * mib);
  sweep[0].gb_per_s = {100.0};  // too small to keep the device busy
  const auto peaks = pick_device_plateaus(sweep, notes);
  EXPECT_EQ(levels_of(peaks), "memory cache ");
  EXPECT_EQ(peaks[0].gb_per_s.median, 1000.0);
  EXPECT_EQ(peaks[0].from_bytes, 2 * gib);
  EXPECT_EQ(peaks[1].gb_per_s.median, 4000.0);
  EXPECT_EQ(peaks[1].from_bytes, 8 * mib);
  EXPECT_EQ(peaks[1].to_bytes, 32 * mib);
  EXPECT_TRUE(notes.empty());
}

TEST(DevicePlateaus, SayWhenThereIsNothingToTellApart) {
  std::vector<std::string> notes;
  EXPECT_EQ(levels_of(pick_device_plateaus(device_sweep(1400.0, 32 * mib), notes)), "memory ");
  EXPECT_EQ(levels_of(pick_device_plateaus(device_sweep(4000.0, 8 * mib), notes)), "memory ");
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(has(notes[0], "cache, read: left out: no 3 neighbouring working sets")) << notes[0];
  notes.clear();
  EXPECT_TRUE(pick_device_plateaus({{"read", 0, gib, {1.0}}}, notes).empty());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(has(notes[0], "memory, read: left out: expected 2 working sets")) << notes[0];
}

}  // namespace
}  // namespace boltzmark
