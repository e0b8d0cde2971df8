// common/target's layer on this processor: every VVL, threads, any number of sites.
#include <gtest/gtest.h>

#include <thread>

#include "common/target/host_target.hpp"
#include "target_checks.hpp"

namespace boltzmark::testing {
namespace {

target::Workers threads(int count) {
  return {.count = count, .run = [count](const std::function<void(int)>& work) {
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
        return std::make_unique<Target>(lattice, workers == 1 ? target::Workers() : threads(workers), vvl);
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

}  // namespace
}  // namespace boltzmark::testing
