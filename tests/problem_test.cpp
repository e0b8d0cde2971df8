// Input files into a Problem: the accepted forms. Refused input is in bad_input_test.py.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "common/base/error.hpp"
#include "common/lbm/cpu/row_costs.hpp"
#include "common/lbm/problem_files.hpp"

namespace boltzmark::lbm {
namespace {

class InputFiles : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& text) {
    const auto path = std::filesystem::path(::testing::TempDir()) / ("boltzmark-input-" + std::to_string(getpid()));
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
};

TEST_F(InputFiles, ReadsParameters) {
  const auto p = read_parameters(file("128\n256\n40000\n10\n0.1\n0.005\n1.85\n"));
  EXPECT_EQ(p.nx, 128);
  EXPECT_EQ(p.ny, 256);
  EXPECT_EQ(p.iterations, 40000);
  EXPECT_EQ(p.reynolds_dim, 10);
  EXPECT_EQ(p.density, 0.1);
  EXPECT_EQ(p.accel, 0.005);
  EXPECT_EQ(p.omega, 1.85);
}

TEST_F(InputFiles, ToleratesHowEditorsEndLines) {
  for (const char* text : {"8\r\n9\r\n1\r\n1\r\n0.1\r\n5e-3\r\n1.85\r\n", "8  \n 9\t\n1\n1\n0.1\n0.005\n1.85",
                           "8\n9\n1\n1\n1e-1\n+0.005\n1.85\n\n  \n"}) {
    const auto p = read_parameters(file(text));
    EXPECT_EQ(p.nx, 8);
    EXPECT_EQ(p.ny, 9);
    EXPECT_EQ(p.accel, 0.005);
  }
}

TEST_F(InputFiles, ReadsObstaclesInAnyOrderEachOnce) {
  const std::vector<std::int64_t> expected = {2, 7, 15};
  for (const char* text : {"3 3 1\n2 0 1\n3 1 1\n2 0 1\n", "3 3 1\r\n 2  0\t1 \r\n3 1 1"}) {
    Problem problem;
    problem.parameters.nx = problem.parameters.ny = 4;
    read_obstacles(file(text), problem);
    EXPECT_EQ(problem.solid, expected);
  }
}

TEST_F(InputFiles, WritesWhatReadsBackTheSame) {
  Problem flat;
  flat.parameters = {
      .nx = 4, .ny = 5, .iterations = 9, .reynolds_dim = 3, .density = 0.1, .accel = 1e-7, .omega = 1.85};
  flat.solid = {0, 7, 19};
  Problem deep = flat;
  deep.parameters.nz = 2;
  deep.parameters.dimension = 3;
  deep.parameters.start = {.kind = Start::Kind::shear_wave, .velocity = {0.01, -0.02, 0.0}, .waves = {0, 0, 1}};
  deep.moving = {{7, 0.05}};
  Problem vortices = deep;
  vortices.parameters.start = {.kind = Start::Kind::taylor_green, .velocity = {0.01, 0.0, 0.0}};
  for (const Problem& problem : {flat, deep, vortices}) {
    const auto params = file(""), obstacles = std::filesystem::path(params.string() + "-obstacles");
    write_problem(problem, problem.parameters.iterations, params, obstacles);
    EXPECT_EQ(load_problem(params, obstacles).digest(), problem.digest());
    write_problem(problem, 7, params, obstacles);
    EXPECT_EQ(load_problem(params, obstacles).parameters.iterations, 7);
    std::filesystem::remove(obstacles);
  }
}

TEST_F(InputFiles, ReadsThreeDimensions) {
  const auto p = read_parameters(file("8\n1\n3\n40\n10\n0.1\n0\n1.85\nstart shear-wave 0 0 1 0.01 -0.02 0\n"));
  EXPECT_EQ(p.dimension, 3);
  EXPECT_EQ(p.nx, 8);
  EXPECT_EQ(p.ny, 1);
  EXPECT_EQ(p.nz, 3);
  EXPECT_EQ(p.iterations, 40);
  EXPECT_EQ(p.driven_row(), -1);
  EXPECT_EQ(p.start.kind, Start::Kind::shear_wave);
  EXPECT_EQ(p.start.waves, (std::array<int, 3>{0, 0, 1}));
  EXPECT_EQ(p.start.velocity, (std::array<double, 3>{0.01, -0.02, 0.0}));
  const auto vortices = read_parameters(file("8\n8\n3\n40\n10\n0.1\n0.1\n1.85\nstart taylor-green 0.02"));
  EXPECT_EQ(vortices.start.kind, Start::Kind::taylor_green);
  EXPECT_EQ(vortices.driven_row(), 6);

  Problem problem;
  problem.parameters = p;
  read_obstacles(file("7 0 2 1\n0 0 0 1 0.1\n0 0 0 1 0.1\n7 0 2 1"), problem);
  EXPECT_EQ(problem.solid, (std::vector<std::int64_t>{0, 23}));
  EXPECT_EQ(problem.moving, (std::vector<Problem::Moving>{{0, 0.1}}));
}

TEST_F(InputFiles, RefuseWhatMakesNoSenseInThreeDimensions) {
  const std::string numbers = "8\n4\n3\n40\n10\n0.1\n0\n1.85\n";
  const auto error = [&](const std::string& text) -> std::string {
    try {
      read_parameters(file(text));
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const auto expect_refused = [&](const std::string& text, const std::string& words) {
    EXPECT_NE(error(text).find(words), std::string::npos) << text << error(text);
  };
  EXPECT_EQ(error(numbers), "");
  expect_refused("8\n2\n3\n40\n10\n0.1\n0.1\n1.85\n", ":2: expected ny (an integer, 3 to");
  expect_refused("8\n4\n0\n40\n10\n0.1\n0\n1.85\n", ":3: expected nz");
  expect_refused("8\n4\n3\n40\n10\n0.1\n-1\n1.85\n", ":7: expected accel");
  expect_refused(numbers + "7\n", ":9: expected the end of the file after eight numbers");
  expect_refused(numbers + "start here\n", ":9: expected start taylor-green U, or");
  expect_refused(numbers + "start taylor-green 0.5\n", "a velocity from -0.3 to 0.3");
  expect_refused(numbers + "start shear-wave 0 3 0 0.1 0 0\n", "at most 2 whole waves in 4 cells");
  expect_refused(numbers + "start shear-wave 1 0 0 0.1 0 0\n", "at right angles");
  expect_refused(numbers + "start taylor-green 0.1\nmore", ":10: expected the end");
  expect_refused("8\n9\n10\n10\n0.1\n0.005\n1.85\nstart taylor-green 0.1\n", "expected eight numbers");
}

TEST_F(InputFiles, GiveTheMaskOfAnyRows) {
  Problem problem;
  problem.parameters.nx = 4;
  problem.parameters.ny = 4;
  problem.solid = {2, 7, 15};
  const std::vector<std::uint8_t> top_and_bottom = {0, 0, 0, 1, 0, 0, 1, 0};  // rows 3 and 0
  EXPECT_EQ(problem.solid_mask(3, 2), top_and_bottom);
  EXPECT_EQ(problem.solid_mask(-1, 2), top_and_bottom);
  EXPECT_EQ(problem.solid_mask().size(), 16u);
  EXPECT_EQ(problem.fluid_cells(), 13);
}

TEST_F(InputFiles, DigestTellsProblemsApart) {
  Problem a, b;
  a.parameters =
      b.parameters = {.nx = 4, .ny = 4, .iterations = 1, .reynolds_dim = 1, .density = 0.1, .accel = 0.1, .omega = 1.0};
  EXPECT_EQ(a.digest(), b.digest());
  b.parameters.omega = 1.1;
  EXPECT_NE(a.digest(), b.digest());
  b = a;
  b.solid = {3};
  EXPECT_NE(a.digest(), b.digest());
}

/// A problem of these rows: '#' is an obstacle.
Problem drawn(const std::vector<std::string>& rows) {
  Problem problem;
  problem.parameters.nx = static_cast<int>(rows[0].size());
  problem.parameters.ny = static_cast<int>(rows.size());
  std::int64_t cell = 0;
  for (const auto& row : rows)
    for (const char c : row) {
      if (c == '#') problem.solid.push_back(cell);
      ++cell;
    }
  return problem;
}

TEST(RowCosts, SolidRowsAreCheapAndMixedVectorsDear) {
  const Problem problem = drawn({"########", "        ", "#  #    ", "#      #"});
  const auto costs = row_costs(problem, 2, [](int x) { return x / 4; });  // two vectors of four cells a row
  ASSERT_EQ(costs.size(), 4u);
  EXPECT_LT(5 * costs[0], costs[1]);
  EXPECT_LT(costs[1], costs[2]);  // one mixed vector
  EXPECT_EQ(costs[3] - costs[1], 2 * (costs[2] - costs[1]));
}

TEST(RowCosts, RowsAreDealtByWhatTheyCost) {
  using Starts = std::vector<int>;
  const auto dealt = [](std::vector<std::int64_t> costs, int parts) { return partition_rows(costs, parts); };
  EXPECT_EQ(dealt({5, 5, 5, 5, 5, 5}, 3), (Starts{0, 2, 4, 6}));
  EXPECT_EQ(dealt({5, 5, 5, 5, 5}, 1), (Starts{0, 5}));
  // All the work at one end: the others still have a row each.
  EXPECT_EQ(dealt({100, 1, 1, 1}, 4), (Starts{0, 1, 2, 3, 4}));
  EXPECT_EQ(dealt({1, 1, 1, 100}, 4), (Starts{0, 1, 2, 3, 4}));
  EXPECT_EQ(dealt({1, 1, 1, 1, 1, 1, 10, 10, 10, 10}, 2), (Starts{0, 8, 10}));
  EXPECT_EQ(dealt({0, 0, 0}, 2).size(), 3u);
}

}  // namespace
}  // namespace boltzmark::lbm
