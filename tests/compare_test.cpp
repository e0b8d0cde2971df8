// Two results side by side: what counts as a difference, and what belongs together.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/report/compare.hpp"
#include "analysis/report/noise.hpp"
#include "common/base/text.hpp"
#include "entries.hpp"
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

Results results_of(std::vector<RunEntry> entries) {
  Results results;
  results.folder = "made up";
  results.entries = std::move(entries);
  return results;
}

RunEntry fused(const std::string& model, const Values& seconds) { return entry(model, "fused", 1, seconds); }

std::string squeezed(const std::string& line) {
  std::string text;
  for (const char c : line)
    if (c != ' ' || (!text.empty() && text.back() != ' ')) text += c;
  return text;
}

/// The lines of what is printed that begin with this, each blank once.
std::vector<std::string> lines_with(const std::string& begin, const Results& a, const Results& b) {
  std::vector<std::string> lines;
  for (const std::string& line : split(compare_results(a, b, 120), '\n'))
    if (const std::string text = squeezed(line); text.starts_with(begin)) lines.push_back(text);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(CompareTest, SaysWhichDifferencesCount) {
  const Results a = results_of({fused("serial", {1.0, 1.1, 1.2}), fused("openmp", {1.0, 1.1, 1.2}),
                                fused("mpi", {2.0}), fused("opencl", {0.9, 1.0, 1.1, 1.2})}),
                b = results_of({fused("serial", {0.5, 0.55, 0.6}), fused("openmp", {0.9, 1.0, 1.15}),
                                fused("mpi", {1.0}), fused("opencl", {1.3, 1.4, 1.5, 1.6})});
  EXPECT_EQ(lines_with("p ", a, b), (Lines{"p 10 f32 serial fused 1x2 1.100 0.5500 2.00 3 - B faster",
                                           "p 10 f32 openmp fused 1x2 1.100 1.000 1.10 3 - within noise",
                                           "p 10 f32 mpi fused 1x2 2.000 1.000 2.00 1 - cannot tell",
                                           "p 10 f32 opencl fused 1x2 1.050 1.450 0.724 4 0.029 A faster"}));
}

TEST(CompareTest, ListsWhatOnlyOneSideHasAndWhatDidNotRun) {
  RunEntry f64 = fused("serial", {1.0});
  f64.key.precision = "f64";
  const Results a = results_of({fused("serial", {1.0}), failed("mpi", "fused", 1, RunStatus::timeout)}),
                b = results_of({f64, fused("serial", {1.0}), fused("mpi", {1.0})});
  EXPECT_EQ(lines_with("p ", a, b), (Lines{"p 10 f32 serial fused 1x2 1.000 1.000 1.00 1 - cannot tell",
                                           "p 10 f32 mpi fused -, 1x2 - 1.000 - 0, 1 - A timeout",
                                           "p 10 f64 serial fused 1x2 - 1.000 - 1 - only in B"}));
  EXPECT_EQ(lines_with("- A: p: mpi fused: timeout: because", a, b).size(), 1u);
}

TEST(CompareTest, PairsByWorkersAndTypeOfDevice) {
  const auto with = [](double seconds, int threads, const char* type = "cpu") {
    RunEntry run = fused("opencl", {seconds});
    run.key.threads = run.record->threads = threads;
    run.record->device_type = type;
    return run;
  };
  const auto seconds_of = [&](const Results& a, const Results& b) {
    Lines lines;
    for (const std::string& line : lines_with("p ", a, b)) lines.push_back(line.substr(line.find("fused")));
    return lines;
  };
  // Another number of threads on the other machine, where there is but one.
  EXPECT_EQ(seconds_of(results_of({with(2.0, 2)}), results_of({with(1.0, 16)})),
            (Lines{"fused 1x2, 1x16 2.000 1.000 2.00 1 - cannot tell"}));
  // With several, equal ones belong together; what is left over on both sides is not guessed at.
  EXPECT_EQ(seconds_of(results_of({with(4.0, 1), with(2.0, 2), with(1.5, 3)}),
                       results_of({with(1.0, 2), with(0.5, 16), with(0.6, 8)}))
                .at(1),
            "fused 1x2 2.000 1.000 2.00 1 - cannot tell");
  EXPECT_EQ(seconds_of(results_of({with(1.0, 1)}), results_of({with(1.0, 1, "gpu")})).size(), 2u);
}

TEST(CompareTest, DoesNotCompareDifferentCasesOfOneName) {
  RunEntry other = fused("serial", {1.0});
  other.key.case_ = other.record->case_.digest = "another";
  const Results a = results_of({fused("serial", {1.0})}), b = results_of({other});
  EXPECT_EQ(lines_with("p ", a, b).size(), 2u);
  EXPECT_EQ(lines_with("- p: the two sides solved different problems", a, b).size(), 1u);
}

TEST(CompareTest, SaysWhatDiffersInProvenance) {
  RunEntry other = fused("serial", {1.0}), second = fused("openmp", {1.0});
  other.record->provenance.host = "elsewhere";
  other.record->provenance.revision = "r2";
  second.record->provenance.revision = "r3";
  const Results a = results_of({fused("serial", {1.0})}), b = results_of({other, second});
  EXPECT_EQ(lines_with("- host", a, b), (Lines{"- host: A: h; B: elsewhere (serial); h (openmp)"}));
  EXPECT_EQ(lines_with("- revision", a, b), (Lines{"- revision: A: r; B: r2 (serial); r3 (openmp)"}));
  EXPECT_EQ(lines_with("- the same", a, b),
            (Lines{"- the same: cpu, system, compiler, flags, version, cores"}));
}

TEST(CompareTest, SetsPartsAndPeaksBesideEachOther) {
  Results a = results_of({entry_of_parts("openmp", 1, {0.04})}), b = a;
  Record& larger = *b.entries[0].record;
  larger.case_.name = "2";  // the rates of another size will do
  larger.case_.digest = "stream-2";
  for (Part& part : larger.parts) part.bytes *= 2;
  a.peaks.emplace();
  a.peaks->processor.name = "p";
  a.peaks->processor.cores = 2;
  a.peaks->processor.bandwidths = {{"DRAM", "triad", 2, {10, 9, 11}}, {"L1", "read", 1, {50, 49, 51}}};
  b.peaks = a.peaks;
  b.peaks->processor.bandwidths = {{"DRAM", "triad", 16, {20, 19, 21}}};
  b.peaks->devices.resize(1);
  b.peaks->devices[0].name = "g";
  b.peaks->devices[0].type = "gpu";
  b.peaks->devices[0].launch_seconds = {5e-6, 4e-6, 6e-6};
  b.peaks->devices[0].notes = {"no copies: because"};
  EXPECT_EQ(lines_with("10000000, 2 1 f32 openmp plain triad", a, b),
            (Lines{"10000000, 2 1 f32 openmp plain triad 1x2 3.000 6.000 2.00 1 - cannot tell"}));
  EXPECT_EQ(lines_with("processor", a, b),
            (Lines{"processor DRAM triad, all cores GB/s 10.00 20.00 2.00 B higher",
                   "processor L1 read, one core GB/s 50.00 - - only in A"}));
  EXPECT_EQ(lines_with("OpenCL", a, b), (Lines{"OpenCL gpu 1 launch s - 5.000e-06 - only in B"}));
  EXPECT_EQ(lines_with("- B: g", a, b), (Lines{"- B: g: no copies: because"}));
  b.peaks.reset();
  EXPECT_EQ(lines_with("- B: no peaks", a, b).size(), 1u);
}

}  // namespace
}  // namespace boltzmark
