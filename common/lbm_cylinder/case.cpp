// The flow past a cylinder as the runner sees it: every population is compared with the script's steps.
#include <algorithm>
#include <cmath>
#include <set>

#include "common/base/difference.hpp"
#include "common/lbm_cylinder/forms.hpp"
#include "common/picture/picture.hpp"
#include "common/target/layer_workload.hpp"

namespace boltzmark::lbm_cylinder {
namespace {

constexpr std::array<double, directions> weight = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                                   1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

struct Flow {
  double rho = 0.0, ux = 0.0, uy = 0.0;
};

/// The steps of the script in double precision, one statement after another.
class Oracle {
 public:
  Oracle(const target::Problem& problem, const std::vector<double>& start)
      : problem_(problem), height_(problem.size[0]), width_(problem.size[1]), start_(start), f_(start) {}

  /// Populations of `count` columns from `first` on, which may be negative, because columns are periodic. Each step
  /// reads one column to the right and, at the outlet, three to the left. Each call starts from the beginning.
  std::vector<double> after(std::int64_t steps, std::int64_t first, std::int64_t count) {
    restart(first - 3 * steps - 2, count + 4 * steps + 4);
    for (std::int64_t left = steps; left-- > 0;)
      if (count + 4 * left >= width_)
        step(0, width_);
      else
        step(first - 3 * left - 1, first + count + left + 1);
    return columns_of(f_, first, count);
  }
  std::vector<double> columns_of(const std::vector<double>& f, std::int64_t first, std::int64_t count) const {
    std::vector<double> columns;
    for (int i = 0; i < directions; ++i)
      for (std::int64_t x = first; x < first + count; ++x) {
        const auto from = f.begin() + static_cast<std::ptrdiff_t>(at(i, column(x), 0));
        columns.insert(columns.end(), from, from + height_);
      }
    return columns;
  }
  Flow flow(std::int64_t x, std::int64_t y) const {
    Flow u;
    for (int i = 0; i < directions; ++i) {
      const double f = f_[at(i, x, y)];
      u.rho += f, u.ux += cx[i] * f, u.uy += cy[i] * f;
    }
    return {u.rho, u.ux / u.rho, u.uy / u.rho};
  }

 private:
  std::size_t at(int i, std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>((i * width_ + x) * height_ + y);
  }

  std::int64_t column(std::int64_t x) const { return (x % width_ + width_) % width_; }

  /// Restores everything that steps on this many columns have changed.
  void restart(std::int64_t first, std::int64_t count) {
    for (int i = 0; i < directions; ++i)
      for (std::int64_t x = first; x < first + std::min(count, width_); ++x) {
        const std::size_t from = at(i, column(x), 0);
        std::copy_n(&start_[from], height_, &f_[from]);
      }
  }

  void step(std::int64_t first, std::int64_t end) {
    out_.resize(f_.size());
    each_in_parallel(end - first, [&](std::int64_t x) {
      for (std::int64_t y = 0; y < height_; ++y) collide(column(first + x), y, out_);
    });
    each_in_parallel(directions * (end - first), [&](std::int64_t number) {
      const auto i = static_cast<int>(number % directions);
      const std::int64_t x = first + number / directions;
      const std::size_t from = at(i, column(x), 0), to = at(i, column(x + cx[i]), 0);
      for (std::int64_t y = 0; y < height_; ++y)
        f_[to + static_cast<std::size_t>((y + cy[i] + height_) % height_)] = out_[from + static_cast<std::size_t>(y)];
    });
  }

