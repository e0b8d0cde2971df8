// The forms in which pi is computed.
#pragma once

namespace boltzmark::pi {

struct Form {
  enum : int { two_divisions, one_division, array, host_sum, points };
};

}  // namespace boltzmark::pi
