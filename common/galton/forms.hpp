// The forms in which beans fall.
#pragma once

namespace boltzmark::galton {

struct Form {
  enum : int { bits, uniform };
};

}  // namespace boltzmark::galton
