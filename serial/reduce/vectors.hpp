// Vectors: eight of them at a time, so that no step waits for the one before (common/reduce/vectors.hpp).
#pragma once

#include "common/reduce/vectors.hpp"

namespace boltzmark::serial {

struct VectorReduction {
  template <class Op, class T>
  static reduce::Result reduce(Op op, const T* values, Stretch on) {
    return reduce_vectors(op, values, on).result();
  }
};

}  // namespace boltzmark::serial
