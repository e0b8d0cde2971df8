#include "common/lbm/problem.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/cpu/memory.hpp"

namespace boltzmark::lbm {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view blanks = " \t\r\v\f";

/// No parameter file that is meant is longer, and no line of an obstacle file.
constexpr std::size_t most_parameter_bytes = 1 << 20, most_obstacle_line_bytes = 64;

/// At most so many bytes: a device such as /dev/zero has no end.
std::string read_file(const fs::path& file, std::size_t most_bytes) {
  std::error_code error;
  if (fs::is_directory(file, error))
    throw bad_input("{}: expected a file to read, found a folder", file.string());
  std::ifstream in(file, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> piece;
  while (in.read(piece.data(), piece.size()), in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes)
      throw bad_input("{}: expected a file of at most {} bytes, found more", file.string(), most_bytes);
  }
  if (!in.is_open() || in.bad())
    throw bad_input("{}: expected a file to read, found {}", file.string(),
                    fs::exists(file, error) ? "one that cannot be read" : "no such file");
  return text;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// A line that is not blank, and where it stood.
struct Line {
  int number;
  std::string_view text;
};

/// Gives the non-blank lines of a text one by one; \r\n and a missing last newline are fine.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  std::optional<Line> next() {
    while (!rest_.empty()) {
      const auto end = rest_.find('\n');
      const std::string_view line = trimmed(rest_.substr(0, end));
      rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
      ++number_;
      if (!line.empty()) return Line{number_, line};
    }
    return std::nullopt;
  }
  int last_number() const { return number_; }

 private:
  std::string_view rest_;
  int number_ = 0;
};

[[noreturn]] void fail(const fs::path& file, int line, std::string_view expected, std::string_view found) {
  throw bad_input("{}:{}: expected {}, found {}", file.string(), line, expected, found);
}

/// A number that may begin with a plus sign, as numbers in such files do.
template <class T>
std::optional<T> to_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return parse_number<T>(text);
}

int read_integer(const fs::path& file, const Line& line, std::string_view name, int lowest) {
  const std::string expected = fmt::format("{} (an integer, {} to {})", name, lowest, INT_MAX);
  const auto value = to_number<int>(line.text);
  if (!value || *value < lowest) fail(file, line.number, expected, quoted(line.text));
  return *value;
}

/// Bounds are exclusive above and below.
double read_real(const fs::path& file, const Line& line, std::string_view expected, double above,
                 double below) {
  const auto value = to_number<double>(line.text);
  // Written so that NaN fails too. Single precision must be able to hold the value.
  if (!value || !(*value > above && *value < below) || *value < FLT_MIN)
    fail(file, line.number, expected, quoted(line.text));
  return *value;
}

/// The least any model needs is one grid in single precision, or two of halves.
void check_memory(const fs::path& params, const Parameters& p) {
  const auto has = static_cast<double>(total_memory_bytes());
  const double needs = 36.0 * p.nx * p.ny;
  if (needs > has)
    throw unavailable(
        "{}:1: expected a grid that fits the {:.1f} GB of this machine, found {} x {} cells, which need at least "
        "{:.1f} GB",
        params.string(), has / 1e9, p.nx, p.ny, needs / 1e9);
}

/// One coordinate of an obstacle line.
int read_coordinate(const fs::path& file, const Line& line, std::string_view word, char axis, int size) {
  const auto value = to_number<int>(word);
  if (!value || *value < 0 || *value >= size)
    fail(file, line.number, fmt::format("{} from 0 to {}", axis, size - 1), quoted(word));
  return *value;
}

/// Splits at blanks; more than three words give four, the fourth being the rest.
std::array<std::string_view, 4> words_of(std::string_view text) {
  std::array<std::string_view, 4> words{};
  for (auto& word : words) {
    text = trimmed(text);
    const auto end = &word == &words.back() ? text.npos : text.find_first_of(blanks);
    word = text.substr(0, end);
    text.remove_prefix(word.size());
  }
  return words;
}

}  // namespace

