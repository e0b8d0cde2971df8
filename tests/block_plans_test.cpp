// How a grid is divided by an OpenCL device's registers and memories, for a GPU that need not be present.
#include "common/lbm/device/block_plans.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "common/base/error.hpp"
#include "tests/h200.hpp"

namespace boltzmark::testing {
namespace {

using namespace device;
using namespace lbm;

BlockPlan plan_for(int nx, int ny, const LbmOptions& options = {}) {
  lbm::Parameters grid;
  grid.nx = nx;
  grid.ny = ny;
  return plan_persistent(h200(), options, grid);
}

void expect_plan(const BlockPlan& plan, const std::string& pieces, int depth, int groups) {
  EXPECT_EQ(plan.pieces, pieces);
  EXPECT_EQ(plan.depth, depth);
  EXPECT_EQ(plan.groups, groups);
  EXPECT_TRUE(plan.is_persistent);
}

/// The fastest of many shapes that were measured.
TEST(PersistentPlan, IsTheFastestOnAnH200) {
  expect_plan(plan_for(128, 128), "22x6 tiles in registers", 5, 132);
  expect_plan(plan_for(128, 256), "22x12 tiles in registers", 5, 132);
  expect_plan(plan_for(256, 256), "24x22 tiles in registers", 4, 132);
  expect_plan(plan_for(1024, 1024), "64x32 tiles in registers", 1, 512);
}

TEST(PersistentPlan, HasGroupsThatAreAllOnTheDeviceAtATime) {
  for (int nx = 1; nx < 700; nx = nx * 3 / 2 + 1)
    for (int ny = 3; ny < 700; ny = ny * 3 / 2 + 2) {
      SCOPED_TRACE(std::to_string(nx) + "x" + std::to_string(ny));
      try {
        const BlockPlan plan = plan_for(nx, ny);
        EXPECT_LE(plan.groups, plan.depth == 1 ? 4 * 132 : 132);
        EXPECT_LE(plan.items, 1024);
      } catch (const Error& error) {
        EXPECT_GT(nx * ny, 300 * 300) << error.what();
      }
    }
}

TEST(WavefrontPlan, FillsTheDeviceOnceWhereSumsOfSpeedsAllowIt) {
  const auto rows_of = [](int n, Precision precision) {
    lbm::Parameters grid;
    grid.nx = grid.ny = n;
    LbmOptions options;
    options.precision = precision;
    const BlockPlan plan = plan_wavefront(h200(), options, grid);
    EXPECT_EQ(plan.depth, precision == Precision::f64 ? 2 : 4);
    return (n * plan.strips + plan.sums_a_step - 1) / plan.sums_a_step;
  };
  // 12 warps of f32 on each of 132 units, 8 of f64: 19 strips of 79 chunks are 1501 of 1584.
  EXPECT_EQ(rows_of(1024, Precision::f32), 13);
  EXPECT_EQ(rows_of(2048, Precision::f32), 49);
  EXPECT_EQ(rows_of(1024, Precision::f64), 18);
  EXPECT_LE(rows_of(16384, Precision::f32), 256);
  EXPECT_GE(rows_of(128, Precision::f32), 8);  // no more done twice than once
}

/// With more than 15 rows a word has no room for the solid bits.
TEST(WavefrontPlan, HasAtMostFourteenSteps) {
  lbm::Parameters grid;
  grid.nx = grid.ny = 128;
  LbmOptions options;
  options.time_block = 14;
  EXPECT_EQ(plan_wavefront(h200(), options, grid).depth, 14);
  options.time_block = 16;
  EXPECT_THROW(plan_wavefront(h200(), options, grid), Error);
}

TEST(PersistentPlan, TakesTheStepsThatAreAskedFor) {
  LbmOptions options;
  options.time_block = 3;
  EXPECT_EQ(plan_for(128, 128, options).depth, 3);
  options.time_block = 40;
  EXPECT_THROW(plan_for(128, 128, options), Error);
}

TEST(PersistentPlan, IsRefusedWhereTheGridIsTooLarge) { EXPECT_THROW(plan_for(3000, 3000), Error); }

BlockPlan bricks_for(int nx, int ny, int nz, bool is_half = false) {
  lbm::Parameters grid;
  grid.dimension = 3;
  grid.nx = nx, grid.ny = ny, grid.nz = nz;
  return plan_bricks(h200(), grid, is_half);
}

TEST(BrickPlan, HasABrickAUnitInItsLocalMemory) {
  expect_plan(bricks_for(64, 64, 64), "bricks of 8x4 rows", 1, 128);
  EXPECT_EQ(bricks_for(64, 64, 64).items, 512);
  expect_plan(bricks_for(80, 80, 80, true), "bricks of 10x5 rows", 1, 128);
  EXPECT_EQ(bricks_for(80, 80, 80, true).vvl, 2);
  for (const bool is_half : {false, true})
    for (int nx = 1; nx < 200; nx = nx * 3 / 2 + 1)
      for (int ny = 1; ny < 90; ny = ny * 3 / 2 + 2)
        for (int nz = 1; nz < 90; nz = nz * 3 / 2 + 3) try {
            const BlockPlan cut = bricks_for(nx, ny, nz, is_half);
            int rows_y = 0, rows_z = 0;
            ASSERT_EQ(std::sscanf(cut.pieces.c_str(), "bricks of %dx%d rows", &rows_y, &rows_z), 2);
            EXPECT_LE(cut.groups, 132);
            EXPECT_LE(cut.items, 1024);
            EXPECT_GE(cut.items, 32);
            EXPECT_GE(rows_y * rows_z * cut.groups, ny * nz);
            EXPECT_LE(std::size_t{19} * (is_half ? 2 : 4) * nx * rows_y * rows_z, std::size_t{227} << 10);
          } catch (const Error& error) {
            EXPECT_GT(nx * ny * nz, 50 * 50 * 50) << error.what();
          }
}

TEST(BrickPlan, IsRefusedWhereTheGridIsTooLarge) {
  EXPECT_THROW(bricks_for(128, 128, 128), Error);
  EXPECT_THROW(bricks_for(1000, 30, 30), Error);
  EXPECT_THROW(bricks_for(80, 80, 80), Error);
}

}  // namespace
}  // namespace boltzmark::testing
