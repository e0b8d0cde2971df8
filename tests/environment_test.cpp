// The state of the machine in records, for a made-up machine and GPU, and disturbed repeats in the report.
#include "common/run/environment.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/roofline/figures.hpp"
#include "analysis/run/schedule.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/energy.hpp"
#include "common/run/program.hpp"
#include "tests/entries.hpp"
#include "tests/programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
namespace fs = std::filesystem;

class Machine : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    write_text(folder_ / file, text + '\n');
  }
  void write_stolen(long ticks) const {
    std::string text = "cpu  1 2 3 4 5 6 7 99999 0 0\n";  // of all, also of those that others use
    for (const int processor : usable_processors_by_core())
      text += fmt::format("cpu{} 1 2 3 4 5 6 7 {} 0 0\n", processor, std::exchange(ticks, 0));
    write("proc/stat", text + "intr 7");
  }
  std::string cpu(const std::string& file) const {
    return fmt::format("sys/devices/system/cpu/cpu{}/{}", first_, file);
  }
  /// A repeat of a block of its own.
  RepeatState state_of(
      EnvironmentReader& reader, const std::function<void()>& meanwhile = [] {}) {
    reader.begin();
    meanwhile();
    reader.end(alone_, long_, false);
    return reader.repeats().back();
  }
  EnvironmentReader reader(const RunFacts& facts = {}) const { return EnvironmentReader(facts, folder_.path.string()); }

  TemporaryFolder folder_;
  Team alone_;
  static constexpr double long_ = 0.0101;  ///< seconds that end a block
  int first_ = *std::min_element(processors_.begin(), processors_.end());

 private:
  inline static const std::vector<int> processors_ = usable_processors_by_core();
};

TEST_F(Machine, IsReadFromTheSystemsFiles) {
  write(cpu("cpufreq/scaling_governor"), "performance");
  write(cpu("cpufreq/scaling_driver"), "intel_pstate");
  write("sys/devices/system/cpu/intel_pstate/no_turbo", "1");
  write("sys/devices/system/cpu/smt/control", "on");
  write("proc/sys/kernel/numa_balancing", "0");
  write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
  write("proc/loadavg", "1.25 0.50 0.10 1/100 7");
  write("proc/self/cgroup", "0::/job/step");
  write("sys/fs/cgroup/job/cpu.max", "150000 100000");
  write("sys/fs/cgroup/job/step/cpu.max", "max 100000");
  const auto facts = reader().read().machine;
  EXPECT_EQ(facts.at("boost"), "0");
  EXPECT_EQ(facts.at("smt"), "on");
  EXPECT_EQ(facts.at("numa_balancing"), "0");
  EXPECT_EQ(facts.at("huge_pages"), "madvise");
  EXPECT_EQ(facts.at("load"), "1.25");
  EXPECT_EQ(facts.at("cpu_quota"), "1.5 processors");
  EXPECT_EQ(facts.at("governor"), "performance");
  EXPECT_EQ(facts.at("frequency_driver"), "intel_pstate");
  EXPECT_TRUE(facts.at("affinity").starts_with(std::to_string(first_)));
}

TEST_F(Machine, ThatShowsNothingHasNoFacts) {
  const RunEnvironment environment = reader().read();
  EXPECT_EQ(environment.machine.size(), 2u) << nlohmann::json(environment);  // affinity, and that there is no quota
  EXPECT_TRUE(environment.gpu.empty());
  auto idle = reader();
  const RepeatState state = state_of(idle);
  EXPECT_EQ(state.stolen, std::nullopt);
  EXPECT_EQ(state.disturbed, "");
}

TEST_F(Machine, TellsOfVariablesAndLibraries) {
  setenv("OMP_PLACES", "cores", 1);
  setenv("BOLTZMARK_SECRET", "x", 1);
  const RunEnvironment environment = reader().read();
  EXPECT_EQ(environment.variables.at("OMP_PLACES"), "cores");
  EXPECT_FALSE(environment.variables.contains("BOLTZMARK_SECRET"));
  EXPECT_TRUE(environment.libraries.contains("libc"));
  EXPECT_EQ(environment.all().at("OMP_PLACES"), "cores");
  unsetenv("OMP_PLACES");
}

