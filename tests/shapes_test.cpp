// The shapes of work-groups that a tuner tries.
#include <gtest/gtest.h>

#include "analysis/tune/search.hpp"
#include "common/base/text.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
TEST(Shapes, OfThePublishedSearchAre139) {
  const Words shapes = published_shapes(1024);
  EXPECT_EQ(shapes.size(), 139u);
  for (const char* shape : {"1x1024", "2x512", "32x1", "1x32", "48x16", "16x64", "1008x1", "32x32"})
    EXPECT_TRUE(contains(shapes, shape)) << shape;
  for (const char* shape : {"1x1", "16x16", "16x1", "48x32", "8x32", "2x2"})
    EXPECT_FALSE(contains(shapes, shape)) << shape;
}

TEST(Shapes, OfThePublishedSearchInThreeDimensionsAre150) {
  const Words shapes = published_shapes(1024, 3);
  EXPECT_EQ(shapes.size(), 150u);
  for (const char* shape : {"1x1x32", "1x1x64", "16x1x32", "1024x1", "32x32", "1x16x64", "16x1x48"})
    EXPECT_TRUE(contains(shapes, shape)) << shape;
  for (const char* shape : {"2x512", "1x1x80", "16x16", "1x1", "16x16x16"})
    EXPECT_FALSE(contains(shapes, shape)) << shape;
}

TEST(Shapes, OfTilesFitWithTheirRing) {
  const Words shapes = tile_shapes(1024);
  for (const char* shape : {"64x5", "32x13", "16x16", "128x5"}) EXPECT_TRUE(contains(shapes, shape)) << shape;
  EXPECT_FALSE(contains(shapes, "128x6"));
  EXPECT_EQ(tile_shapes(100), (Words{"16x2", "16x3"}));
}

TEST(Shapes, OfPowersOfTwoAreThoseWithinTheLimit) {
  EXPECT_EQ(power_shapes(4), (Words{"1x1", "1x2", "1x4", "2x1", "2x2", "4x1"}));
  EXPECT_EQ(power_shapes(1024).size(), 66u);
  EXPECT_EQ(power_shapes(100).size(), power_shapes(64).size());
  EXPECT_EQ(power_shapes(4, 2), (Words{"1x1", "1x1x2", "1x2", "1x2x2", "1x4", "2x1", "2x1x2", "2x2", "4x1"}));
}

TEST(Shapes, AreHeldAgainstTheDevice) {
  const ShapeLimits limits{.items = 64, .x = 64, .y = 16, .z = 4};
  EXPECT_EQ(beyond_limits("4x16", limits), "");
  EXPECT_EQ(beyond_limits("64x2", limits), "more than the device's 64 work-items");
  EXPECT_EQ(beyond_limits("1000000x1000000", limits), "more than the device's 64 work-items");
  EXPECT_EQ(beyond_limits("2x32", limits), "more than the device's 16 work-items in y");
  EXPECT_EQ(beyond_limits("4x4x4", limits), "");
  EXPECT_EQ(beyond_limits("4x4x5", limits), "more than the device's 64 work-items");
  EXPECT_EQ(beyond_limits("2x1x8", limits), "more than the device's 4 work-items in z");
  EXPECT_EQ(shapes_for("3x5,7x1", limits), (Words{"3x5", "7x1"}));
  EXPECT_EQ(shapes_for("3x5x2,7x1", limits, 3), (Words{"3x5x2", "7x1"}));
  EXPECT_EQ(shapes_for("powers", limits, 3).size(), power_shapes(64, 4).size());
  EXPECT_TRUE(error_of([&] { shapes_for("3x5x2", limits); }).starts_with("--shapes: expected powers"));
  for (const char* wrong : {"3x", "power", "3x5;7x1", "", "0x4"})
    EXPECT_TRUE(error_of([&] { shapes_for(wrong, limits); }).starts_with("--shapes: expected powers"));
}

}  // namespace
}  // namespace boltzmark
