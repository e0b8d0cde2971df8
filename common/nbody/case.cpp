// Bodies as the runner sees them: they start as in the Benchpress set, or from files, and must move like the oracle's.
#include <algorithm>
#include <cmath>

#include "common/base/difference.hpp"
#include "common/base/ranges.hpp"
#include "common/nbody/bodies.hpp"
#include "common/target/layer_workload.hpp"

namespace boltzmark::nbody {
namespace {

class NBody final : public target::LayerWorkload {
 public:
  explicit NBody(const Program& program)
      : LayerWorkload(program, {.name = "nbody",
                                .size_help = "number of bodies, unless --input gives them",
                                .usual_size = "8000",
                                .most = most_bodies,
                                .usual_steps = 25,
                                .steps_help = "time steps, of one year each",
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
  void complete() override {
    if (problem_.start.empty()) return;
    const std::size_t bodies = problem_.start.front().values.size();
    problem_.size[0] = static_cast<std::int64_t>(bodies);
    if (problem_.size[0] > most_bodies)
      throw bad_input("--input: expected at most {} bodies, found {}", most_bodies, bodies);
    target::expect_numbers(problem_.start, bodies);
  }
  void make_start() override {
    target::Arrays& start = problem_.start;
    if (start.empty()) start = random_start();
    for (const std::string& name : coordinates)
      if (name[0] == 'v' && !find_by(start, name, &target::NamedArray::name))
        start.push_back({name, std::vector<double>(static_cast<std::size_t>(problem_.size[0]))});
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
  HostNumbers host_numbers() const override { return {7.0 * count(), 12.0 * count(), 60.0 * count()}; }
  double bytes_held() const override { return (14.0 + arrays_ * count()) * count() * value_bytes_; }

  /// The start, rounded to the precision: close bodies amplify its rounding errors, for which the steps are not to
  /// blame.
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
    for (std::size_t i = 0; i < coordinates.size(); ++i) bodies.at[i] = array_of(arrays, prefix + coordinates[i]);
    return bodies;
  }

  /// Each body's last step from its own state before it; of few pairs, also all steps of each. Close encounters amplify
  /// rounding errors step by step. In single precision, all steps are therefore compared with the reference for three
  /// bodies in four, and not at all if rounding alone moves the bodies elsewhere. Within a single step errors are not
  /// amplified, and all bodies are compared.
  Verdict errors(const target::Arrays& results, bool is_thorough) override {
    const Bodies start = this->start(), found = bodies_of(results, "", start.m);
    const auto all = static_cast<std::int64_t>(start.m.size());
    const target::Sample sample(all, is_thorough ? all : (std::int64_t{1} << 29) / all, check_seed_);
    Errors errors = {{"last step", error_of_last_step(bodies_of(results, ".", start.m), found, sample)},
                     {"momentum", momentum_error(start, found)}};
    if (is_thorough || (updates() <= most_pairs && problem_.steps <= most_steps)) {
      const Bodies right = after_all_steps(start, false);
      const Errors of_all = errors_of_all_steps(found, right, start);
      const bool is_chaos =
          largest_of(of_all) > tolerance() &&
          largest_of(errors_of_all_steps(after_all_steps(start, true), right, start)) > 0.1 * tolerance();
      if (!is_chaos) errors.insert(errors.begin(), of_all.begin(), of_all.end());
    }
    return {errors, sample.extent()};
  }
  /// `is_rounded`: rounds after each step to the bits of a float, or to one bit less than a double.
  Bodies after_all_steps(Bodies bodies, bool is_rounded) const {
    const int bits = value_bytes_ == 4 ? 24 : 52;
    const auto rounded = [bits](double value) {
      int exponent = 0;
      const double fraction = std::frexp(value, &exponent);
      return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
    };
    for (std::int64_t done = 0; done < problem_.steps; ++done) {
      advance(bodies, least_square());
      if (is_rounded)
        for (std::vector<double>& values : bodies.at) std::ranges::transform(values, values.begin(), rounded);
    }
    return bodies;
  }
  Errors errors_of_all_steps(const Bodies& found, const Bodies& right, const Bodies& start) const {
    double moved = 0.0, velocity = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      moved = larger_error(moved, deviation(found.at[i], right.at[i], &start.at[i]));
      velocity = larger_error(velocity, deviation(found.at[i + 3], right.at[i + 3], nullptr));
    }
    return {{"displacement", moved}, {"velocity", velocity}};
  }
  static double largest_of(const Errors& errors) {
    double largest = 0.0;
    for (const auto& [of, error] : errors) largest = larger_error(largest, error);
    return largest;
  }

  /// Relative to the largest magnitude, or in single precision, for three bodies in four, to the median one; for places
  /// relative to the distances moved. The rounding of the stored numbers in each step is not counted as an error.
  double deviation(const std::vector<double>& found, const std::vector<double>& right,
                   const std::vector<double>* start) const {
    std::vector<double> off, magnitude;
    for (std::size_t i = 0; i < right.size(); ++i) {
      const double rounded = 2.0 * rounding() * static_cast<double>(problem_.steps) * std::abs(right[i]);
      off.push_back(larger_error(0.0, std::abs(found[i] - right[i]) - rounded));
      magnitude.push_back(std::abs(right[i] - (start ? (*start)[i] : 0.0)));
    }
    const auto quantile = [](std::vector<double> values, double share) {
      const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
      std::nth_element(values.begin(), at, values.end());
      return *at;
    };
    const bool is_double = value_bytes_ == 8;
    const double usual = quantile(magnitude, is_double ? 1.0 : 0.5), deviates = quantile(off, is_double ? 1.0 : 0.75);
    return usual > 0.0 ? deviates / usual : deviates;
  }

  /// The largest error of a body over its own bound, which is the tolerance. Errors of a change in velocity are those
  /// of its terms plus one rounding per addition; velocities and places are rounded once more when stored.
  double error_of_last_step(const Bodies& before, const Bodies& found, const target::Sample& sample) const {
    std::vector<std::int64_t> bodies;
    for (std::int64_t i = 0; i < sample.size(); ++i) bodies.push_back(sample[i]);
    const std::vector<Kick> right = kicks(before, bodies, least_square());
    const double unit = rounding(), additions = static_cast<double>(before.m.size()) + 64.0;
    double largest = 0.0;
    const auto take = [&largest](double error, double bound) {
      largest = larger_error(largest, error == 0.0 ? 0.0 : std::abs(error) / bound);
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto &x = found.at[axis], &v = found.at[axis + 3], &x_before = before.at[axis],
                 &v_before = before.at[axis + 3];
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto j = static_cast<std::size_t>(bodies[i]);
        take(v[j] - (v_before[j] + right[i].of[axis]),
             unit * (additions * right[i].magnitudes[axis] + 2.0 * (std::abs(v[j]) + std::abs(v_before[j]))));
      }
      for (std::size_t j = 0; j < x.size(); ++j)
        take(x[j] - (x_before[j] + year * v[j]),
             2.0 * unit * (std::abs(x[j]) + std::abs(x_before[j]) + year * std::abs(v[j])));
    }
    return largest * tolerance();
  }
  /// The smallest squared distance, in SI units.
  double least_square() const {
    const Units unit = value_bytes_ == 8 ? units<double> : units<float>;
    return unit.least * unit.length * unit.length;
  }
  double rounding() const { return value_bytes_ == 4 ? 0x1p-24 : 0x1p-53; }
  static double momentum_error(const Bodies& start, const Bodies& found) {
    double changed = 0.0, all = 0.0;
    for (std::size_t axis = 3; axis < 6; ++axis) {
      double change = 0.0;
      for (std::size_t j = 0; j < start.m.size(); ++j) {
        change += start.m[j] * (found.at[axis][j] - start.at[axis][j]);
        all += std::abs(start.m[j] * found.at[axis][j]);
      }
      changed += std::abs(change);
    }
    return changed / std::max(all, 1.0);
  }
  double tolerance() const override { return value_bytes_ == 8 ? 1e-9 : 2e-2; }

