// OpenBLAS as a variant of the CPU models.
#pragma once

#include "common/cpu/openblas.hpp"
#include "common/matmul/matrix_multiplier.hpp"

namespace boltzmark::matmul {

/// The library on as many threads as there are workers.
template <class T>
class OpenBlasPeer {
 public:
  explicit OpenBlasPeer(const Workers& workers) : library_(workers.count) {}

  void multiply(Matrices<T>& of, const Workers&) const {
    const Shape& shape = of.shape;
    library_.multiply(static_cast<int>(shape.m), static_cast<int>(shape.n), static_cast<int>(shape.k), of.a.data(),
                      of.b.data(), of.c.data());
  }
  /// Its traffic is not known; counted as each matrix once.
  RunFacts facts(const Matrices<T>& of, const Workers& workers) const {
    return {.driver = library_.configuration(),
            .bytes_per_update = of.bytes_at_least(),
            .traffic = of.traffic(workers).sets()};
  }

 private:
  OpenBlas<T> library_;
};

inline Variant openblas_of(const char* summary, StartWorkers* start_workers) {
  return {.name = "openblas", .summary = summary, .role = Role::peer, .make = by<OpenBlasPeer>(start_workers)};
}

}  // namespace boltzmark::matmul