std::vector<std::uint8_t> Problem::solid_mask(int first_row, int rows) const {
  const std::int64_t nx = parameters.nx, ny = parameters.ny;
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(nx * rows), 0);
  for (int r = 0; r < rows; ++r) {
    const std::int64_t y = ((first_row + r) % ny + ny) % ny;
    const auto begin = std::lower_bound(solid.begin(), solid.end(), y * nx);
    for (auto cell = begin; cell != solid.end() && *cell < (y + 1) * nx; ++cell)
      mask[static_cast<std::size_t>(r * nx + *cell - y * nx)] = 1;
  }
  return mask;
}

std::string Problem::digest() const {
  const Parameters& p = parameters;
  Digest digest;
  for (const int value : {p.nx, p.ny, p.iterations, p.reynolds_dim}) digest.add_bytes(&value, 1);
  for (const double value : {p.density, p.accel, p.omega}) digest.add_bytes(&value, 1);
  digest.add_bytes(solid.data(), solid.size());
  return digest.text();
}

std::string problem_name(const fs::path& params) {
  std::string name = params.stem().string();
  constexpr std::string_view prefix = "input_";
  if (name.starts_with(prefix) && name.size() > prefix.size()) name.erase(0, prefix.size());
  return name;
}

Parameters read_parameters(const fs::path& file) {
  constexpr std::array<std::string_view, 7> names = {"nx",      "ny",    "iterations", "reynolds_dim",
                                                     "density", "accel", "omega"};
  const std::string text = read_file(file, most_parameter_bytes);
  Lines lines(text);
  // Number by number, so that the first line at fault is the one that is named.
  std::size_t number = 0;
  const auto next = [&] {
    const auto line = lines.next();
    if (!line)
      fail(file, lines.last_number() + 1, fmt::format("{} (seven numbers, one per line)", names[number]),
           number == 0 ? "an empty file" : "the end of the file");
    ++number;
    return *line;
  };
  Parameters p;
  p.nx = read_integer(file, next(), names[0], 1);
  p.ny = read_integer(file, next(), names[1], 3);
  p.iterations = read_integer(file, next(), names[2], 1);
  p.reynolds_dim = read_integer(file, next(), names[3], 1);
  p.density = read_real(file, next(), "density (a number above 0)", 0.0, FLT_MAX);
  p.accel = read_real(file, next(), "accel (a number above 0)", 0.0, FLT_MAX);
  p.omega = read_real(file, next(), "omega (a number above 0 and below 2)", 0.0, 2.0);
  if (const auto line = lines.next())
    fail(file, line->number, "the end of the file after seven numbers", quoted(line->text));
  return p;
}

std::vector<std::int64_t> read_obstacles(const fs::path& file, int nx, int ny) {
  std::vector<std::int64_t> solid;
  const std::size_t cells = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  const std::string text = read_file(file, most_parameter_bytes + most_obstacle_line_bytes * cells);
  Lines lines(text);
  while (const auto line = lines.next()) {
    const auto words = words_of(line->text);
    if (words[2].empty() || !words[3].empty())
      fail(file, line->number, "three numbers: x y 1", quoted(line->text));
    const std::int64_t x = read_coordinate(file, *line, words[0], 'x', nx);
    const std::int64_t y = read_coordinate(file, *line, words[1], 'y', ny);
    if (words[2] != "1") fail(file, line->number, "1 in the third column", quoted(words[2]));
    solid.push_back(x + y * nx);
  }
  // An empty file is more often a failed download than a wish for an empty channel.
  if (solid.empty())
    fail(file, 1, "lines \"x y 1\" (for a grid without obstacles give the word none instead of a file)",
         "an empty file");
  std::sort(solid.begin(), solid.end());
  solid.erase(std::unique(solid.begin(), solid.end()), solid.end());
  if (static_cast<std::int64_t>(solid.size()) == std::int64_t{nx} * ny)
    fail(file, lines.last_number(), "at least one cell without an obstacle",
         fmt::format("all {} cells solid", solid.size()));
  return solid;
}

Problem load_problem(const fs::path& params, const fs::path& obstacles) {
  Problem problem;
  problem.name = problem_name(params);
  problem.parameters = read_parameters(params);
  check_memory(params, problem.parameters);
  if (obstacles != no_obstacles)
    problem.solid = read_obstacles(obstacles, problem.parameters.nx, problem.parameters.ny);
  return problem;
}

}  // namespace boltzmark::lbm
