// The comparison: its figures, and its three forms byte by byte.
#include <gtest/gtest.h>

#include "analysis/run/build_table.hpp"
#include "analysis/run/comparison_output.hpp"
#include "entries.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

const std::vector<Baseline> both_serials = {{"serial", "textbook"}, {"serial", "fused"}};

TEST(ComparisonTest, TakesMediansOverRoundsAndRepeats) {
  const auto comparison =
      make_comparison({entry("openmp", "fused", 1, {0.4}), entry("serial", "textbook", 1, {8.0}),
                       entry("openmp", "fused", 2, {0.1, 0.2}), entry("openmp", "fused", 3, {0.3}),
                       entry("serial", "fused", 1, {0.5})},
                      {"fused", {}}, both_serials);
  ASSERT_EQ(comparison.problems.size(), 1u);
  const auto& rows = comparison.problems[0].rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].variant + rows[1].model + rows[2].model, "textbookserialopenmp");  // baselines first
  const ComparisonRow& openmp = rows[2];
  EXPECT_EQ(openmp.seconds, (std::vector<double>{0.4, 0.1, 0.2, 0.3}));
  EXPECT_DOUBLE_EQ(openmp.median, 0.25);
  EXPECT_DOUBLE_EQ(openmp.minimum, 0.1);
  EXPECT_DOUBLE_EQ(openmp.maximum, 0.4);
  EXPECT_DOUBLE_EQ(openmp.mlups, 4.0);
  EXPECT_DOUBLE_EQ(openmp.gb_per_s, 0.288);
  EXPECT_DOUBLE_EQ(openmp.speed_ups.at(0).value(), 32.0);
  EXPECT_DOUBLE_EQ(openmp.speed_ups.at(1).value(), 2.0);
  EXPECT_DOUBLE_EQ(openmp.deviation.value(), 3e-6);
  EXPECT_FALSE(comparison.problems[0].has_better_variants());
}

TEST(ComparisonTest, GivesNoSpeedUpWithoutARightBaseline) {
  RunEntry wrong = entry("serial", "fused", 1, {0.5});
  wrong.status = RunStatus::wrong;
  const auto rows = make_comparison({wrong, entry("openmp", "fused", 1, {0.25})}, {"fused", {}}, both_serials)
                        .problems.at(0)
                        .rows;
  EXPECT_FALSE(rows[1].speed_ups.at(0));  // not there
  EXPECT_FALSE(rows[1].speed_ups.at(1));  // wrong
  EXPECT_FALSE(rows[0].speed_ups.at(1));
  EXPECT_DOUBLE_EQ(rows[0].median, 0.5);  // measured all the same
  EXPECT_FALSE(rows[0].best_of_model);
}

TEST(ComparisonTest, ShowsTheWorstRound) {
  const auto comparison =
      make_comparison({entry("openmp", "fused", 1, {0.2}), failed("openmp", "fused", 2, RunStatus::timeout),
                       failed("mpi", "fused", 1, RunStatus::skipped)},
                      {"fused", {}}, both_serials);
  const auto& rows = comparison.problems.at(0).rows;
  EXPECT_EQ(rows[0].status, RunStatus::timeout);
  EXPECT_EQ(rows[0].worst_round, 2);
  EXPECT_EQ(rows[0].seconds.size(), 1u);
  EXPECT_EQ(rows[1].status, RunStatus::skipped);
  const std::string text = comparison_text(comparison, {});
  EXPECT_TRUE(has(text, "\n  openmp fused: timeout (round 2): because\n  mpi fused: skipped: because\n"))
      << text;
}

TEST(ComparisonTest, SetsBestVariantsApartOnlyWhereTheyAreBetter) {
  std::vector<RunEntry> entries = {entry("serial", "fused", 1, {0.5}), entry("openmp", "fused", 1, {0.25}),
                                   entry("openmp", "slow", 1, {0.75})};
  std::string text = comparison_text(make_comparison(entries, {"fused", {}}, both_serials), {});
  EXPECT_FALSE(has(text, "Best variant")) << text;
  EXPECT_TRUE(has(text, "Other runs\n")) << text;
  entries.push_back(entry("openmp", "in-place", 1, {0.1}));
  text = comparison_text(make_comparison(entries, {"fused", {}}, both_serials), {});
  const auto best = text.find("Best variant of each model"), other = text.find("Other runs");
  ASSERT_NE(best, text.npos);
  EXPECT_TRUE(has(text.substr(best, other - best), "in-place"));
  EXPECT_TRUE(has(text.substr(other), "slow"));
}

