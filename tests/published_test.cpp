// Tables of published figures beside runs that never were.
#include <gtest/gtest.h>

#include "analysis/roofline/run_tables.hpp"
#include "analysis/support/commands.hpp"
#include "common/base/ranges.hpp"
#include "figure_rows.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;

/// A run of the standard problem 128x128.
RunEntry standard(const std::string& model, const std::string& variant, double seconds, std::int64_t steps = 40000) {
  return with(entry(model, variant, 1, {seconds}), [steps](RunEntry& e) {
    e.key.case_ = "c12bf54d9fcd27f5";
    e.key.steps = steps;
    e.record->case_ = {"128x128", e.key.case_, {128, 128}, json::object()};
    e.record->steps = steps;
  });
}

RunEntry gpu(RunEntry e) {
  e.key.device = e.record->device = "G";
  e.record->device_type = "gpu";
  e.record->threads = 0;
  return e;
}

/// A run of another workload, in double precision.
RunEntry of(const std::string& workload, const std::string& name, RunEntry e) {
  e.key.workload = e.record->workload = workload;
  e.key.precision = e.record->precision = "f64";
  e.record->case_ = {name, e.key.case_, {128, 128, 128}, json::object()};
  return e;
}

TableData published(const std::string& id, std::vector<RunEntry> entries, const PaperOptions& chosen = {}) {
  const auto tables = published_tables(rows_of(std::move(entries)), chosen);
  const auto* const found = find_by(tables, id, &TableData::id);
  return found ? *found : TableData();
}

/// Cells of the rows with this text in a column.
Cells cells_of(const TableData& table, const std::string& key, const std::string& text, const Keys& of) {
  Cells cells;
  for (const json& row : table.rows)
    for (const TableColumn& column : table.columns)
      if (row.value(key, json()) == text && contains(of, column.key)) cells.push_back(column.text_in(row));
  return cells;
}

TEST(PublishedTest, ARunIsBesideTheSecondsOfItsStep) {
  const TableData steps =
      published("table-2", {gpu(standard("opencl", "further", 0.5)), gpu(standard("opencl", "masked", 1.0, 4000)),
                            gpu(entry_of_parts("opencl", 1, {0.0003}))});
  EXPECT_EQ(cells_of(steps, "step", "further", {"published", "measured", "ratio", "equal"})[0], "0.76");
  const Keys figures = {"steps_run", "measured", "ratio", "equal"};
  EXPECT_EQ(cells_of(steps, "step", "further", figures),
            (Cells{"40000", "0.5000", "1.52", "0.574", "\u2013", "\u2013", "\u2013", "\u2013", "\u2013", "\u2013",
                   "\u2013", "\u2013"}));
  const Cells masked = cells_of(steps, "step", "masking", {"steps_run", "measured"});
  EXPECT_EQ(masked.at(0) + ", " + masked.at(1), "4000 of 40000, 10.00");
  const std::string notes = join(steps.notes, "\n");
  EXPECT_TRUE(has(notes, "151 GB/s of NVIDIA K20m (STREAM 151 GB/s) against 400.0 GB/s of G (STREAM triad of opencl"))
      << notes;
  EXPECT_TRUE(has(notes, "scaled to the M published ones")) << notes;
  EXPECT_EQ(steps.source, "Table II of Rutterford, OpenCL Parallelism (University of Bristol report)");
  const TableData words = published(
      "table-2-words", {gpu(standard("opencl", "further", 0.5)), gpu(standard("opencl", "masked", 1.0, 4000))});
  EXPECT_EQ(cells_of(words, "step", "further", {"published", "table", "measured"}).at(2), "20.0");
  EXPECT_EQ(cells_of(words, "step", "kernel fusion", {"published", "table"}),
            (Cells{"1.9", "2.69", "2.3", "2.68", "2.4", "2.31"}));
}

