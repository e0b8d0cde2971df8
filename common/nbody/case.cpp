// Bodies as the runner sees them: they start as the Benchpress set has them, or as files do, and move as the oracle's.
#include <algorithm>
#include <cmath>

#include "common/nbody/bodies.hpp"
#include "common/target/layer_workload.hpp"

namespace boltzmark::nbody {
namespace {

class NBody final : public target::LayerWorkload {
 public:
  explicit NBody(const Program& program)
      : LayerWorkload(program, {.name = "nbody",
                                .size_help = "bodies, unless --input has them",
                                .usual_size = "8000",
                                .most = most_bodies,
                                .usual_steps = 25,
                                .steps_help = "time steps of a year",
                                .update = "pair",
                                .rate = "gpairs_per_s",
                                .unit = "Gpairs/s",
                                .in_unit = 1e9,
                                .inputs = {"m", "x", "y", "z"},
                                .optional_inputs = {"vx", "vy", "vz"},
                                .outputs = coordinates}) {}

  void prepare(const Options& asked, const Team& team) override {
    arrays_ = asked.variant == "array" ? 4.0 * team.size() : 0.0;  // a rank stores rows of all
    if (arrays_ > 0.0 && count() * count() > 0x1p31 - 0x1p20)
      throw unavailable("--variant array: expected at most 46000 bodies, found {}", size());
    LayerWorkload::prepare(asked, team);
  }

 private:
  void complete(const target::Arrays& given) override {
    problem_.start = given.empty() ? random_start() : given;
    const std::size_t bodies = problem_.start.front().values.size();
    problem_.size[0] = static_cast<std::int64_t>(bodies);
    if (problem_.size[0] > most_bodies)
      throw bad_input("--input: expected at most {} bodies, found {}", most_bodies, bodies);
    target::expect_numbers(given, bodies);
    for (const std::string& name : coordinates)
      if (std::none_of(given.begin(), given.end(), [&](const auto& one) { return one.name == name; }) && name[0] == 'v')
        problem_.start.push_back({name, std::vector<double>(bodies)});
  }
  target::Arrays random_start() const {
    target::Arrays start;
    const std::int64_t bodies = problem_.size[0];
    for (const char* const name : {"m", "x", "y", "z"}) {
      const auto first = static_cast<std::int64_t>(start.size()) * bodies;
      start.push_back({name, target::random_numbers(problem_, first, bodies)});
      for (double& u : start.back().values)
        u = name[0] == 'm' ? (u + 10.0) / 10.0 * sun : (u - 0.5) * light_year / 100.0;
    }
    return start;
  }

  double count() const { return static_cast<double>(problem_.size[0]); }
  double updates() const override { return count() * count() * static_cast<double>(problem_.steps); }
  double bytes_held() const override { return (14.0 + arrays_ * count()) * count() * value_bytes_; }

  /// The start as the precision has it: close bodies multiply its rounding errors, which are not the steps'.
  Bodies start() const {
    Bodies bodies = bodies_of(problem_.start, "", array_of(problem_.start, "m"));
    if (value_bytes_ == 8) return bodies;
    const Units unit = units<float>;
    const auto round = [](std::vector<double>& values, double of) {
      for (double& value : values) value = static_cast<double>(static_cast<float>(value / of)) * of;
    };
    round(bodies.m, unit.mass);
    for (std::size_t i = 0; i < coordinates.size(); ++i) round(bodies.at[i], unit.of(i));
    return bodies;
  }
  static Bodies bodies_of(const target::Arrays& arrays, const char* prefix, const std::vector<double>& m) {
    Bodies bodies = {m, {}};
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      bodies.at[i] = array_of(arrays, (i < 3 ? "" : prefix) + coordinates[i]);
    return bodies;
  }

  /// Few pairs: what each body did, by the oracle. Bodies that pass one another closely multiply every rounding error,
  /// so that of many steps it is the last one, of some bodies, and the momentum of all.
  Errors errors(const target::Arrays& results, bool is_thorough) override {
    const Bodies start = this->start(), found = bodies_of(results, "", start.m);
    const Errors of_last = {{"last step", error_of_last_step(bodies_of(results, ".", start.m), found)},
                            {"momentum", momentum_error(start, found)}};
    if (!is_thorough && (updates() > most_pairs || problem_.steps > most_steps)) return of_last;
    if (right_.m.empty())
      for (right_ = start; done_ < problem_.steps; ++done_) advance(right_);
    double moved = 0.0, velocity = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto way = [&](const Bodies& bodies) {
        std::vector<double> moves = bodies.at[i];
        for (std::size_t j = 0; j < moves.size(); ++j) moves[j] -= start.at[i][j];
        return moves;
      };
      moved = std::max(moved, deviation(way(found), way(right_)));
      velocity = std::max(velocity, deviation(found.at[i + 3], right_.at[i + 3]));
    }
    Errors all = {{"displacement", moved}, {"velocity", velocity}};
    if (value_bytes_ == 4) all.insert(all.end(), of_last.begin(), of_last.end());
    return all;
  }

