#include "common/lbm/check.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/lbm/result_files.hpp"

namespace boltzmark::lbm {
namespace {

namespace fs = std::filesystem;

/// The oracle's populations are not shifted, so a fluid at rest shows speeds of its rounding, some 1e-17. Up
/// to this speed deviations are absolute, in lattice units.
constexpr double at_rest = 1e-12;

constexpr const char *state_ending = ".final_state.dat", *averages_ending = ".av_vels.dat",
                     *digest_ending = ".digest";

/// Takes the larger of the two; nothing once a value was not a number.
void raise(Deviation& largest, double value) {
  if (!std::isfinite(value)) largest.value.reset();
  if (largest.value) largest.value = std::max(*largest.value, value);
}

/// The lines of a file of an answer, each held against what it should be. Throws Error (bad_input) with file, line,
/// expected and found.
class AnswerFile {
 public:
  explicit AnswerFile(const fs::path& file) : file_(file), in_(file) {
    if (!in_)
      throw bad_input("{}: expected a file to compare with, found none that can be read", file.string());
  }

  /// The numbers of the next line: so many of them, all finite, and nothing else.
  std::vector<double> next(std::size_t count, const std::string& expected) {
    std::string line;
    ++number_;
    if (!std::getline(in_, line)) fail(expected, "the end of the file");
    std::vector<double> values;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (values.empty() && word.ends_with(':')) word.pop_back();
      const auto value = parse_number<double>(word);
      if (!value || !std::isfinite(*value)) fail(expected, shown(line));
      values.push_back(*value);
    }
    if (values.size() != count) fail(expected, shown(line));
    line_ = line;
    return values;
  }
  /// The line that next() gave is not what it should be.
  void expect(bool is_right, const std::string& expected) const {
    if (!is_right) fail(expected, shown(line_));
  }
  void expect_end(const std::string& what) {
    std::string line;
    ++number_;
    if (std::getline(in_, line)) fail("the end of the file after " + what, shown(line));
  }

 private:
  static std::string shown(const std::string& line) { return quoted(line, 60); }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw bad_input("{}:{}: expected {}, found {}", file_.string(), number_, expected, found);
  }

  fs::path file_;
  std::ifstream in_;
  std::int64_t number_ = 0;
  std::string line_;
};

std::vector<double> read_av_vels(const fs::path& file, int steps) {
  AnswerFile answer(file);
  std::vector<double> values;
  for (int step = 0; step < steps; ++step) {
    const std::string expected =
        fmt::format("\"{}:\" and the average velocity of that step (of {})", step, counted(steps, "step"));
    const auto line = answer.next(2, expected);
    answer.expect(line[0] == step && line[1] >= 0.0, expected);
    values.push_back(line[1]);
  }
  answer.expect_end(counted(steps, "step"));
  return values;
}

State read_final_state(const fs::path& file, const Problem& problem) {
  AnswerFile answer(file);
  State state;
  state.resize(problem.cells());
  const auto solid = problem.solid_mask();
  std::size_t cell = 0;
  for (int y = 0; y < problem.parameters.ny; ++y)
    for (int x = 0; x < problem.parameters.nx; ++x, ++cell) {
      const auto expected = fmt::format("\"{} {} u_x u_y |u| pressure {}\"", x, y, solid[cell]);
      const auto v = answer.next(7, expected);
      answer.expect(v[0] == x && v[1] == y && v[6] == solid[cell], expected);
      const double speed = std::hypot(v[2], v[3]);
      answer.expect(std::abs(v[4] - speed) <= 1e-6 * speed + at_rest, expected + ", |u| that of u_x and u_y");
      state.ux[cell] = v[2];
      state.uy[cell] = v[3];
      state.density[cell] = 3.0 * v[5];
    }
  answer.expect_end(counted(problem.cells(), "cell"));
  return state;
}

/// One line for the digests of both files of an answer.
std::string digests_of(const std::string& prefix) {
  return digest_of_file(prefix + state_ending) + ' ' + digest_of_file(prefix + averages_ending) + '\n';
}

}  // namespace

double tolerance(Precision precision) { return precision == Precision::f32 ? 1e-5 : 1e-10; }

PhysicalRange physical_range(Precision precision) {
  // Squares of momenta must be far from where the precision ends, and omega so large that 1 - omega keeps it.
  return precision == Precision::f32 ? PhysicalRange{1e-8, 1e15, 1e-2} : PhysicalRange{1e-37, 1e37, 1e-6};
}

std::vector<Deviation> compare(std::span<const double> av_vels, const State& state, const Answer& answer) {
  std::vector<Deviation> deviations = {{"av_vels", 0.0}, {"speed", 0.0}, {"pressure", 0.0}};
  Deviation &averages = deviations[0], &speed = deviations[1], &pressure = deviations[2];
  double largest_average = 0.0;
  for (const double value : answer.av_vels) largest_average = std::max(largest_average, std::abs(value));
  const double floor = largest_average > at_rest ? 1e-6 * largest_average : 1.0;
  for (std::size_t step = 0; step < answer.av_vels.size(); ++step) {
    const double right = answer.av_vels[step];
    raise(averages, std::abs(av_vels[step] - right) / std::max(std::abs(right), floor));
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
  return {.av_vels = read_av_vels(prefix + averages_ending, steps),
          .state = read_final_state(prefix + state_ending, problem)};
}

void write_answer(const std::string& prefix, const Problem& problem, const Answer& answer) {
  AtomicFile final_state(prefix + state_ending), av_vels(prefix + averages_ending);
  write_final_state(final_state, problem, answer.state);
  write_av_vels(av_vels, answer.av_vels);
  final_state.finish();
  av_vels.finish();
  final_state.commit();
  av_vels.commit();
  AtomicFile digests(prefix + digest_ending);
  digests.write(digests_of(prefix));
  digests.commit();
}

AnswerState state_of_answer(const std::string& prefix) {
  const auto is_there = [&](const char* ending) { return fs::exists(prefix + ending); };
  if (!is_there(state_ending) && !is_there(averages_ending)) return AnswerState::absent;
  if (!is_there(state_ending) || !is_there(averages_ending)) return AnswerState::damaged;
  std::ifstream in(prefix + digest_ending);
  const std::string written{std::istreambuf_iterator<char>(in), {}};
  return written == digests_of(prefix) ? AnswerState::whole : AnswerState::damaged;
}

}  // namespace boltzmark::lbm
