// axes-serial: access patterns on one core.
#include <algorithm>
#include <limits>

#include "common/axes/patterns.hpp"
#include "common/base/eighths.h"
#include "common/cpu/aligned.hpp"
#include "common/run/cpu_device.hpp"
#include "common/run/on_host.hpp"

namespace boltzmark::serial {
namespace {
using namespace axes;

template <class T>
class HostPatterns : public OnHost<Patterns> {
 public:
  void init(std::int64_t n) override {
    n_ = n;
    values_ = AlignedArray<T>(static_cast<std::size_t>(n * n * n * n));
    filled_ = AlignedArray<T>(values_.size());
    sums_ = AlignedArray<T>(static_cast<std::size_t>(n * n * n));
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(i)));
  }
  void spoil() override {
    for (auto* array : {&filled_, &sums_})
      std::fill_n(array->data(), array->size(), std::numeric_limits<T>::quiet_NaN());
  }
  void run(Pass pass) override {
    if (pass == Pass::fill) return fill();
    add_up(strides_of(pass, n_));
  }
  void read(Pass pass, std::int64_t at, std::span<double> values) override {
    std::copy_n((pass == Pass::fill ? filled_ : sums_).data() + at, values.size(), values.begin());
  }
  RunFacts facts() const override { return this->on_machine({.grids = 1}); }

 protected:
  virtual void fill() = 0;
  virtual void add_up(const Strides& strides) = 0;

  std::int64_t n_ = 0;
  AlignedArray<T> values_, filled_, sums_;
};

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

const axes::Variant outer = {.name = "outer",
                             .summary = "the innermost loop goes along the outermost axis",
                             .make = made_of<axes::Patterns, Outer>};

const axes::Variant inner = {.name = "inner",
                             .summary = "the innermost loop goes along memory",
                             .role = Role::like_for_like,
                             .make = made_of<axes::Patterns, Inner>};

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu<axes::Variant>(
      argc, argv, "serial", "Access patterns on one core: an array of four axes is filled and added up along each",
      BOLTZMARK_BUILD_INFO, {outer, inner}, "inner");
}
