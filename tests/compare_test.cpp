// Two results row by row, the formats of others, and shared results.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "analysis/compare/comparison.hpp"
#include "analysis/support/json.hpp"
#include "common/base/text.hpp"
#include "figure_rows.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace testing;
using Values = std::vector<double>;
namespace fs = std::filesystem;

/// By going through every way to divide the values.
double p_by_hand(const Values& a, const Values& b) {
  Values all = a;
  all.insert(all.end(), b.begin(), b.end());
  const auto doubled_sum = [&](unsigned in_b) {
    int sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (in_b >> i & 1U)
        for (const double other : all) sum += other < all[i] ? 2 : other == all[i] ? 1 : 0;
    return sum;
  };
  const unsigned found = ((1U << b.size()) - 1U) << a.size();
  int far = 0, ways = 0;
  for (unsigned choice = 0; choice < 1U << all.size(); ++choice)
    if (static_cast<std::size_t>(__builtin_popcount(choice)) == b.size()) {
      ++ways;
      if (doubled_sum(choice) >= doubled_sum(found)) ++far;
    }
  return double(far) / ways;
}

TEST(DifferenceTest, TheTestIsExactWithTies) {
  for (const auto& [a, b] : std::vector<std::pair<Values, Values>>{{{1, 1, 2, 5}, {1, 3, 3}},
                                                                   {{4, 4, 4, 4}, {4, 4, 4, 4}},
                                                                   {{9, 8, 1, 7, 3}, {2, 2, 9, 4}},
                                                                   {{3, 1, 2, 4}, {5, 1.5, 6, 2.5, 7}}})
    EXPECT_NEAR(p_of_slower(a, b), p_by_hand(a, b), 1e-12);
}

TEST(DifferenceTest, FewRoundsDifferWhenTheyAreFarApart) {
  EXPECT_NEAR(p_of_slower({1.00, 1.01, 1.02}, {1.01, 1.02, 1.03}), p_by_hand({1.00, 1.01, 1.02}, {1.01, 1.02, 1.03}),
              1e-12);
  const double k = std::log(3.0) / (2.0 * std::log(1.02 / 1.0));  // medians over both ranges
  EXPECT_NEAR(p_of_slower({1.00, 1.01, 1.02}, {3.00, 3.03, 3.06}), 0.01 / std::pow(k, 4.0), 1e-8);
  EXPECT_TRUE(can_differ(3, 3));
  EXPECT_TRUE(can_differ(2, 8));
  EXPECT_FALSE(can_differ(2, 7));
  EXPECT_FALSE(can_differ(1, 30));
}

TEST(DifferenceTest, TheIntervalIsThatOfTheTestAndSaysItsCoverage) {
  Values a, b;
  for (int i = 0; i < 10; ++i) a.push_back(1.0 + 0.01 * i), b.push_back(2.0 * a.back());
  const Difference found = difference(a, b);
  EXPECT_NEAR(found.ratio, 2.0, 1e-3);
  EXPECT_LT(found.low, 2.0);
  EXPECT_GT(found.high, 2.0);
  EXPECT_NEAR(found.coverage, 0.9567, 1e-4);  // U of 23 for ten and ten in the tables: 2 p = 0.0433
  // Shifted to an end of the interval and beyond, the test rejects.
  Values shifted = b;
  for (double& value : shifted) value /= found.high * 1.0001;
  EXPECT_LT(2.0 * p_of_slower(shifted, a), 0.05);
  EXPECT_NEAR(difference({1, 2, 3}, {1, 2, 3}).coverage, 0.9, 1e-12);
  EXPECT_EQ(difference({1}, {2}).coverage, 0.0);
}

TEST(DifferenceTest, ManyRoundsTakeTheNormalApproximation) {
  Values a, b;
  for (int i = 0; i < 41; ++i)
    a.push_back(1.0 + std::fmod(0.61803 * i, 1.0)), b.push_back(1.1 + std::fmod(0.41421 * i, 1.0));
  const double approximate = p_of_slower(a, b);
  a.pop_back();
  b.pop_back();
  EXPECT_NEAR(approximate, p_of_slower(a, b), 0.02);
}

TEST(DifferenceTest, ManyTestsAreCorrected) {
  // Benjamini and Hochberg's example: the four smallest of fifteen are significant at 5 %.
  const Values p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0};
  const Values all = adjusted(p);
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](double one) { return one <= 0.05; }), 4);
  EXPECT_NEAR(all[3], 0.0095 * 15 / 4, 1e-12);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_TRUE(adjusted({}).empty());
}

