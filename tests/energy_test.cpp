// Energy: counters as Linux shows them, in a folder made for the test, and readings that are not figures.
#include "common/run/energy.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "analysis/roofline/figures.hpp"
#include "common/run/program.hpp"
#include "tests/entries.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

class Energy : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("boltzmark-energy-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& zone, const std::string& file, const std::string& text) const {
    fs::create_directories(folder_ / zone);
    std::ofstream(folder_ / zone / file) << text << '\n';
  }
  void make_package(const std::string& zone, const std::string& name, long microjoules) const {
    write(zone, "name", name);
    write(zone, "max_energy_range_uj", "100000000");
    write(zone, "energy_uj", std::to_string(microjoules));
  }

  fs::path folder_;
};

TEST_F(Energy, OfPackagesIsTheirSumAndGoesOnWhereACounterStartsAgain) {
  make_package("intel-rapl:0", "package-0", 90'000'000);
  make_package("intel-rapl:1", "package-1", 5'000'000);
  make_package("intel-rapl:0:0", "core", 7);              // a part of package 0
  make_package("intel-rapl:2", "psys", 1'000'000);        // the whole machine, packages included
  make_package("intel-rapl-mmio:0", "package-0", 1'000);  // package 0 once more
  auto counter = processor_energy(folder_);
  EXPECT_EQ(counter.name, "RAPL, 2 packages");
  const double before = counter.joules().value();
  make_package("intel-rapl:0", "package-0", 10'000'000);  // 20 J on, over the range of 100 J
  make_package("intel-rapl:1", "package-1", 8'000'000);
  EXPECT_NEAR(counter.joules().value() - before, 23.0, 1e-9);
}

TEST_F(Energy, SaysWhyThereIsNone) {
  EXPECT_EQ(processor_energy(folder_ / "nothing").why_not, "this machine shows no energy counter of its processor");
  make_package("intel-rapl:0", "package-0", 1);
  fs::remove(folder_ / "intel-rapl:0" / "energy_uj");  // as for a user who may not read it
  EXPECT_EQ(processor_energy(folder_).why_not, "the processor's energy counter cannot be read by this user");
  RunFacts facts;
  facts.device_type = "gpu";
  EXPECT_EQ(energy_of(facts).why_not, "no energy counter is known of this device");
  facts.pci_address = "0000:00:00.0";
  facts.ranks = 2;
  EXPECT_EQ(energy_of(facts).why_not, "energy of several ranks' devices is not counted");
}

TEST_F(Energy, OfARunThatIsTooShortForTheCounterIsNoFigure) {
  make_package("intel-rapl:0", "package-0", 0);
  EnergyMeter meter(processor_energy(folder_));
  meter.begin();
  make_package("intel-rapl:0", "package-0", 3'000'000);
  meter.end(0.5);
  ASSERT_EQ(meter.record().joules, std::vector{3.0});
  EXPECT_EQ(meter.record().why_not, "");
  meter.begin();
  meter.end(0.002);
  EXPECT_TRUE(meter.record().joules.empty());
  EXPECT_EQ(meter.record().why_not, "0.002 s is too short for the energy counter, which needs 0.01 s");
}

TEST(EnergyFigures, AreOfTheMedianOfTheRepeatsOfAllRounds) {
  auto first = testing::entry("openmp", "fused", 1, {1.0, 2.0}), second = testing::entry("openmp", "fused", 2, {4.0});
  first.record->energy = {"RAPL, 1 package", {50.0, 100.0}, ""};
  second.record->energy = {"RAPL, 1 package", {300.0}, ""};
  Results results;
  results.entries = {first, second};
  const auto figures = [&](const std::string& column) {
    const auto rows = make_rows(results);
    for (const auto& one : figure_columns())
      if (column == one.name) return one.value(rows.at(0));
    return std::string("no such column");
  };
  EXPECT_EQ(figures("joules"), "100");
  EXPECT_EQ(figures("watts"), "50");
  EXPECT_EQ(figures("updates_per_joule"), "10000");  // a million updates
  results.entries.front().record->energy = results.entries.back().record->energy = {"", {}, "too short"};
  EXPECT_EQ(figures("joules"), "");
  EXPECT_EQ(figures("why_no_joules"), "too short");
}

TEST(EnergyRecords, OfBeforeTheyWereMadeAreRead) {
  const auto record = *testing::entry("openmp", "fused", 1, {1.0}).record;
  nlohmann::json json = record;
  json.erase("energy");
  EXPECT_TRUE(json.get<Record>().energy.joules.empty());
}

}  // namespace
}  // namespace boltzmark