TEST(PublishedTest, TheSameAlgorithmAndTheBestVariantOfEachModel) {
  const std::vector<RunEntry> runs = {standard("serial", "fused", 4.0), standard("serial", "swap", 9.0),
                                      standard("serial", "swap", 0.001, 4), standard("kokkos", "fused", 2.0, 20000),
                                      standard("kokkos", "wavefront", 0.02, 1000)};
  const TableData models = published("table-3", runs);
  EXPECT_EQ(cells_of(models, "label", "serial", {"name", "measured"})[1], "4.000");
  EXPECT_EQ(cells_of(models, "label", "kokkos (cpu)", {"name", "measured", "published"}),
            (Cells{"fused", "\u2013", "4.000", "wavefront (best)", "\u2013", "0.8000"}));
  EXPECT_EQ(models.rows.size(), 16U + 2U);
  PaperOptions chosen;
  chosen.problem = "128x128";
  chosen.models = {"serial", "mpi"};
  EXPECT_EQ(published("table-3", runs, chosen).rows.size(),
            2U + 2U);  // and the two of kokkos, which the driver leaves out
}

TEST(PublishedTest, RatesFollowFromTheSeconds) {
  const TableData rates = published("goldstein", {});
  EXPECT_EQ(cells_of(rates, "grid", "1024x1024", {"moved", "rate", "share"}), (Cells{"1510", "121.1", "58 %"}));
  EXPECT_TRUE(has(rates.notes.at(0), "At 1024x1024 the 6.0 % is a slip by ten")) << rates.notes.at(0);
}

TEST(PublishedTest, KernelsOfTwoModelsOnOneDevice) {
  const TableData stream =
      published("table-1", {gpu(entry_of_parts("opencl", 1, {0.01})), gpu(entry_of_parts("openmp_target", 1, {0.02})),
                            entry_of_parts("opencl", 1, {0.01})});
  EXPECT_EQ(cells_of(stream, "part", "triad", {"published", "published_target", "measured", "slower"}),
            (Cells{"0.00533", "0.00567", "0.01000", "50.0", "0.00533", "0.00567", "0.01000", "\u2013"}));
  EXPECT_EQ(cells_of(stream, "part", "dot", {"measured"}), Cells{"\u2013"});
}

TEST(PublishedTest, MeasuredSecondsHaveTheirIntervalScaledAsTheyAre) {
  const TableData models =
      published("table-3", in_rounds({gpu(with(standard("opencl", "persistent", 1.0, 4000), [](RunEntry& e) {
                  e.record->repeats = {{.compute_seconds = 0.98}, {.compute_seconds = 1.0}, {.compute_seconds = 1.05}};
                }))}));
  const auto* const row = find_where(models.rows, [](const json& one) { return one.contains("range"); });
  ASSERT_TRUE(row);
  EXPECT_EQ((*row)["range"], "9.800 to 10.50");
}

TEST(PublishedTest, TheIntervalOfARatioHasTheEndsOfBoth) {
  const auto rounds = [](const std::string& model) { return gpu(entry_of_parts(model, 1, {0.98, 1.0, 1.05})); };
  const TableData stream = published("table-1", in_rounds({rounds("opencl"), rounds("openmp_target")}));
  EXPECT_EQ(stream.rows.at(0)["slower_range"], "-7.1 to 6.7");
}

TEST(PublishedTest, AProgramOfTheSetHasTheSecondsOfItsPublishedSize) {
  const auto program = [](const std::string& workload, const std::string& name, double seconds, std::int64_t size,
                          std::int64_t steps) {
    return with(of(workload, name, entry("openmp", "fused", 1, {seconds})), [&](RunEntry& e) {
      e.key.case_ = e.record->case_.digest = name;
      e.record->case_.extent = {size, 60};
      e.record->steps = e.key.steps = steps;
    });
  };
  const TableData set = published(
      "benchpress", {program("pi", "leibniz-480000000", 0.5, 480000000, 1), program("pi", "leibniz-1000", 0.1, 1000, 1),
                     program("galton", "2000000x60", 0.25, 2000000, 1), program("nbody", "7500", 2.0, 7500, 5),
                     program("nbody", "100", 1e-6, 100, 1)});
  EXPECT_EQ(set.rows.size(), 3U);
  EXPECT_EQ(cells_of(set, "program", "Leibniz pi", {"measured"}), Cells{"12.50"});
  EXPECT_EQ(cells_of(set, "program", "Galton's bean machine", {"measured"}), Cells{"120.0"});
  EXPECT_EQ(cells_of(set, "program", "N-body", {"measured", "ratio"}), (Cells{"10.00", "1.00"}));
}

