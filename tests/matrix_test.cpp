// The matrix workload x model on the terminal.
#include <gtest/gtest.h>

#include <map>

#include "analysis/matrix/matrix.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/text.hpp"
#include "figure_rows.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

RunEntry of_case(RunEntry e, const std::string& name, const std::string& workload = "lbm") {
  e.case_name = name;
  e.key.case_ = workload + name;
  e.key.workload = workload;
  if (e.record) e.record->workload = workload;
  if (e.record) e.record->case_.name = e.record->case_.digest = name;
  return e;
}

std::vector<Row> some_rows(std::size_t rounds) {
  const auto run = [&](const char* model, const char* variant, double seconds) {
    return entry(model, variant, 1, std::vector<double>(rounds, seconds));
  };
  return rows_of(in_rounds(
      {of_case(run("openmp", "fused", 1.0), "a"), of_case(run("mpi", "fused", 1.25), "a"),
       of_case(run("openmp", "fused", 2.0), "b"), of_case(run("mpi", "fused", 1.0), "b"),
       of_case(run("openmp", "vectors", 1.0), "c", "heat"),
       of_case(with(run("mpi", "vectors", 4.0), [](RunEntry& e) { e.record->settings["halo_seconds"] = 3.0; }), "c",
               "heat"),
       of_case(failed("opencl", "strip", 1, RunStatus::impossible), "c", "heat"),
       of_case(failed("opencl", "two-grid", 1, RunStatus::wrong), "a")}));
}

/// All words of the line that begins with these words.
Cells line_of(const std::string& text, const std::string& start) {
  const auto at = text.find('\n' + start);
  return at == text.npos ? Cells() : words_in(text.substr(at + 1, text.find('\n', at + 1) - at - 1));
}

TEST(MatrixTest, AWorkloadHasTheSmallestShareOfEachModel) {
  const std::string text = matrix_text(some_rows(3), View::best, 120, 0);
  EXPECT_EQ(line_of(text, "workload"), (Cells{"workload", "problems", "openmp", "mpi", "opencl"}));
  EXPECT_EQ(line_of(text, "heat"), (Cells{"heat", "1", "100", "25", "-"}));
  EXPECT_EQ(line_of(text, "lbm"), (Cells{"lbm", "2", "50", "80", "WRONG"}));
  EXPECT_TRUE(has(text, "\nFurthest behind in heat: mpi on c, 25 % of the fastest\n")) << text;
  EXPECT_TRUE(has(text, "\nFurthest behind in lbm: openmp on b, 50 % of the fastest\n")) << text;
  EXPECT_TRUE(has(text, "\n1 not available here: because (opencl strip)\n")) << text;
  EXPECT_TRUE(has(text, "\nlbm a: opencl two-grid: wrong: because\n")) << text;
  EXPECT_TRUE(has(text, "\n6 of 7 runs are right, 1 WRONG; 1 not available here: because.\n")) << text;
}

TEST(MatrixTest, OneOrTwoRoundsAreNotRanked) {
  const std::string text = matrix_text(some_rows(2), View::best, 120, 0);
  EXPECT_EQ(line_of(text, "heat"), (Cells{"heat", "1", "\u00b7100", "\u00b725", "-"}));
  EXPECT_FALSE(has(text, "Furthest behind")) << text;
  EXPECT_EQ(text.find("fastest rate (=: a tie, ?: undecided, \u00b7: one or two rounds"), text.find("fastest rate"));

  // One round of mpi: openmp is not ranked, and of two problems that with rounds enough has the model furthest behind.
  const auto mixed = rows_of(in_rounds(
      {of_case(entry("openmp", "fused", 1, {1.0, 1.0, 1.0}), "a"),
       of_case(entry("mpi", "fused", 1, {2.0, 2.0, 2.0}), "a"), of_case(entry("tbb", "fused", 1, {3.0}), "a"),
       of_case(entry("openmp", "fused", 1, {1.0, 1.0, 1.0}), "b"), of_case(entry("mpi", "fused", 1, {4.0}), "b")}));
  EXPECT_TRUE(has(matrix_text(mixed, View::best, 120, 0), "\nFurthest behind in lbm: mpi on a, 50 % of the fastest\n"));
  EXPECT_EQ(
      ranking(of_plans(mixed)).at(0),
      "lbm a, same algorithm: openmp has the highest rate, 1.00 MLUPS, 2.00 times as fast as mpi; too few rounds to "
      "rank.");
}

