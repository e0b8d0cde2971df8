// Shallow water as the runner sees it: two drops fall into a basin, or files give the start, and waves must move like
// the oracle's.
#include <algorithm>
#include <array>
#include <numeric>

#include "common/base/difference.hpp"
#include "common/base/ranges.hpp"
#include "common/picture/picture.hpp"
#include "common/shallow_water/cells.hpp"
#include "common/target/layer_workload.hpp"

namespace boltzmark::shallow_water {
namespace {

/// A quarter of a drop of 8 x 8 cells, from its corner: 8 exp(-5 (x^2 + y^2)), in float as in the original.
constexpr float drop[4][4] = {{.000363199389539659f, .004204587545245886f, .021516701206564903f, .048674535006284714f},
                              {.004204587545245886f, .048674535006284714f, .24908863008022308f, .5634821653366089f},
                              {.021516701206564903f, .24908863008022308f, 1.274694800376892f, 2.88358211517334f},
                              {.048674535006284714f, .5634821653366089f, 2.88358211517334f, 6.523166656494141f}};

class ShallowWater final : public target::LayerWorkload {
 public:
  explicit ShallowWater(const Program& program)
      : LayerWorkload(program, {.name = "shallow_water",
                                .size_help = "HEIGHTxWIDTH in cells, border of one included, or N for a square",
                                .usual_size = "2050",
                                .sides = 2,
                                .is_one_for_both = true,
                                .least = 3,
                                .usual_steps = 40,
                                .update = "cell",
                                .rate = "mcells_per_s",
                                .unit = "Mcells/s",
                                .inputs = {"H"},
                                .optional_inputs = {"U", "V"},
                                .outputs = {names.begin(), names.end()}}) {}

  void prepare(const Options& asked, const Team& team) override {
    fields_ = asked.variant == "fused" ? 6.0 : 9.0;
    if (rows() - 2 < team.size()) throw bad_input("expected a row of cells for each rank, found {}", size());
    LayerWorkload::prepare(asked, team);
  }

 private:
  void complete() override {
    if (problem_.start.empty() && (rows() < 16 || columns() < rows() / 2 + 8))
      throw bad_input("expected at least 16 rows, and a width that holds both drops, found {}", size());
    if (rows() * columns() > most_cells) throw bad_input("expected at most {} cells, found {}", most_cells, size());
    target::expect_numbers(problem_.start, static_cast<std::size_t>(rows() * columns()));
  }
  void make_start() override {
    target::Arrays& start = problem_.start;
    const bool has_drops = start.empty();
    for (const std::string& name : names)
      if (!find_by(start, name, &target::NamedArray::name))
        start.push_back({name, std::vector<double>(static_cast<std::size_t>(rows() * columns()), name == "H" ? 1 : 0)});
    if (has_drops) add_drops(start.front().values);
  }
  /// Both sizes follow from the height; overlapping drops add up.
  void add_drops(std::vector<double>& heights) const {
    for (const std::int64_t first : {rows() / 4, rows() / 2})
      for (std::int64_t i = 0; i < 8; ++i)
        for (std::int64_t j = 0; j < 8; ++j)
          heights[static_cast<std::size_t>((first + i) * columns() + first + j)] +=
              static_cast<double>(drop[std::min(i, 7 - i)][std::min(j, 7 - j)]);
  }

  std::int64_t rows() const { return problem_.size[0]; }
  std::int64_t columns() const { return problem_.size[1]; }
  double cells() const { return static_cast<double>(rows() - 2) * static_cast<double>(columns() - 2); }
  double updates() const override { return cells() * static_cast<double>(problem_.steps); }
  double bytes_held() const override {
    return fields_ * static_cast<double>(rows()) * static_cast<double>(columns()) * value_bytes_;
  }

  HostNumbers host_numbers() const override {
    const double values = 3.0 * static_cast<double>(rows()) * static_cast<double>(columns());
    return {values, values, 2.0 * values};
  }

