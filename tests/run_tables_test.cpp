// The tables that terminal and page have in common.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/compare/comparison.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "common/base/ranges.hpp"
#include "figure_rows.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;

TableData table_named(const std::vector<TableData>& tables, const std::string& id) {
  const auto* const found = find_by(tables, id, &TableData::id);
  return found ? *found : TableData();
}

/// Cells of a column, as they are read.
Cells texts_of(const TableData& table, const std::string& key) {
  const auto* const column = find_by(table.columns, key, &TableColumn::key);
  return column ? each(table.rows, [&](const json& row) { return column->text(row.value(key, json())); })
                : Cells{"no such column"};
}

RunEntry scaled(int threads, double seconds) {
  return with(entry("openmp", "fused", 1, {seconds}), [threads](RunEntry& e) {
    e.key.threads = e.record->threads = threads;
    e.record->check.extent = Extent{4, 100, 7};
  });
}

TEST(RunTablesTest, EveryRunHasItsFigureOnceAndItsDetails) {
  const auto tables =
      run_tables(rows_of({entry("serial", "textbook", 1, {8.0}), entry("openmp", "fused", 1, {1.0, 2.0, 2.0}),
                          failed("mpi", "fused", 1, RunStatus::failed)}));
  const TableData runs = table_named(tables, "runs");
  EXPECT_EQ(texts_of(runs, "seconds_median"), (Cells{"8.000", "2.000", "\u2013"}));
  EXPECT_EQ(texts_of(runs, "speed_up_over_textbook"), (Cells{"1.00", "4.00", "\u2013"}));
  EXPECT_EQ(texts_of(runs, "state"), (Cells{"right", "right", "failed"}));
  EXPECT_EQ(runs.rows[1]["range"], "1.000 to 2.000, !");
  EXPECT_EQ(runs.rows[2]["id"], "run-3");
  EXPECT_EQ(runs.notes, Cells{"! Noisy, 1 figure: the reason is among the remarks."});
  const json details = runs.rows[1]["details"];
  EXPECT_EQ(details["parts"][0][0], "Run");
  EXPECT_TRUE(has(details.dump(), "[\"Remarks\",\"noisy (spread 50 %)\"]")) << details.dump();
  EXPECT_TRUE(has(details.dump(), "72 bytes and 100 FLOPs per update")) << details.dump();
  EXPECT_EQ(runs.rows[2]["details"]["why"], "because");
  // Values common to all rows are in the title.
  const TableData files = table_named(tables, "runs-lbm");
  EXPECT_EQ(files.title, "All runs of lbm, f32, 10 steps");
  EXPECT_EQ(texts_of(files, "program"), (Cells{"* textbook", "* fused", "fused"}));
  EXPECT_EQ(texts_of(table_named(tables, "not-run"), "reason"), Cells{"because"});
  EXPECT_EQ(texts_of(table_named(tables, "fastest"), "who"), Cells{"openmp fused"});
  const auto unchecked = with(entry("mpi", "fused", 1, {0.5}), [](RunEntry& e) { e.record->check = {}; });
  const auto both = run_tables(rows_of({entry("openmp", "fused", 1, {1.0}), unchecked}));
  EXPECT_EQ(texts_of(table_named(both, "fastest"), "who"), Cells{"openmp fused"}) << "which alone is right";
}

TEST(RunTablesTest, ScalingIsInLinesFromTheFewestWorkersOn) {
  const auto tables = run_tables(rows_of({scaled(4, 1.0), scaled(1, 2.0), scaled(2, 1.0)}));
  const TableData scaling = table_named(tables, "scaling-strong-lbm");
  EXPECT_EQ(texts_of(scaling, "workers_counted"), (Cells{"1 thread", "2 threads", "4 threads"}));
  EXPECT_EQ(texts_of(scaling, "strong_efficiency"), (Cells{"100.0", "100.0", "50.0"}));
  EXPECT_EQ(texts_of(scaling, "extent")[0], "4 of 100, drawn by seed 7");
}

TEST(RunTablesTest, ABuildIsAColumn) {
  const auto built = [](const char* build, double seconds) {
    return with(entry("serial", "fused", 1, {seconds}), [build](RunEntry& e) {
      e.key.build = build;
      e.record->provenance.compiler = build;
    });
  };
  const TableData table = table_named(run_tables(rows_of({built("gcc", 4.0), built("clang", 2.0)})), "compilers-lbm");
  EXPECT_EQ(texts_of(table, "gcc") + texts_of(table, "clang speed-up"), (Cells{"4.000", "2.00"}));
  EXPECT_EQ(table.notes, (Cells{"gcc: gcc, -O3", "clang: clang, -O3"}));
}

TEST(RunTablesTest, APartIsAColumn) {
  const TableData table =
      table_named(run_tables(rows_of({entry_of_parts("openmp", 1, {0.01, 0.02})})), "kernels-stream");
  EXPECT_EQ(texts_of(table, "copy") + texts_of(table, "elements"), (Cells{"5.33", "10\u202f000\u202f000"}));
  EXPECT_EQ(table.rows[0]["copy interval"], "1 run!");
}

TEST(RunTablesTest, AFactOfTheMachineIsSaidOnce) {
  const std::vector<json> peaks = {{{"of", "processor"}, {"kind", "cache"}, {"level", "L2"}, {"median", 2097152.0}},
                                   {{"of", "processor"}, {"kind", "note"}, {"text", "busy"}}};
  const json facts =
      machine_facts(rows_of({entry("serial", "fused", 1, {1.0}), entry("mpi", "fused", 1, {1.0})}), peaks);
  EXPECT_EQ(facts[0], (json{"Host", {"h"}}));
  EXPECT_TRUE(has(facts.dump(), "[\"Caches and memory\",[\"L2 2.00 MiB\"]]")) << facts.dump();
  EXPECT_TRUE(has(facts.dump(), "[\"Peaks\",[\"processor: busy\"]]")) << facts.dump();
}