TEST(MatrixTest, EveryProblemHasARowWhereTheyAreFew) {
  const std::string text = matrix_text(some_rows(3), View::best, 120, 3);
  EXPECT_EQ(line_of(text, "heat c"), (Cells{"heat", "c", "openmp", "vectors", "1.00", "MLUPS", "100", "25", "-"}));
  EXPECT_EQ(line_of(text, "lbm b"), (Cells{"lbm", "b", "mpi", "fused", "1.00", "MLUPS", "50", "100"}));
}

TEST(MatrixTest, AModelOnSeveralTypesOfDevicesHasAColumnForEach) {
  const auto rows = rows_of({entry("opencl", "v", 1, {1.0}), with(entry("opencl", "v", 1, {0.5}), [](RunEntry& e) {
                               e.record->device_type = "gpu";
                               e.record->device = "another";
                               e.key.device = "gpu";
                             })});
  const std::string text = matrix_text(rows, View::best, 120, 5);
  EXPECT_EQ(line_of(text, "lbm p").back(), "\u00b7100") << text;
  EXPECT_EQ(line_of(text, "problem "), (Cells{"problem", "fastest", "rate", "CPU", "GPU"})) << text;
}

TEST(MatrixTest, AWorkloadOfPartsHasARowForEachAndStreamItsTriad) {
  const auto of_axes = [](RunEntry e) {
    e.key.workload = e.record->workload = "axes";
    return e;
  };
  RunEntry lacks = failed("mpi", "plain", 1, RunStatus::impossible);
  lacks.key.workload = "axes";
  lacks.case_name = "10000000";
  const std::string text =
      matrix_text(rows_of({of_axes(entry_of_parts("openmp", 1, {1.0})), of_axes(entry_of_parts("serial", 1, {2.0})),
                           lacks, entry_of_parts("openmp", 1, {1.0})}),
                  View::best, 120, 9);
  const Cells copy = line_of(text, "axes copy 10 M elements"), triad = line_of(text, "axes triad 10 M elements");
  ASSERT_GT(copy.size(), 3u) << text;
  EXPECT_EQ(Cells(copy.end() - 3, copy.end()), (Cells{"\u00b750", "\u00b7100", "-"})) << text;
  EXPECT_EQ(Cells(triad.end() - 2, triad.end()), (Cells{"\u00b750", "\u00b7100"})) << text;
  EXPECT_EQ(line_of(text, "stream triad 10 M elements").back(), "\u00b7100") << text;
  EXPECT_FALSE(has(text, "stream copy")) << text;
}

TEST(MatrixTest, ThePageHasTheSameAsData) {
  const auto rows = some_rows(1);
  const auto all = overview({}, rows);
  ASSERT_EQ(all["views"].size(), 2u);
  EXPECT_EQ(all["views"][0]["name"], "same algorithm");
  EXPECT_EQ(all["views"][0]["lines"].size(), 2u);  // heat has no such variant
  const auto& best = all["views"][1];
  EXPECT_EQ(best["columns"], (Cells{"openmp", "mpi", "opencl"}));
  EXPECT_EQ(best["by_workload"].size(), 0u);  // three problems are few
  ASSERT_EQ(best["lines"].size(), 3u);
  const auto& heat = best["lines"][2];
  EXPECT_EQ(heat["label"], "heat c");
  EXPECT_EQ(heat["fastest"]["ahead"], "4.00 \u00d7 mpi \u00b7");
  EXPECT_EQ(heat["cells"][0]["id"], "run-5");  // its row of figures.csv
  EXPECT_EQ(heat["cells"][1]["share"], 0.25);
  EXPECT_EQ(heat["cells"][2]["words"], "opencl strip: not available here: because");
  EXPECT_TRUE(best["lines"][1]["cells"][2].is_null());
  EXPECT_TRUE(best["lines"][0]["cells"][2]["is_wrong"]);
  EXPECT_EQ(best["hatched"], (Cells{"not available here: because (opencl)"}));
  EXPECT_EQ(
      all["said"][0],
      "lbm a, same algorithm: openmp has the highest rate, 1.00 MLUPS, 1.25 times as fast as mpi; too few rounds to "
      "rank.");
  EXPECT_EQ(all["ranking"].size(), 3u);
  EXPECT_TRUE(
      all["ranking"][2].get<std::string>().starts_with("heat c, each model's fastest: openmp has the highest rate"));
}