TEST_F(Machine, MarksRepeatsThatLostTimeToSteal) {
  const auto state_with = [&](long ticks) {
    write_stolen(7);
    auto reads = reader();
    return state_of(reads, [&] { write_stolen(7 + ticks); });
  };
  EXPECT_EQ(state_with(0).stolen, 0.0);
  EXPECT_EQ(state_with(0).disturbed, "");
  EXPECT_GT(state_with(1).stolen, 0.0);
  EXPECT_EQ(state_with(1).disturbed, "") << "a tick is what the counter cannot tell from none";
  EXPECT_EQ(state_with(100'000).stolen, 1.0);
  EXPECT_EQ(state_with(100'000).disturbed, "100 % of its time stolen");
}

TEST_F(Machine, MarksRepeatsWhoseThreadsWaitedForProcessors) {
  const auto state_with = [&](int threads, const std::string& before, const std::string& after) {
    write("proc/self/task/7/schedstat", "5000000 " + before + " 3");
    write("proc/self/task/8/schedstat", "5000000 100 3");
    RunFacts facts;
    facts.threads = threads;
    auto reads = reader(facts);
    return state_of(reads, [&] { write("proc/self/task/7/schedstat", "9000000 " + after + " 4"); });
  };
  EXPECT_EQ(state_with(1, "700", "700").waited, 0.0);
  EXPECT_EQ(state_with(1, "700", "700").disturbed, "");
  EXPECT_EQ(state_with(1, "700", "90000000000").waited, 1.0) << "90 s in a moment";
  EXPECT_EQ(state_with(1, "700", "90000000000").disturbed, "for 100 % of its time others had its processors");
  EXPECT_GT(*state_with(1, "700", "900700").waited, 0.02) << "0.9 ms in a moment";
  EXPECT_EQ(state_with(1, "700", "900700").disturbed, "") << "a thread of its own was woken";
  EXPECT_EQ(state_with(1, "700", "0").disturbed, "") << "the thread of that number is another one";
  const int too_many = 1 + static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  EXPECT_EQ(state_with(too_many, "700", "90000000000").waited, std::nullopt) << "they wait for each other";
}

TEST_F(Machine, MarksRepeatsInWhichItsProcessorWasThrottled) {
  write(cpu("thermal_throttle/package_throttle_count"), "3");
  auto reads = reader();
  EXPECT_EQ(state_of(reads).disturbed, "");
  const auto throttle = [&] { write(cpu("thermal_throttle/package_throttle_count"), "4"); };
  EXPECT_EQ(state_of(reads, throttle).disturbed, "throttled: heat, processor");
}

TEST_F(Machine, IsReadAroundBlocksOfShortRepeats) {
  write_stolen(7);
  write("proc/self/task/7/schedstat", "5000000 700 3");
  RunFacts facts;
  facts.threads = 1;
  auto reads = reader(facts);
  const auto repeat = [&](double seconds, const std::string& waited = "700") {
    reads.begin();
    write("proc/self/task/7/schedstat", "9000000 " + waited + " 4");
    reads.end(alone_, seconds, false);
  };
  repeat(0.3 * long_);
  repeat(0.3 * long_, "90000000000");
  EXPECT_EQ(reads.repeats().at(0).stolen, std::nullopt) << "its block has not ended";
  write_stolen(100'000);  // during the second or the third
  repeat(0.4 * long_, "90000000000");
  repeat(0.3 * long_);
  reads.begin();
  reads.end(alone_, 0.3 * long_, true);
  const auto words = each(reads.repeats(), &RepeatState::disturbed);
  EXPECT_EQ(words, (std::vector<std::string>{"100 % of its time stolen", "100 % of its time stolen",
                                             "100 % of its time stolen", "", ""}));
  EXPECT_EQ(each(reads.repeats(), [](const RepeatState& one) { return one.waited.value_or(-1.0); }),
            (std::vector{0.0, 1.0, 0.0, 0.0, 0.0}))
      << "waits are each repeat's own";
}

/// Once opened by its path, it is found by NVML's name.
class FakeGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(library_) << dlerror();
    facts_.device_type = "gpu";
    facts_.pci_address = "0000:17:00.0";
    set<int>("fake_fails", 0);
    set<unsigned long long>("fake_throttles", 0);
  }
  template <class T>
  void set(const char* name, T value) {
    *static_cast<T*>(dlsym(library_, name)) = value;
  }
  void* library_ = dlopen(BOLTZMARK_FAKE_NVML, RTLD_NOW);
  RunFacts facts_;
  Team alone_;
};

TEST_F(FakeGpu, IsReadThroughNvml) {
  EnvironmentReader reader(facts_);
  EXPECT_EQ(reader.read().gpu, (RunEnvironment::Facts{{"driver", "570.1"}, {"ecc", "on"}, {"power_cap", "700 W"}}));
  set<unsigned>("fake_clock_mhz", 1980);
  set<unsigned long long>("fake_throttles", 0x3);  // idle, and its clocks were set
  reader.begin();
  set<unsigned>("fake_clock_mhz", 1200);
  const auto state_at_end = [&] {
    reader.end(alone_, 1.0, false);
    return reader.repeats().back();
  };
  RepeatState state = state_at_end();
  EXPECT_EQ(state.gpu_mhz,
            (std::map<std::string, double>{
                {"memory_after", 3201}, {"memory_before", 3201}, {"sm_after", 1200}, {"sm_before", 1980}}));
  EXPECT_TRUE(state.throttled.empty());
  set<unsigned long long>("fake_throttles", 0x24);
  reader.begin();
  state = state_at_end();
  EXPECT_EQ(state.throttled, (std::vector<std::string>{"power cap", "heat"}));
  EXPECT_EQ(state.disturbed, "throttled: power cap, heat");
  set<int>("fake_fails", 3);
  EXPECT_TRUE(reader.read().gpu.empty());
  reader.begin();
  EXPECT_TRUE(state_at_end().gpu_mhz.empty());
}

TEST_F(FakeGpu, CountsEnergy) {
  const EnergyCounter counter = energy_of(facts_);
  EXPECT_EQ(counter.name, "NVML");
  set<unsigned long long>("fake_millijoules", 2500);
  EXPECT_EQ(counter.joules(), 2.5);
  set<int>("fake_fails", 3);
  EXPECT_EQ(energy_of(facts_).why_not, "NVML counts no energy of this GPU");
}

/// A round with these seconds, some of them of disturbed repeats.
RunEntry round_of(int number, const std::vector<std::pair<double, bool>>& repeats) {
  std::vector<double> seconds;
  for (const auto& [one, disturbed] : repeats) seconds.push_back(one);
  RunEntry made = entry("openmp", "fused", number, seconds);
  auto& states = made.record->environment.repeats;
  for (const auto& [one, disturbed] : repeats)
    states.emplace_back().disturbed = disturbed ? "9 % of its time stolen" : "";
  return made;
}

Row row_of(const std::vector<RunEntry>& entries) {
  Results results;
  results.entries = entries;
  return make_rows(results).at(0);
}

TEST(DisturbedRepeats, AreLeftOutWhereThreeOthersAreLeft) {
  const Row row = row_of({round_of(1, {{1.0, false}, {9.0, true}}), round_of(2, {{8.0, true}}),
                          round_of(3, {{2.0, false}, {3.0, false}})});
  EXPECT_EQ(row.seconds, (std::vector{1.0, 2.0, 3.0}));
  EXPECT_EQ(row.round_seconds, (std::vector{1.0, 2.5}));
  EXPECT_EQ(row.repeats_left_out, 2);
  EXPECT_EQ(row.rounds, 3);
  EXPECT_TRUE(row.is_right());
  EXPECT_TRUE(contains(row.notes, "without disturbed repeats"));
  for (const auto& column : figure_columns()) {
    if (column.name != "repeats_left_out") continue;
    EXPECT_EQ(column.value(row), "2");
  }
}

TEST(DisturbedRepeats, AreKeptWhereFewOthersAre) {
  const Row row = row_of({round_of(1, {{1.0, false}, {9.0, true}}), round_of(2, {{2.0, false}, {8.0, true}})});
  EXPECT_EQ(row.seconds, (std::vector{1.0, 9.0, 2.0, 8.0}));
  EXPECT_EQ(row.repeats_left_out, 0);
  EXPECT_EQ(row.repeats_disturbed, 2);
  EXPECT_EQ(row.noise(), "2 of 4 repeats disturbed");
  const Row mostly_quiet = row_of({round_of(1, {{1.0, false}, {9.0, true}, {2.0, false}})});
  EXPECT_EQ(mostly_quiet.repeats_disturbed, 1);
  EXPECT_EQ(mostly_quiet.noise(), "spread 400 %");
  const Row left_out =
      row_of({round_of(1, {{1.0, false}, {1.0, false}, {1.0, false}, {9.0, true}, {9.0, true}, {9.0, true}})});
  EXPECT_EQ(left_out.noise(), "3 of 6 repeats disturbed");
}

TEST(DisturbedRepeats, DoNotNarrowAnInterval) {
  const RunEntry quiet[] = {round_of(1, {{1.0, false}}), round_of(2, {{1.1, false}})};
  const RunEntry disturbed = round_of(3, {{1.05, true}});
  const double width = width_of({&quiet[0], &quiet[1]});
  EXPECT_GT(width, 0.0);
  EXPECT_EQ(width_of({&quiet[0], &quiet[1], &disturbed}), width);
  EXPECT_TRUE(std::isinf(width_of({&disturbed, &disturbed})));
}

TEST(DisturbedRepeats, TakeTheirPartsAndJoulesWithThem) {
  RunEntry parts = entry_of_parts("openmp", 1, {1.0, 2.0, 3.0, 9.0});
  parts.record->environment.repeats.resize(4);
  parts.record->environment.repeats.back().disturbed = "throttled: heat";
  EXPECT_EQ(row_of({parts}).seconds, (std::vector{1.0, 2.0, 3.0}));
  RunEntry whole = round_of(1, {{9.0, true}, {1.0, false}, {2.0, false}, {3.0, false}});
  whole.record->energy.joules = {90.0, 10.0, 20.0, 30.0};
  EXPECT_EQ(row_of({whole}).joules, (std::vector{10.0, 20.0, 30.0}));
}

TEST(DisturbedRepeats, OfOlderRecordsAreNotKnown) {
  nlohmann::json older = *entry("openmp", "fused", 1, {1.0, 2.0}).record;
  older.erase("environment");
  EXPECT_TRUE(older.get<Record>().environment.repeats.empty());
}

TEST(ManyRepeats, AreThinnedToTheSameMedianAndTheLast) {
  for (const std::size_t all : {201u, 202u, 999u, 10000u})
    for (const std::size_t rank_of_last :
         {std::size_t{0}, std::size_t{1}, all / 3, (all - 1) / 2, all / 2, all - 2, all - 1}) {
      std::vector<double> seconds;  // by rank squared, so that a median beside the middle would be another
      for (std::size_t i = 0; i + 1 < all; ++i) {
        const std::size_t rank = i * 7919 % (all - 1);
        seconds.push_back(std::pow(1.0 + static_cast<double>(rank + (rank >= rank_of_last)), 2.0));
      }
      seconds.push_back(std::pow(1.0 + static_cast<double>(rank_of_last), 2.0));
      Record whole = *entry("openmp", "fused", 1, seconds).record;
      whole.energy.joules = seconds;
      whole.environment.repeats.resize(all);
      for (std::size_t i = 0; i < all; ++i) whole.environment.repeats[i].stolen = seconds[i];
      const Record kept = nlohmann::json(whole.thinned()).get<Record>();
      EXPECT_EQ(kept.timed_repeats, static_cast<int>(all));
      EXPECT_EQ(kept.repeats.size(), 200 - all % 2);
      EXPECT_EQ(kept.median_timing().compute_seconds, median(seconds)) << all << ' ' << rank_of_last;
      EXPECT_EQ(kept.repeats.back().compute_seconds, seconds.back());
      const std::vector<double> left = each(kept.repeats, &Timing::compute_seconds);
      EXPECT_EQ(std::ranges::min(left), 1.0);
      EXPECT_EQ(std::ranges::max(left), std::ranges::max(seconds));
      EXPECT_EQ(kept.energy.joules, left);
      EXPECT_EQ(each(kept.environment.repeats, [](const RepeatState& one) { return *one.stolen; }), left);
    }
  EXPECT_FALSE(entry("openmp", "fused", 1, std::vector(200, 1.0)).record->thinned().timed_repeats);
}

TEST(Environment, IsInEveryRecord) {
  const TemporaryFolder folder;
  const std::string records = folder / "records";
  const Outcome outcome = run_command({program_of("serial", "stream"), "100000", "--repeat", "3", "--json", records});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const Record record = records_in(records).at(0);
  EXPECT_EQ(record.environment.repeats.size(), 3u);
  EXPECT_TRUE(record.environment.machine.contains("affinity"));
  EXPECT_FALSE(record.counters.has_value());
}

}  // namespace
}  // namespace boltzmark
