// Two results side by side: what counts as a difference, and what belongs together.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/report/compare.hpp"
#include "analysis/report/noise.hpp"
#include "made_up_results.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using Values = std::vector<double>;

Values every(double step, int count, double first) {
  Values values;
  for (int i = 0; i < count; ++i) values.push_back(first + i * step);
  return values;
}

TEST(NoiseTest, MannWhitneyIsExact) {
  EXPECT_NEAR(mann_whitney_p({1, 2, 3, 4}, {5, 6, 7, 8}), 2.0 / 70.0, 1e-12);
  EXPECT_NEAR(mann_whitney_p({1, 2, 3}, {4, 5, 6}), 2.0 / 20.0, 1e-12);
  EXPECT_NEAR(mann_whitney_p({5, 6, 7, 8}, {1, 2, 3, 4}), 2.0 / 70.0, 1e-12);
  // Rank sums of {1, 2, 3, 5}: 10 and 11 and the two on the other side, that is 1 + 1 + 1 + 1 of 70 ways.
  EXPECT_NEAR(mann_whitney_p({1, 2, 3, 5}, {4, 6, 7, 8}), 4.0 / 70.0, 1e-12);
  EXPECT_NEAR(mann_whitney_p({1, 4}, {2, 3}), 1.0, 1e-12);
  // Ties: of the values 1, 2, 2, 3 the pairs have mid-rank sums 3.5 twice, 5 twice and 6.5 twice.
  EXPECT_NEAR(mann_whitney_p({1, 2}, {2, 3}), 4.0 / 6.0, 1e-12);
  EXPECT_NEAR(mann_whitney_p({7, 7, 7}, {7, 7}), 1.0, 1e-12);
}

TEST(NoiseTest, ManyValuesGoByTheNormalApproximation) {
  // Both reference values by counting all ways to divide the ranks.
  EXPECT_NEAR(mann_whitney_p(every(1.0, 30, 0.0), every(1.0, 30, 7.5)), 0.0031935408185939, 1e-12);
  EXPECT_NEAR(mann_whitney_p(every(1.0, 35, 0.0), every(1.0, 35, 7.5)) / 0.0054801511488586, 1.0, 0.1);
  EXPECT_LT(mann_whitney_p(every(1.0, 40, 0.0), every(1.0, 40, 100.0)), 1e-12);
  EXPECT_EQ(mann_whitney_p(Values(40, 1.0), Values(40, 1.0)), 1.0);
}

TEST(NoiseTest, DecidesByAsMuchAsTheRepeatsAllow) {
  const auto verdict = [](const Values& a, const Values& b) { return decide(a, b).verdict; };
  // One repeat on either side, or two on both: whatever the difference.
  EXPECT_EQ(verdict({1.0}, {9.0}), Verdict::cannot_tell);
  EXPECT_EQ(verdict({1.0, 1.0, 1.0, 1.0, 1.0}, {9.0}), Verdict::cannot_tell);
  EXPECT_EQ(verdict({1.0, 1.1}, {9.0, 9.1}), Verdict::cannot_tell);
  EXPECT_EQ(verdict({}, {}), Verdict::cannot_tell);
  // Three and three: by the spreads, which are 0.2 and 0.4.
  EXPECT_EQ(verdict({1.0, 1.1, 1.2}, {1.6, 1.8, 2.0}), Verdict::differs);
  EXPECT_EQ(verdict({1.0, 1.1, 1.2}, {1.3, 1.6, 1.7}), Verdict::within_noise);  // apart, but not by 0.6
  EXPECT_EQ(verdict({1.0, 1.1, 5.0}, {2.0, 2.1, 2.2}), Verdict::within_noise);
  EXPECT_FALSE(decide(Values{1.0, 1.1, 1.2}, Values{1.6, 1.8, 2.0}).p);
  // Four and four: by the test, which sees through an outlier that the spreads would not.
  EXPECT_EQ(verdict({1.0, 1.01, 1.02, 1.03}, {1.05, 1.06, 1.07, 9.0}), Verdict::differs);
  EXPECT_EQ(verdict({1.0, 1.02, 1.04, 1.06}, {1.01, 1.03, 1.05, 1.07}), Verdict::within_noise);
  EXPECT_NEAR(*decide(Values{1, 2, 3, 4}, Values{5, 6, 7, 8}).p, 2.0 / 70.0, 1e-12);
  // Three and five are enough for the test.
  EXPECT_EQ(verdict({1.0, 1.1, 1.2}, {1.3, 1.4, 1.5, 1.6, 9.9}), Verdict::differs);
}

