#include "common/lbm/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>

#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/cpu/memory.hpp"
#include "common/lbm/problem_files.hpp"

namespace boltzmark::lbm {
namespace {

namespace fs = std::filesystem;

/// Upper limits that reject files of another kind early.
constexpr std::size_t most_parameter_bytes = 1 << 20, most_obstacle_line_bytes = 64;

/// At most this many bytes: a device such as /dev/zero has no end.
std::string read_file(const fs::path& file, std::size_t most_bytes) {
  std::error_code error;
  if (fs::is_directory(file, error)) throw bad_input("{}: expected a file to read, found a folder", file.string());
  std::ifstream in(file, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (in.read(buffer.data(), buffer.size()), in.gcount() > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
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

/// A line that is not blank, and its number.
struct Line {
  int number;
  std::string_view text;
};

/// The lines of a text that are not blank; \r\n and a missing last newline are fine.
struct Lines {
  std::vector<Line> all;
  int count = 0;  ///< blank ones included

  explicit Lines(std::string_view text) {
    while (!text.empty()) {
      const auto end = text.find('\n');
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      ++count;
      if (!line.empty()) all.push_back({count, line});
    }
  }
};

[[noreturn]] void fail(const fs::path& file, int line, std::string_view expected, std::string_view found) {
  throw bad_input("{}:{}: expected {}, found {}", file.string(), line, expected, found);
}

/// A number, possibly with a plus sign, as in such files.
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
double read_real(const fs::path& file, const Line& line, std::string_view expected, double above, double below) {
  const auto value = to_number<double>(line.text);
  // Written so that NaN fails too. Single precision must be able to hold the value.
  if (!value || !(*value > above && *value < below) || *value < FLT_MIN)
    fail(file, line.number, expected, quoted(line.text));
  return *value;
}

/// Every model needs at least one grid in single precision, or two of halves.
void check_memory(const fs::path& params, const Parameters& p) {
  const auto has = static_cast<double>(total_memory_bytes());
  const double populations = p.dimension == 2 ? D2Q9::directions : D3Q19::directions;
  const double needs = 4.0 * populations * p.nx * p.ny * p.nz;
  if (needs > has)
    throw unavailable(
        "{}:1: expected a grid that fits the {:.1f} GB of this machine, found {} x {}{} cells, which need at "
        "least {:.1f} GB",
        params.string(), has / 1e9, p.nx, p.ny, p.dimension == 2 ? "" : fmt::format(" x {}", p.nz), needs / 1e9);
}

/// One coordinate of an obstacle line.
int read_coordinate(const fs::path& file, const Line& line, std::string_view word, char axis, int size) {
  const auto value = to_number<int>(word);
  if (!value || *value < 0 || *value >= size)
    fail(file, line.number, fmt::format("{} from 0 to {}", axis, size - 1), quoted(word));
  return *value;
}

/// A velocity of a start state or of a wall: far below the speed of sound.
double read_velocity(const fs::path& file, const Line& line, std::string_view name, std::string_view word) {
  constexpr double fastest = 0.3;
  const auto value = to_number<double>(word);
  if (!value || !(std::abs(*value) <= fastest))
    fail(file, line.number, fmt::format("{} (a velocity from -{} to {})", name, fastest, fastest), quoted(word));
  return *value;
}

/// The line `start ...` of a parameter file.
Start read_start(const fs::path& file, const Line& line, const Parameters& p) {
  const auto words = words_in(line.text);
  Start start;
  if (words.size() == 3 && words[1] == "taylor-green") {
    start.kind = Start::Kind::taylor_green;
    start.velocity[0] = read_velocity(file, line, "U", words[2]);
  } else if (words.size() == 8 && words[1] == "shear-wave") {
    start.kind = Start::Kind::shear_wave;
    double along = 0.0;  // along the wave's direction: must be 0 for a shear wave
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string_view word = words[2 + axis];
      const auto waves = to_number<int>(word);
      const int cells = std::array{p.nx, p.ny, p.nz}[axis];
      if (!waves || 2 * std::abs(std::int64_t{*waves}) > cells)
        fail(file, line.number, fmt::format("at most {} whole waves in {} cells", cells / 2, cells), quoted(word));
      start.waves[axis] = *waves;
      start.velocity[axis] = read_velocity(file, line, "U", words[5 + axis]);
      along += start.velocity[axis] * *waves / cells;
    }
    if (std::abs(along) > 1e-12)
      fail(file, line.number, "a shear wave's velocity at right angles to its direction", quoted(line.text));
  } else {
    fail(file, line.number, "start taylor-green U, or start shear-wave KX KY KZ UX UY UZ", quoted(line.text));
  }
  return start;
}

}  // namespace

std::vector<std::int64_t> Problem::extent() const {
  if (parameters.dimension == 2) return {parameters.nx, parameters.ny};
  return {parameters.nx, parameters.ny, parameters.nz};
}

std::vector<std::uint8_t> Problem::solid_mask(int first, int count) const {
  const std::int64_t layer_cells = parameters.layer_cells(), layers = parameters.layers();
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(layer_cells * count), 0);
  for (int l = 0; l < count; ++l) {
    const std::int64_t from = ((first + l) % layers + layers) % layers * layer_cells;
    const auto begin = std::lower_bound(solid.begin(), solid.end(), from);
    for (auto cell = begin; cell != solid.end() && *cell < from + layer_cells; ++cell)
      mask[static_cast<std::size_t>(l * layer_cells + *cell - from)] = 1;
  }
  return mask;
}

bool Problem::is_solid(std::int64_t cell) const { return std::binary_search(solid.begin(), solid.end(), cell); }

std::string Problem::digest() const {
  const Parameters& p = parameters;
  Digest digest;
  for (const int value : {p.nx, p.ny, p.iterations, p.reynolds_dim}) digest.add_bytes(&value, 1);
  for (const double value : {p.density, p.accel, p.omega}) digest.add_bytes(&value, 1);
  digest.add_bytes(solid.data(), solid.size());
  if (p.dimension == 3) {  // digests in two dimensions stay as they are
    for (const int value : {p.nz, static_cast<int>(p.start.kind)}) digest.add_bytes(&value, 1);
    digest.add_bytes(p.start.velocity.data(), p.start.velocity.size());
    digest.add_bytes(p.start.waves.data(), p.start.waves.size());
    for (const Moving& wall : moving) {
      digest.add_bytes(&wall.cell, 1);
      digest.add_bytes(&wall.ux, 1);
    }
  }
  return digest.text();
}

Problem extruded(const Problem& problem, int depth) {
  Problem deep = problem;
  deep.name = fmt::format("{}x{}", problem.name, depth);
  deep.parameters.dimension = 3;
  deep.parameters.nz = depth;
  const std::int64_t plane = problem.cells();
  deep.solid.clear();
  deep.solid.reserve(problem.solid.size() * static_cast<std::size_t>(depth));
  for (int z = 0; z < depth; ++z)
    for (const std::int64_t cell : problem.solid) deep.solid.push_back(z * plane + cell);
  return deep;
}

std::string problem_name(const fs::path& params) {
  std::string name = params.stem().string();
  constexpr std::string_view prefix = "input_";
  if (name.starts_with(prefix) && name.size() > prefix.size()) name.erase(0, prefix.size());
  return name;
}

Parameters read_parameters(const fs::path& file) {
  constexpr std::size_t fewest = 7;  // numbers: in three dimensions one more
  const std::string text = read_file(file, most_parameter_bytes);
  const Lines lines(text);
  std::vector<Line> values;
  std::optional<Line> start;
  for (const Line& line : lines.all) {
    if (start) fail(file, line.number, "the end of the file after how the run starts", quoted(line.text));
    if (line.text.starts_with("start"))
      start = line;
    else if (values.size() < fewest || (values.size() == fewest && to_number<double>(line.text)))
      values.push_back(line);
    else
      fail(file, line.number,
           fmt::format("the end of the file after {} numbers", values.size() == fewest ? "seven" : "eight"),
           quoted(line.text));
  }
  if (start && values.size() == fewest)
    fail(file, start->number, "eight numbers (nx, ny, nz, ...) before how the run starts", "seven");

  auto value = values.begin();
  const auto next = [&](std::string_view name) {
    if (value == values.end())
      fail(file, start ? start->number : lines.count + 1, fmt::format("{} (seven numbers, one per line)", name),
           start            ? quoted(start->text)
           : values.empty() ? "an empty file"
                            : "the end of the file");
    return *value++;
  };
  const auto integer = [&](std::string_view name) { return read_integer(file, next(name), name, 1); };
  Parameters p;
  p.nx = integer("nx");
  const Line ny = next("ny");
  p.ny = read_integer(file, ny, "ny", 1);
  if (values.size() > fewest) {
    p.dimension = 3;
    p.nz = integer("nz");
  }
  p.iterations = integer("iterations");
  p.reynolds_dim = integer("reynolds_dim");
  p.density = read_real(file, next("density"), "density (a number above 0)", 0.0, FLT_MAX);
  const Line accel = next("accel");
  if (p.dimension == 2 || to_number<double>(accel.text) != 0.0)
    p.accel = read_real(file, accel, p.dimension == 2 ? "accel (a number above 0)" : "accel (0 or a number above it)",
                        0.0, FLT_MAX);
  p.omega = read_real(file, next("omega"), "omega (a number above 0 and below 2)", 0.0, 2.0);
  p.ny = read_integer(file, ny, "ny", p.accel > 0.0 ? 3 : 1);
  if (start) p.start = read_start(file, *start, p);
  return p;
}

void read_obstacles(const fs::path& file, Problem& problem) {
  const Parameters& p = problem.parameters;
  const bool flat = p.dimension == 2;
  const std::string text =
      read_file(file, most_parameter_bytes + most_obstacle_line_bytes * static_cast<std::size_t>(problem.cells()));
  const Lines lines(text);
  for (const Line& line : lines.all) {
    const auto words = words_in(line.text);
    const bool moves = !flat && words.size() == 5;
    if (words.size() != (flat ? 3 : 4) && !moves)
      fail(file, line.number, flat ? "three numbers: x y 1" : "four numbers: x y z 1 (and U_X for a moving wall)",
           quoted(line.text));
    std::int64_t cell = read_coordinate(file, line, words[0], 'x', p.nx);
    cell += read_coordinate(file, line, words[1], 'y', p.ny) * std::int64_t{p.nx};
    if (!flat) cell += read_coordinate(file, line, words[2], 'z', p.nz) * std::int64_t{p.nx} * p.ny;
    if (const std::string_view word = words[flat ? 2 : 3]; word != "1")
      fail(file, line.number, fmt::format("1 in the {} column", flat ? "third" : "fourth"), quoted(word));
    problem.solid.push_back(cell);
    if (moves) problem.moving.push_back({cell, read_velocity(file, line, "U_X", words[4])});
  }
  // An empty file is more often a failed download than a wish for an empty channel.
  if (problem.solid.empty())
    fail(file, 1,
         fmt::format("lines \"x y {}1\" (for a grid without obstacles give the word none instead of a file)",
                     flat ? "" : "z "),
         "an empty file");
  const auto each_once = [](auto& cells) {
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  };
  each_once(problem.solid);
  each_once(problem.moving);
  for (std::size_t i = 1; i < problem.moving.size(); ++i)
    if (problem.moving[i].cell == problem.moving[i - 1].cell)
      fail(file, lines.count, "one velocity for a wall's cell",
           fmt::format("{} and {} for cell number {}", problem.moving[i - 1].ux, problem.moving[i].ux,
                       problem.moving[i].cell));
  if (static_cast<std::int64_t>(problem.solid.size()) == problem.cells())
    fail(file, lines.count, "at least one cell without an obstacle",
         fmt::format("all {} cells solid", problem.solid.size()));
}

void write_problem(const Problem& problem, int steps, const fs::path& params, const fs::path& obstacles) {
  const Parameters& p = problem.parameters;
  const bool flat = p.dimension == 2;
  AtomicFile numbers(params), cells(obstacles);
  numbers.write(fmt::format("{}\n{}\n{}{}\n{}\n{}\n{}\n{}\n", p.nx, p.ny, flat ? "" : fmt::format("{}\n", p.nz), steps,
                            p.reynolds_dim, p.density, p.accel, p.omega));
  const auto& [ux, uy, uz] = p.start.velocity;
  if (p.start.kind == Start::Kind::taylor_green) numbers.write(fmt::format("start taylor-green {}\n", ux));
  if (p.start.kind == Start::Kind::shear_wave)
    numbers.write(fmt::format("start shear-wave {} {} {} {}\n", fmt::join(p.start.waves, " "), ux, uy, uz));
  std::string lines;
  auto moves = problem.moving.begin();
  for (const std::int64_t cell : problem.solid) {
    const std::int64_t x = cell % p.nx, row = cell / p.nx;
    const auto to = std::back_inserter(lines);
    flat ? fmt::format_to(to, "{} {} 1", x, row) : fmt::format_to(to, "{} {} {} 1", x, row % p.ny, row / p.ny);
    if (moves != problem.moving.end() && moves->cell == cell) fmt::format_to(to, " {}", moves++->ux);
    lines += '\n';
  }
  cells.write(lines);
  numbers.commit();
  cells.commit();
}

Problem load_problem(const fs::path& params, const fs::path& obstacles, std::optional<int> depth) {
  Problem problem;
  problem.name = problem_name(params);
  problem.parameters = read_parameters(params);
  if (depth && problem.parameters.dimension == 3)
    throw bad_input("--depth: expected a parameter file of seven numbers to repeat in z, found eight in {}",
                    params.string());
  Parameters whole = problem.parameters;
  if (depth) {
    whole.dimension = 3;
    whole.nz = *depth;
  }
  check_memory(params, whole);
  if (obstacles != no_obstacles) read_obstacles(obstacles, problem);
  return depth ? extruded(problem, *depth) : problem;
}

ProblemFiles standard_problem(const std::string& name) {
  const fs::path inputs = data_path("inputs");
  ProblemFiles files = {inputs / ("input_" + name + ".params"), inputs / ("obstacles_" + name + ".dat")};
  std::error_code error;
  if (name.empty() || !fs::is_regular_file(files.params, error)) {
    const auto names = names_between(inputs, "input_", ".params");
    throw bad_input("expected PARAMS and OBSTACLES{}, found \"{}\"",
                    names.empty() ? fmt::format(" (no names: {} has none; was the program copied?)", inputs.string())
                                  : ", or one of " + join(names, ", "),
                    name);
  }
  if (!fs::is_regular_file(files.obstacles, error)) files.obstacles = no_obstacles;
  return files;
}

}  // namespace boltzmark::lbm
