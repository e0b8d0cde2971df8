#include "common/lbm/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "common/base/error.hpp"
#include "common/lbm/result_files.hpp"

namespace boltzmark::lbm {
namespace {

namespace fs = std::filesystem;

/// The oracle's populations are not shifted, so a fluid at rest shows speeds of its rounding, some 1e-17. Up
/// to this speed deviations are absolute, in lattice units.
constexpr double at_rest = 1e-12;

/// Takes the larger of the two; nothing once a value was not a number.
void raise(Deviation& largest, double value) {
  if (!std::isfinite(value)) largest.value.reset();
  if (largest.value) largest.value = std::max(*largest.value, value);
}

std::ifstream open_answer(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw bad_input("{}: expected a file to compare with, found none that can be read", file.string());
  return in;
}

[[noreturn]] void fail_in_answer(const fs::path& file, std::int64_t line, const std::string& expected,
                                 const std::string& found) {
  throw bad_input("{}:{}: expected {}, found {}", file.string(), line, expected,
                  found.empty() ? "the end of the file" : '"' + found.substr(0, 60) + '"');
}

std::vector<double> read_av_vels(const fs::path& file, int steps) {
  std::ifstream in = open_answer(file);
  std::vector<double> values;
  std::string line;
  for (int step = 0; step < steps; ++step) {
    std::getline(in, line);
    int number = -1;
    double value = 0.0;
    if (!in || std::sscanf(line.c_str(), "%d: %lf", &number, &value) != 2 || number != step)
      fail_in_answer(file, step + 1,
                     fmt::format("\"{}:\" and the average velocity of that step (of {} steps)", step, steps),
                     in ? line : "");
    values.push_back(value);
  }
  return values;
}

State read_final_state(const fs::path& file, const Problem& problem) {
  std::ifstream in = open_answer(file);
  State state;
  state.resize(problem.cells());
  const auto obstacle = problem.obstacle_mask();
  std::string line;
  for (std::int64_t cell = 0; cell < problem.cells(); ++cell) {
    std::getline(in, line);
    const int x = static_cast<int>(cell % problem.parameters.nx),
              y = static_cast<int>(cell / problem.parameters.nx);
    int read_x = -1, read_y = -1, blocked = -1;
    double ux = 0.0, uy = 0.0, speed = 0.0, pressure = 0.0;
    if (!in ||
        std::sscanf(line.c_str(), "%d %d %lf %lf %lf %lf %d", &read_x, &read_y, &ux, &uy, &speed, &pressure,
                    &blocked) != 7 ||
        read_x != x || read_y != y || blocked != obstacle[static_cast<std::size_t>(cell)])
      fail_in_answer(
          file, cell + 1,
          fmt::format("\"{} {} u_x u_y |u| pressure {}\"", x, y, obstacle[static_cast<std::size_t>(cell)]),
          in ? line : "");
    const auto i = static_cast<std::size_t>(cell);
    state.ux[i] = ux;
    state.uy[i] = uy;
    state.density[i] = 3.0 * pressure;
  }
  return state;
}

}  // namespace

double tolerance(Precision precision) { return precision == Precision::f32 ? 1e-5 : 1e-10; }

std::vector<Deviation> compare(std::span<const double> av_vels, const State& state, const Answer& answer) {
  std::vector<Deviation> deviations = {{"av_vels", 0.0}, {"speed", 0.0}, {"pressure", 0.0}};
  Deviation &averages = deviations[0], &speed = deviations[1], &pressure = deviations[2];
  double largest_average = 0.0;
  for (const double value : answer.av_vels) largest_average = std::max(largest_average, value);
  const double floor = largest_average > at_rest ? 1e-6 * largest_average : 1.0;
  for (std::size_t step = 0; step < answer.av_vels.size(); ++step) {
    const double right = answer.av_vels[step];
    raise(averages, std::abs(av_vels[step] - right) / std::max(right, floor));
  }

  double largest_speed = 0.0;
  for (std::size_t cell = 0; cell < answer.state.ux.size(); ++cell)
    largest_speed = std::max(largest_speed, std::hypot(answer.state.ux[cell], answer.state.uy[cell]));
  if (largest_speed <= at_rest) largest_speed = 1.0;
  for (std::size_t cell = 0; cell < answer.state.ux.size(); ++cell) {
    const double off =
        std::hypot(state.ux[cell] - answer.state.ux[cell], state.uy[cell] - answer.state.uy[cell]);
    raise(speed, off / largest_speed);
    const double right = answer.state.density[cell];
    raise(pressure, std::abs(state.density[cell] - right) / std::abs(right));
  }
  return deviations;
}

Answer read_answer(const std::string& prefix, const Problem& problem, int steps) {
  return {.av_vels = read_av_vels(prefix + ".av_vels.dat", steps),
          .state = read_final_state(prefix + ".final_state.dat", problem)};
}

void write_answer(const std::string& prefix, const Problem& problem, const Answer& answer) {
  AtomicFile final_state(prefix + ".final_state.dat"), av_vels(prefix + ".av_vels.dat");
  write_final_state(final_state, problem, answer.state);
  write_av_vels(av_vels, answer.av_vels);
  final_state.finish();
  av_vels.finish();
  final_state.commit();
  av_vels.commit();
}

}  // namespace boltzmark::lbm
