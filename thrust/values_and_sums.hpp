// Values and sums of them in the system's memory: what prefix and segmented sums have in common.
#pragma once

#include "thrust/on_system.hpp"

#include "common/base/eighths.h"

namespace boltzmark::by_thrust {

/// Value number i of both workloads.
template <class T>
struct EighthAt {
  KERNEL_FN T operator()(std::int64_t i) const {
    return T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(i)));
  }
};

template <class Interface, class T>
class ValuesAndSums : public OnSystem<Interface> {
 public:
  using OnSystem<Interface>::OnSystem;

  void spoil() override { fill_with(sums_, std::numeric_limits<T>::quiet_NaN()); }
  std::int64_t part() const override { return static_cast<std::int64_t>(sums_.size()); }
  void read(std::int64_t at, std::span<double> sums) override { read_values(sums_, at, sums); }

 protected:
  void make_arrays(std::int64_t values, std::int64_t sums) {
    values_ = Values<T>(static_cast<std::size_t>(values));
    sums_ = Values<T>(static_cast<std::size_t>(sums));
    thrust::tabulate(on_system(), values_.begin(), values_.end(), EighthAt<T>());
    ValuesAndSums::spoil();
  }

  Values<T> values_, sums_;
};

}  // namespace boltzmark::by_thrust