  /// H, U and V in place.
  struct View {
    std::int64_t rows, columns;
    std::array<const double*, 3> values;
    std::size_t at(std::int64_t row, std::int64_t column) const {
      return static_cast<std::size_t>(row * columns + column);
    }
  };
  View view_of(const target::Arrays& arrays) const {
    View view = {rows(), columns(), {}};
    for (std::size_t i = 0; i < names.size(); ++i) view.values[i] = array_of(arrays, names[i]).data();
    return view;
  }

  /// Blocks of cells for the reference, which starts with as many extra cells on each side as there are steps, because
  /// errors at a cut move one cell per step: one block of all cells, or some random ones and that of the first drop,
  /// because far from drops the water is still.
  Verdict errors(const target::Arrays& results, bool is_thorough) override {
    const View found = view_of(results), start = view_of(problem_.start);
    const std::int64_t steps = problem_.steps, inside_rows = rows() - 2, inside_columns = columns() - 2,
                       part = std::max<std::int64_t>(32, steps), wide = part + 2 * steps + 2;
    const bool is_whole = is_thorough || updates() <= most_updates || wide >= std::max(rows(), columns());
    const std::int64_t high = is_whole ? inside_rows : part, long_ = is_whole ? inside_columns : part;
    const std::int64_t down = (inside_rows + high - 1) / high, across = (inside_columns + long_ - 1) / long_;
    const auto cost = static_cast<double>(wide * wide * steps);
    const target::Sample sample(down * across, is_whole ? 1 : static_cast<std::int64_t>(most_updates / cost),
                                check_seed_);
    std::vector<std::int64_t> blocks;
    for (std::int64_t i = 0; i < sample.size(); ++i) blocks.push_back(sample[i]);
    const std::int64_t of_drop =
        std::min(rows() / 4, inside_rows - 1) / high * across + std::min(rows() / 4, inside_columns - 1) / long_;
    if (std::ranges::find(blocks, of_drop) == blocks.end()) blocks.push_back(of_drop);
    std::array<Difference, 3> differences;
    Extent extent = {0, inside_rows * inside_columns};
    for (const std::int64_t block : blocks) {
      const std::int64_t top = 1 + block / across * high, left = 1 + block % across * long_;
      extent.checked += compare(found, start, {top, std::min(top + high, rows() - 1)},
                                {left, std::min(left + long_, columns() - 1)}, differences);
    }
    if (extent.checked < extent.of) extent.seed = check_seed_;
    Errors all;
    // Momenta change by differences of pressure between cells, whose rounding dominates where the water is nearly
    // still.
    const double height = differences[0].scale(), pressure_in_a_step = time_step * g / 2.0 * height * height;
    for (std::size_t i = 0; i < names.size(); ++i)
      all.emplace_back(names[i], differences[i].relative(i == 0 ? 0.0 : pressure_in_a_step / 10.0));
    const auto [before, scale] = volume(start);
    all.emplace_back("volume", std::abs(volume(found).first - before) / std::max(scale, 1e-300));
    if (asymmetry(start) == 0.0) all.emplace_back("symmetry", asymmetry(found));
    return {all, extent};
  }
  using Part = std::pair<std::int64_t, std::int64_t>;  ///< from the first to before the second
  /// Returns the number of cells.
  std::int64_t compare(const View& found, const View& start, Part down, Part across,
                       std::array<Difference, 3>& differences) const {
    const std::int64_t reach = problem_.steps + 1;
    const auto with_reach = [&](Part part, std::int64_t all) {
      return Part{std::max<std::int64_t>(0, part.first - reach), std::min(all, part.second + reach)};
    };
    const auto [top, bottom] = with_reach(down, rows());
    const auto [left, end] = with_reach(across, columns());
    Cells right = {bottom - top, end - left, {}};
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::int64_t row = top; row < bottom; ++row) {
        const double* const from = start.values[i] + start.at(row, left);
        right.values[i].insert(right.values[i].end(), from, from + right.columns);
      }
    advance(right, problem_.steps);
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::int64_t row = down.first; row < down.second; ++row)
        for (std::int64_t column = across.first; column < across.second; ++column)
          differences[i].add(found.values[i][found.at(row, column)],
                             right.values[i][right.at(row - top, column - left)]);
    return (down.second - down.first) * (across.second - across.first);
  }
  /// Also the sum of the absolute heights, to which the deviation is relative.
  static std::pair<double, double> volume(const View& water) {
    double volume = 0.0, magnitude = 0.0;
    for (std::int64_t row = 1; row < water.rows - 1; ++row)
      for (std::int64_t column = 1; column < water.columns - 1; ++column) {
        const double height = water.values[0][water.at(row, column)];
        volume += height, magnitude += std::abs(height);
      }
    return {volume, magnitude};
  }
  /// Largest difference when rows and columns are exchanged.
  static double asymmetry(const View& water) {
    double largest = water.rows == water.columns ? 0.0 : INFINITY;
    if (largest > 0.0) return largest;
    constexpr std::int64_t side = 32;  // of blocks, whose columns stay in the caches
    for (std::int64_t top = 1; top < water.rows - 1; top += side)
      for (std::int64_t left = 1; left <= top; left += side)
        for (std::int64_t row = top; row < std::min(top + side, water.rows - 1); ++row)
          for (std::int64_t column = left; column < std::min(left + side, row + 1); ++column) {
            const std::size_t here = water.at(row, column), there = water.at(column, row);
            largest = std::max({largest, std::abs(water.values[0][here] - water.values[0][there]),
                                std::abs(water.values[1][here] - water.values[2][there]),
                                std::abs(water.values[2][here] - water.values[1][there])});
          }
    return largest;
  }
  double tolerance() const override {
    return value_bytes_ == 8 ? 1e-11 : 1e-5 * std::sqrt(static_cast<double>(problem_.steps));
  }

