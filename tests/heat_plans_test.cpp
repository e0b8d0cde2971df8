// Launches of the heat equation's kernels on a GPU that need not be present.
#include <gtest/gtest.h>

#include <map>

#include "common/device/build.hpp"
#include "common/heat/device/geometry.hpp"
#include "programs.hpp"
#include "tests/h200.hpp"

namespace boltzmark::testing {
namespace {

using namespace device;
using heat::Geometry, heat::block_geometry, heat::strip_geometry;

Geometry planned(Geometry (*geometry)(const heat::DeviceCase&), std::int64_t width, std::int64_t height,
                 Precision precision = Precision::f32, const std::map<std::string, std::string>& more = {}) {
  heat::Plate plate;
  plate.width = width;
  plate.height = height;
  Options options;
  options.variant = "time-block";  // in messages
  options.precision = precision;
  for (const auto& [name, value] : more) options.of_model[name] = value;
  return geometry({h200(), plate, options});
}

int groups_of(const Geometry& plan) {
  return divide_up(plan.columns, plan.group.x) * divide_up(plan.items_down, plan.group.y);
}

TEST(HeatPlan, HasWarpsThatFillAnH200AtOnce) {
  constexpr int warps = 8 * 132;  // of 255 registers an item
  for (const auto precision : {Precision::f32, Precision::f64}) {
    const Geometry plan = planned(block_geometry, 11000, 11000, precision);
    EXPECT_EQ(to_string(plan.group), "32x1");
    EXPECT_EQ(plan.vvl * bytes_of(precision), 32);
    EXPECT_EQ(plan.reduction, Reduction::subgroup);
    EXPECT_LE(groups_of(plan), warps);
    EXPECT_GT(groups_of(plan), warps * 9 / 10);
    EXPECT_LE(groups_of(planned(block_geometry, 11000, 1003, precision)), warps);
    EXPECT_EQ(planned(block_geometry, 61, 1, precision).items_down, 1);
  }
  EXPECT_LT(planned(block_geometry, 11000, 11000, Precision::f32, {{"time-block", "16"}}).vvl, 8);
}

TEST(HeatPlan, TakesStripsOfAWarp) {
  const Geometry plan = planned(block_geometry, 1000, 800, Precision::f32, {{"work-group", "32x4"}, {"rows", "100"}});
  EXPECT_EQ(plan.rows, 100);
  EXPECT_EQ(plan.items_down, 8);
  const auto refusal = [](const std::map<std::string, std::string>& options) {
    return error_of([&] { planned(block_geometry, 1000, 800, Precision::f32, options); });
  };
  EXPECT_EQ(refusal({{"work-group", "128x1"}}),
            "--work-group: expected 32xN for time-block on NVIDIA H200, found 128x1");
  EXPECT_EQ(refusal({{"time-block", "30"}}), "");
  EXPECT_EQ(refusal({{"time-block", "31"}}),
            "--time-block, --work-group: expected at most 30 steps for a strip of 64 columns, found 31");
}

TEST(HeatPlan, ReadsAFewRowsAtATime) {
  EXPECT_EQ(planned(strip_geometry, 300, 200).rows_at_once, planned(strip_geometry, 300, 200).rows);
  EXPECT_EQ(planned(strip_geometry, 300, 200, Precision::f32, {{"rows", "7"}}).rows_at_once, 7);
  EXPECT_EQ(planned(strip_geometry, 300, 200, Precision::f64, {{"rows", "64"}}).rows_at_once, 4);
}

}  // namespace
}  // namespace boltzmark::testing