/// Rounds of one configuration; the first two rounds are a sixth apart.
std::vector<RunEntry> rounds_of(const std::string& model, double seconds, int rounds = 6, double noise = 0.002) {
  std::vector<RunEntry> entries;
  for (int i = 1; i <= rounds; ++i)
    entries.push_back(entry(model, "fused", i, {seconds * (1.0 + noise * (i * 5 % 7))}));
  return entries;
}

std::map<std::string, RowPair> judged(const std::vector<Row>& a, const std::vector<Row>& b, double slower_than) {
  auto pairs = pair_rows(a, b);
  judge(pairs, slower_than);
  std::map<std::string, RowPair> by_model;
  for (const RowPair& pair : pairs) by_model[pair.any().key.model] = pair;
  return by_model;
}

TEST(ComparisonOfResultsTest, TheUnitIsTheRound) {
  const auto a = rows_of(rounds_of("serial", 1.0) + rounds_of("openmp", 1.0) + rounds_of("mpi", 1.0) +
                         rounds_of("cuda", 1.0) + rounds_of("opencl", 1.0, 1));
  const auto b = rows_of(rounds_of("serial", 1.08) + rounds_of("openmp", 1.001) + rounds_of("mpi", 0.9) +
                         rounds_of("stdpar", 1.0) + rounds_of("opencl", 9.0, 1));
  auto found = judged(a, b, 0.05);
  EXPECT_EQ(found["serial"].verdict, "slower");
  EXPECT_TRUE(found["serial"].is_too_slow);
  EXPECT_NEAR(found["serial"].difference->ratio, 1.08, 0.01);
  EXPECT_EQ(found["openmp"].verdict, "within noise");
  EXPECT_EQ(found["mpi"].verdict, "faster");
  EXPECT_EQ(found["cuda"].verdict, "only in REF");
  EXPECT_EQ(found["stdpar"].verdict, "only in NEW");
  EXPECT_EQ(found["opencl"].verdict, "too few rounds");
  EXPECT_FALSE(found["opencl"].is_too_slow);
  EXPECT_FALSE(judged(a, b, 0.10)["serial"].is_too_slow);
  const std::string text = comparison_text(compare_results(a, b), false, 150);
  EXPECT_TRUE(has(text, "NEW is"));
  EXPECT_TRUE(has(text, "NEW / REF: median of the ratios of every round")) << text;
  const std::string once = text.substr(text.find("opencl"), text.find('\n', text.find("opencl")) - text.find("opencl"));
  EXPECT_TRUE(has(once, "1, 1    too few rounds  too few rounds")) << text;
  EXPECT_FALSE(found["opencl"].p) << "no number for it";
}

TEST(ComparisonOfResultsTest, ANoisyMachineNeedsSixRounds) {
  const auto verdict = [](double slower, int rounds) {
    const auto of = [rounds](double seconds) { return rows_of(rounds_of("serial", seconds, rounds, 0.04)); };
    EXPECT_TRUE(of(1.0)[0].is_noisy());
    return judged(of(1.0), of(slower), 0.05)["serial"].verdict;
  };
  EXPECT_EQ(verdict(1.35, 4), "too few rounds");
  EXPECT_EQ(verdict(1.35, 6), "slower");
  EXPECT_EQ(verdict(3.0, 4), "slower") << "more than the noise of both sides";
}

TEST(ComparisonOfResultsTest, WhatIsNoLongerRightIsTooSlow) {
  const auto wrong = with(entry("serial", "fused", 1, {1.0}), [](RunEntry& e) { e.status = RunStatus::wrong; });
  auto found = judged(rows_of(rounds_of("serial", 1.0)), rows_of({wrong}), 0.05);
  EXPECT_EQ(found["serial"].verdict, "wrong in NEW");
  EXPECT_TRUE(found["serial"].is_too_slow);
  found = judged(rows_of({wrong}), rows_of(rounds_of("serial", 1.0)), 0.05);
  EXPECT_EQ(found["serial"].verdict, "wrong in REF");
  EXPECT_FALSE(found["serial"].is_too_slow);
}

