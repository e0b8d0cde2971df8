// Many machines side by side.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "analysis/machines/machines.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"
#include "figure_rows.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace testing;
using nlohmann::json;
namespace fs = std::filesystem;

MachineResults machine(const std::string& name, std::vector<RunEntry> entries, bool with_peaks = true) {
  Results results;
  results.entries = std::move(entries);
  if (with_peaks) {
    Peaks& peaks = results.peaks.emplace();
    peaks.processor.cores = 2;
    peaks.processor.bandwidths = {{"DRAM", "copy", 2, {4, 4, 4}}};
    peaks.processor.computes = {{"f32", true, 2, 256, {20, 20, 20}, {}, {}}};
    DevicePeaks& device = peaks.devices.emplace_back();
    device.name = "G";
    device.type = "gpu";
    device.bandwidths = {{"memory", "copy", 0, {10, 10, 10}}};
    device.computes = {{"f32", true, 0, 0, {100, 100, 100}, {}, {}}};
  }
  return {name, make_rows(results), results.peaks};
}

const json* find(const std::vector<json>& table, const json& like) {
  for (const json& row : table)
    if (std::all_of(like.items().begin(), like.items().end(),
                    [&](const auto& one) { return row.value(one.key(), json()) == one.value(); }))
      return &row;
  return nullptr;
}

// 0.072 GB in each run: 0.01 s are 7.2 GB/s.
TEST(MachinesTest, PortabilityIsZeroWhereAModelHasNone) {
  const auto tables = compare_machines({machine("a", {on_gpu("cuda", "fused", 0.01), on_gpu("opencl", "fused", 0.02)}),
                                        machine("b", {on_gpu("cuda", "fused", 0.02), on_gpu("opencl", "fused", 0.01)}),
                                        machine("c", {on_gpu("opencl", "fused", 0.04)})});
  ASSERT_EQ(tables.machines.size(), 3u);
  EXPECT_EQ(tables.machines[0]["platform"], "a");
  const json* const cuda = find(tables.portability, {{"model", "cuda"}, {"over", "all"}});
  ASSERT_TRUE(cuda);
  EXPECT_EQ((*cuda)["application"], 0.0);
  EXPECT_EQ((*cuda)["architectural"], 0.0);
  EXPECT_EQ((*cuda)["without"], "c");
  EXPECT_EQ((*cuda)["platforms"], 3);
  EXPECT_EQ((*cuda)["set"], "a; b; c");
  const json& opencl = *find(tables.portability, {{"model", "opencl"}});
  EXPECT_NEAR(opencl["application"], 3.0 / (2.0 + 1.0 + 1.0), 1e-12);
  EXPECT_NEAR(opencl["architectural"], 3.0 / (1.0 / 0.36 + 1.0 / 0.72 + 1.0 / 0.18), 1e-12);
  // The cascade: the best platform first, and the mean so far.
  const json& worst = *find(tables.efficiency, {{"model", "opencl"}, {"place", 3}});
  EXPECT_EQ(worst["platform"], "a");
  EXPECT_EQ(worst["application_efficiency"], 0.5);
  EXPECT_NEAR(worst["portability_so_far"], 0.75, 1e-12);
  EXPECT_FALSE(find(tables.efficiency, {{"model", "cuda"}, {"platform", "c"}}));
}

TEST(MachinesTest, SharesAreCappedAtOneAndRidgesAreShared) {
  const auto tables = compare_machines(
      {machine("fast", {on_gpu("opencl", "fused", 0.001)}), machine("slow", {on_gpu("opencl", "fused", 0.01)})});
  const json& fast = *find(tables.efficiency, {{"platform", "fast"}});
  EXPECT_EQ(fast["architectural_efficiency"], 1.0);  // 72 GB/s where a copy has 10
  // 100 FLOP in 72 bytes, the ridge is at 10; 0.1 GFLOP in 0.001 s are all of the 100 GFLOP/s.
  EXPECT_NEAR(fast["intensity_over_ridge"], 100.0 / 72.0 / 10.0, 1e-12);
  EXPECT_NEAR(fast["share_of_peak"], 1.0, 1e-12);
  EXPECT_EQ(tables.machines[0]["ridge_flop_per_byte"], 10.0);
  EXPECT_NEAR(find(tables.portability, {{"model", "opencl"}})->at("architectural"), 2.0 / (1.0 + 1.0 / 0.72), 1e-12);
}

