#include "analysis/run/cases.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "analysis/support/by_name.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/lbm/standard_problem.hpp"

namespace boltzmark {
namespace {

/// A case of any other workload: only its programs can read it.
Case plain_case(const PlanCase& source) {
  const std::string words = join(source.arguments, " ");
  Case one;
  one.workload = source.workload;
  one.name = !source.name.empty() ? source.name : words.empty() ? "default" : words;
  one.digest = words;
  one.arguments = source.arguments;
  one.asked_steps = source.steps;
  one.steps = source.steps.value_or(0);
  one.check = source.check;
  return one;
}

Case load_case(const PlanCase& source, const fs::path& made) {
  return source.workload == usual_workload ? load_lbm_case(source, made) : plain_case(source);
}

constexpr double most_oracle_updates = 5e8;  // cell updates that the oracle does in about 20 s

}  // namespace

PlanCase find_case(const std::string& workload, const std::vector<std::string>& words) {
  if (workload != usual_workload) return {.workload = workload, .arguments = words};
  if (words.size() == 2) return {.params = words[0], .obstacles = words[1]};
  if (words.size() > 2) throw bad_input("expected PARAMS and OBSTACLES, found \"{}\"", join(words, " "));
  const lbm::ProblemFiles files = lbm::standard_problem(words.empty() ? "" : words.front());
  return {.params = files.params, .obstacles = files.obstacles};
}

std::vector<std::string> words_of(const ProblemOptions& options) {
  const auto& [name, params, obstacles, steps] = options;
  if (params.empty() && obstacles.empty()) return {name.empty() ? "128x128" : name};
  if (params.empty() || obstacles.empty())
    throw bad_input("{}: expected also {}, found none", params.empty() ? "--obstacles" : "--params",
                    params.empty() ? "--params" : "--obstacles");
  return {params, obstacles};
}

Cases::Cases(const Plan& plan, fs::path made) : made_(std::move(made)) {
  const auto has = [&plan](const std::string& workload) {
    return std::any_of(plan.cases.begin(), plan.cases.end(),
                       [&](const PlanCase& one) { return one.workload == workload; });
  };
  std::vector<std::string> without;
  for (const PlanRun& run : plan.runs)
    if (!has(run.workload)) add_once(without, run.workload);
  for (const auto& workload : without) {
    if (workload == usual_workload)
      fail_in_json(plan.file.string(), "cases", fmt::format("at least one case of {}", workload), "none");
    sources_.push_back({.workload = workload});
  }
  sources_.insert(sources_.end(), plan.cases.begin(), plan.cases.end());
  std::map<std::string, std::vector<std::string>> names;
  for (const PlanCase& source : sources_) {
    plain_.push_back(std::make_shared<const Case>(load_case(source, made_)));
    names[source.workload].push_back(plain_.back()->name);
  }
  for (std::size_t r = 0; r < plan.runs.size(); ++r)
    for (std::size_t c = 0; c < plan.runs[r].cases.size(); ++c)
      if (const PlanRun& run = plan.runs[r]; !contains(names[run.workload], run.cases[c]))
        fail_in_json(plan.file.string(), fmt::format("runs[{}].cases[{}]", r, c),
                     "one of " + join(names[run.workload], ", "), '"' + run.cases[c] + '"');
}

const Case& Cases::at(std::size_t number, std::optional<int> steps, int workers) {
  const int growth = sources_[number].grows ? std::max(1, workers) : 1;
  const Case* one = plain_[number].get();
  if (growth > 1) {
    auto& grown = others_[{number, 0, growth}];
    if (!grown) {
      PlanCase source = sources_[number];
      source.box.back() *= growth;
      grown = std::make_shared<const Case>(load_case(source, made_));
    }
    one = grown.get();
  }
  if (!steps || *steps == one->steps) return *one;
  auto& other = others_[{number, *steps, growth}];
  if (!other) {
    Case same = *one;
    same.asked_steps = steps;
    same.steps = *steps;
    other = std::make_shared<const Case>(std::move(same));
  }
  return *other;
}

void make_files(const Case& one) {
  if (one.lbm) make_lbm_files(*one.lbm);
}

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
  // The walls row by row, without visiting the cells between them: a box may have more cells than memory.
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y) {
      const bool is_wall = y == 0 || y == ny - 1 || (!is_flat && (z == 0 || z == nz - 1));
      for (std::int64_t x = 0; x < nx; x += is_wall ? 1 : nx - 1) problem.solid.push_back(x + (y + z * ny) * nx);
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
