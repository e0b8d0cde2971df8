// Pi on a target: sums over numbers that are never stored, except in variants that show the cost of storing them.
#pragma once

#include <algorithm>
#include <numeric>

#include "common/pi/forms.hpp"
#include "common/target/on_target.hpp"

// Must come after all others, because its words are macros.
#include "common/pi/pi.h"

namespace boltzmark::pi {

template <class Target>
class Code : public CodeOn<Target> {
 public:
  using typename CodeOn<Target>::T;

  /// At most as many terms at a time as are stored.
  static Lattice lattice(const Problem& problem, const Share& share) {
    const std::int64_t mine = share.end(problem.size[0]) - share.begin(problem.size[0]);
    return Lattice::line(static_cast<int>(std::clamp<std::int64_t>(mine, 1, most_stored)));
  }

  Code(Target& target, const Problem& problem, const Share& share, int form)
      : CodeOn<Target>(target, problem, share, form) {
    if (form_ == Form::host_sum || form_ == Form::array) terms_ = target_.make(1);
    stored_.resize(form_ == Form::host_sum ? static_cast<std::size_t>(target_.lattice().stride()) : 0);
  }

  void start() {}

  void step() {
    const std::int64_t begin = share_.begin(problem_.size[0]), end = share_.end(problem_.size[0]);
    const std::int64_t block = terms_ ? target_.lattice().nx() : most_sites;
    double sum = 0.0;
    for (std::int64_t first = begin; first < end; first += block)
      sum += sum_of(first, static_cast<int>(std::min(block, end - first)));
    sum_ = share_.join(Reduce::sum, sum);
  }

  Arrays results() { return {{"res", {4.0 * sum_ / divisor()}}}; }

 private:
  double divisor() const { return form_ == Form::points ? static_cast<double>(problem_.size[0]) : 1.0; }

  double sum_of(std::int64_t first, int count) {
    const Sites sites = {0, count, 1, 1, 0, 0, static_cast<int>(target_.lattice().stride())};
    switch (form_) {
      case Form::points:
        return target_.sum(TARGET_SUM_KERNEL(points_inside), sites, first, problem_.size[0], problem_.seed);
      case Form::two_divisions:
        return target_.sum(TARGET_SUM_KERNEL(two_divisions), sites, static_cast<T>(first));
      case Form::one_division:
        return target_.sum(TARGET_SUM_KERNEL(one_division), sites, static_cast<T>(first));
      default:
        break;
    }
    target_.launch(TARGET_KERNEL(store_terms), sites, *terms_, static_cast<T>(first));
    if (form_ == Form::array) return target_.sum(TARGET_SUM_KERNEL(stored_terms), sites, *terms_);
    target_.copy_from(*terms_, stored_.data(), 0, 1);
    double sum = 0.0;
    constexpr int block = 1024;  // otherwise the last terms would be lost in rounding
    for (int i = 0; i < count; i += block)
      sum += std::accumulate(stored_.begin() + i, stored_.begin() + std::min(count, i + block), 0.0);
    return sum;
  }

  static constexpr std::int64_t most_sites = std::int64_t{1} << 30;

  using CodeOn<Target>::target_, CodeOn<Target>::problem_, CodeOn<Target>::share_, CodeOn<Target>::form_;

  std::optional<typename Target::Field> terms_;
  std::vector<T> stored_;
  double sum_ = 0.0;
};

}  // namespace boltzmark::pi