TEST(NoiseTest, DecidesByMedianAndSpread) {
  EXPECT_EQ(decide(Spread{10, 9, 11}, Spread{15, 14, 16}).verdict, Verdict::differs);
  EXPECT_EQ(decide(Spread{10, 9, 11}, Spread{13, 12, 14}).verdict, Verdict::within_noise);
  EXPECT_EQ(decide(Spread{10, 10, 10}, Spread{11, 11, 11}).verdict, Verdict::cannot_tell);
  EXPECT_EQ(decide(Spread{10, 10, 10}, Spread{10, 10, 10}).verdict, Verdict::within_noise);
}

ReportTable table_of(const std::vector<ReportTable>& tables, const std::string& id) {
  for (const auto& table : tables)
    if (table.id == id) return table;
  throw std::out_of_range(id);
}

/// The rows of runs, as problem, model, variant, speed-up and difference.
std::vector<std::string> runs_in(const Results& a, const Results& b) {
  std::vector<std::string> lines;
  for (const auto& row : table_of(compare_results(a, b), "compare-runs").rows)
    lines.push_back(
        fmt::format("{} {} {} {} {}", row[0].text, row[2].text, row[3].text, row[10].text, row.back().text));
  return lines;
}

MadeUpRun fused(const std::string& model, const Values& seconds) {
  return {.model = model, .variant = "fused", .problem = "128x128", .seconds = seconds};
}

TEST(CompareTest, SaysWhichDifferencesCount) {
  const Results a = results_of({fused("serial", {1.0, 1.1, 1.2}), fused("openmp", {1.0, 1.1, 1.2}),
                                fused("mpi", {2.0}), fused("opencl", {0.9, 1.0, 1.1, 1.2})}),
                b = results_of({fused("serial", {0.5, 0.55, 0.6}), fused("openmp", {0.9, 1.0, 1.15}),
                                fused("mpi", {1.0}), fused("opencl", {1.3, 1.4, 1.5, 1.6})});
  EXPECT_EQ(runs_in(a, b), (std::vector<std::string>{
                               "128x128 serial fused 2.00 B faster", "128x128 openmp fused 1.10 within noise",
                               "128x128 mpi fused 2.00 cannot tell", "128x128 opencl fused 0.724 A faster"}));
  const auto tables = compare_results(a, b);
  const auto row = row_of(table_of(tables, "compare-runs"), {"128x128", "40000", "opencl"});
  EXPECT_EQ(row.at(11), "4, 4");
  EXPECT_EQ(row.at(12), "0.029");  // 2 of 70
}

TEST(CompareTest, ListsWhatOnlyOneSideHas) {
  MadeUpRun shorter = fused("serial", {1.0});
  shorter.steps = 100;
  MadeUpRun f64 = fused("serial", {1.0});
  f64.precision = "f64";
  EXPECT_EQ(
      runs_in(results_of({fused("serial", {1.0}), shorter}), results_of({f64, fused("serial", {1.0})})),
      (std::vector<std::string>{"128x128 serial fused 1.00 cannot tell", "128x128 serial fused - only in A",
                                "128x128 f64 serial fused - only in B"}));
}

