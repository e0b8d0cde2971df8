#include "analysis/run/lbm_cases.hpp"

#include <fmt/format.h>

#include <climits>

#include "common/base/error.hpp"
#include "common/base/files.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

constexpr double most_oracle_updates = 5e8;  // cell updates that the oracle does in about 20 s

}  // namespace

lbm::Problem box_problem(const std::vector<int>& cells, int iterations) {
  const bool is_flat = cells.size() == 2;
  const std::int64_t nx = cells[0], ny = cells[1], nz = is_flat ? 1 : cells[2];
  lbm::Problem problem;
  problem.name = fmt::format("box_{}", fmt::join(cells, "x"));
  problem.parameters = {.nx = cells[0],
                        .ny = cells[1],
                        .nz = static_cast<int>(nz),
                        .dimension = is_flat ? 2 : 3,
                        .iterations = iterations,
                        .reynolds_dim = 10,
                        .density = 0.1,
                        .accel = 0.01,
                        .omega = 1.85};
  // The walls row by row, without a look at what lies between: a box may have more cells than memory.
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y) {
      const bool is_wall = y == 0 || y == ny - 1 || (!is_flat && (z == 0 || z == nz - 1));
      for (std::int64_t x = 0; x < nx; x += is_wall ? 1 : nx - 1)
        problem.solid.push_back(x + (y + z * ny) * nx);
    }
  return problem;
}

Case load_lbm_case(const PlanCase& source, const fs::path& made) {
  Case one;
  auto own = std::make_shared<LbmCase>();
  own->is_box = !source.box.empty();
  if (own->is_box) {
    own->problem = box_problem(source.box, *source.steps);
    own->params = made / fmt::format("input_{}.params", own->problem.name);
    own->obstacles = made / fmt::format("obstacles_{}.dat", own->problem.name);
  } else {
    own->params = source.params;
    own->obstacles = source.obstacles;
    try {
      own->problem = lbm::load_problem(source.params, source.obstacles);
    } catch (const Error& error) {
      if (error.status() != ExitStatus::unavailable) throw;
      one.impossible = error.what();
      own->problem.name = lbm::problem_name(source.params);
      own->problem.parameters = lbm::read_parameters(source.params);
    }
  }
  one.workload = source.workload;
  one.name = own->problem.name;
  one.digest = own->problem.digest();
  one.arguments = {"--no-output", own->params.string(), own->obstacles.string()};
  one.asked_steps = source.steps;
  one.steps = source.steps.value_or(own->problem.parameters.iterations);
  one.check = source.check;
  one.lbm = std::move(own);
  return one;
}

void make_lbm_files(const LbmCase& one) {
  if (!one.is_box) return;
  prepare_folder(one.params.parent_path());
  lbm::write_problem(one.problem, one.problem.parameters.iterations, one.params, one.obstacles);
}

int dimension_of(const Case& one) { return one.lbm ? one.lbm->problem.parameters.dimension : 2; }

int most_steps_to_tune(const Case& one) {
  if (!one.lbm) return INT_MAX;
  const double most = most_oracle_updates / static_cast<double>(one.lbm->problem.cells());
  return static_cast<int>(std::max(1.0, std::min<double>(one.lbm->problem.parameters.iterations, most)));
}

}  // namespace boltzmark