TEST(MachinesTest, AProcessorAndAGpuAreTwoPlatforms) {
  const auto tables =
      compare_machines({machine("both", {on_gpu("opencl", "fused", 0.01), entry("openmp", "fused", 1, {0.1})}),
                        machine("host", {entry("openmp", "fused", 1, {0.1}), entry("opencl", "fused", 1, {0.2})})});
  ASSERT_EQ(tables.machines.size(), 3u);
  EXPECT_EQ(tables.machines[1]["platform"], "both, c");
  EXPECT_EQ(find(tables.portability, {{"model", "openmp"}, {"over", "all"}})->at("application"), 0.0);
  EXPECT_EQ(find(tables.portability, {{"model", "openmp"}, {"over", "cpus"}})->at("application"), 1.0);
  EXPECT_FALSE(find(tables.portability, {{"over", "gpus"}}));  // of one alone it says nothing
}

TEST(MachinesTest, WithoutRoofsArchitecturalEfficiencyIsNotKnown) {
  const auto tables = compare_machines(
      {machine("a", {on_gpu("opencl", "fused", 0.01)}), machine("b", {on_gpu("opencl", "fused", 0.01)}, false)});
  const json& row = *find(tables.portability, {{"model", "opencl"}});
  EXPECT_EQ(row["application"], 1.0);
  EXPECT_FALSE(row.contains("architectural"));
}

TEST(MachinesTest, WhatIsNotRightAndWhatHasLessPrecisionDoesNotCount) {
  const auto half = with(on_gpu("opencl", "fused", 0.001), [](RunEntry& e) {
    e.key.options = {"--storage", "f16"};
    e.record->check.tolerance = 5e-3;
  });
  const auto wrong = with(on_gpu("cuda", "fused", 0.001), [](RunEntry& e) { e.status = RunStatus::wrong; });
  const auto peer = with(on_gpu("thrust", "fused", 0.005), [](RunEntry& e) { e.record->role = "peer"; });
  const auto tables = compare_machines({machine("a", {on_gpu("opencl", "fused", 0.01), half, wrong, peer}),
                                        machine("b", {on_gpu("opencl", "fused", 0.01)})});
  EXPECT_EQ(find(tables.efficiency, {{"platform", "a"}})->at("application_efficiency"), 0.5);  // of the peer's
  EXPECT_FALSE(find(tables.efficiency, {{"model", "cuda"}}));
  EXPECT_FALSE(find(tables.efficiency, {{"model", "thrust"}}));
}

TEST(MachinesTest, OnlyTheSameSizeIsCompared) {
  const auto stream = [](const char* length, double seconds) {
    return with(entry_of_parts("openmp", 1, {seconds}), [&](RunEntry& e) {
      e.case_name = length;
      e.key.case_ = std::string("stream-") + length;
      e.record->case_ = {length, std::string("stream-") + length, {std::stoll(length)}, {}};
    });
  };
  const auto tables = compare_machines({machine("a", {stream("1000", 0.01), stream("9000", 0.01)}),
                                        machine("b", {stream("1000", 0.02), stream("8000", 0.01)})});
  const auto found = each(tables.efficiency, [](const nlohmann::json& row) {
    return fmt::format("{} on {}: {} of {}", row["application"].get<std::string>(), row["platform"].get<std::string>(),
                       row["place"].get<int>(), row["platforms"].get<int>());
  });
  for (const char* one : {"stream 1000 triad f32 on a: 1 of 2", "stream 1000 triad f32 on b: 2 of 2",
                          "stream 9000 triad f32 on a: 1 of 1", "stream 8000 triad f32 on b: 1 of 1"})
    EXPECT_TRUE(contains(found, one)) << one << " in " << join(found, ", ");
  EXPECT_EQ(tables.machines[0]["triad_by"].get<std::string>().substr(0, 6), "openmp");
  EXPECT_TRUE(tables.machines[0]["triad_by"].get<std::string>().ends_with(", 9000"));
}