  /// In single precision that of three bodies in four over the usual magnitude: those that pass one another closely can
  /// be anywhere after some steps. What each of them did in the last step is checked beside it.
  double deviation(const std::vector<double>& found, const std::vector<double>& right) const {
    if (value_bytes_ == 8) return target::largest_deviation(found, right);
    const auto quantile = [](std::vector<double> values, double share) {
      const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
      std::nth_element(values.begin(), at, values.end());
      return *at;
    };
    std::vector<double> off, magnitude;
    for (std::size_t i = 0; i < right.size(); ++i) {
      off.push_back(std::isfinite(found[i]) ? std::abs(found[i] - right[i]) : INFINITY);
      magnitude.push_back(std::abs(right[i]));
    }
    const double usual = quantile(magnitude, 0.5), deviates = quantile(off, 0.75);
    return usual > 0.0 ? deviates / usual : deviates;
  }

  /// What the last step added to the velocities of some bodies, from first to last of all, against what it should add
  /// where the bodies were. That is known to rounding errors only: a body that is too close to another to tell its
  /// kick by them is left out, of which there are few.
  double error_of_last_step(const Bodies& before, const Bodies& found) const {
    Bodies at = found;
    std::vector<double> unknown(found.m.size());  // of a place, in metres
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t j = 0; j < at.m.size(); ++j) {
        const double moved = year * at.at[axis + 3][j];
        unknown[j] = std::fmax(unknown[j], rounding() * (std::abs(at.at[axis][j]) + std::abs(moved)));
        at.at[axis][j] -= moved;
      }
    const std::size_t bodies = at.m.size(), samples = std::min<std::size_t>(bodies, 128);
    double wrong = 0.0, all = 0.0;
    std::size_t told = 0;
    for (std::size_t sample = 0; sample < samples; ++sample) {
      const std::size_t j = samples == 1 ? 0 : sample * (bodies - 1) / (samples - 1);
      const auto right = kicks(at, j, j + 1);
      if (doubt(at, unknown, j) > 1e-3 * std::hypot(right[0][0], right[1][0], right[2][0])) continue;
      ++told;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        wrong += std::abs(found.at[axis + 3][j] - before.at[axis + 3][j] - right[axis][0]);
        all += std::abs(right[axis][0]);
      }
    }
    if (2 * told < samples) return INFINITY;
    return all > 0.0 ? wrong / all : wrong;
  }
  double rounding() const { return value_bytes_ == 4 ? 0x1p-23 : 0x1p-52; }
  /// By how much body j's kick changes when places change by what is unknown of them.
  static double doubt(const Bodies& at, const std::vector<double>& unknown, std::size_t j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < at.m.size(); ++i) {
      if (i == j) continue;
      const double d = std::hypot(at.at[0][i] - at.at[0][j], at.at[1][i] - at.at[1][j], at.at[2][i] - at.at[2][j]);
      sum += gravity * year * at.m[i] * 3.0 * (unknown[i] + unknown[j]) / (d * d * d);
    }
    return sum;
  }
  static double momentum_error(const Bodies& start, const Bodies& found) {
    double changed = 0.0, all = 0.0;
    for (std::size_t axis = 3; axis < 6; ++axis) {
      double change = 0.0;
      for (std::size_t j = 0; j < start.m.size(); ++j) {
        change += start.m[j] * (found.at[axis][j] - start.at[axis][j]);
        all += start.m[j] * std::abs(found.at[axis][j]);
      }
      changed += std::abs(change);
    }
    return changed / std::max(all, 1.0);
  }
  double tolerance() const override { return value_bytes_ == 8 ? 1e-9 : 2e-2; }

  static constexpr std::int64_t most_bodies = 1 << 27;
  static constexpr double most_pairs = 0x1p27;
  static constexpr std::int64_t most_steps = 25;
  double arrays_ = 0.0;
  std::int64_t done_ = 0;
  Bodies right_;
};

}  // namespace
}  // namespace boltzmark::nbody

namespace boltzmark::target {

const std::string_view Run::what = "Bodies that attract one another, all pairs,";

using nbody::Form;
const std::vector<Rung> rungs = {
    {.name = "rows",
     .summary = "a work-item goes through all bodies for VVL of them, and stores no pair",
     .form = Form::pairs,
     .role = Role::like_for_like},
    {.name = "tile",
     .summary = "the same, on devices through tiles of bodies in local memory",
     .form = Form::pairs,
     .defines = "-D TILED"},
    {.name = "segments",
     .summary = "vectors of the other bodies for two or four bodies, on devices in segments: 32 work-items for these",
     .form = Form::segments,
     .row_items = 32,
     .is_usual_on_gpus = true},
    {.name = "array", .summary = "expression by expression: four arrays of all pairs are stored", .form = Form::array}};

/// FLOPs as the field counts them. Per body and step are read x, y, z, m and v, and written x and v. The other bodies
/// that a body goes through serve all bodies of a chunk or of a group, so that they are counted once. Of the four arrays
/// of all pairs each is stored once before it is read.
Work work_of(const Problem& problem, int form, int value_bytes) {
  const bool has_arrays = form == nbody::Form::array;
  const auto bodies = static_cast<double>(problem.size[0]);
  const double conventional = has_arrays ? 19.0 : 19.0 / bodies, fetched = has_arrays ? 4.0 : 6.0 / bodies;
  const WorkingSet set =
      has_arrays ? WorkingSet{"arrays of all pairs", 4.0 * bodies * bodies * value_bytes, 19.0 * value_bytes}
                 : nbody::set_of_bodies(problem, 14, value_bytes);
  return {.bytes = conventional * value_bytes,
          .flops = 20.0,
          .operations = {{operation::root, 1.0}},
          .fetched = fetched * value_bytes,
          .traffic = {set}};
}

const RunWorkload<Run> Run::run_workload = run_as<nbody::NBody>;

}  // namespace boltzmark::target
