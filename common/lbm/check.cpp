#include "common/lbm/check.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>

#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/lbm/output.hpp"

namespace boltzmark::lbm {
namespace {

namespace fs = std::filesystem;

/// The oracle's populations are not shifted, so rounding gives a fluid at rest speeds of about 1e-17. Up to this speed
/// deviations are absolute, in lattice units.
constexpr double at_rest = 1e-12;

/// Keeps the larger of the two, and keeps NaN once it occurred. Returns whether the new value was taken.
bool raise(Deviation& largest, double value) {
  if (!largest.value) return false;
  if (std::isfinite(value) && value <= *largest.value) return false;
  largest.value = std::isfinite(value) ? std::optional(value) : std::nullopt;
  return true;
}

/// "cell 5 7", or in three dimensions "cell 5 7 3": as at the start of its line in final_state.dat.
std::string cell_words(const Parameters& p, std::size_t cell) {
  const auto index = static_cast<std::int64_t>(cell);
  const std::int64_t row = index / p.nx;
  if (p.dimension == 2) return fmt::format("cell {} {}", index % p.nx, row);
  return fmt::format("cell {} {} {}", index % p.nx, row % p.ny, row / p.ny);
}

/// The lines of a result file, each compared with the expected one; `expected()` makes the words only if they are
/// needed, because a result has millions of lines. Throws ResultError with file, line, expected and found.
class AnswerFile {
 public:
  /// A reference is finite; the output of an external program need not be.
  enum class Numbers { finite, any };

  /// of_length: the fault if there are more or fewer lines than expected.
  AnswerFile(const fs::path& file, Numbers numbers, ResultFault of_length)
      : file_(file), numbers_(numbers), of_length_(of_length) {
    expect_regular(file, "a file to compare with");
    in_.open(file);
    if (!in_)
      throw ResultError(ResultFault::missing,
                        fmt::format("{}: expected a file to compare with, found none that can be read", file.string()));
  }

  /// The numbers of the next line: this many, all finite, and nothing else. They stay valid until the next call.
  template <class Expected>
  std::span<const double> next(std::size_t count, Expected&& expected) {
    ++number_;
    if (!std::getline(in_, line_)) fail(expected(), "the end of the file", Ends::too_early);
    values_.clear();
    std::string_view rest = line_;
    for (auto at = rest.find_first_not_of(blanks); at != rest.npos; at = rest.find_first_not_of(blanks)) {
      rest.remove_prefix(at);
      std::string_view word = rest.substr(0, rest.find_first_of(blanks));
      rest.remove_prefix(word.size());
      if (values_.empty() && word.ends_with(':')) word.remove_suffix(1);
      const auto value = parse_number<double>(word);
      if (!value || (numbers_ == Numbers::finite && !std::isfinite(*value))) fail(expected(), shown(line_));
      values_.push_back(*value);
    }
    if (values_.size() != count) fail(expected(), shown(line_));
    return values_;
  }
  /// Throws: the line that next() returned is wrong.
  template <class Expected>
  void expect(bool is_right, Expected&& expected) const {
    if (!is_right) fail(expected(), shown(line_));
  }
  void expect_end(const std::string& what) {
    ++number_;
    if (std::getline(in_, line_)) fail("the end of the file after " + what, shown(line_), Ends::too_late);
  }

 private:
  enum class Ends { somewhere, too_early, too_late };

  static std::string shown(const std::string& line) { return quoted(line, 60); }
  [[noreturn]] void fail(const std::string& expected, const std::string& found, Ends ends = Ends::somewhere) const {
    throw ResultError(ends == Ends::somewhere ? ResultFault::format : of_length_,
                      fmt::format("{}:{}: expected {}, found {}", file_.string(), number_, expected, found));
  }

  fs::path file_;
  Numbers numbers_;
  ResultFault of_length_;
  std::ifstream in_;
  std::int64_t number_ = 0;
  std::string line_;
  std::vector<double> values_;
};

std::vector<double> read_av_vels(const fs::path& file, int steps, AnswerFile::Numbers numbers) {
  AnswerFile answer(file, numbers, ResultFault::steps);
  std::vector<double> values;
  for (int step = 0; step < steps; ++step) {
    const auto expected = [&] {
      return fmt::format("\"{}:\" and the average velocity of that step (of {})", step, counted(steps, "step"));
    };
    const auto line = answer.next(2, expected);
    answer.expect(line[0] == step && !(line[1] < 0.0), expected);
    values.push_back(line[1]);
  }
  answer.expect_end(counted(steps, "step"));
  return values;
}

State read_final_state(const fs::path& file, const Problem& problem, AnswerFile::Numbers numbers) {
  AnswerFile answer(file, numbers, ResultFault::lines);
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
        const double said = *at++;
        const bool is_number = std::isfinite(speed) && std::isfinite(said);  // otherwise compare() reports it
        answer.expect(!is_number || std::abs(said - speed) <= 1e-6 * speed + at_rest,
                      [&] { return expected() + ", |u| that of " + (flat ? "u_x and u_y" : "u_x, u_y and u_z"); });
        state.density[cell] = 3.0 * *at;
      }
  answer.expect_end(counted(problem.cells(), "cell"));
  return state;
}

/// Whether it is a regular file, and not larger than any result; checked before it is read.
void expect_result_file(const fs::path& file, double lines) {
  constexpr double most_bytes_in_line = 1000.0, slack = 1e6;
  std::error_code error;
  const auto status = fs::symlink_status(file, error);
  if (!fs::is_regular_file(status))
    throw ResultError(ResultFault::missing, fmt::format("{}: expected a file, found {}", file.string(),
                                                        fs::exists(status) ? "something else" : "none"));
  const double most = slack + most_bytes_in_line * lines, bytes = static_cast<double>(fs::file_size(file, error));
  if (error || bytes > most)
    throw ResultError(ResultFault::too_large, fmt::format("{}: expected at most {:.0f} MB, found {:.0f} MB",
                                                          file.string(), 1e-6 * most, 1e-6 * bytes));
}

}  // namespace

