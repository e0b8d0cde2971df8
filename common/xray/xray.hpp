// The X-ray image on a target: a site for each pixel, and the voxels in a field of the same length.
#pragma once

#include <algorithm>

#include "common/target/on_target.hpp"
#include "common/xray/forms.hpp"

// Included last: its words are macros.
#include "common/xray/xray.h"

namespace boltzmark::xray {

template <class Target>
class Code : public CodeOn<Target> {
 public:
  using typename CodeOn<Target>::T, CodeOn<Target>::CodeOn;

  /// Rows of pixels, or more if the voxels need them.
  static Lattice lattice(const Problem& problem, const Share& share) {
    const auto [cells, pixels] = std::pair(problem.size[0], problem.size[1]);
    const std::int64_t rows = share.end(pixels) - share.begin(pixels);
    return Lattice::plane(static_cast<int>(pixels),
                          static_cast<int>(std::max(rows, (cells * cells * cells + pixels - 1) / pixels)));
  }

  void start() {
    const auto& scene = array_of(problem_.start, "scene");
    std::vector<T> all(static_cast<std::size_t>(target_.lattice().stride()));
    std::transform(scene.begin(), scene.end(), all.begin(), [](double value) { return static_cast<T>(value); });
    target_.copy_to(voxels_, all.data(), 0, 1);
  }

  void step() {
    if (form_ == Form::direct)
      launch<longest_vvl>(TARGET_KERNEL(direct));
    else
      launch<1>(TARGET_KERNEL(march));
  }

  Arrays results() { return {{"image", share_.collect(fetch(target_, image_, 0, box()))}}; }

 private:
  template <int longest>
  void launch(const auto& kernel) {
    const auto cells = static_cast<int>(problem_.size[0]), pixels = static_cast<int>(problem_.size[1]);
    target_.template launch<longest>(kernel, box(), image_, voxels_, cells, pixels,
                                     static_cast<int>(share_.begin(pixels)), target_.lattice().site(0, 0, 0),
                                     target_.lattice().row_pitch(), static_cast<T>(first_corner[0] - source),
                                     static_cast<T>(first_corner[2]), static_cast<T>(side / cells));
  }
  Sites box() const {
    const std::int64_t pixels = problem_.size[1];
    return target_.lattice().box(0, 0, 0, static_cast<int>(pixels),
                                 static_cast<int>(share_.end(pixels) - share_.begin(pixels)), 1);
  }

  using CodeOn<Target>::target_, CodeOn<Target>::problem_, CodeOn<Target>::share_, CodeOn<Target>::form_;

  typename Target::Field image_ = target_.make(1), voxels_ = target_.make(1);
};

}  // namespace boltzmark::xray
