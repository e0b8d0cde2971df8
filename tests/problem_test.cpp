// Input files into a Problem: what is accepted. What is refused is in bad_input_test.cpp.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "common/error.hpp"
#include "common/problem.hpp"

namespace boltzmark {
namespace {

class InputFiles : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& text) {
    const auto path =
        std::filesystem::path(::testing::TempDir()) / ("boltzmark-input-" + std::to_string(getpid()));
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
  EXPECT_EQ(read_obstacles(file("3 3 1\n2 0 1\n3 1 1\n2 0 1\n"), 4, 4), expected);
  EXPECT_EQ(read_obstacles(file("3 3 1\r\n 2  0\t1 \r\n3 1 1"), 4, 4), expected);
}

TEST_F(InputFiles, GiveTheMaskOfAnyRows) {
  Problem problem;
  problem.parameters.nx = 4;
  problem.parameters.ny = 4;
  problem.blocked = {2, 7, 15};
  const std::vector<std::uint8_t> top_and_bottom = {0, 0, 0, 1, 0, 0, 1, 0};  // rows 3 and 0
  EXPECT_EQ(problem.obstacle_mask(3, 2), top_and_bottom);
  EXPECT_EQ(problem.obstacle_mask(-1, 2), top_and_bottom);
  EXPECT_EQ(problem.obstacle_mask().size(), 16u);
  EXPECT_EQ(problem.fluid_cells(), 13);
}

TEST_F(InputFiles, DigestTellsProblemsApart) {
  Problem a, b;
  a.parameters = b.parameters = {
      .nx = 4, .ny = 4, .iterations = 1, .reynolds_dim = 1, .density = 0.1, .accel = 0.1, .omega = 1.0};
  EXPECT_EQ(a.digest(), b.digest());
  b.parameters.omega = 1.1;
  EXPECT_NE(a.digest(), b.digest());
  b = a;
  b.blocked = {3};
  EXPECT_NE(a.digest(), b.digest());
}

}  // namespace
}  // namespace boltzmark
