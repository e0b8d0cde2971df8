// The magnetic field as the runner sees it: checked at each point, or at a sample of them, by sums in double precision;
// at the surface it must equal its boundary.
#include <algorithm>
#include <array>

#include "common/base/difference.hpp"
#include "common/magnetic_field/forms.hpp"
#include "common/picture/picture.hpp"
#include "common/target/layer_workload.hpp"

namespace boltzmark::magnetic_field {
namespace {

class MagneticField final : public target::LayerWorkload {
 public:
  explicit MagneticField(const Program& program)
      : LayerWorkload(program, {.name = "magnetic_field",
                                .size_help = "points along each axis",
                                .usual_size = "160",
                                .sides = 2,
                                .is_one_for_both = true,
                                .least = 3,
                                .most = 1024,  // numbers of sites are ints
                                .steps_help = "number of times the field is computed",
                                .update = "point",
                                .rate = "mpoints_per_s",
                                .unit = "Mpoints/s",
                                .inputs = {"input"},
                                .outputs = {"Bx", "By", "Bz"}}) {}

  void add_options(WorkloadOptions& options) override {
    LayerWorkload::add_options(options);
    options.add("--alpha", alpha_, "twist of the field, whose curl is alpha times the field; default: 0")
        .value_name("A");
  }

  /// As published: the FLOPs of sums over all modes at each point, for any variant.
  void fill(Record& record) const override {
    LayerWorkload::fill(record);
    record.work.conventional_flops_per_update = 6.0 * n() * n();
    const double nominal = *record.work.conventional_flops_per_update * record.work.updates;
    record.case_.digest += fmt::format("-{}", alpha_);
    record.case_.facts["alpha"] = alpha_;
    record.metrics.insert(record.metrics.begin(), {"gflops", "GFLOP/s", 1e-9 * nominal / record.compute_seconds});
  }

 private:
  void complete() override {
    auto& size = problem_.size;
    if (size[0] != size[1]) throw bad_input("expected N or NxN, found {}", LayerWorkload::size());
    size.pop_back();
    if (!(std::abs(alpha_) <= 1.0)) throw bad_input("--alpha: expected -1 to 1, found {}", alpha_);
    problem_.numbers = {alpha_};
    target::expect_numbers(problem_.start, static_cast<std::size_t>(size[0] * size[0]));
  }
  void make_start() override {
    if (problem_.start.empty())
      problem_.start = {{"input", target::random_numbers(problem_, 0, problem_.size[0] * problem_.size[0])}};
  }
  double n() const { return static_cast<double>(problem_.size[0]); }
  double points() const { return n() * n() * n(); }
  double updates() const override { return points() * static_cast<double>(problem_.steps); }
  double bytes_held() const override { return 3.0 * points() * value_bytes_; }
  double bytes_needed() const override { return (alpha_ == 0.0 ? 8.0 : 10.0) * points() * value_bytes_; }

  HostNumbers host_numbers() const override { return {n() * n(), 3.0 * points(), 10.0 * n() * n()}; }

  /// By rows of points along z: one layer's modes serve all its rows. At the surface the field equals its boundary.
  Verdict errors(const target::Arrays& results, bool is_thorough) override {
    const std::int64_t side = problem_.size[0], rows = side * side;
    const Oracle oracle(array_of(problem_.start, "input"), side, problem_.numbers[0]);
    const bool is_affordable = is_thorough || rows <= most_modes_of_all;
    const target::Sample sample(rows, is_affordable ? rows : most_modes / rows, check_seed_);
    const std::int64_t together = sample.is_whole() ? side : 1;  // rows of one layer
    std::vector<std::array<Difference, 3>> parts(static_cast<std::size_t>(sample.size() / together));
    each_in_parallel(std::ssize(parts), [&](std::int64_t part) {
      const auto modes = oracle.modes(sample[part * together] / side);
      for (std::int64_t number = part * together; number < (part + 1) * together; ++number) {
        const auto right = oracle.row(modes, sample[number] % side);
        for (int v = 0; v < 3; ++v)
          for (std::int64_t k = 0; k < side; ++k)
            parts[part][v].add(results[v].values[sample[number] * side + k], right[v][k]);
      }
    });
    std::array<Difference, 3> field;
    for (const auto& part : parts)
      for (int v = 0; v < 3; ++v) field[v].add(part[v]);
    Difference surface;
    for (std::int64_t j = 1; j < side - 1; ++j)
      for (std::int64_t k = 1; k < side - 1; ++k) surface.add(results[0].values[j * side + k], oracle.shaded(j, k));
    return {{{"Bx", field[0].relative()},
             {"By", field[1].relative()},
             {"Bz", field[2].relative()},
             {"surface", surface.relative()}},
            sample.extent(side)};
  }
  double tolerance() const override { return value_bytes_ == 8 ? 1e-11 : 1e-4; }

