// The least traffic that follows from the shape of a variant. tests/traffic_test.py compares programs with a simulated
// cache.
#include <gtest/gtest.h>

#include "common/run/passes.hpp"
#include "common/run/swept.hpp"

namespace boltzmark {
namespace {

double all_of(const Traffic& traffic) {
  double sum = 0.0;
  for (const WorkingSet& set : traffic) sum += set.per_update;
  return sum;
}

TEST(Passes, ACopyFetchesWhatItWritesWhereLinesAreAllocated) {
  const Passes copy = {.cells = 100, .fields = {4, 4}, .loops = {{{0}, {1}}}};
  for (const bool write_allocate : {false, true}) {
    const Traffic traffic = traffic_of(copy, write_allocate);
    ASSERT_EQ(traffic.size(), 1u);
    EXPECT_EQ(traffic[0].bytes, 800.0);
    EXPECT_EQ(traffic[0].per_update, write_allocate ? 12.0 : 8.0);
  }
}

TEST(Passes, ALoopThatReadsWhatTheLastOneWroteFindsItWhereOneFieldFits) {
  // From field 0 to 1 and back, and field 0 is read once more: then and by the next step's first loop.
  const Traffic traffic =
      traffic_of({.cells = 10, .fields = {36, 36}, .loops = {{{0}, {1}}, {{1}, {0}}, {{0}, {}, 0.5}}}, true);
  ASSERT_EQ(traffic.size(), 2u);
  EXPECT_EQ(traffic[0].bytes, 720.0);
  EXPECT_EQ(traffic[0].per_update, 5 * 36.0);
  EXPECT_EQ(traffic[1].bytes, 360.0);
  EXPECT_EQ(traffic[1].per_update, 36.0 + 18.0);
}

TEST(Passes, WhatIsWrittenTwiceInACacheLeavesItOnce) {
  const Traffic traffic =
      traffic_of({.cells = 1, .fields = {8, 64}, .loops = {{{}, {0}}, {{0}, {0}}, {{1}, {}}}}, false);
  ASSERT_EQ(traffic.size(), 2u);
  EXPECT_EQ(traffic[0].per_update, 8.0 + 64.0);  // written back, and the other field
  EXPECT_EQ(traffic[1].bytes, 8.0);              // by the second loop
  EXPECT_EQ(traffic[1].per_update, 8.0 + 8.0);
}

TEST(Swept, GoesThroughTheGridOnceASweep) {
  EXPECT_EQ(sweeps_a_step(40, 8), 1.0 / 8);
  EXPECT_EQ(sweeps_a_step(41, 8), 6.0 / 41);
  EXPECT_EQ(sweeps_a_step(3, 8), 1.0 / 3);
  EXPECT_EQ(sweeps_a_step(0, 8), 1.0 / 8);
  const Traffic one = swept({.grid = 1e6, .per_update = 72, .of_sweep = 72, .steps_share = 1.0, .window = 1e4});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].per_update, 72.0);
}

TEST(Swept, CountsEachByteInOneSet) {
  const Traffic traffic = swept({.grid = 1e6,
                                 .per_update = 72,
                                 .of_sweep = 72,
                                 .steps_share = 1.0 / 8,
                                 .window = 1e4,
                                 .near_share = 0.25,
                                 .near_bytes = 1e3,
                                 .overlap = {.share = 0.5, .bytes = 1e5}});
  ASSERT_EQ(traffic.size(), 4u);
  EXPECT_EQ(traffic[0].per_update, 9.0);
  EXPECT_EQ(traffic[1].per_update, 4.5);
  EXPECT_EQ(traffic[3].per_update, 18.0);
  EXPECT_DOUBLE_EQ(all_of(traffic), 72.0);
  for (std::size_t set = 1; set < traffic.size(); ++set) EXPECT_LT(traffic[set].bytes, traffic[set - 1].bytes);
}

}  // namespace
}  // namespace boltzmark