  static constexpr std::int64_t most_bodies = 1 << 27;
  static constexpr double most_pairs = 0x1p28;
  static constexpr std::int64_t most_steps = 25;
  double arrays_ = 0.0;
};

using namespace target;

const std::vector<Rung> rungs = {
    {.name = "rows",
     .summary = "each work-item sums over all bodies for VVL of them, and stores no pairs",
     .form = Form::pairs,
     .role = Role::like_for_like},
    {.name = "tile",
     .summary = "the same, on devices over tiles of bodies in local memory",
     .form = Form::pairs,
     .defines = "-D TILED"},
    {.name = "segments",
     .summary = "vectors over the other bodies for two or four bodies at a time, on devices 32 work-items for these",
     .form = Form::segments,
     .row_items = 32,
     .is_usual_on_gpus = true},
    {.name = "array",
     .summary = "one kernel per array expression, four stored arrays of all pairs",
     .form = Form::array}};

/// FLOPs by the field's convention. Per body and step x, y, z, m and v are read, and x and v written. The other bodies
/// serve all bodies of a chunk or of a group, so they are counted once. Each of the four arrays of all pairs is stored
/// once before it is read.
Work work_of(const Problem& problem, int form, int value_bytes) {
  const bool has_arrays = form == Form::array;
  const auto bodies = static_cast<double>(problem.size[0]);
  const double conventional = has_arrays ? 19.0 : 19.0 / bodies, fetched = has_arrays ? 4.0 : 6.0 / bodies;
  const WorkingSet set =
      has_arrays ? WorkingSet{"arrays of all pairs", 4.0 * bodies * bodies * value_bytes, 19.0 * value_bytes}
                 : set_of_bodies(problem, 14, value_bytes);
  return {.bytes = conventional * value_bytes,
          .flops = 20.0,
          .operations = {{operation::root, 1.0}},
          .fetched = fetched * value_bytes,
          .traffic = {set}};
}

}  // namespace

extern const LayerEntry workload = {{"Gravitation between all pairs of bodies,", workload_for<NBody>}, rungs, work_of};

}  // namespace boltzmark::nbody