TEST(MachinesTest, WhoHasNoRunOfTheProblemOrNoneAtAllIsNamed) {
  const auto wrong = with(on_gpu("cuda", "fused", 0.01), [](RunEntry& e) { e.status = RunStatus::wrong; });
  const auto tables = tables_of(compare_machines({machine("a", {on_gpu("cuda", "fused", 0.01)}), machine("b", {wrong}),
                                                  machine("c", {entry_of_parts("cuda", 1, {1.0})})}));
  EXPECT_EQ(tables[0].notes, (std::vector<std::string>{"Without a right run of this problem: c.",
                                                       "Left out, without any right run: b."}));
}

TEST(MachinesTest, TablesHaveValuesAndTexts) {
  const auto tables =
      tables_of(compare_machines({machine("a", {entry_of_parts("cuda", 1, {1.0}), on_gpu("cuda", "fused", 0.01)}),
                                  machine("b", {on_gpu("opencl", "fused", 0.02)}, false)}));
  ASSERT_EQ(tables.size(), 3u);
  const json portability = tables[1], efficiency = tables[2];
  EXPECT_EQ(portability["columns"][1]["texts"], json({"cuda", "opencl"}));
  EXPECT_EQ(portability["columns"][4]["texts"], json({"0 %", "0 %"}));
  EXPECT_EQ(portability["rows"][0]["application"], 0.0);
  EXPECT_EQ(portability["columns"][6]["texts"], json({"b", "a, G"}));
  EXPECT_EQ(efficiency["rows"].back()["workload"], "stream");  // after what it bounds
  EXPECT_EQ(efficiency["columns"][6]["texts"][1], "\u2013");   // without peaks
  EXPECT_EQ(tables[0].title, "Lattice Boltzmann, p f32");
  const std::string text = tables[1].text(100);
  EXPECT_TRUE(has(text, "application  model   over  platforms")) << text;
  EXPECT_TRUE(has(text, "\n- lbm p f32: a, G; b\n")) << text;
}

TEST(MachinesTest, OfKeptResultsAndSharedFiles) {
  const fs::path kept = fs::path(BOLTZMARK_SOURCE_DIR) / "analysis" / "results";
  const fs::path out = fs::path(::testing::TempDir()) / "machines-of-kept";
  const std::string program = std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", shared = out / "shared.jsonl";
  fs::create_directories(out);
  ASSERT_EQ(run_command({program, "share", kept / "pocl-2core", "-o", shared}).status, 0);
  const Outcome done =
      run_command({program, "report", "H200=" + (kept / "h200").string(), "H200=" + (kept / "h200-models").string(),
                   (kept / "h200-host").string(), "PoCL=" + shared, "--out", out, "--no-plots"});
  EXPECT_EQ(done.status, 0) << done.errors;
  std::ifstream in(out / "machines.csv");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5) << text;  // H200 and its host, h200-host, PoCL
  for (const char* file : {"efficiency.csv", "portability.csv"}) EXPECT_TRUE(fs::exists(out / file)) << file;
  fs::remove(out / "machines.csv");
  EXPECT_EQ(run_command({program, "report", "PoCL=" + shared, "--out", out, "--no-plots"}).status, 0) << "one, by name";
  EXPECT_TRUE(fs::exists(out / "machines.csv"));
  const Outcome twice = run_command({program, "report", kept / "h200", kept / "h200", "--out", out});
  EXPECT_EQ(twice.status, 2);
  EXPECT_NE(twice.errors.find("NAME="), std::string::npos) << twice.errors;
  fs::remove_all(out);
}

}  // namespace
}  // namespace boltzmark