TEST(MatrixTest, VariantsThatStandForTheSameAlgorithmAndWorkloadsWithoutAreNamed) {
  auto rows = some_rows(1);
  for (Row& row : rows)
    if (row.key.model == "mpi" && row.same.share) row.variant = "tiled";
  const std::string text = matrix_text(rows, View::same_algorithm, 120, 5);
  EXPECT_TRUE(has(text, "Variants that stand for the same algorithm: lbm: fused (openmp), tiled (mpi).\n")) << text;
  EXPECT_TRUE(has(text, "Without a right run of the same algorithm: heat.\n")) << text;
  EXPECT_FALSE(has(matrix_text(rows, View::best, 120, 5), "stand for")) << text;
  EXPECT_TRUE(has(overview({}, rows)["conditions"].dump(), "Without a right run of the same algorithm: heat."));
}

TEST(MatrixTest, ManyProblemsAreALinePerWorkload) {
  std::vector<RunEntry> entries;
  for (int n = 100; n <= 120; ++n) {
    entries.push_back(of_case(entry("openmp", "fused", 1, std::vector(3, 1.0)), std::to_string(n)));
    entries.push_back(of_case(entry("mpi", "fused", 1, std::vector(3, n == 103 ? 4.0 : 1.25)), std::to_string(n)));
  }
  const auto all = overview({}, rows_of(in_rounds(entries)))["views"][1];
  EXPECT_EQ(all["lines"].size(), 21u);
  ASSERT_EQ(all["by_workload"].size(), 1u);
  EXPECT_EQ(all["by_workload"][0]["problems"], 21);
  EXPECT_EQ(all["by_workload"][0]["cells"][1]["share"], 0.25);
  EXPECT_EQ(all["by_workload"][0]["furthest"], "mpi on 103, 25 % of the fastest");
}

TEST(MatrixTest, ASentenceNamesTheFastestOrTheTie) {
  const auto rows = [](std::vector<double> mpi, const std::string& compiler) {
    return rows_of(in_rounds({of_case(entry("openmp", "fused", 1, {0.999, 1.0, 1.001}), "a"),
                              of_case(entry("mpi", "fused", 1, mpi), "a"),
                              of_case(with(entry("stdpar", "fused", 1, {2.0, 2.001, 2.4}),
                                           [&](RunEntry& e) { e.record->provenance.compiler = compiler; }),
                                      "a")}));
  };
  const auto compilers = rows({1.5, 1.5, 1.5}, "Clang 14.0.6");
  const auto said = [](const std::vector<Row>& of) { return ranking(of_plans(of)).at(0); };
  const auto same = rows({1.5, 1.5, 1.5}, compilers[0].record->provenance.compiler);
  EXPECT_EQ(said(same), "lbm a, same algorithm: openmp is fastest with 1.00 MLUPS, 1.50 times as fast as mpi.");
  EXPECT_FALSE(has(matrix_text(same, View::same_algorithm, 120, 5), "compiler"));
  EXPECT_EQ(
      said(rows({1.01, 1.01, 1.01}, "Clang 14.0.6")),
      fmt::format("lbm a, same algorithm: a tie of openmp ({0}) and mpi ({0}) with 1.00 MLUPS, 2.00 times as fast as "
                  "stdpar (Clang 14.0).",
                  compiler_of(same[0])));
  const auto noisy = rows({0.9, 1.05, 1.3}, compilers[0].record->provenance.compiler);
  EXPECT_EQ(
      said(noisy).find("lbm a, same algorithm: openmp has the highest rate, 1.00 MLUPS, 2.00 times as fast as stdpar"),
      0u)
      << said(noisy);
  EXPECT_TRUE(has(said(noisy), "; undecided against mpi (too noisy; about 49 rounds would decide).")) << said(noisy);
  EXPECT_TRUE(contains(line_of(matrix_text(noisy, View::same_algorithm, 120, 5), "lbm a"), "?95!"));
  EXPECT_EQ(overview({}, noisy)["views"][0]["lines"][0]["fastest"]["ahead"], "undecided: mpi");
  const std::string text = matrix_text(compilers, View::same_algorithm, 120, 5);
  EXPECT_TRUE(contains(line_of(text, "lbm a"), "50!")) << text;
  EXPECT_TRUE(has(text, "; Clang 14.0 (stdpar).\n")) << text;
  EXPECT_EQ(overview({}, compilers)["views"][0]["lines"][0]["cells"][0]["mark"], "!");
}

