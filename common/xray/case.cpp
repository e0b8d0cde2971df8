// The X-ray image as the runner sees it: pixels are checked by sums over all voxels in double precision, or for a
// homogeneous cube by the law of Beer and Lambert.
#include <algorithm>
#include <array>
#include <numbers>

#include "common/base/difference.hpp"
#include "common/picture/picture.hpp"
#include "common/target/layer_workload.hpp"
#include "common/xray/forms.hpp"

namespace boltzmark::xray {
namespace {

/// A box in the scene, and the mass attenuation at 80 keV times the density (NIST).
struct Body {
  std::array<double, 3> low, high;
  double attenuation;
};
constexpr double blood = 0.1827 * 1.06, polyethylene = 0.1823 * 0.93, bone = 0.2229 * 1.92, tissue = 0.1823 * 1.06;
constexpr Body bodies[] = {{{.2, .2, 1.2}, {.8, .8, 1.5}, blood},     {{.7, .25, 1.25}, {.75, .75, 1.35}, polyethylene},
                           {{.3, .25, 1.25}, {.7, .35, 1.35}, bone},  {{.25, .25, 1.25}, {.3, .35, 1.75}, polyethylene},
                           {{.25, .25, 1.65}, {.3, .75, 1.75}, bone}, {{.3, .65, 1.65}, {.45, .75, 1.75}, polyethylene},
                           {{.45, .4, 1.3}, {.55, .5, 1.65}, bone},   {{.45, .35, 1.3}, {.55, .55, 1.65}, tissue}};

/// Attenuation of each voxel, by layers in z and by rows within them. Ranges are rounded as published: 0.65 is one
/// voxel low in most grids.
std::vector<double> published_scene(std::int64_t cells) {
  std::vector<double> scene(static_cast<std::size_t>(cells * cells * cells));
  for (const Body& body : bodies) {
    std::array<std::int64_t, 3> begin, end;
    for (int axis = 0; axis < 3; ++axis) {
      const double low = first_corner[axis], high = axis == 2 ? 1.8 : 0.8;
      const double cell = (high - low) / static_cast<double>(cells);
      begin[axis] = static_cast<std::int64_t>(std::floor((body.low[axis] - low) / cell));
      end[axis] = std::min(cells, static_cast<std::int64_t>(std::floor((body.high[axis] - low) / cell)));
    }
    for (std::int64_t k = begin[2]; k < end[2]; ++k)
      for (std::int64_t j = begin[1]; j < end[1]; ++j)
        for (std::int64_t i = begin[0]; i < end[0]; ++i) scene[(k * cells + j) * cells + i] = body.attenuation;
  }
  return scene;
}

class XRay final : public target::LayerWorkload {
 public:
  explicit XRay(const Program& program)
      : LayerWorkload(program, {.name = "xray",
                                .size_help = "voxels along an edge of the scene x pixels along an edge of the detector",
                                .usual_size = "64x64",
                                .sides = 2,
                                .is_one_for_both = true,
                                .most = 32768,  // numbers of sites are ints
                                .steps_help = "number of times the image is computed",
                                .update = "voxel and ray",
                                .rate = "gvoxelrays_per_s",
                                .unit = "Gvoxelrays/s",
                                .in_unit = 1e9,
                                .methods = {"bodies", "homogeneous"},
                                .method_option = "--scene",
                                .method_help = "bodies: boxes of bone, tissue and plastic in blood, as published; "
                                               "homogeneous: a cube of blood",
                                .outputs = {"image"}}) {}

 private:
  void complete() override {
    if (cells() > most_cells)
      throw bad_input("expected at most {} voxels along an edge, found {}", most_cells, cells());
  }
  void make_start() override {
    const bool is_published = problem_.method == "bodies";
    problem_.start = {{"scene", is_published ? published_scene(cells())
                                             : std::vector<double>(static_cast<std::size_t>(voxels()), blood)}};
  }
  std::int64_t cells() const { return problem_.size[0]; }
  std::int64_t pixels() const { return problem_.size[1]; }
  std::int64_t voxels() const { return cells() * cells() * cells(); }
  double updates() const override {
    return static_cast<double>(voxels()) * static_cast<double>(pixels() * pixels() * problem_.steps);
  }
  double bytes_held() const override { return static_cast<double>(voxels() + pixels() * pixels()) * value_bytes_; }
  /// Fields of the image and of the scene have the same length.
  double bytes_needed() const override {
    return 2.0 * static_cast<double>(std::max(voxels(), pixels() * pixels())) * value_bytes_;
  }

  HostNumbers host_numbers() const override {
    return {static_cast<double>(voxels()), static_cast<double>(pixels() * pixels()),
            static_cast<double>(pixels() * pixels())};
  }