  /// The field's strength a little above the surface.
  bool can_draw() const override { return true; }
  void draw(const std::filesystem::path& file, const target::Arrays& results) const override {
    const std::int64_t side = problem_.size[0], first = side / 16 * side * side;
    std::vector<double> strength(static_cast<std::size_t>(side * side));
    for (std::int64_t at = 0; at < side * side; ++at)
      strength[at] =
          std::hypot(results[0].values[first + at], results[1].values[first + at], results[2].values[first + at]);
    write_field(file, side, side, 0.0, *std::max_element(strength.begin(), strength.end()),
                [&](std::int64_t x, std::int64_t y) { return strength[y * side + x]; });
  }

  /// Work of a second on two threads: the modes of all rows, or of randomly drawn rows, each with its exponentials.
  static constexpr std::int64_t most_modes_of_all = 1 << 15, most_modes = 1 << 27;
  double alpha_ = 0.0;
};

using namespace target;

const std::vector<Rung> rungs = {
    {.name = "separable",
     .summary = "two matrix products per layer instead of a sum over all modes",
     .form = Form::separable},
    {.name = "gemm",
     .summary = "sums over all modes as one matrix product, with one matrix generated in registers",
     .form = Form::gemm},
    {.name = "direct",
     .summary = "a sum over all modes at each point, as the equations state it",
     .form = Form::direct,
     .role = Role::like_for_like},
    {.name = "row-sums", .summary = "the same as a one-dimensional sum, in vectors", .form = Form::rows},
    {.name = "row-sums-segmented",
     .summary = "the same, on devices with eight work-items per row",
     .form = Form::rows,
     .row_items = 8}};

/// The modes of all terms are stored. Axis by axis, those of a few layers at a time pass through a product and back
/// while they are in cache, and the field replaces the modes. In other forms they are read for the field, to which the
/// terms due to alpha are added.
void add_traffic(Work& work, int form, double n, double terms, int value_bytes) {
  const double points = n * n * n, of_alpha = terms - 3.0;
  if (form == Form::separable) {
    const double at_work = std::min(points, std::max(n * n, double(layers_at_once)));
    work.fetched = terms * value_bytes;
    work.traffic = {{"modes", terms * points * value_bytes, terms * value_bytes},
                    {"layers", at_work * value_bytes, (4.0 * terms + of_alpha) * value_bytes}};
  } else {
    work.fetched = (terms + 3.0) * value_bytes;
    work.traffic = {
        {"modes and field", (terms + 3.0) * points * value_bytes, (2.0 * terms + 3.0 + 2.0 * of_alpha) * value_bytes}};
  }
}

/// FLOPs of a point: two products of n multiply-adds per term, or n^2; the modes, and the share of the coefficients.
Work work_of(const Problem& problem, int form, int value_bytes) {
  const double n = static_cast<double>(problem.size[0]), terms = problem.numbers[0] == 0.0 ? 3.0 : 5.0;
  const double sums = form == Form::separable ? 4.0 * n : 2.0 * n * n + 2.0 * n;
  Work work = {.bytes = 3.0 * value_bytes, .flops = terms * sums + terms + 3.0 + 4.0};
  add_traffic(work, form, n, terms, value_bytes);
  return work;
}

}  // namespace

extern const LayerEntry workload = {
    {"The force-free magnetic field above a boundary", workload_for<MagneticField>}, rungs, work_of};

}  // namespace boltzmark::magnetic_field