TEST(ComparisonTest, KeepsProblemsStepsAndPrecisionsApart) {
  auto f64 = entry("serial", "fused", 1, {1.0}), longer = entry("serial", "fused", 1, {2.0});
  f64.key.precision = "f64";
  longer.key.steps = 20;
  EXPECT_EQ(make_comparison({entry("serial", "fused", 1, {0.5}), f64, longer}, {"fused", {}}, both_serials)
                .problems.size(),
            3u);
}

TEST(ComparisonTest, IsWrittenByteByByte) {
  const std::vector<RunEntry> entries = {entry("serial", "textbook", 1, {2.0}),
                                         entry("mpi", "fused", 1, {0.25}),
                                         failed("opencl", "fused", 1, RunStatus::impossible)};
  const auto comparison = make_comparison(entries, {"fused", {}}, {{"serial", "textbook"}});
  EXPECT_EQ(comparison_text(comparison, make_footer(entries)),
            R"(p: 1000 x 100 cells, 10 steps, f32

Like for like: variant fused in every model
                                                                            speed-up
                          ranks x  median     min     max                     serial    largest
model   variant   device  threads       s       s       s   MLUPS     GB/s  textbook  deviation  status
------  --------  ------  -------  ------  ------  ------  ------  -------  --------  ---------  ----------
serial  textbook  Some        1x2   2.000   2.000   2.000  0.5000  0.03600      1.00    3.0e-06  ok
mpi     fused     Some        1x2  0.2500  0.2500  0.2500   4.000   0.2880      8.00    3.0e-06  ok
opencl  fused     -             -       -       -       -       -        -         -          -  impossible

  opencl fused: impossible: because

Devices: Some(R) CPU
Machine: h, c, s, 2 cores
Built:   boltzmark 0 (r), g -O3
)");
  EXPECT_EQ(
      comparison_csv(comparison),
      "problem,nx,ny,steps,precision,model,variant,setting,tuned,device,ranks,threads,repeats,median_seconds,"
      "min_seconds,"
      "max_seconds,mlups,gb_per_s,speed_up_over_serial_textbook,largest_deviation,status,like_for_like,"
      "best_of_model,reason\n"
      "p,1000,100,10,f32,serial,textbook,,,Some(R) CPU,1,2,1,2,2,2,0.5,0.036,1,3e-06,ok,yes,yes,\n"
      "p,1000,100,10,f32,mpi,fused,,,Some(R) CPU,1,2,1,0.25,0.25,0.25,4,0.288,8,3e-06,ok,yes,yes,\n"
      "p,1000,100,10,f32,opencl,fused,,,,0,0,0,,,,,,,,impossible,yes,no,because\n");
}

TEST(ComparisonTest, MarksRunsThatTookTunedOptions) {
  RunEntry tuned = entry("opencl", "fused", 1, {0.5});
  tuned.record["settings"]["tuned"] = {{"work-group", "64x4"}, {"transposed", ""}};
  const Comparison comparison =
      make_comparison({tuned, entry("mpi", "fused", 1, {0.25})}, LikeForLike{"fused"}, both_serials);
  const std::string text = comparison_text(comparison, {});
  EXPECT_TRUE(has(text, "opencl  fused (tuned)  ")) << text;
  EXPECT_TRUE(has(
      text,
      "\n  opencl fused: tuned options were used: transposed, work-group 64x4; --no-tuned leaves them out\n"))
      << text;
  EXPECT_EQ(count_of(text, "tuned"), 3) << text;
  EXPECT_TRUE(has(comparison_csv(comparison), ",opencl,fused,,\"transposed, work-group 64x4\","))
      << comparison_csv(comparison);
}

