// The bean machine on a target: a site is a bean.
#pragma once

#include "common/galton/forms.hpp"
#include "common/target/on_target.hpp"

// Must come after all others, because its words are macros.
#include "common/galton/galton.h"

namespace boltzmark::galton {

template <class Target>
class Code : public CodeOn<Target> {
 public:
  using CodeOn<Target>::CodeOn;

  static Lattice lattice(const Problem& problem, const Share& share) {
    return Lattice::line(static_cast<int>(share.end(problem.size[0]) - share.begin(problem.size[0])));
  }

  void start() {
    const std::vector<typename Target::Scalar> nowhere(static_cast<std::size_t>(target_.lattice().stride()));
    target_.copy_to(place_, nowhere.data(), 0, 1);
  }

  void step() {
    const std::int64_t first = share_.begin(problem_.size[0]);
    const int height = static_cast<int>(problem_.size[1]);
    const Sites beans = target_.lattice().interior();
    if (form_ == Form::bits)
      target_.launch(TARGET_KERNEL(fall_by_bits), beans, place_, first, height, problem_.seed);
    else
      target_.launch(TARGET_KERNEL(fall_by_uniform), beans, place_, first, height, problem_.seed);
  }

  Arrays results() { return {{"res", share_.collect(fetch(target_, place_, 0, target_.lattice().interior()))}}; }

 private:
  using CodeOn<Target>::target_, CodeOn<Target>::problem_, CodeOn<Target>::share_, CodeOn<Target>::form_;

  typename Target::Field place_ = target_.make(1);
};

}  // namespace boltzmark::galton
