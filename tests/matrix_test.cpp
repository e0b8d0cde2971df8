// The matrix workload x model on the terminal.
#include <gtest/gtest.h>

#include "analysis/matrix/matrix.hpp"
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

std::vector<Row> some_rows() {
  return rows_of(
      {of_case(entry("openmp", "fused", 1, {1.0}), "a"), of_case(entry("mpi", "fused", 1, {1.25}), "a"),
       of_case(entry("openmp", "fused", 1, {2.0}), "b"), of_case(entry("mpi", "fused", 1, {1.0}), "b"),
       of_case(entry("openmp", "vectors", 1, {1.0}), "c", "heat"),
       of_case(with(entry("mpi", "vectors", 1, {4.0}), [](RunEntry& e) { e.record->settings["halo_seconds"] = 3.0; }),
               "c", "heat"),
       of_case(failed("opencl", "strip", 1, RunStatus::impossible), "c", "heat"),
       of_case(failed("opencl", "two-grid", 1, RunStatus::wrong), "a")});
}

/// Of the line that begins with these words: all its words.
Cells line_of(const std::string& text, const std::string& start) {
  const auto at = text.find('\n' + start);
  return at == text.npos ? Cells() : words_in(text.substr(at + 1, text.find('\n', at + 1) - at - 1));
}

TEST(MatrixTest, AWorkloadHasTheSmallestShareOfEachModel) {
  const std::string text = matrix_text(some_rows(), 120, 0);
  EXPECT_EQ(line_of(text, "workload"), (Cells{"workload", "rows", "mpi", "opencl", "openmp"}));
  EXPECT_EQ(line_of(text, "heat"), (Cells{"heat", "1", "25", "-", "100"}));
  EXPECT_EQ(line_of(text, "lbm"), (Cells{"lbm", "2", "80", "WRONG", "50"}));
  EXPECT_TRUE(has(text, "behind, bound by latency or code, or not known: ")) << text;
  EXPECT_TRUE(has(text, "openmp lbm b f32 50")) << text;
  EXPECT_TRUE(has(text, "not run here: because: 1 row of opencl heat\n"));
  EXPECT_TRUE(has(text, "lbm a f32: opencl two-grid: wrong: because\n"));
}

TEST(MatrixTest, EveryProblemHasARowWhereTheyAreFew) {
  const std::string text = matrix_text(some_rows(), 120, 3);
  EXPECT_EQ(line_of(text, "heat c f32"),
            (Cells{"heat", "c", "f32", "openmp", "vectors", "1.000", "MLUPS", "25", "-", "100"}));
  EXPECT_EQ(line_of(text, "lbm b f32"), (Cells{"lbm", "b", "f32", "mpi", "fused", "1.000", "MLUPS", "100", "50"}));
  EXPECT_TRUE(has(text, "mpi heat c f32 25")) << text;
}

TEST(MatrixTest, AModelOnSeveralTypesOfDevicesHasAColumnForEach) {
  const auto rows = rows_of({entry("opencl", "v", 1, {1.0}), with(entry("opencl", "v", 1, {0.5}), [](RunEntry& e) {
                               e.record->device_type = "gpu";
                               e.record->device = "another";
                               e.key.device = "gpu";
                             })});
  const std::string text = matrix_text(rows, 120, 5);
  EXPECT_EQ(line_of(text, "lbm p f32").back(), "100") << text;
  EXPECT_EQ(line_of(text, "problem"), (Cells{"problem", "fastest", "rate", "cpu", "gpu"})) << text;
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
                  120, 9);
  EXPECT_EQ(line_of(text, "axes copy 10000000 f32").back(), "50") << text;
  EXPECT_TRUE(contains(line_of(text, "axes copy 10000000 f32"), "-")) << text;
  EXPECT_EQ(line_of(text, "axes triad 10000000 f32").back(), "50") << text;
  EXPECT_EQ(line_of(text, "stream triad 10000000 f32").back(), "100") << text;
  EXPECT_FALSE(has(text, "stream copy")) << text;
}

TEST(MatrixTest, FitsTheWidth) {
  std::vector<RunEntry> entries;
  for (const char* model : {"serial", "openmp", "openmp_target", "mpi", "stdpar", "opencl", "cuda"})
    for (const char* size : {"1024x1024", "256x256x256"})
      entries.push_back(of_case(entry(model, "wavefront", 1, {1.0}), size));
  for (const std::size_t most : {0u, 9u})
    for (std::string text = matrix_text(rows_of(entries), 80, most); !text.empty(); text.erase(0, text.find('\n') + 1))
      EXPECT_LE(text.find('\n'), 80u) << text.substr(0, text.find('\n'));
}

}  // namespace
}  // namespace boltzmark
