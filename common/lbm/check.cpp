#include "common/lbm/check.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>

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

/// The lines of a file of an answer, each held against what it should be, of which `expected()` makes the words only when
/// they are needed: an answer has millions of lines. Throws Error (bad_input) with file, line, expected and found.
class AnswerFile {
 public:
  explicit AnswerFile(const fs::path& file) : file_(file), in_(file) {
    if (!in_)
      throw bad_input("{}: expected a file to compare with, found none that can be read", file.string());
  }

  /// The numbers of the next line: so many of them, all finite, and nothing else. They stay until the next call.
  template <class Expected>
  std::span<const double> next(std::size_t count, Expected&& expected) {
    ++number_;
    if (!std::getline(in_, line_)) fail(expected(), "the end of the file");
    values_.clear();
    constexpr std::string_view blanks = " \t\r\v\f";
    std::string_view rest = line_;
    for (auto at = rest.find_first_not_of(blanks); at != rest.npos; at = rest.find_first_not_of(blanks)) {
      rest.remove_prefix(at);
      std::string_view word = rest.substr(0, rest.find_first_of(blanks));
      rest.remove_prefix(word.size());
      if (values_.empty() && word.ends_with(':')) word.remove_suffix(1);
      const auto value = parse_number<double>(word);
      if (!value || !std::isfinite(*value)) fail(expected(), shown(line_));
      values_.push_back(*value);
    }
    if (values_.size() != count) fail(expected(), shown(line_));
    return values_;
  }
  /// The line that next() gave is not what it should be.
  template <class Expected>
  void expect(bool is_right, Expected&& expected) const {
    if (!is_right) fail(expected(), shown(line_));
  }
  void expect_end(const std::string& what) {
    ++number_;
    if (std::getline(in_, line_)) fail("the end of the file after " + what, shown(line_));
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
  std::vector<double> values_;
};

std::vector<double> read_av_vels(const fs::path& file, int steps) {
  AnswerFile answer(file);
  std::vector<double> values;
  for (int step = 0; step < steps; ++step) {
    const auto expected = [&] {
      return fmt::format("\"{}:\" and the average velocity of that step (of {})", step,
                         counted(steps, "step"));
    };
    const auto line = answer.next(2, expected);
    answer.expect(line[0] == step && line[1] >= 0.0, expected);
    values.push_back(line[1]);
  }
  answer.expect_end(counted(steps, "step"));
  return values;
}

State read_final_state(const fs::path& file, const Problem& problem) {
  AnswerFile answer(file);
  const Parameters& p = problem.parameters;
  const bool flat = p.dimension == 2;
  State state;
  state.resize(problem.cells(), p.dimension);
  const auto solid = problem.solid_mask();
  std::size_t cell = 0;
  for (int z = 0; z < p.nz; ++z)
    for (int y = 0; y < p.ny; ++y)
      for (int x = 0; x < p.nx; ++x, ++cell) {
        const auto expected = [&] {
          return flat ? fmt::format("\"{} {} u_x u_y |u| pressure {}\"", x, y, solid[cell])
                      : fmt::format("\"{} {} {} u_x u_y u_z |u| pressure {}\"", x, y, z, solid[cell]);
        };
        const auto v = answer.next(flat ? 7 : 9, expected);
        const double* at = v.data() + p.dimension;
        answer.expect(v[0] == x && v[1] == y && (flat || v[2] == z) && v.back() == solid[cell], expected);
        state.ux[cell] = *at++;
        state.uy[cell] = *at++;
        if (!flat) state.uz[cell] = *at++;
        const double speed = state.speed(cell);
        answer.expect(std::abs(*at++ - speed) <= 1e-6 * speed + at_rest, [&] {
          return expected() + ", |u| that of " + (flat ? "u_x and u_y" : "u_x, u_y and u_z");
        });
        state.density[cell] = 3.0 * *at;
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
    largest_speed = std::max(largest_speed, answer.state.speed(cell));
  if (largest_speed <= at_rest) largest_speed = 1.0;
  for (std::size_t cell = 0; cell < answer.state.ux.size(); ++cell) {
    const double off_z = state.uz.empty() ? 0.0 : state.uz[cell] - answer.state.uz[cell];
    const double off =
        std::hypot(state.ux[cell] - answer.state.ux[cell], state.uy[cell] - answer.state.uy[cell], off_z);
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
