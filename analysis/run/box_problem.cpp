#include "analysis/run/box_problem.hpp"

#include <fmt/format.h>

#include <iterator>

#include "common/lbm/result_files.hpp"

namespace boltzmark {

Problem box_problem(int nx, int ny, int iterations) {
  Problem problem;
  problem.name = fmt::format("box_{}x{}", nx, ny);
  problem.parameters = {.nx = nx,
                        .ny = ny,
                        .iterations = iterations,
                        .reynolds_dim = 10,
                        .density = 0.1,
                        .accel = 0.01,
                        .omega = 1.85};
  // The walls row by row, without a look at what lies between: a box may have more cells than memory.
  for (std::int64_t y = 0; y < ny; ++y) {
    const bool is_wall = y == 0 || y == ny - 1;
    for (std::int64_t x = 0; x < nx; x += is_wall ? 1 : nx - 1) problem.blocked.push_back(x + y * nx);
  }
  return problem;
}

void write_problem_files(const Problem& problem, const std::filesystem::path& params,
                         const std::filesystem::path& obstacles) {
  const Parameters& p = problem.parameters;
  AtomicFile numbers(params), cells(obstacles);
  numbers.write(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n", p.nx, p.ny, p.iterations, p.reynolds_dim,
                            p.density, p.accel, p.omega));
  std::string lines;
  for (const std::int64_t cell : problem.blocked)
    fmt::format_to(std::back_inserter(lines), "{} {} 1\n", cell % p.nx, cell / p.nx);
  cells.write(lines);
  numbers.commit();
  cells.commit();
}

}  // namespace boltzmark
