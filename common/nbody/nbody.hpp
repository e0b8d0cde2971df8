// Bodies on a target. Each rank has all bodies and moves its own.
#pragma once

#include <algorithm>

#include "common/nbody/bodies.hpp"
#include "common/target/on_target.hpp"

// Must come after all others, because its words are macros.
#include "common/nbody/nbody.h"

namespace boltzmark::nbody {

template <class Target>
class Code : public CodeOn<Target> {
 public:
  using typename CodeOn<Target>::T, typename CodeOn<Target>::Field;

  static Lattice lattice(const Problem& problem, const Share&) {
    return Lattice::line(static_cast<int>(problem.size[0]));
  }

  Code(Target& target, const Problem& problem, const Share& share, int form)
      : CodeOn<Target>(target, problem, share, form), bodies_(static_cast<int>(problem.size[0])) {
    const auto first = static_cast<int>(share_.begin(bodies_)), end = static_cast<int>(share_.end(bodies_));
    own_ = target_.lattice().box(first, 0, 0, end - first, 1, 1);
    body_ = target_.make(4);
    moved_ = target_.make(4);
    velocity_ = target_.make(3);
    next_ = target_.make(3);
    if (form_ == Form::array)
      for (int i = 0; i < 4; ++i) of_pairs_.push_back(target_.make(bodies_));
  }

  void start() {
    for (Field* field : {&body_, &moved_}) bring_all(*field, 3, "m", unit_.mass);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      bring_all(i < 3 ? body_ : velocity_, static_cast<int>(i % 3), coordinates[i], unit_.of(i));
  }

  void step() {
    using REAL = T;  // for ROWS_AT_ONCE
    Sites first = own_;
    first.length = (own_.length + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
    if (form_ == Form::pairs)
      target_.launch(TARGET_KERNEL(kick), own_, body_, moved_, velocity_, next_, bodies_, least_, strength_, dt_);
    else if (form_ == Form::segments)
      target_.launch_rows(TARGET_KERNEL(kick_by_rows), first, body_, moved_, velocity_, next_, bodies_,
                          own_.length - first.length, least_, strength_, dt_);
    else
      kick_by_arrays();
    std::swap(velocity_, next_);
    if (form_ == Form::array) target_.launch(TARGET_KERNEL(drift), own_, body_, moved_, velocity_, dt_);
    std::swap(body_, moved_);
    if constexpr (requires { body_.memory.data(); }) {
      target_.wait();
      for (int axis = 0; axis < 3; ++axis)
        share_.complete(body_.memory.data() + axis * target_.lattice().stride(), bodies_);
    }
  }

  /// Includes the bodies before the last step, for the check.
  Arrays results() {
    Arrays all;
    const auto add = [&](const std::string& name, const Field& field, int value, double unit) {
      auto mine = fetch(target_, field, value, own_);
      for (double& number : mine) number *= unit;
      all.push_back({name, share_.collect(std::move(mine))});
    };
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      add(coordinates[i], i < 3 ? body_ : velocity_, static_cast<int>(i % 3), unit_.of(i));
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      add('.' + coordinates[i], i < 3 ? moved_ : next_, static_cast<int>(i % 3), unit_.of(i));
    return all;
  }

 private:
  void bring_all(Field& field, int value, const std::string& name, double unit) {
    std::vector<double> numbers = array_of(problem_.start, name);
    for (double& number : numbers) number /= unit;
    bring(target_, field, value, target_.lattice().interior(), numbers.data());
  }

  /// Own sites, in this many values of a field.
  Sites rows(int count) const {
    Sites rows = own_;
    rows.rows = count;
    rows.row_pitch = rows.stride;
    return rows;
  }
  void kick_by_arrays() {
    const Sites all = rows(bodies_);
    auto &dx = of_pairs_[0], &dy = of_pairs_[1], &dz = of_pairs_[2], &squares = of_pairs_[3];
    for (int axis = 0; axis < 3; ++axis)
      target_.launch(TARGET_KERNEL(store_differences), all, body_, of_pairs_[axis], axis);
    target_.launch(TARGET_KERNEL(store_squares), all, dx, dy, dz, squares, least_);
    for (int axis = 0; axis < 3; ++axis) {
      target_.launch(TARGET_KERNEL(store_pulls), all, body_, squares, of_pairs_[axis]);
      target_.launch(TARGET_KERNEL(kick_by_sums), own_, of_pairs_[axis], bodies_, velocity_, next_, axis, strength_);
    }
  }

  static constexpr Units unit_ = units<T>;
  const T least_ = static_cast<T>(unit_.least), strength_ = static_cast<T>(unit_.strength()),
          dt_ = static_cast<T>(unit_.dt());

  using CodeOn<Target>::target_, CodeOn<Target>::problem_, CodeOn<Target>::share_, CodeOn<Target>::form_;

  int bodies_;
  Sites own_;
  Field body_, moved_;     ///< x, y, z, m, and their next places, which after a step hold the previous ones
  Field velocity_, next_;  ///< current, and next, which after a step hold the previous ones
  std::vector<Field> of_pairs_;
};

}  // namespace boltzmark::nbody