TEST(CompareTest, ListsWhatDidNotRun) {
  MadeUpRun timeout = fused("openmp", {}), failed = fused("openmp", {}), wrong = fused("openmp", {1.0});
  timeout.status = RunStatus::timeout;
  failed.status = RunStatus::failed;
  wrong.status = RunStatus::wrong;
  const MadeUpRun good = fused("openmp", {1.0});
  const auto difference = [](const MadeUpRun& a, const MadeUpRun& b) {
    return runs_in(results_of({a}), results_of({b})).at(0);
  };
  EXPECT_EQ(difference(timeout, good), "128x128 openmp fused - A timeout");
  EXPECT_EQ(difference(good, wrong), "128x128 openmp fused - B wrong");
  EXPECT_EQ(difference(timeout, timeout), "128x128 openmp fused - timeout");
  EXPECT_EQ(difference(timeout, failed), "128x128 openmp fused - A timeout, B failed");
  const auto tables = compare_results(results_of({timeout}), results_of({good}));
  EXPECT_TRUE(has_note(table_of(tables, "compare-runs"), "A: 128x128: openmp fused: timeout: because"));
}

TEST(CompareTest, PairsByWorkersAndTypeOfDevice) {
  const auto with = [](const Values& seconds, int threads, const std::string& type) {
    MadeUpRun run = fused("opencl", seconds);
    run.threads = threads;
    run.type = type;
    return run;
  };
  // Another number of threads on the other machine, where there is but one.
  EXPECT_EQ(runs_in(results_of({with({2.0}, 2, "cpu")}), results_of({with({1.0}, 16, "cpu")})),
            (std::vector<std::string>{"128x128 opencl fused 2.00 cannot tell"}));
  // With several, equal ones belong together; what is left over on both sides is not guessed at.
  EXPECT_EQ(
      runs_in(results_of({with({4.0}, 1, "cpu"), with({2.0}, 2, "cpu"), with({1.5}, 3, "cpu")}),
              results_of({with({1.0}, 2, "cpu"), with({0.5}, 16, "cpu"), with({0.6}, 8, "cpu")})),
      (std::vector<std::string>{"128x128 opencl fused - only in A", "128x128 opencl fused 2.00 cannot tell",
                                "128x128 opencl fused - only in A", "128x128 opencl fused - only in B",
                                "128x128 opencl fused - only in B"}));
  EXPECT_EQ(runs_in(results_of({with({1.0}, 1, "cpu")}), results_of({with({1.0}, 1, "gpu")})).size(), 2u);
}

TEST(CompareTest, DoesNotCompareDifferentProblemsOfOneName) {
  const Results a = results_of({fused("serial", {1.0})});
  Results b = a;
  b.comparison.problems[0].rows[0].record["problem"]["digest"] = "0000000000000000";
  EXPECT_EQ(runs_in(a, b).size(), 2u);
  EXPECT_TRUE(
      has_note(table_of(compare_results(a, b), "compare-runs"), "different problems under this name"));
}

TEST(CompareTest, SaysWhatDiffersInProvenance) {
  MadeUpRun other = fused("serial", {1.0}), second = fused("openmp", {1.0});
  other.host = "elsewhere";
  other.revision = "r2";
  second.revision = "r3";
  const auto tables = compare_results(results_of({fused("serial", {1.0})}), results_of({other, second}));
  EXPECT_EQ(tables.front().id, "compare-provenance");
  const ReportTable& table = tables.front();
  EXPECT_EQ(row_of(table, {"compiler"}), (std::vector<std::string>{"compiler", "g", "g", "no"}));
  EXPECT_EQ(row_of(table, {"host"}),
            (std::vector<std::string>{"host", "h", "elsewhere (serial); h (openmp)", "yes"}));
  EXPECT_TRUE(has_note(table, "revision: A: r; B: r2 (serial); r3 (openmp)"));
  EXPECT_EQ(row_of(table, {"cores"}).back(), "no");
}