TEST(ComparisonOfResultsTest, RowsArePairedByDeviceThenByWorkersThenByTypeOfDevice) {
  const auto on = [](const char* device, double seconds, const char* type = "gpu") {
    return with(entry("opencl", "fused", 1, {seconds}), [=](RunEntry& e) {
      e.key.device = e.record->device = device;
      e.record->device_type = type;
    });
  };
  const auto a = rows_of({on("one", 1.0), on("two", 2.0)}),
             b = rows_of({on("two", 3.0), on("one", 4.0), on("cpu", 5.0, "cpu")});
  const auto pairs = pair_rows(a, b);
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].other->device, "one");
  EXPECT_EQ(pairs[1].other->device, "two");
  EXPECT_EQ(pairs[2].reference, nullptr);
  const auto old_gpu = rows_of({on("old", 1.0)}), new_gpu = rows_of({on("new", 2.0)});
  EXPECT_EQ(pair_rows(old_gpu, new_gpu).size(), 1u);
  const auto cpu = rows_of({on("cpu", 5.0, "cpu")});
  EXPECT_EQ(pair_rows(old_gpu, cpu).size(), 2u) << "another type of device";
  // Runs of another size have no partner; with other steps the rates are compared.
  const auto part = [](std::int64_t size) {
    return rows_of({with(entry_of_parts("openmp", 1, {0.01}), [=](RunEntry& e) {
      e.record->case_.name = std::to_string(size);
      e.record->case_.digest = "stream-" + std::to_string(size);
    })});
  };
  const auto small = part(1000), large = part(2000);
  for (const RowPair& pair : pair_rows(small, large)) EXPECT_FALSE(pair.reference && pair.other);
  const auto longer = rows_of(each(rounds_of("serial", 4.0), [](RunEntry e) {
    e.key.steps = e.record->steps = 20;
    return e;
  }));
  const auto shorter = rows_of(rounds_of("serial", 1.0));
  auto found = judged(shorter, longer, 0.0);
  EXPECT_NEAR(found["serial"].difference->ratio, 2.0, 0.01);
  EXPECT_FALSE(has(pair_table({found["serial"]}, {"A", "B"}).text(120), "4.0"));
  auto digests = rows_of({with(entry("serial", "fused", 1, {1.0}), [](RunEntry& e) { e.record->case_.digest = "f"; })});
  EXPECT_EQ(judged(shorter, digests, 0.0)["serial"].verdict, "other case");
}

/// For STREAM, whose rows are its parts.
std::vector<RunEntry> rounds_of_parts(const std::string& model) {
  std::vector<RunEntry> entries;
  for (int i = 1; i <= 3; ++i) entries.push_back(entry_of_parts(model, i, {0.01 + 1e-5 * i}));
  return entries;
}

std::vector<std::string> names_of_lost(const std::vector<RowPair>& pairs) {
  std::vector<std::string> names;
  for (const RowPair& pair : pairs)
    if (pair.is_too_slow) names.push_back(pair.any().part + ": " + pair.verdict);
  return names;
}

TEST(ComparisonOfResultsTest, ARunWithoutARecordBelongsToTheRowsAskedForInItsWords) {
  // Plans name neither the variant nor STREAM's size: records have them, but a crashed run has no record.
  auto before = rounds_of("serial", 1.0, 3);
  for (RunEntry& e : before) e.key.variant.clear();
  const auto ref = rows_of(before + rounds_of_parts("openmp"));
  for (const auto& [status, words] :
       std::vector<std::pair<RunStatus, std::string>>{{RunStatus::failed, "failed in NEW"},
                                                      {RunStatus::timeout, "timeout in NEW"},
                                                      {RunStatus::wrong, "wrong in NEW"},
                                                      {RunStatus::impossible, "impossible in NEW"},
                                                      {RunStatus::skipped, "skipped in NEW"}}) {
    std::vector<RunEntry> after = {failed("serial", "", 1, status), entry_of_parts("openmp", 1, {0.01})};
    after[1].status = status;
    after[1].record.reset();
    const auto now = rows_of(after);
    const auto pairs = compare_results(ref, now, 0.05), back = compare_results(now, ref, 0.05);
    EXPECT_EQ(names_of_lost(pairs), std::vector({": " + words, "copy: " + words, "triad: " + words}));
    EXPECT_EQ(pairs.size(), 3u);
    EXPECT_EQ(back.size(), 3u);
    EXPECT_TRUE(names_of_lost(back).empty());
  }
  // A machine of other workers.
  const auto more =
      rows_of({with(failed("serial", "", 1, RunStatus::failed), [](RunEntry& e) { e.key.threads = 64; })});
  EXPECT_EQ(names_of_lost(compare_results(ref, more, 0.05))[0], ": failed in NEW");
}

