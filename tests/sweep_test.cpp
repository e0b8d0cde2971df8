// Several steps in one sweep over layers, in place: every layer takes every step once, after the steps that it needs;
// and the tiles of planes for a GPU that need not be present.
#include "common/lbm/device/row_strip.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "common/base/error.hpp"
#include "common/lbm/device/block_plans.hpp"
#include "opencl/runtime/api.hpp"
#include "tests/h200.hpp"

namespace boltzmark::testing {
namespace {

using namespace device;
using namespace lbm;

std::vector<int> layers_in(const Bands& bands) {
  std::vector<int> layers;
  for (int i = 0; i < bands.south_rows; ++i) layers.push_back(bands.south + i);
  for (int i = 0; i < bands.north_rows; ++i) layers.push_back(bands.north + i);
  return layers;
}

/// Takes the steps of a sweep one after the other and looks whether each finds its layer and both neighbours where it
/// wants them: one step behind, or, those that are done, one further.
void expect_sweep_is_right(int layers, int steps, int block_layers) {
  SCOPED_TRACE(::testing::Message() << layers << " layers, " << steps << " steps, blocks of " << block_layers);
  std::vector<int> done(static_cast<std::size_t>(layers), 0), before(static_cast<std::size_t>(steps), 0);
  const auto at = [&](int layer) { return done[static_cast<std::size_t>((layer + layers) % layers)]; };
  for (const SweepPart& part : sweep_parts(layers, steps, block_layers)) {
    int& counted = before[static_cast<std::size_t>(part.step)];
    EXPECT_EQ(part.layers_before, counted);
    const auto own = layers_in(part.bands);
    counted += static_cast<int>(own.size());
    for (const int layer : own) {
      ASSERT_GE(layer, 0);
      ASSERT_LT(layer, layers);
      ASSERT_EQ(at(layer), part.step);
      for (const int beside : {layer - 1, layer + 1}) ASSERT_GE(at(beside), part.step);
    }
    for (const int layer : own) ++done[static_cast<std::size_t>(layer)];
  }
  for (const int steps_done : done) EXPECT_EQ(steps_done, steps);
}

TEST(Sweep, EveryLayerTakesEveryStepWhenItCan) {
  for (int layers = 1; layers <= 24; ++layers)
    for (int steps = 1; steps <= 9; ++steps)
      for (const int block_layers : {1, 2, 3, 8}) expect_sweep_is_right(layers, steps, block_layers);
}

lbm::Parameters box(int nx, int ny, int nz) {
  lbm::Parameters grid;
  grid.nx = nx;
  grid.ny = ny;
  grid.nz = nz;
  grid.dimension = 3;
  return grid;
}

TEST(PlanePlan, FitsTheGridAndTheDevice) {
  for (const auto& grid : {box(128, 128, 128), box(512, 512, 512), box(1, 1, 1), box(3, 40, 9), box(1000, 1, 7)})
    for (const bool is_half : {false, true}) {
      const PlanePlan plan = plan_planes(h200(), {}, grid, is_half);
      EXPECT_LE(plan.tile_x, grid.nx);
      EXPECT_LE(plan.tile_y, grid.ny);
      EXPECT_LE(plan.planes, grid.nz);
      EXPECT_GE(plan.items, (plan.tile_x + 2) * (plan.tile_y + 2));
      EXPECT_LE(plan.items * 24 * 4, 48 << 10);
      EXPECT_EQ(plan.items % 32, 0);
      EXPECT_GE(static_cast<std::int64_t>(plan.groups) * plan.tile_x * plan.tile_y * plan.planes, grid.cells());
    }
}

TEST(PlanePlan, OneWaveOfGroupsWhereTheyAllFit) {
  const PlanePlan plan = plan_planes(h200(), {}, box(128, 128, 128), false);
  EXPECT_LE(plan.groups, plan.resident_groups * 132);
  EXPECT_GE(plan.resident_groups, 2);
}

TEST(PlanePlan, RefusesATileThatTheDeviceCannotHold) {
  LbmOptions options;
  options.work_group = WorkGroup{64, 16, 4};
  EXPECT_THROW(plan_planes(h200(), options, box(128, 128, 128), false), Error);
}

TEST(ResidentGroups, StandInThePtxOfTheKernel) {
  const std::string ptx =
      ".visible .entry one(\n)\n.reqntid 32, 1, 1\n{\n}\n.visible .entry two(\n)\n.reqntid 64, 1, 1\n{\n}\n";
  EXPECT_EQ(opencl::with_resident_groups(ptx, "two", 2),
            ".visible .entry one(\n)\n.reqntid 32, 1, 1\n{\n}\n.visible .entry two(\n)\n.reqntid 64, 1, 1"
            "\n.minnctapersm 2\n{\n}\n");
  EXPECT_EQ(opencl::with_resident_groups(ptx, "three", 2), ptx);
}

}  // namespace
}  // namespace boltzmark::testing
