// Sweeps of several steps over rows or planes: with any number of threads and tiles of any height, the results must
// equal those of one thread doing step after step, bit for bit.
#include "common/lbm/cpu/plane_wavefront.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "common/cpu/split_tiling.hpp"
#include "common/lbm/cpu/in_place_grid.hpp"
#include "common/lbm/cpu/sweeps.hpp"

namespace boltzmark::lbm {
namespace {

constexpr int steps = 13;

/// Driven, with a solid block that cuts rows in the middle.
Problem box(int nx, int ny, int nz) {
  Problem problem;
  problem.name = "box";
  Parameters& p = problem.parameters;
  p.dimension = 3;
  p.nx = nx, p.ny = ny, p.nz = nz;
  p.density = 1.0, p.accel = 0.0005, p.omega = 1.7;
  for (int z = 1; z < nz / 2; ++z)
    for (int y = ny / 3; y < ny / 2; ++y)
      for (int x = nx / 4; x < nx / 2; ++x) problem.solid.push_back((static_cast<std::int64_t>(z) * ny + y) * nx + x);
  return problem;
}

/// Sums of all steps; the grid is left as the plan leaves it.
std::vector<double> run(const PlaneWavefront& plan, InPlaceGrid<float, D3Q19>& grid) {
  grid.init_rows(0, grid.rows());
  PlaneRun work(plan);
  std::vector<std::vector<double>> sums(static_cast<std::size_t>(plan.workers()), std::vector<double>(steps));
  std::vector<std::thread> threads;
  for (int me = 0; me < plan.workers(); ++me)
    threads.emplace_back([&, me] { work(me, steps, grid, std::span(sums[static_cast<std::size_t>(me)])); });
  for (auto& thread : threads) thread.join();
  for (std::size_t me = 1; me < sums.size(); ++me)
    for (int step = 0; step < steps; ++step) sums[0][step] += sums[me][step];
  return sums[0];
}

TEST(PlaneWavefronts, GiveWhatStepsOneByOneGive) {
  for (const auto& [nx, ny, nz] : {std::array{33, 61, 9}, std::array{16, 64, 5}, std::array{7, 48, 21}}) {
    const Problem problem = box(nx, ny, nz);
    const auto& kernels = row_kernels<float, D3Q19>(std::nullopt);
    InPlaceGrid<float, D3Q19> plain(problem, 0, nz, 0, kernels), swept(problem, 0, nz, 0, kernels);
    const auto expected = run(PlaneWavefront(ny, nz, 1, 1), plain);
    int tiled = 0;
    for (const int workers : {1, 2, 3})
      for (const int depth : {1, 2, 4, 5})
        for (const int tile : {0, 4, 8, 11}) {
          const PlaneWavefront plan(ny, nz, workers, depth, tile);
          tiled += plan.tile() != 0;
          const auto found = run(plan, swept);
          SCOPED_TRACE(::testing::Message() << nx << 'x' << ny << 'x' << nz << ", " << workers << " threads, depth "
                                            << depth << ", tile " << plan.tile());
          for (int step = 0; step < steps; ++step) ASSERT_NEAR(found[step] / expected[step], 1.0, 1e-9) << step;
          for (int z = 0; z < nz; ++z)
            for (int y = 0; y < ny; ++y)
              ASSERT_EQ(std::memcmp(swept.row(y, z), plain.row(y, z), plain.row_bytes()), 0) << y << ' ' << z;
        }
    EXPECT_GT(tiled, 0);
  }
}

/// Sums of all steps, then density and velocity of every cell, after sweeps over rows.
std::vector<double> run(const Problem& problem, int workers, int depth, int many_steps) {
  Sweeps<float, D2Q9> sweeps(problem, row_kernels<float>(std::nullopt), workers, depth);
  std::vector<std::vector<double>> sums(static_cast<std::size_t>(workers),
                                        std::vector<double>(static_cast<std::size_t>(many_steps)));
  std::vector<std::thread> threads;
  for (int me = 0; me < sweeps.workers(); ++me) sweeps.init(me);
  for (int me = 0; me < sweeps.workers(); ++me)
    threads.emplace_back([&, me] { sweeps.run(me, many_steps, sums[static_cast<std::size_t>(me)]); });
  for (auto& thread : threads) thread.join();
  const auto cells = static_cast<std::size_t>(problem.cells());
  std::vector<double> found(3 * cells);
  const std::span all(found);
  sweeps.collect(many_steps, {all.first(cells), all.subspan(cells, cells), all.last(cells)});
  return found;
}

TEST(RowWavefronts, GiveWhatStepsOneByOneGive) {
  Problem problem = box(37, 23, 2);
  problem.parameters.dimension = 2;
  problem.parameters.nz = 1;
  problem.solid = {3 * 37 + 5, 3 * 37 + 6, 4 * 37 + 6, 22 * 37};
  for (const int many_steps : {1, 12, 61}) {
    const auto expected = run(problem, 1, 1, many_steps);
    for (const int workers : {1, 2, 3, 5, 23, 40})
      for (const int depth : {1, 2, 3, 7, 40})
        EXPECT_EQ(run(problem, workers, depth, many_steps), expected) << workers << " threads, depth " << depth;
  }
}

/// Every row does every step once, when its neighbours have done the one before and not yet the one after; in the
/// second phase too, and with tiles in any order.
TEST(SplitTilings, LeaveNoRowOut) {
  for (const bool is_ring : {false, true})
    for (const int rows : {1, 2, 3, 7, 40, 61, 128})
      for (const int workers : {1, 2, 3})
        for (const int asked : {1, 2, 5, 16, 64}) {
          const SplitTiling tiling(rows, is_ring, workers, asked);
          SCOPED_TRACE(::testing::Message() << rows << " rows, " << is_ring << ", " << workers << ", " << asked);
          ASSERT_LE(tiling.depth(), asked);
          std::vector<int> done(static_cast<std::size_t>(rows));
          const auto has_done = [&](int y, int level) {
            if (!is_ring && (y < 0 || y >= rows)) return true;
            const int found = done[static_cast<std::size_t>((y + rows) % rows)];
            return found == level || found == level + 1;
          };
          const auto update = [&](int first, int end, int level) {
            for (int y = first; y < end; ++y) {
              ASSERT_EQ(done[static_cast<std::size_t>(y % rows)], level) << y;
              ASSERT_TRUE(has_done(y - 1, level) && has_done(y + 1, level)) << y << ' ' << level;
              done[static_cast<std::size_t>(y % rows)] = level + 1;
            }
          };
          for (int tile = tiling.tiles() - 1; tile >= 0; --tile)
            for_all_waves<1>(tiling.tile(tile), tiling.depth(), update);
          for (int gap = 0; gap < tiling.gaps(); ++gap) for_all_waves<1>(tiling.gap(gap), tiling.depth(), update);
          EXPECT_EQ(std::count(done.begin(), done.end(), tiling.depth()), rows);
        }
}

/// The same for many sweeps at once, also where one thread does the work of several workers, the last one first.
TEST(SplitTilings, AreRunByAnyNumberOfThreads) {
  for (const bool is_ring : {false, true})
    for (const int rows : {1, 3, 40, 61})
      for (const int workers : {1, 3, 5})
        for (const int depth : {1, 2, 5})
          for (const int threads : {1, 2, 4}) {
            const SplitTiling tiling(rows, is_ring, workers, depth);
            SCOPED_TRACE(::testing::Message() << rows << " rows, " << is_ring << ", " << workers << ", " << depth);
            std::vector<std::atomic<int>> done(static_cast<std::size_t>(rows));
            std::atomic<int> faults = 0, left = workers;
            const auto has_done = [&](int y, int step) {
              if (!is_ring && (y < 0 || y >= rows)) return true;
              const int found = done[static_cast<std::size_t>((y + rows) % rows)];
              return found == step || found == step + 1;
            };
            const auto run = [&](const auto& work) {
              std::vector<std::jthread> running;
              for (int thread = 0; thread < threads; ++thread)
                running.emplace_back([&] {
                  for (int me = --left; me >= 0; me = --left) work(me);
                });
            };
            std::vector<double> totals(steps);
            run_tiles(tiling, workers, run, 2.0, totals, [&](TileRows tile, int first, int levels, double* sums) {
              for_all_waves<1>(tile, levels, [&](int row, int, int level) {
                std::atomic<int>& mine = done[static_cast<std::size_t>(row % rows)];
                faults +=
                    mine != first + level || !has_done(row - 1, first + level) || !has_done(row + 1, first + level);
                mine = first + level + 1;
                sums[level] += 1.0;
              });
            });
            EXPECT_EQ(faults, 0);
            EXPECT_EQ(totals, std::vector<double>(steps, 2.0 * rows));
          }
}

}  // namespace
}  // namespace boltzmark::lbm