TEST(ComparisonOfResultsTest, ARowThatIsMissingCountsUnlessTheOtherIsOfAnotherPlan) {
  const auto of_plan = [](std::vector<RunEntry> entries, const char* plan) {
    for (RunEntry& e : entries) e.order = Order{1, 0, plan};
    return rows_of(entries);
  };
  const auto ref = of_plan(rounds_of("serial", 1.0) + rounds_of("openmp", 1.0), "quick");
  for (const auto& [plan, lost] : std::vector<std::pair<const char*, std::size_t>>{{"quick", 1}, {"", 1}, {"own", 0}}) {
    const auto now = of_plan(rounds_of("openmp", 1.0), plan);
    EXPECT_EQ(names_of_lost(compare_results(ref, now, 0.05)).size(), lost) << plan;
    EXPECT_EQ(compare_results(ref, now, 0.05)[0].verdict, "only in REF");
  }
}

TEST(ComparisonOfResultsTest, AResultThatIsNotCheckedAnyMoreIsNotRight) {
  const auto unchecked = [](std::vector<RunEntry> entries) {
    for (RunEntry& e : entries) e.record->check = {};
    return rows_of(entries);
  };
  const auto ref = rows_of(rounds_of("serial", 1.0)), now = unchecked(rounds_of("serial", 1.0));
  EXPECT_EQ(names_of_lost(compare_results(ref, now, 0.05)), std::vector<std::string>{": not checked in NEW"});
  EXPECT_EQ(compare_results(now, now, 0.05)[0].verdict, "within noise");
  // Whatever its status says.
  auto said_right = rounds_of("serial", 1.0);
  for (RunEntry& e : said_right) {
    e.record->check.passed = false;
    e = RunEntry::from_json(e.to_json());
  }
  const auto false_ones = rows_of(said_right);
  EXPECT_EQ(names_of_lost(compare_results(ref, false_ones, 0.05)), std::vector<std::string>{": wrong in NEW"});
}

TEST(ComparisonOfResultsTest, WithinNoiseIsSaidOnlyWhereRoundsTell) {
  const auto verdict = [](int rounds, int rounds_now, double slower, double noise, int others) {
    std::vector<RunEntry> before = rounds_of("serial", 1.0, rounds, noise),
                          now = rounds_of("serial", slower, rounds_now, noise);
    for (int i = 0; i < others; ++i)
      for (auto* const entries : {&before, &now}) *entries = *entries + rounds_of("m" + std::to_string(i), 1.0);
    return judged(rows_of(before), rows_of(now), 0.05)["serial"].verdict;
  };
  EXPECT_EQ(verdict(10, 2, 3.0, 0.002, 0), "slower");
  EXPECT_EQ(verdict(10, 2, 3.0, 0.002, 20), "too few rounds");
  EXPECT_EQ(verdict(10, 2, 1.0, 0.002, 20), "too few rounds");
  EXPECT_EQ(verdict(10, 2, 1.0, 0.002, 0), "within noise");
  EXPECT_EQ(verdict(10, 10, 1.0, 0.002, 20), "within noise");
  EXPECT_EQ(verdict(3, 3, 1.0, 0.1, 0), "within noise");
  EXPECT_EQ(verdict(3, 3, 1.7, 0.1, 0), "too few rounds");  // no round of one is among those of the other
}

