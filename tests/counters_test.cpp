// --counters: events of made-up processors and memory controllers, whose counts come through pipes, and the refusals.
#include "common/run/counters.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <map>

#include "analysis/roofline/figures.hpp"
#include "common/run/program.hpp"
#include "tests/entries.hpp"
#include "tests/programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
namespace fs = std::filesystem;

class Counters : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    write_text(folder_ / file, text + '\n');
  }
  void make_processor(const std::string& facts) const {
    write("proc/cpuinfo", facts);
    write(devices + "cpu/type", "4");
  }
  void make_controller(const std::string& name) const {
    write(devices + name + "/type", "12");
    write(devices + name + "/cpumask", "0,8");
    write(devices + name + "/events/cas_count_read", "event=0x04,umask=0x03");
    write(devices + name + "/events/cas_count_read.scale", "6.103515625e-5");  // 64 bytes in MiB
    write(devices + name + "/events/cas_count_write", "event=0x04,umask=0x0c");
    write(devices + name + "/events/cas_count_write.scale", "6.103515625e-5");
  }
  /// Descriptors that first give zeros, then the values of `counts` for the config.
  OpenEvent by_pipes() {
    return [this](const HardwareEvent& event) {
      opened_.push_back(event);
      int ends[2];
      EXPECT_EQ(pipe(ends), 0);
      const std::uint64_t before[3] = {100, 50, 50}, added = counts_[event.config],
                          after[3] = {100 + added, 50 + wanted_, 50 + on_hardware_};
      for (const auto& three : {before, after}) EXPECT_EQ(::write(ends[1], three, sizeof before), 24);
      close(ends[1]);
      return ends[0];
    };
  }
  CounterRecord measured(const OpenEvent& open) {
    HardwareCounters counters(folder_.path.string(), open);
    Team alone;
    counters.begin();
    counters.end(alone);
    return counters.record(facts_);
  }

  inline static const std::string devices = "sys/bus/event_source/devices/";
  TemporaryFolder folder_;
  std::map<std::uint64_t, std::uint64_t> counts_;
  std::uint64_t wanted_ = 1000, on_hardware_ = 1000;
  std::vector<HardwareEvent> opened_;
  RunFacts facts_;
};

constexpr const char* intel = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nflags\t\t: fpu adx avx2\n";

TEST_F(Counters, OfIntelWeighVectorsByTheirWidthAndAddControllers) {
  make_processor(intel);
  make_controller("uncore_imc_0");
  make_controller("uncore_imc_1");
  make_controller("uncore_imc_free_running_0");  // counts the same once more
  counts_ = {{0x03c7, 1}, {0x04c7, 10}, {0x18c7, 100}, {0x60c7, 1000}, {0x80c7, 10000}, {0x0304, 5}, {0x0c04, 2}};
  const CounterRecord found = measured(by_pipes());
  EXPECT_EQ(found.flops, std::vector{1.0 + 20 + 400 + 8000 + 160000});
  ASSERT_EQ(found.bytes.size(), 1u);
  EXPECT_NEAR(found.bytes[0], 2 * 2 * (5 + 2) * 64.0, 1e-6);  // two controllers on two sockets
  EXPECT_EQ(found.why_no_bytes + found.why_no_flops, "");
  ASSERT_EQ(opened_.size(), 13u);
  EXPECT_EQ(opened_.front().type, 4u);
  EXPECT_EQ(opened_.front().processor, -1);
  EXPECT_EQ(opened_.back().type, 12u);
  EXPECT_EQ(opened_.back().processor, 8);
}

TEST_F(Counters, OfAmd) {
  make_processor("vendor_id\t: AuthenticAMD\ncpu family\t: 25\nflags\t\t: fpu\n");
  write(devices + "amd_umc_0/type", "20");
  write(devices + "amd_umc_0/cpumask", "0");
  counts_ = {{0x0f03, 77}, {0x0a, 3}};
  const CounterRecord found = measured(by_pipes());
  EXPECT_EQ(found.flops, std::vector{77.0});
  EXPECT_EQ(found.bytes, std::vector{192.0});
}

TEST_F(Counters, ThatTookTurnsAreScaled) {
  make_processor(intel);
  counts_ = {{0x03c7, 1000}};
  on_hardware_ = 250;
  EXPECT_EQ(measured(by_pipes()).flops, std::vector{4000.0});
  on_hardware_ = 0;
  EXPECT_EQ(measured(by_pipes()).why_no_flops, "other programs use the counters");
}

TEST_F(Counters, SayWhyThereAreNone) {
  const auto failing = [](int why) {
    return [why](const HardwareEvent&) {
      errno = why;
      return -1;
    };
  };
  EXPECT_EQ(measured(by_pipes()).why_no_flops,
            "the system shows no counters of its processor, as in most virtual machines");
  EXPECT_EQ(measured(by_pipes()).why_no_bytes,
            "the system shows no counters of its memory, as in most virtual machines");
  make_processor("vendor_id\t: another\n");
  EXPECT_EQ(measured(by_pipes()).why_no_flops, "no event that counts FLOPs is known of this processor");
  make_processor(intel);
  make_controller("uncore_imc_0");
  write("proc/sys/kernel/perf_event_paranoid", "3");
  const CounterRecord forbidden = measured(failing(EACCES));
  EXPECT_EQ(forbidden.why_no_flops, "perf_event_paranoid is 3, and 2 or less is needed, or CAP_PERFMON");
  EXPECT_EQ(forbidden.why_no_bytes, "perf_event_paranoid is 3, and 0 or less is needed, or CAP_PERFMON");
  EXPECT_TRUE(forbidden.bytes.empty() && forbidden.flops.empty());
  EXPECT_EQ(measured(failing(ENOENT)).why_no_flops, "the kernel has no such event (No such file or directory)");
  facts_.device_type = "gpu";
  EXPECT_EQ(measured(by_pipes()).why_no_flops, "the processor's counters do not count other devices");
}

TEST(CounterFigures, StandBesideTheCountedOnes) {
  Results results;
  results.entries = {entry("openmp", "fused", 1, {1.0, 2.0, 3.0})};
  Record& record = *results.entries[0].record;
  record.counters = {{1e8, 2e8, 9e8}, {}, "", "no such event"};
  const Row row = make_rows(results).at(0);
  std::map<std::string, std::string> figures;
  for (const auto& column : figure_columns()) figures[column.name] = column.value(row);
  EXPECT_EQ(figures.at("measured_bytes_per_update"), "200");  // a million updates
  EXPECT_EQ(figures.at("measured_flops_per_update"), "");
  EXPECT_EQ(figures.at("why_not_measured"), "no such event");
  const nlohmann::json written = record;
  EXPECT_EQ(nlohmann::json(written.get<Record>()), written);
}

/// Whatever this machine has: figures, or one line why not.
TEST(CounterPrograms, SayWhatTheyCountOrWhyNot) {
  const TemporaryFolder folder;
  const std::string records = folder / "records";
  const Outcome outcome = run_command({program_of("serial", "reduce"), "100000", "--counters", "--json", records});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const CounterRecord found = records_in(records).at(0).counters.value();
  EXPECT_NE(found.bytes.empty(), found.why_no_bytes.empty());
  EXPECT_NE(found.flops.empty(), found.why_no_flops.empty());
  EXPECT_TRUE(
      has(outcome.output, found.bytes.empty() ? "bytes: not counted: " + found.why_no_bytes : " bytes of a repeat"))
      << outcome.output;
}

}  // namespace
}  // namespace boltzmark