double tolerance(Precision precision) { return precision == Precision::f32 ? 1e-5 : 1e-10; }

PhysicalRange physical_range(Precision precision) {
  // Squares of momenta must be far from the limits of the precision, and omega large enough not to be lost in 1 -
  // omega.
  return precision == Precision::f32 ? PhysicalRange{1e-8, 1e15, 1e-2} : PhysicalRange{1e-37, 1e37, 1e-6};
}

std::vector<Deviation> compare(std::span<const double> av_vels, const State& state, const Problem& problem,
                               const Answer& answer) {
  std::vector<Deviation> deviations = {{"av_vels", 0.0}, {"speed", 0.0}, {"pressure", 0.0}};
  Deviation &averages = deviations[0], &speed = deviations[1], &pressure = deviations[2];
  double largest_average = 0.0;
  for (const double value : answer.av_vels) largest_average = std::max(largest_average, std::abs(value));
  const double floor = largest_average > at_rest ? 1e-6 * largest_average : 1.0;
  std::size_t worst_step = 0, worst_speed = 0, worst_pressure = 0;
  for (std::size_t step = 0; step < answer.av_vels.size(); ++step) {
    const double right = answer.av_vels[step];
    if (raise(averages, std::abs(av_vels[step] - right) / std::max(std::abs(right), floor))) worst_step = step;
  }

  // Lengths of vectors by their squares; a cell that may be the worst again by its exact length.
  const auto square = [](double x, double y, double z) { return x * x + y * y + z * z; };
  const State& exact = answer.state;
  const std::size_t cells = exact.ux.size();
  const bool is_flat = exact.uz.empty();
  double largest_square = 0.0;
  for (std::size_t cell = 0; cell < cells; ++cell)
    largest_square = std::max(largest_square, square(exact.ux[cell], exact.uy[cell], is_flat ? 0.0 : exact.uz[cell]));
  double largest_speed = std::sqrt(largest_square), worst_square = 0.0;
  if (largest_speed <= at_rest) largest_speed = 1.0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const double x = state.ux[cell] - exact.ux[cell], y = state.uy[cell] - exact.uy[cell];
    const double z = is_flat ? 0.0 : state.uz[cell] - exact.uz[cell];
    if (!(square(x, y, z) <= worst_square)) {
      const double off = std::hypot(x, y, z);
      if (raise(speed, off / largest_speed)) worst_speed = cell;
      worst_square = std::min(std::max(worst_square, off * off), std::numeric_limits<double>::max());
    }
    const double right = exact.density[cell];
    if (raise(pressure, std::abs(state.density[cell] - right) / std::abs(right))) worst_pressure = cell;
  }
  averages.at = fmt::format("step {}", worst_step);
  speed.at = cell_words(problem.parameters, worst_speed);
  pressure.at = cell_words(problem.parameters, worst_pressure);
  return deviations;
}

Answer read_answer(const std::string& prefix, const Problem& problem, int steps) {
  if (has_kept_answer(prefix)) return read_kept_answer(prefix, problem, steps);
  const bool is_folder = !fs::exists(prefix + ".final_state.dat") && fs::is_directory(prefix);
  const std::string start = is_folder ? prefix + '/' : prefix + '.';
  return {.av_vels = read_av_vels(start + averages_file, steps, AnswerFile::Numbers::finite),
          .state = read_final_state(start + state_file, problem, AnswerFile::Numbers::finite)};
}

Answer read_result(const fs::path& folder, const Problem& problem, int steps) {
  const fs::path averages = folder / averages_file, state = folder / state_file;
  expect_result_file(averages, steps);
  expect_result_file(state, static_cast<double>(problem.cells()));
  return {.av_vels = read_av_vels(averages, steps, AnswerFile::Numbers::any),
          .state = read_final_state(state, problem, AnswerFile::Numbers::any)};
}

}  // namespace boltzmark::lbm
