// OpenBLAS as a variant of the CPU models.
#pragma once

#include "common/cpu/openblas.hpp"
#include "common/matmul/host_multiplier.hpp"

namespace boltzmark::matmul {

/// The library on as many threads as a `Host` has workers.
template <class T, class Host>
class OpenBlasPeer : public Host {
 public:
  template <class... From>
  explicit OpenBlasPeer(const From&... from) : Host(from...), library_(this->workers()) {}

  void multiply() override {
    const Shape& shape = this->shape_;
    library_.multiply(static_cast<int>(shape.m), static_cast<int>(shape.n), static_cast<int>(shape.k), this->a_.data(),
                      this->b_.data(), this->c_.data());
  }

  /// What it moves is not known: each matrix once.
  RunFacts facts() const override {
    return this->on_machine({.driver = library_.configuration(),
                             .bytes_per_update = this->bytes_at_least(),
                             .traffic = this->traffic().sets()});
  }

 private:
  OpenBlas<T> library_;
};

}  // namespace boltzmark::matmul