  /// As published: the part of a unit ray in a slab between two planes.
  static void cut(double direction, double low, double high, double& in, double& out) {
    if (direction == 0.0) {
      if (source < low || source >= high) in = INFINITY;
      return;
    }
    const double at_low = (low - source) / direction, at_high = (high - source) / direction;
    in = std::max(in, std::min(at_low, at_high));
    out = std::min(out, std::max(at_low, at_high));
  }
  /// Voxels in layers and rows that the ray does not cross add nothing.
  double expected(std::int64_t row, std::int64_t column) const {
    const auto along = [&](std::int64_t pixel) {
      return (static_cast<double>(pixel) + 0.5) / double(pixels()) - source;
    };
    const double x = along(column), y = along(row), length = std::sqrt(x * x + y * y + detector * detector);
    const double area = 1.0 / static_cast<double>(pixels() * pixels());
    const auto& scene = array_of(problem_.start, "scene");
    const bool is_homogeneous = problem_.method == "homogeneous";
    const std::int64_t boxes = is_homogeneous ? 1 : cells();  // the cube is one
    const double cell = side / static_cast<double>(boxes);
    const auto low = [&](int axis, std::int64_t at) { return first_corner[axis] + static_cast<double>(at) * cell; };
    double weakened = 0.0;
    for (std::int64_t k = 0; k < boxes; ++k)
      for (std::int64_t j = 0; j < boxes; ++j) {
        double in_row = low(2, k) * length / detector, out_row = low(2, k + 1) * length / detector;
        cut(y / length, low(1, j), low(1, j + 1), in_row, out_row);
        if (in_row >= out_row) continue;
        for (std::int64_t i = 0; i < boxes; ++i) {
          double in = in_row, out = out_row;
          cut(x / length, low(0, i), low(0, i + 1), in, out);
          weakened += scene[(k * boxes + j) * boxes + i] * std::max(0.0, out - in);
        }
      }
    return 1.0 / (4.0 * std::numbers::pi * length) * (detector / length * area) * std::exp(-weakened);
  }

  Verdict errors(const target::Arrays& results, bool is_thorough) override {
    const std::int64_t all = pixels() * pixels(),
                       rows_of_voxels = problem_.method == "homogeneous" ? 1 : cells() * cells();
    const target::Sample sample(all, is_thorough ? all : most_rows / rows_of_voxels, check_seed_);
    std::vector<double> right(static_cast<std::size_t>(sample.size()));
    each_in_parallel(sample.size(), [&](std::int64_t number) {
      right[number] = expected(sample[number] / pixels(), sample[number] % pixels());
    });
    Difference image;
    for (std::int64_t i = 0; i < sample.size(); ++i) image.add(results[0].values[sample[i]], right[i]);
    return {{{"image", image.relative()}}, sample.extent()};
  }
  double tolerance() const override { return value_bytes_ == 8 ? 1e-11 : 1e-5; }

  bool can_draw() const override { return true; }
  void draw(const std::filesystem::path& file, const target::Arrays& results) const override {
    write_rows(file, pixels(), results[0].values);
  }

  static constexpr std::int64_t most_cells = 1024, most_rows = 1 << 27;
};

using namespace target;

const std::vector<Rung> rungs = {{.name = "direct",
                                  .summary = "each ray's length in every voxel of the scene",
                                  .form = Form::direct,
                                  .role = Role::like_for_like},
                                 {.name = "march",
                                  .summary = "each ray visits only the voxels that it meets, from plane to plane",
                                  .form = Form::march,
                                  .has_vvl = false}};

/// FLOPs per voxel and ray: two planes, the part between those of all axes, and its attenuation; a march does as much
/// for three voxels per plane of the scene.
///
/// Traffic: at least the image is written, and each voxel read once per ray.
Work work_of(const Problem& problem, int form, int value_bytes) {
  const auto cells = static_cast<double>(problem.size[0]), pixels = static_cast<double>(problem.size[1]);
  const bool is_direct = form == Form::direct;
  const double voxels = cells * cells * cells, rays = pixels * pixels, of_image = value_bytes / voxels;
  return {.flops = is_direct ? 8.0 : 3.0 * 8.0 / (cells * cells),
          .fetched = of_image,
          .traffic = {
              {"voxels and image", (voxels + rays) * value_bytes, of_image + (is_direct ? value_bytes / rays : 0.0)}}};
}

}  // namespace

extern const LayerEntry workload = {{"An X-ray image of a scene of voxels", workload_for<XRay>}, rungs, work_of};

}  // namespace boltzmark::xray