  void collide(std::int64_t x, std::int64_t y, std::vector<double>& out) const {
    const auto f = [&](int i) { return f_[at(i, x, y)]; };
    if (is_obstacle(x, y, height_, width_)) {
      for (int i = 0; i < directions; ++i) out[at(i, x, y)] = f(opposite[i]);
      return;
    }
    Flow u = flow(x, y);
    if (x == 0) {
      const double length = static_cast<double>(height_ - 2), from_wall = static_cast<double>(y) - 0.5;
      u.ux = 4.0 * problem_.numbers[largest_speed] / (length * length) * (from_wall * length - from_wall * from_wall);
      u.rho = (f(0) + f(2) + f(4) + 2.0 * (f(3) + f(6) + f(7))) / (1.0 - u.ux);
    } else if (x == width_ - 1 && problem_.method == "pressure") {
      u.rho = 1.0;
      u.ux = f(0) + f(2) + f(4) + 2.0 * (f(1) + f(5) + f(8)) - 1.0;
    } else if (x == width_ - 1) {
      const Flow one = flow(x - 1, y), two = flow(x - 2, y);
      u.rho = 4.0 / 3.0 * one.rho - 1.0 / 3.0 * two.rho;
      u.ux = 4.0 / 3.0 * one.ux - 1.0 / 3.0 * two.ux;
    }
    const bool is_open = x == 0 || x == width_ - 1;
    if (is_open) u.uy = 0.0;
    std::array<double, directions> e;
    for (int i = 0; i < directions; ++i) {
      const double along = 3.0 * (cx[i] * u.ux + cy[i] * u.uy);
      e[i] = u.rho * weight[i] * (1.0 + along + 0.5 * along * along - 1.5 * (u.ux * u.ux + u.uy * u.uy));
    }
    const double shear = x == 0 ? f(7) - f(6) - e[7] + e[6] : f(5) - f(8) - e[5] + e[8];
    for (int i = 0; i < directions; ++i)
      out[at(i, x, y)] =
          is_open ? e[i] + 18.0 * weight[i] * cx[i] * cy[i] * shear : f(i) - problem_.numbers[omega] * (f(i) - e[i]);
  }

  const target::Problem& problem_;
  std::int64_t height_, width_;
  const std::vector<double>& start_;
  std::vector<double> f_, out_;
};

class Cylinder final : public target::LayerWorkload {
 public:
  explicit Cylinder(const Program& program)
      : LayerWorkload(program, {.name = "lbm_cylinder",
                                .size_help = "HEIGHTxWIDTH of the channel with its walls, or N for a square",
                                .usual_size = "256x640",
                                .sides = 2,
                                .is_one_for_both = true,
                                .least = 5,
                                .most = 1 << 15,
                                .usual_steps = 100,
                                .rate = "mlups",
                                .unit = "MLUPS",
                                .methods = {"published", "pressure"},
                                .method_option = "--outlet",
                                .method_help = "published: density and speed are extrapolated from two columns, for a "
                                               "few hundred steps; pressure: density 1, for steady flows",
                                .inputs = {"fIn"},
                                .outputs = {"fIn"}}) {}

 private:
  void add_options(WorkloadOptions& options) override {
    LayerWorkload::add_options(options);
    options.add("--reynolds", reynolds_, "Reynolds number by the cylinder's diameter; default: 100").positive();
  }
  void complete() override {
    const auto& size = problem_.size;
    constexpr double speed = 0.02;
    const double radius = static_cast<double>(size[0]) / 10.0 + 1.0;
    problem_.numbers = {1.0 / (3.0 * (speed * 2.0 * radius / reynolds_) + 0.5), speed};
    target::expect_numbers(problem_.start, static_cast<std::size_t>(directions * size[0] * size[1]));
  }
  void make_start() override {
    if (!problem_.start.empty()) return;
    problem_.start = {{"fIn", {}}};
    auto& values = problem_.start[0].values;
    for (const double w : weight)
      values.insert(values.end(), static_cast<std::size_t>(problem_.size[0] * problem_.size[1]), w);
  }
  void prepare(const Options& asked, const Team& team) override {
    if (problem_.size[1] / team.size() < 3)
      throw bad_input("expected at least 3 columns for each rank, found {} for {} ranks", problem_.size[1],
                      team.size());
    LayerWorkload::prepare(asked, team);
  }
  double cells() const { return static_cast<double>(problem_.size[0] * problem_.size[1]); }
  double updates() const override { return cells() * static_cast<double>(problem_.steps); }
  double bytes_held() const override { return cells() * (2.0 * directions + 1.0) * value_bytes_; }

  HostNumbers host_numbers() const override {
    return {directions * cells(), directions * cells(), (2.0 * directions + 2.0 * directions) * cells()};
  }