class Folders : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }
  fs::path write(const std::string& name, const std::vector<RunEntry>& entries) {
    fs::create_directories(folder_ / name);
    std::ofstream out(folder_ / name / runs_file);
    for (const RunEntry& e : entries) out << e.to_json().dump() << '\n';
    return folder_ / name;
  }
  static Outcome drive(std::vector<std::string> words) {
    words.insert(words.begin(), std::string(BOLTZMARK_BIN_DIR) + "/boltzmark");
    return run_command(words);
  }
  const fs::path folder_ = fs::path(::testing::TempDir()) /
                           ("folders-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

using Gate = Folders;

TEST_F(Gate, EndsWithOneWhereARowIsTooSlow) {
  const auto ref = write("ref", rounds_of("serial", 1.0) + rounds_of("openmp", 1.0));
  const auto slow = write("slow", rounds_of("serial", 1.2) + rounds_of("openmp", 1.0));
  const Outcome bad = drive({"compare", ref, slow, "--slower-than", "5%"});
  EXPECT_EQ(bad.status, 1) << bad.errors;
  EXPECT_TRUE(has(bad.output, "serial") && has(bad.output, "1 row slower by more than 5% beyond noise")) << bad.output;
  EXPECT_FALSE(has(bad.output, "openmp")) << bad.output;
  for (const auto& other : {ref, slow}) EXPECT_EQ(drive({"compare", other, other, "--slower-than", "0%"}).status, 0);
  EXPECT_EQ(drive({"compare", slow, ref, "--slower-than", "5%"}).status, 0);
  EXPECT_EQ(drive({"compare", ref, slow, "--slower-than", "30%"}).status, 0);
  EXPECT_EQ(drive({"compare", ref, slow}).status, 0);
  for (const char* wrong : {"5", "-1%", "nan%", "%"})
    EXPECT_EQ(drive({"compare", ref, slow, "--slower-than", wrong}).status, 2) << wrong;
  const auto crashed =
      write("crashed", rounds_of("serial", 1.0) + std::vector{failed("openmp", "fused", 1, RunStatus::failed)});
  const Outcome lost = drive({"compare", ref, crashed, "--slower-than", "5%"});
  EXPECT_EQ(lost.status, 1) << lost.errors;
  EXPECT_TRUE(has(lost.output, "openmp") && has(lost.output, "failed in NEW") &&
              has(lost.output, "1 row no longer right"))
      << lost.output;
  const Outcome missing = drive({"compare", ref, write("fewer", rounds_of("serial", 1.0)), "--slower-than", "5%"});
  EXPECT_EQ(missing.status, 1) << missing.errors;
  EXPECT_TRUE(has(missing.output, "noise, 1 row missing\n")) << missing.output;
  const auto other = write("other", rounds_of("mpi", 1.0));
  EXPECT_EQ(drive({"compare", ref, other, "--slower-than", "5%"}).status, 2);
  const Outcome all = drive({"compare", ref, slow, "--out", folder_ / "out"});
  EXPECT_TRUE(has(all.output, "2 rows: 1 slower, 1 within noise")) << all.output;
  EXPECT_TRUE(fs::exists(folder_ / "out" / "comparison.csv"));
  EXPECT_EQ(drive({"summary", "--compare", ref, slow}).output, drive({"compare", ref, slow}).output);
}

TEST_F(Gate, FailsWhereNoRowHasEnoughRounds) {
  const auto once = write("once", rounds_of("serial", 1.0, 1) + rounds_of("openmp", 1.0, 1));
  const Outcome none = drive({"compare", once, once, "--slower-than", "5%"});
  EXPECT_EQ(none.status, 2) << none.output;
  EXPECT_TRUE(has(none.output, "2 rows with too few rounds to tell")) << none.output;
  EXPECT_TRUE(has(none.errors, "expected rows with enough rounds to judge, found none: run both with --repeats 6"));
  EXPECT_EQ(drive({"compare", once, once}).status, 0);
  const auto some = write("some", rounds_of("serial", 1.0) + rounds_of("openmp", 1.0, 1));
  EXPECT_EQ(drive({"compare", some, some, "--slower-than", "5%"}).status, 0);
}

using Share = Folders;

TEST_F(Share, NamesNoHostNoUserAndNoFolder) {
  auto entries = rounds_of("serial", 1.0, 3);
  for (RunEntry& e : entries) {
    e.key.host = e.record->provenance.host = "node17.cluster.edu";
    e.key.launcher = "mpirun --hostfile /scratch/jdoe/hosts -np {ranks}";
    e.command = "build/bin/lbm-serial --json /home/jdoe/results/record.part jdoe.params";
    e.record->provenance.command = "/home/jdoe/b/lbm-serial ../../secret/x.params";
    e.record->check.against = "/home/jdoe/oracle/0123";
    e.record->asked = {{"params", "/home/jdoe/p.params"}, {"vvl", "8"}};
    e.reason = "node17: /home/jdoe/x: 3 GB/s on node17.cluster.edu";
  }
  const auto results = write("jdoe", entries);
  const fs::path file = folder_ / "shared.jsonl";
  const Outcome done = drive({"share", results, "-o", file});
  ASSERT_EQ(done.status, 0) << done.errors;
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (const char* private_word : {"jdoe", "node17", "cluster", "/home", "/scratch", "secret", "build/bin"})
    EXPECT_FALSE(has(text, private_word)) << private_word << " in " << text.substr(0, 3000);
  for (const char* kept :
       {"3 GB/s on host1", "lbm-serial", "x.params", "\"vvl\":\"8\"", "hosts -np {ranks}", "user.params"})
    EXPECT_TRUE(has(text, kept)) << kept << " in " << text.substr(0, 3000);
  // It is read like the folder, figure by figure.
  const auto figures = [&](const fs::path& of) {
    EXPECT_EQ(drive({"figures", "--results", of, "--out", folder_ / "figures"}).status, 0);
    return rows_of(read_results(of).entries);
  };
  const auto before = figures(results), after = figures(file);
  ASSERT_EQ(before.size(), after.size());
  for (const char* column : {"rate", "seconds", "rounds", "variant", "case", "verdict"})
    EXPECT_EQ(values_of(before, column), values_of(after, column)) << column;
  EXPECT_EQ(drive({"compare", results, file, "--slower-than", "0%"}).status, 0);
}

TEST_F(Share, KeepsWhatTheKeptRecordsSay) {
  const fs::path kept = fs::path(BOLTZMARK_SOURCE_DIR) / "analysis" / "results" / "h200", file = folder_ / "h200.jsonl";
  fs::create_directories(folder_);
  ASSERT_EQ(drive({"share", kept, "-o", file}).status, 0);
  const Results before = read_results(kept), after = read_results(file);
  EXPECT_TRUE(after.peaks && after.complaints.empty());
  const auto a = make_rows(before), b = make_rows(after);
  for (const char* column : {"rate", "variant", "setting", "verdict", "bound", "device", "role", "strong_efficiency"})
    EXPECT_EQ(values_of(a, column), values_of(b, column)) << column;
  std::ofstream(folder_ / "later.jsonl") << R"({"shared":99,"peaks":null})" << '\n';
  EXPECT_EQ(drive({"summary", "--results", folder_ / "later.jsonl"}).status, 2);
}

TEST(FormatsTest, GoogleBenchmarkHasARepetitionPerRound) {
  Results results;
  results.entries = rounds_of("openmp", 0.5, 4) + rounds_of("serial", 1.0, 2);
  results.entries.push_back(failed("mpi", "fused", 1, RunStatus::failed));
  const auto rows = make_rows(results);
  const auto made = nlohmann::json::parse(figures_as(gbench, results, rows));
  ASSERT_EQ(made["benchmarks"].size(), 6u);
  const auto& first = made["benchmarks"][1];
  EXPECT_EQ(first["name"], "lbm/p/10/f32/openmp/fused/1x2");
  EXPECT_EQ(first["repetitions"], 4);
  EXPECT_EQ(first["repetition_index"], 1);
  EXPECT_EQ(first["run_type"], "iteration");
  EXPECT_NEAR(first["real_time"].get<double>(), 1e6 * rows[0].round_seconds[1], 1e-6);
  EXPECT_EQ(first["time_unit"], "us");
  EXPECT_EQ(made["context"]["host_name"], "h");
}

TEST(FormatsTest, BencherHasValuesBetweenTheEndsOfTheirIntervals) {
  Results results;
  results.entries = rounds_of("openmp", 0.5, 8) + rounds_of("serial", 1.0, 1);
  const auto made = nlohmann::json::parse(figures_as(bmf, results, make_rows(results)));
  ASSERT_EQ(made.size(), 2u);
  // https://bencher.dev/bmf.json: objects of objects of numbers, of which `value` must be there.
  for (const auto& [name, measures] : made.items())
    for (const auto& [measure, metric] : measures.items()) {
      EXPECT_TRUE(metric.at("value").is_number());
      for (const auto& [key, number] : metric.items())
        EXPECT_TRUE(number.is_number() && (key == "value" || key == "lower_value" || key == "upper_value"));
    }
  const auto& latency = made["lbm/p/10/f32/openmp/fused/1x2"]["latency"];
  EXPECT_LT(latency["lower_value"], latency["value"]);
  EXPECT_GT(latency["upper_value"], latency["value"]);
  EXPECT_FALSE(made["lbm/p/10/f32/serial/fused/1x2"]["latency"].contains("lower_value"));
  EXPECT_NEAR(made["lbm/p/10/f32/serial/fused/1x2"]["throughput"]["value"].get<double>(), 1e6 / 1.01, 1.0);
}

TEST(FormatsTest, BabelStreamHasItsColumnsFirst) {
  Results results;
  results.entries = {entry_of_parts("openmp", 1, {0.01, 0.02, 0.03})};
  const auto lines = split(figures_as(babelstream, results, make_rows(results)), '\n');
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[0].starts_with(
      "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime,"));
  EXPECT_TRUE(lines[1].starts_with("Copy,3,10000000,4,8000.000,0.01,0.03,0.02,openmp,plain,")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("Triad,3,10000000,4,12000.000,")) << lines[2];
}

}  // namespace
}  // namespace boltzmark