  bool can_draw() const override { return true; }
  void draw(const std::filesystem::path& file, const target::Arrays& results) const override {
    write_rows(file, columns(), array_of(results, names[0]));
  }

  static constexpr std::int64_t most_cells = std::int64_t{1} << 30;
  static constexpr double most_updates = 1 << 27;
  double fields_ = 6.0;
};

}  // namespace
}  // namespace boltzmark::shallow_water

namespace boltzmark::shallow_water {
namespace {

/// Passes of a step with one loop per statement: the edges below and beside a cell from its water, and the water from
/// its edges.
std::vector<Pass> loops_by_statements() {
  constexpr int h = 0, u = 1, v = 2, below = 3, beside = 6;  // the edges have h, u and v too
  std::vector<Pass> loops;
  for (const auto& [edges, along, across] : {std::array{below, u, v}, std::array{beside, v, u}}) {
    loops.push_back({{h, along}, {edges + h}});
    loops.push_back({{h, along}, {edges + along}});
    loops.push_back({{h, along, across}, {edges + across}});
  }
  loops.push_back({{h, below + u, beside + v}, {h}});
  loops.push_back({{u, below + h, below + u, beside + h, beside + u, beside + v}, {u}});
  loops.push_back({{v, beside + h, beside + v, below + h, below + u, below + v}, {v}});
  return loops;
}

using namespace target;

const std::vector<Rung> rungs = {
    {.name = "fused",
     .summary =
         "one launch per step, in which each cell computes its edges; on processors further ones for the borders",
     .form = Form::fused,
     .role = Role::like_for_like},
    {.name = "array",
     .summary = "one launch per statement, nine per step; values between cells are stored",
     .form = Form::array}};

/// A division counts as one FLOP. Statement by statement, 38 values are read and written, and each flux is computed
/// separately.
Work work_of(const Problem& problem, int form, int value_bytes) {
  const bool is_fused = form == Form::fused;
  Work work = {.bytes = (is_fused ? 6.0 : 38.0) * value_bytes,
               .flops = is_fused ? 145.0 : 98.0,
               .operations = {{operation::division, is_fused ? 9.0 : 16.0}},
               .fetched = 3.0 * value_bytes};
  if (!is_fused)
    work.passes = {.cells = static_cast<double>(problem.size[0]) * static_cast<double>(problem.size[1]),
                   .fields = std::vector<double>(9, value_bytes),
                   .loops = loops_by_statements()};
  return work;
}

}  // namespace

extern const LayerEntry workload = {{"Waves of shallow water in a basin", workload_for<ShallowWater>}, rungs, work_of};

}  // namespace boltzmark::shallow_water
