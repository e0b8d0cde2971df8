// axes-serial: access patterns on one core.
#include <algorithm>

#include "common/axes/host_patterns.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
namespace {
using namespace axes;

/// Outer: the innermost loop goes along the outermost axis, so that each step is far from the one before.
template <class T>
class Outer : public HostPatterns<T> {
  void fill() override {
    const std::int64_t n = this->n_;
    for (std::int64_t l = 0; l < n; ++l)
      for (std::int64_t k = 0; k < n; ++k)
        for (std::int64_t j = 0; j < n; ++j)
          for (std::int64_t i = 0; i < n; ++i) this->filled_[((i * n + j) * n + k) * n + l] = T(1);
  }
  void add_up(const Strides& s) override {
    const std::int64_t n = this->n_;
    for (std::int64_t inner = 0; inner < n; ++inner)
      for (std::int64_t middle = 0; middle < n; ++middle)
        for (std::int64_t outer = 0; outer < n; ++outer) {
          T sum = 0;
          for (std::int64_t at = 0; at < n; ++at)
            sum += this->values_[outer * s.outer + middle * s.middle + inner * s.inner + at * s.reduced];
          this->sums_[(outer * n + middle) * n + inner] = sum;
        }
  }
};

/// Inner: the innermost loop goes along memory, whichever axis is added up.
template <class T>
class Inner : public HostPatterns<T> {
  void fill() override { std::fill_n(this->filled_.data(), this->filled_.size(), T(1)); }
  void add_up(const Strides& s) override {
    const std::int64_t n = this->n_;
    for (std::int64_t outer = 0; outer < n; ++outer)
      for (std::int64_t middle = 0; middle < n; ++middle) {
        const T* const from = this->values_.data() + outer * s.outer + middle * s.middle;
        T* const __restrict sums = this->sums_.data() + (outer * n + middle) * n;
        if (s.reduced == 1) {
          for (std::int64_t inner = 0; inner < n; ++inner) {
            const T* const __restrict row = from + inner * s.inner;
            T sum = 0;
            for (std::int64_t at = 0; at < n; ++at) sum += row[at];
            sums[inner] = sum;
          }
          continue;
        }
        std::fill_n(sums, n, T(0));
        for (std::int64_t at = 0; at < n; ++at) {
          const T* const __restrict row = from + at * s.reduced;
          for (std::int64_t inner = 0; inner < n; ++inner) sums[inner] += row[inner];
        }
      }
  }
};

/// Vectors: sums of neighbouring elements together (common/axes/vectors.hpp).
template <class T>
class Vectors : public HostPatterns<T> {
  void fill() override { std::fill_n(this->filled_.data(), this->filled_.size(), T(1)); }
  void add_up(const Strides& s) override {
    axes::add_up(this->values_.data(), this->n_, s.reduced, this->sums_.data(), {0, this->n_ * this->n_ * this->n_});
  }
};

const axes::Variant outer = {.name = "outer",
                             .summary = "the innermost loop goes along the outermost axis",
                             .make = made_of<axes::Patterns, Outer>};

const axes::Variant inner = {
    .name = "inner", .summary = "the innermost loop goes along memory", .make = made_of<axes::Patterns, Inner>};

const axes::Variant vectors =
    like_for_like_of<axes::Patterns, Vectors>("vectors", "sums of neighbouring elements in vectors");

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, axes::workload, "serial", "on one core", {&outer, &inner, &vectors}, "vectors");
}