TEST(RunTablesTest, VerdictsAreCountedWithTheirShares) {
  Results results;
  for (const double seconds : {1.0, 1.25, 10.0, 0.5}) {
    RunEntry& one = results.entries.emplace_back(entry("serial", fmt::format("{}", seconds), 1, {seconds}));
    one.record->work.traffic = {{"data", 1e9, 10e9 / one.record->work.updates}};
  }
  results.entries.push_back(entry("serial", "old", 1, {1.0}));
  results.entries.back().record->work.traffic.clear();
  Peaks& peaks = results.peaks.emplace();
  peaks.processor.cores = 2;
  peaks.processor.bandwidths = {{"DRAM", "read", 2, {12.5, 12.5, 12.5}}};
  const TableData table = verdict_table(make_rows(results));
  EXPECT_EQ(texts_of(table, "verdict"),
            (Cells{"DRAM", "latency or code", "count or roof wrong", "traffic not recorded"}));
  EXPECT_EQ(texts_of(table, "figures"), (Cells{"2", "1", "1", "1"}));
  EXPECT_EQ(texts_of(table, "least"), (Cells{"64 %", "8.0 %", "160 %", "\u2013"}));
  EXPECT_EQ(texts_of(table, "most"), (Cells{"80 %", "8.0 %", "160 %", "\u2013"}));
}

TEST(RunTablesTest, WordsOfAPeak) {
  EXPECT_EQ(peak_words({{"kind", "bandwidth"}, {"level", "L2"}, {"pattern", "copy"}}), "L2 copy");
  EXPECT_EQ(peak_words({{"kind", "compute"}, {"precision", "f32"}, {"fma", true}, {"vector_bits", 512}}),
            "f32 FMA 512 bits");
  EXPECT_EQ(peak_words({{"kind", "compute"}, {"precision", "f64"}, {"operation", "division"}}), "f64 divisions");
  EXPECT_EQ(peak_words({{"kind", "latency"}, {"level", "L1"}}), "L1 latency");
}

ComparedSide side_of(const char* folder, std::vector<RunEntry> entries, std::vector<PeakRow> peaks) {
  return {folder, rows_of(std::move(entries)), std::move(peaks)};
}

PeakRow peak(const char* of, double least, double median, double most) {
  return {{"of", of},         {"type", "gpu"}, {"kind", "launch"}, {"min", least},
          {"median", median}, {"max", most},   {"cores", 0}};
}

TEST(SideBySideTest, WhatDiffersIsNamed) {
  const auto noted = [](const char* model, double seconds, std::map<std::string, std::string> state) {
    return with(entry(model, "fused", 1, {seconds, seconds, seconds}), [&](RunEntry& e) {
      for (const auto& [name, value] : state) e.record->environment.machine[name] = value;
    });
  };
  const auto a = side_of(
      "here", in_rounds({noted("serial", 2.0, {{"governor", "powersave"}, {"smt", "on"}}), noted("mpi", 1.0, {})}),
      {peak("GPU a", 1, 2, 3), peak("GPU c", 1, 2, 3)});
  const auto b = side_of("there", in_rounds({noted("serial", 1.0, {{"governor", "performance"}, {"smt", "on"}})}),
                         {peak("GPU b", 7, 8, 9)});
  const auto pairs = compare_results(a.rows, b.rows);
  const auto tables = comparison_tables(pairs, a, b);
  const TableData runs = table_named(tables, "compare-runs"), peaks = table_named(tables, "compare-peaks"),
                  provenance = table_named(tables, "compare-provenance");
  EXPECT_EQ(texts_of(runs, "verdict"), Cells{"faster"});
  EXPECT_EQ(texts_of(runs, "speed_up") + texts_of(runs, "rounds"), (Cells{"2.000", "3, 3"}));
  EXPECT_EQ(texts_of(peaks, "difference"), (Cells{"B higher", "only in A"}));
  EXPECT_EQ(texts_of(peaks, "ratio"), (Cells{"4.00", "\u2013"}));
  EXPECT_EQ(peaks.notes[0], "A: gpu 1: GPU a");
  const auto* const governor = find_where(provenance.rows, [](const json& row) { return row["what"] == "governor"; });
  ASSERT_TRUE(governor);
  EXPECT_EQ((*governor)["a"], "powersave");
  EXPECT_FALSE(find_where(provenance.rows, [](const json& row) { return row["what"] == "smt"; }));
  EXPECT_EQ(comparison_lines(pairs),
            (Cells{"1 of 2 runs have a right counterpart: B is faster in 1 (2.00 times). Overall, "
                   "B is 2.00 times as fast as A (geometric mean).",
                   "Without a counterpart of the same problem and size: 1 row in A, 0 in B."}));
  EXPECT_TRUE(has(comparison_text(pairs, false, 120), "NEW is"));
}

TEST(SideBySideTest, TheSameWordsStandOnceWithAllThatTheyAreOf) {
  EXPECT_EQ(said_once({{"measure again.", "a"}, {"b", ""}, {"measure again.", "c"}, {"measure again.", "a"}, {"", ""}}),
            (Cells{"Measure again: a, c.", "b"}));
}

}  // namespace
}  // namespace boltzmark