TEST(PublishedTest, OneCodeOnEveryDevice) {
  const auto cube = [](RunEntry e) {
    e.record->case_.extent = {128, 128, 128};
    return e;
  };
  const TableData devices =
      published("mcintosh-smith-devices",
                {cube(standard("serial", "fused", 1.0)), cube(standard("openmp", "fused", 2.0)),
                 cube(standard("openmp", "wavefront", 1.0)), cube(standard("opencl", "published", 4.0)),
                 cube(standard("opencl", "fused", 1.0)), gpu(cube(standard("opencl", "published", 0.5)))});
  EXPECT_EQ(cells_of(devices, "run.model", "openmp", {"run.of_device", "run.variant", "measured"}),
            (Cells{"c", "fused", "0.5000"}));
  EXPECT_EQ(cells_of(devices, "run.model", "opencl", {"run.of_device", "run.variant", "measured"}),
            (Cells{"c", "published", "0.2500", "G", "published", "2.000"}));
}

TEST(PublishedTest, RatiosOfACollision) {
  const auto collision = [](RunEntry e, int lanes) {
    e = of("binary_fluid", "collision-128", std::move(e));
    e.record->settings["vector_lanes"] = lanes;
    e.key.options = {"--vvl", std::to_string(lanes)};
    return e;
  };
  const TableData ours = published(
      "gray-stratford-collision",
      {collision(entry("openmp", "original", 1, {1.0}), 0), collision(entry("openmp", "vvl", 1, {0.5}), 8),
       collision(entry("openmp", "vvl", 1, {0.6}), 16), collision(entry("openmp", "moment", 1, {0.1}), 16),
       gpu(collision(entry("opencl", "vvl", 1, {0.12}), 1)), gpu(collision(entry("opencl", "vvl", 1, {0.1}), 2))});
  Cells figures;
  for (const json& row : ours.rows)
    figures.push_back(find_by(ours.columns, "measured", &TableColumn::key)->text_in(row));
  EXPECT_EQ(figures, (Cells{"8.00", "2.00", "10.0", "2.00", "1.20", "5.00"}));
}

TEST(PublishedTest, WorkGroupsOfASweep) {
  const auto shaped = [](const std::string& shape, double seconds) {
    return with(gpu(standard("opencl", "masked", seconds)), [&](RunEntry& e) {
      e.key.work_group = shape;
      e.record->settings["work_group"] = shape.empty() ? "64x1" : shape;
    });
  };
  Results results;
  results.entries = {shaped("", 1.5), shaped("32x4", 1.0)};
  results.tuning = {shaped("4x32", 4.0), shaped("1x1", 16.0)};
  const auto rows = make_rows(results);
  EXPECT_EQ(values_of(rows, "sweep"), (Cells{"masked", "masked", "masked", "masked"}));
  const auto tables = published_tables(rows, {});
  const TableData figure = *find_by(tables, "work-groups", &TableData::id),
                  sizes = *find_by(tables, "work-group-sizes", &TableData::id);
  EXPECT_EQ(cells_of(figure, "work_group", "4x32", {"measured", "over"}), (Cells{"4.000", "4.00"}));
  EXPECT_EQ(cells_of(sizes, "run.work_group", "1x1", {"measured", "over"}), (Cells{"16.00", "16.0"}));
  EXPECT_EQ(sizes.rows.front()["run.work_group"], "32x4");
  EXPECT_EQ(cells_of(sizes, "run.chosen", "chosen", {"run.work_group"}), Cells{"64x1"});
  EXPECT_EQ(values_of(rows_of({shaped("32x4", 1.0)}), "sweep"), Cells{""});
}

}  // namespace
}  // namespace boltzmark
