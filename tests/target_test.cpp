// common/target's layer on this processor: every VVL, threads, any number of sites.
#include <gtest/gtest.h>

#include <thread>

#include "common/target/host_target.hpp"
#include "common/target/random.h"
#include "target_checks.hpp"

namespace boltzmark::testing {
namespace {

Workers threads(int count) {
  return {.count = count, .run = [count](const Workers::Work& work) {
            std::vector<std::jthread> team;
            for (int me = 0; me < count; ++me) team.emplace_back([&work, me] { work(me); });
          }};
}

template <class T>
class Layer : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Layer, Precisions);

TYPED_TEST(Layer, DoesItsWorkWithEveryVvlAndAnyThreads) {
  using Target = target::HostTarget<TypeParam>;
  for (const int vvl : {1, 2, 4, 8, 16, 32})
    for (const int workers : {1, 3}) {
      SCOPED_TRACE(fmt::format("vvl {} threads {}", vvl, workers));
      check_layer<Target>([&](const target::Lattice& lattice) {
        return std::make_unique<Target>(lattice, workers == 1 ? Workers() : threads(workers), vvl);
      });
    }
}

TEST(Lattice, RowsBeginWithWholeVectorsAndHalosLieBesideThem) {
  for (const int nx : {1, 13, 14, 15, 128}) {
    const target::Lattice lattice(nx, 4, 3);
    for (int z = -1; z <= 3; ++z)
      for (int y = -1; y <= 4; ++y) {
        EXPECT_EQ(lattice.site(0, y, z) % 16, 0);
        EXPECT_EQ(lattice.site(-1, y, z), lattice.site(0, y, z) - 1);
      }
    EXPECT_GE(lattice.site(-1, 0, 0), 0);
    EXPECT_GT(lattice.row_pitch(), nx + 1);
    EXPECT_GE(lattice.stride(), lattice.site(nx, 4, 3) + target::longest_vvl);
  }
}

/// Known answers of Random123's tests.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(target::philox(0, 0), 0x6cd10df2ff1dae59u);
  EXPECT_EQ(target::philox(~std::uint64_t{0}, ~0u), 0xab4fd7ad2c3f628bu);
  EXPECT_EQ(target::philox(0x85a308d3243f6a88u, 0x13198a2eu), 0xf62a4c12dd7ce038u);
}

template <class REAL>
void expect_draws_of() {
  using Scalar = typename RealTraits<REAL>::Scalar;
  constexpr int lanes = target::lanes_of<REAL>;
  const std::int64_t first = (std::int64_t{1} << 33) - 5, stride = 7;
  Scalar uniform[lanes], head[lanes];
  target::store_chunk(target::uniform<REAL>(first, stride, 42), uniform);
  target::store_chunk(target::head<REAL>(first, stride, 42), head);
  for (int lane = 0; lane < lanes; ++lane) {
    const std::uint64_t word = target::philox(static_cast<std::uint64_t>(first + lane * stride), 42);
    EXPECT_EQ(uniform[lane], static_cast<Scalar>(static_cast<double>(word) * 0x1p-64)) << lanes << ' ' << lane;
    EXPECT_EQ(head[lane], static_cast<Scalar>(word >> 63)) << lanes << ' ' << lane;
  }
}
template <class T, int... Lanes>
void expect_draws(std::integer_sequence<int, Lanes...>) {
  (expect_draws_of<typename RealOfLanes<T, Lanes>::Type>(), ...);
}
TEST(Philox, GivesEachLaneItsOwnDraw) {
  expect_draws<float>(std::integer_sequence<int, 1, 2, 4, 8, 16, 32>{});
  expect_draws<double>(std::integer_sequence<int, 1, 2, 4, 8, 16, 32>{});
}

}  // namespace
}  // namespace boltzmark::testing
