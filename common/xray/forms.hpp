// The forms in which the image is computed, and the places of scene and detector.
#pragma once

namespace boltzmark::xray {

struct Form {
  enum : int { direct, march };
};

/// The scene is a cube; the source is at (0.5, 0.5, 0), and the detector is the unit square at height 2.
inline constexpr double first_corner[3] = {0.2, 0.2, 1.2}, side = 0.6, source = 0.5, detector = 2.0;

}  // namespace boltzmark::xray