TEST(ComparisonTest, SharesOfHaloExchangesAreMediansOfTheRounds) {
  std::vector<RunEntry> rounds;
  for (int round = 1; round <= 3; ++round) {
    rounds.push_back(entry("mpi", "fused", round, {4.0, 2.0}));  // the last repeat is what they belong to
    rounds.back().record["settings"] = {{"halo_seconds", 0.1 * round * round},
                                        {"halo_seconds_most", 0.5 * round}};
  }
  const Comparison comparison = make_comparison(rounds, LikeForLike{"fused"}, {});
  EXPECT_DOUBLE_EQ(*comparison.problems[0].rows[0].halo_share, 0.2);
  EXPECT_DOUBLE_EQ(*comparison.problems[0].rows[0].halo_share_most, 0.5);
}

TEST(ComparisonTest, SaysACauseOnce) {
  const std::string text = comparison_text(make_comparison({failed("openmp", "fused", 1, RunStatus::timeout),
                                                            failed("mpi", "fused", 1, RunStatus::timeout),
                                                            failed("mpi", "other", 1, RunStatus::failed)},
                                                           LikeForLike{"fused"}, both_serials),
                                           {});
  EXPECT_TRUE(has(text, "\n  openmp fused, mpi fused: timeout: because\n  mpi other: failed: because\n"))
      << text;
}

// ---- the same runs in several builds

RunEntry in_build(const std::string& build, RunEntry e) {
  e.key.build = build;
  if (e.record.is_object()) e.record["provenance"]["flags"] = "-O3 -of-" + build;
  return e;
}

TEST(BuildTableTest, HasARowForEachRunAndColumnsForEachBuild) {
  RunEntry wrong = in_build("clang", entry("mpi", "fused", 1, {0.1}));
  wrong.status = RunStatus::wrong;
  RunEntry absent = in_build("icc", failed("openmp", "fused", 1, RunStatus::skipped));
  absent.key.threads = 2;
  const Comparison comparison = make_comparison(
      {entry("openmp", "fused", 1, {9.0}), in_build("gcc", entry("serial", "fused", 1, {0.4})),
       in_build("clang", entry("serial", "fused", 1, {0.25})),
       in_build("gcc", entry("openmp", "fused", 1, {0.2})), absent,
       in_build("clang", entry("openmp", "fused", 1, {0.8})),
       in_build("gcc", entry("serial", "fused", 2, {0.6})), in_build("gcc", entry("mpi", "fused", 1, {0.3})),
       wrong},
      LikeForLike{"fused"}, both_serials);
  const BuildTable table = make_build_table(comparison);
  EXPECT_EQ(build_csv(table),
            "problem,steps,model,variant,ranks x threads,gcc s,clang s,clang speed-up,icc s,icc speed-up\n"
            "p,10,serial,fused,1x2,0.5,0.25,2,,\n"
            "p,10,openmp,fused,1x2,0.2,0.8,0.25,,\n"
            "p,10,mpi,fused,1x2,0.3,,,,\n");
  EXPECT_EQ(table.notes,
            (std::vector<std::string>{"gcc: g, -O3 -of-gcc", "clang: g, -O3 -of-clang", "icc: nothing ran"}));
  EXPECT_TRUE(has(build_text(table),
                  "\nCompilers and flags\nMedian compute seconds in each build; speed-up: the "
                  "seconds in gcc over these.\n"))
      << build_text(table);
  EXPECT_TRUE(has(build_markdown(table), "- clang: g, -O3 -of-clang\n")) << build_markdown(table);
  // In the comparison each build is a row of its own.
  EXPECT_TRUE(has(comparison_csv(comparison), ",serial,fused,clang,")) << comparison_csv(comparison);
}

TEST(BuildTableTest, IsEmptyWithoutBuilds) {
  const BuildTable table = make_build_table(
      make_comparison({entry("serial", "fused", 1, {0.4})}, LikeForLike{"fused"}, both_serials));
  EXPECT_TRUE(table.rows.empty());
  EXPECT_EQ(build_text(table) + build_markdown(table), "");
}

}  // namespace
}  // namespace boltzmark
