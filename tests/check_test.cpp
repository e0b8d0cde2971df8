// The oracle and the checker: a checker that finds nothing wrong is worth nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/base/error.hpp"
#include "common/lbm/check.hpp"
#include "common/run/workload.hpp"
#include "programs.hpp"

namespace boltzmark::lbm {
namespace {

Problem channel() {
  Problem problem;
  problem.name = "channel";
  problem.parameters = {
      .nx = 6, .ny = 12, .iterations = 40, .reynolds_dim = 10, .density = 0.1, .accel = 0.005, .omega = 1.2};
  for (std::int64_t x = 0; x < 6; ++x) problem.solid.push_back(x);
  return problem;
}

TEST(Reference, StartsAtRestAndIsDrivenEastward) {
  const auto answer = solve_reference(channel(), 40);
  ASSERT_EQ(answer.av_vels.size(), 40u);
  EXPECT_GT(answer.av_vels.front(), 0.0);
  EXPECT_GT(answer.av_vels.back(), answer.av_vels.front());
  for (int y = 1; y < 12; ++y) EXPECT_GT(answer.state.ux[static_cast<std::size_t>(y) * 6], 0.0) << y;
}

TEST(Reference, IsTheSameOnAnyNumberOfThreads) {
  Problem cube = channel();
  cube.parameters.dimension = 3;
  cube.parameters.nz = 5;
  for (const Problem& problem : {channel(), cube}) {
    const Answer alone = solve_reference(problem, 25, 1);
    for (const int threads : {2, 3, 12, 17}) {
      const Answer together = solve_reference(problem, 25, threads);
      EXPECT_EQ(together.av_vels, alone.av_vels) << threads;
      EXPECT_EQ(together.state.ux, alone.state.ux) << threads;
      EXPECT_EQ(together.state.density, alone.state.density) << threads;
    }
  }
}

TEST(Reference, FirstStepIsWhatTheMethodSays) {
  // From rest the first acceleration puts 2*(a1 + 2*a2) of momentum into each cell of row ny-2; streaming
  // carries a1's share along the row and a2's share one row up and down. Without obstacles all momentum
  // stays.
  Problem problem = channel();
  problem.solid.clear();
  const auto answer = solve_reference(problem, 1);
  const double a1 = 0.1 * 0.005 / 9, a2 = 0.1 * 0.005 / 36;
  for (int y = 0; y < 12; ++y) {
    const auto cell = static_cast<std::size_t>(y) * 6;
    const double momentum = answer.state.ux[cell] * answer.state.density[cell];
    const double expected = y == 10 ? 2 * a1 : (y == 9 || y == 11) ? 2 * a2 : 0.0;
    EXPECT_NEAR(momentum, expected, 1e-17) << "row " << y;
    EXPECT_NEAR(answer.state.uy[cell], 0.0, 1e-15);
  }
}

TEST(Reference, ShearDecaysWithTheViscosityOfOmega) {
  // A channel driven at row ny-2 above a wall at row 0 settles to a linear profile between them, because
  // bounce-back puts the wall half way between row 0 and row 1: u(y) is proportional to y - 1/2.
  Problem problem = channel();
  const auto answer = solve_reference(problem, 6000);
  const double slope = answer.state.ux[6 * 5] / 4.5;
  for (int y = 1; y <= 8; ++y)
    EXPECT_NEAR(answer.state.ux[static_cast<std::size_t>(y) * 6] / (slope * (y - 0.5)), 1.0, 2e-2) << "row " << y;
}

/// The runner's treatment of deviations.
Check judged(const std::vector<Deviation>& deviations, double tolerance) {
  Check check;
  check.tolerance = tolerance;
  check.take(deviations);
  return check;
}
bool is_right(std::span<const double> av_vels, const State& state, const Answer& answer, double tolerance) {
  return *judged(compare(av_vels, state, channel(), answer), tolerance).passed;
}

TEST(CheckOfResults, FindsNothingInAnExactCopy) {
  const auto answer = solve_reference(channel(), 10);
  const Check check = judged(compare(answer.av_vels, answer.state, channel(), answer), 1e-10);
  EXPECT_TRUE(*check.passed);
  EXPECT_EQ(check.worst().value, 0.0);
}

TEST(CheckOfResults, SaysWhereItIsWorst) {
  const auto answer = solve_reference(channel(), 10);
  auto av_vels = answer.av_vels;
  auto state = answer.state;
  av_vels[3] *= 1.5;
  state.uy[6 * 9 + 2] += 0.1;
  state.density[6 * 4 + 5] = std::numeric_limits<double>::quiet_NaN();
  const auto found = compare(av_vels, state, channel(), answer);
  EXPECT_EQ(found[0].at, "step 3");
  EXPECT_EQ(found[1].at, "cell 2 9");
  EXPECT_EQ(found[2].at, "cell 5 4");
  EXPECT_EQ(judged(found, 1e-5).worst_words(),
            "pressure is not a number, unlike none in cell 5 4, where 1e-05 is allowed");
}

TEST(CheckOfResults, KeepsTheWorstOfAllRepeats) {
  Check check = judged({{"a", 1e-6}, {"b", 2e-6}}, 1e-5);
  check.take({{"a", 3e-6}, {"b", 1e-6}});
  EXPECT_TRUE(*check.passed);
  EXPECT_EQ(check.worst().of, "a");
  check.take({{"a", 0.0}, {"b", std::nullopt}});
  check.take({{"a", 0.0}, {"b", 0.0}});
  EXPECT_FALSE(*check.passed);
  EXPECT_EQ(check.worst().of, "b");
  EXPECT_FALSE(check.worst().value.has_value());
}

TEST(CheckOfResults, FindsEveryKindOfFault) {
  const auto answer = solve_reference(channel(), 10);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double factor : {1.0 + 2e-5, -1.0, nan}) {
    auto av_vels = answer.av_vels;
    av_vels[3] *= factor;
    EXPECT_FALSE(is_right(av_vels, answer.state, answer, 1e-5));
    auto state = answer.state;
    state.ux[10 * 6] *= factor;  // the row of the largest speed
    EXPECT_FALSE(is_right(answer.av_vels, state, answer, 1e-5));
    state = answer.state;
    state.density[20] *= factor;
    EXPECT_FALSE(is_right(answer.av_vels, state, answer, 1e-5));
  }
  auto state = answer.state;
  state.uy[30] += 1e-4;
  EXPECT_FALSE(is_right(answer.av_vels, state, answer, 1e-5));
}

TEST(CheckOfResults, ToleratesRoundingButNoMore) {
  const auto answer = solve_reference(channel(), 10);
  auto av_vels = answer.av_vels;
  for (double& v : av_vels) v *= 1.0 + 5e-6;
  EXPECT_TRUE(is_right(av_vels, answer.state, answer, tolerance(Precision::f32)));
  EXPECT_FALSE(is_right(av_vels, answer.state, answer, tolerance(Precision::f64)));
}

TEST(KeptAnswer, IsReadAsItWasWritten) {
  const testing::TemporaryFolder folder;
  Problem cube = channel();
  cube.parameters.dimension = 3;
  cube.parameters.nz = 4;
  for (const Problem& problem : {channel(), cube}) {
    const Answer answer = solve_reference(problem, 9);
    const std::string prefix = folder / problem.name;
    write_answer(prefix, problem, answer);
    EXPECT_EQ(state_of_answer(prefix), AnswerState::whole);
    const Answer read = read_answer(prefix, problem, 9);
    EXPECT_EQ(read.av_vels, answer.av_vels);
    EXPECT_EQ(read.state.ux, answer.state.ux);
    EXPECT_EQ(read.state.uy, answer.state.uy);
    EXPECT_EQ(read.state.uz, answer.state.uz);
    EXPECT_EQ(read.state.density, answer.state.density);
  }
}

TEST(KeptAnswer, OfSomethingElseIsRefused) {
  const testing::TemporaryFolder folder;
  const Problem problem = channel();
  const std::string prefix = folder / "right";
  write_answer(prefix, problem, solve_reference(problem, 9));
  EXPECT_THROW(read_answer(prefix, problem, 8), Error);
  Problem other = problem;
  other.parameters.nx = 12;
  other.parameters.ny = 6;
  EXPECT_THROW(read_answer(prefix, other, 9), Error);
  other = problem;
  other.solid.pop_back();
  EXPECT_THROW(read_answer(prefix, other, 9), Error);
  const std::string file = prefix + ".final_state.npy", right = testing::read_text(file);
  for (const std::string& wrong :
       {std::string(), right.substr(0, 40), right.substr(0, right.size() - 8), right + ' '}) {
    testing::write_text(file, wrong);
    EXPECT_THROW(read_answer(prefix, problem, 9), Error) << wrong.size();
    EXPECT_EQ(state_of_answer(prefix), AnswerState::damaged);
  }
}

TEST(CheckedRuns, AreAllUntilChecksHaveTakenASecondThenFewerAndAlwaysTheLast) {
  for (const int number : {-1, 0, 1, 3, 1000}) EXPECT_TRUE(is_checked(number, false, 0.5)) << number;
  for (const int number : {-2, -1, 1, 2, 4, 1024}) EXPECT_TRUE(is_checked(number, false, 7.0)) << number;
  for (const int number : {0, 3, 1000, 1025}) {
    EXPECT_FALSE(is_checked(number, false, 7.0)) << number;
    EXPECT_TRUE(is_checked(number, true, 7.0)) << number;
  }
}

}  // namespace
}  // namespace boltzmark::lbm
