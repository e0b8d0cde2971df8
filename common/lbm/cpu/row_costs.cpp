#include "common/lbm/cpu/row_costs.hpp"

namespace boltzmark::lbm {
namespace {

constexpr std::int64_t free_vector = 100, mixed_vector = 120, solid_row = 10;

}  // namespace

std::vector<std::int64_t> row_costs(const Problem& problem, int vectors, const std::function<int(int x)>& vector_of) {
  const std::int64_t nx = problem.parameters.nx;  // rows are counted through all planes
  std::vector<std::int64_t> costs(static_cast<std::size_t>(problem.cells() / nx), vectors * free_vector);
  std::vector<std::int64_t> mixed_in(static_cast<std::size_t>(vectors), -1);  // the last row that was so
  for (auto cell = problem.solid.begin(); cell != problem.solid.end();) {
    const std::int64_t y = *cell / nx;
    const auto row = cell;
    for (; cell != problem.solid.end() && *cell / nx == y; ++cell) {
      std::int64_t& seen = mixed_in[vector_of(static_cast<int>(*cell % nx))];
      if (seen != y) costs[y] += mixed_vector - free_vector;
      seen = y;
    }
    if (cell - row == nx) costs[y] = solid_row;
  }
  return costs;
}

std::vector<int> partition_rows(std::span<const std::int64_t> costs, int parts) {
  const int rows = static_cast<int>(costs.size());
  std::int64_t total = 0, passed = 0;
  for (const std::int64_t cost : costs) total += cost;
  std::vector<int> starts = {0};
  int y = 0;
  for (int part = 1; part < parts; ++part) {
    const int fewest = starts.back() + 1, most = rows - (parts - part);
    const auto share = static_cast<double>(total) * part / parts;
    // A row across the boundary belongs to the side with its larger part.
    while (y < most && (y < fewest || static_cast<double>(passed) + 0.5 * static_cast<double>(costs[y]) < share))
      passed += costs[y++];
    starts.push_back(y);
  }
  starts.push_back(rows);
  return starts;
}

}  // namespace boltzmark::lbm