  /// All populations, or, if these are too many, those of some columns: at inlet and outlet, in the cylinder, and in
  /// randomly drawn parts.
  Verdict errors(const target::Arrays& results, bool is_thorough) override {
    const std::int64_t width = problem_.size[1], some = 16, reach = 4 * problem_.steps + some;
    const bool is_whole = is_thorough || updates() <= most_updates || reach >= width;
    const target::Sample sample(is_whole ? 1 : width / some,
                                static_cast<std::int64_t>(most_updates / static_cast<double>(problem_.steps * reach) /
                                                          static_cast<double>(problem_.size[0])),
                                check_seed_);
    std::vector<std::int64_t> firsts;
    if (!is_whole) firsts = {-some / 2, width / 5};
    for (std::int64_t i = 0; i < sample.size(); ++i) firsts.push_back(sample[i] * some);
    Oracle oracle(problem_, array_of(problem_.start, "fIn"));
    std::set<std::int64_t> columns;
    Difference populations;
    for (const std::int64_t first : firsts) {
      const std::int64_t count = is_whole ? width : some;
      const auto right = oracle.after(problem_.steps, first, count);
      const auto found = oracle.columns_of(array_of(results, "fIn"), first, count);
      for (std::size_t i = 0; i < right.size(); ++i) populations.add(found[i], right[i]);
      for (std::int64_t x = first; x < first + count; ++x) columns.insert((x + width) % width);
    }
    Extent extent = {std::ssize(columns) * problem_.size[0], width * problem_.size[0]};
    if (extent.checked < extent.of) extent.seed = check_seed_;
    return {{{"populations", populations.relative()}}, extent};
  }
  double tolerance() const override { return value_bytes_ == 8 ? 1e-11 : 2e-5; }

  /// Outflow over inflow of the channel: 1 for steady flow.
  std::vector<Metric> figures(const target::Arrays& results) const override {
    if (results.empty()) return {};
    const Oracle now(problem_, array_of(results, "fIn"));
    double in = 0.0, out = 0.0;
    for (std::int64_t y = 1; y < problem_.size[0] - 1; ++y) {
      const Flow first = now.flow(0, y), last = now.flow(problem_.size[1] - 1, y);
      in += first.rho * first.ux, out += last.rho * last.ux;
    }
    return {{"outflow_over_inflow", "", out / in}};
  }

  /// The speed, from left to right.
  bool can_draw() const override { return true; }
  void draw(const std::filesystem::path& image, const target::Arrays& results) const override {
    const Oracle now(problem_, array_of(results, "fIn"));
    const std::int64_t height = problem_.size[0], width = problem_.size[1];
    write_field(image, width, height, 0.0, 1.5 * problem_.numbers[largest_speed], [&](std::int64_t x, std::int64_t y) {
      const std::int64_t from_below = height - 1 - y;
      const Flow u = now.flow(x, from_below);
      return is_obstacle(x, from_below, height, width) ? 0.0 : std::hypot(u.ux, u.uy);
    });
  }

  void fill(Record& record) const override {
    LayerWorkload::fill(record);
    record.case_.digest += fmt::format("-{:g}", reynolds_);
    record.case_.facts["reynolds"] = reynolds_;
    record.case_.facts["omega"] = problem_.numbers[omega];
  }

  double reynolds_ = 100.0;
  static constexpr double most_updates = 1 << 24;
};

using namespace target;

const std::vector<Rung> rungs = {{.name = "fused",
                                  .summary = "one launch per step reads populations from the neighbours, collides and "
                                             "stores them; on processors a second one for the open boundaries",
                                  .role = Role::like_for_like}};

/// FLOPs of a cell inside; counted by hand in lbm_cylinder.h.
Work work_of(const Problem&, int, int value_bytes) {
  constexpr double flow = 16.0, equilibrium = 52.0, collision = 27.0;
  return {.bytes = (2.0 * directions + 1.0) * value_bytes,
          .flops = flow + equilibrium + collision,
          .operations = {{operation::division, 1.0}},
          .fetched = 1.0 * directions * value_bytes};
}

}  // namespace

extern const LayerEntry workload = {
    {"The flow past a cylinder between open boundaries", workload_for<Cylinder>}, rungs, work_of};

}  // namespace boltzmark::lbm_cylinder