TEST(WordsTest, TheSameReasonHasTheSameWords) {
  Row row;
  row.variant = "hybrid2";
  row.status = RunStatus::impossible;
  for (const auto& [reason, said] : std::map<std::string, std::string>{
           {"hybrid2: pthread-skylake-avx512-AMD EPYC has no sub-groups that kernels can use",
            "AMD EPYC has no sub-groups that kernels can use"},
           {"no CUDA driver (libcuda.so.1) on this machine; install NVIDIA's driver",
            "no CUDA driver (libcuda.so.1) on this machine"},
           {"hybrid2: cannot hold a grid of 128x256 cells all at once",
            "cannot hold a grid of this many cells all at once"}}) {
    row.reason = reason;
    EXPECT_EQ(reason_words(row), said);
  }
}

TEST(WordsTest, NumbersAndNamesAreAsTheyAreRead) {
  EXPECT_EQ(problem_words("128x256"), "128\u00a0\u00d7\u00a0256");
  EXPECT_EQ(problem_words("box_8x8") + problem_words("512") + problem_words("33554432"), "box_8x851233.6 M elements");
  EXPECT_EQ(problem_words("524288"), "524\u202f288 elements");
  EXPECT_EQ(grouped(999) + ' ' + grouped(1000) + ' ' + grouped(1234567), "999 1\u202f000 1\u202f234\u202f567");
  EXPECT_EQ(percent(0.0123) + percent(1.9) + share_words(1.9) + share_words(0.5), "1.2 %190 %>100 %50 %");
  EXPECT_EQ(device_text("Intel(R) Xeon(R) CPU @ 2.80GHz"), "Intel Xeon");
  EXPECT_EQ(device_text("cpu-haswell-AMD EPYC 7B13"), "AMD EPYC 7B13 (PoCL)");
  EXPECT_EQ(device_text("abcdefghij", 5), "ab\u2026ij");
  EXPECT_EQ(device_text("\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 5), "\u00e9\u2026\u00e9");
}

TEST(MatrixTest, FitsTheWidth) {
  std::vector<RunEntry> entries;
  for (const char* model : {"serial", "openmp", "openmp_target", "mpi", "stdpar", "opencl", "cuda"})
    for (const char* size : {"1024x1024", "256x256x256"})
      entries.push_back(of_case(entry(model, "wavefront", 1, {1.0}), size));
  for (const std::size_t most : {0u, 9u})
    for (std::string text = matrix_text(rows_of(entries), View::best, 80, most); !text.empty();
         text.erase(0, text.find('\n') + 1))
      EXPECT_LE(display_width(text.substr(0, text.find('\n'))), 80) << text;
}

}  // namespace
}  // namespace boltzmark