TEST(CompareTest, SetsStreamAndPeaksBesideEachOther) {
  Results a = results_of({}, {stream("openmp", "cpu", "one", 20.0), stream("opencl", "gpu", "g", 100.0)});
  Results b = results_of({}, {stream("openmp", "cpu", "another", 40.0, 1000)});
  a.peaks.emplace();
  a.peaks->processor.name = "p";
  a.peaks->processor.cores = 2;
  a.peaks->processor.bandwidths = {{"DRAM", "triad", 2, {10, 9, 11}}, {"L1", "read", 1, {50, 49, 51}}};
  b.peaks = a.peaks;
  b.peaks->processor.cores = 16;
  b.peaks->processor.bandwidths = {{"DRAM", "triad", 16, {20, 19, 21}}};
  DevicePeaks gpu;
  gpu.name = "g";
  gpu.type = "gpu";
  gpu.launch_seconds = {5e-6, 4e-6, 6e-6};
  gpu.notes = {"no copies: because"};
  b.peaks->devices = {gpu};
  const auto tables = compare_results(a, b);
  const ReportTable streams = table_of(tables, "compare-stream");
  EXPECT_EQ(row_of(streams, {"openmp f32 CPU 1x1", "triad"}),
            (std::vector<std::string>{"openmp f32 CPU 1x1", "triad", "GB/s", "20.00", "40.00", "2.00",
                                      "B higher"}));
  EXPECT_EQ(row_of(streams, {"opencl f32 GPU 1x1", "dot"}).back(), "only in A");
  EXPECT_TRUE(has_note(streams, "B: openmp f32 1x1 on another, 1000 elements"));
  const ReportTable peaks = table_of(tables, "compare-peaks");
  EXPECT_EQ(row_of(peaks, {"processor", "DRAM triad, all cores"}).back(), "B higher");
  EXPECT_EQ(row_of(peaks, {"processor", "L1 read, one core"}).back(), "only in A");
  EXPECT_EQ(
      row_of(peaks, {"OpenCL GPU 1", "kernel launch"}),
      (std::vector<std::string>{"OpenCL GPU 1", "kernel launch", "s", "-", "5.000e-06", "-", "only in B"}));
  EXPECT_TRUE(has_note(peaks, "B: OpenCL GPU 1: g"));
  EXPECT_TRUE(row_of(peaks, {"OpenCL GPU 1", "copy to the device"}).empty());  // zeros: not measured
  EXPECT_TRUE(has_note(peaks, "B: OpenCL GPU 1: no copies: because"));
}

TEST(CompareTest, SaysThatThereAreNoPeaks) {
  const auto tables = compare_results(results_of({}), results_of({}));
  EXPECT_TRUE(has_note(table_of(tables, "compare-peaks"), "A: no peaks among these results"));
  EXPECT_TRUE(has_note(table_of(tables, "compare-stream"), "No STREAM run on either side"));
}

TEST(CompareTest, IsWrittenInEveryForm) {
  const Results a = results_of({fused("serial", {1.0, 1.1, 1.2})}),
                b = results_of({fused("serial", {0.5, 0.55, 0.6})});
  const ReportTable table = table_of(compare_results(a, b), "compare-runs");
  EXPECT_EQ(
      report_csv(table),
      "problem,steps,model,variant,A ranks x threads,B ranks x threads,A s,B s,A MLUPS,B MLUPS,speed-up "
      "B over A,\"repeats A, B\",p,difference\n"
      "128x128,40000,serial,fused,1x1,1x1,1.1,0.55,595.781818,1191.56364,2,\"3, 3\",,B "
      "faster\n");
  EXPECT_TRUE(has(report_text(table), "128x128  40000  serial  fused        1x1      1x1  1.100  0.5500"));
  EXPECT_TRUE(
      has(report_markdown(table), "| 128x128 | 40000 | serial | fused | 1x1 | 1x1 | 1.100 | 0.5500 |"));
}

}  // namespace
}  // namespace boltzmark
