// The arrays of access patterns on an offload device, shared by the variants of axes-openmp-target. Included by the
// files with target regions.
#pragma once

#include <span>

#include "common/axes/patterns.hpp"
#include "common/base/eighths.h"
#include "openmp_target/runtime/on_device.hpp"

namespace boltzmark::openmp_target {

template <class T>
class DevicePatterns : public OnDevice<axes::Patterns> {
 public:
  using OnDevice<axes::Patterns>::OnDevice;

  std::string shortage(double bytes) override { return shortage_for(bytes); }
  void init(std::int64_t n) override {
    n_ = n;
    launch_over(n * n * n);
    for (auto* array : {&values_, &filled_}) {
      *array = DeviceArray<T>(n * n * n * n, device_.number);
      if (!is_gpu()) array->use_huge_pages();
    }
    sums_ = DeviceArray<T>(n * n * n, device_.number);
    T* const values = values_.data();
    each_number(n * n * n * n, [=](std::int64_t i) {
      values[i] = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(i)));
    });
    confirm();
  }
  void spoil() override {
    filled_.spoil();
    sums_.spoil();
  }
  void run(axes::Pass pass) override {
    if (pass == axes::Pass::fill)
      fill();
    else
      add_up(axes::strides_of(pass, n_));
    ++regions_;
  }
  void read(axes::Pass pass, std::int64_t at, std::span<double> to) override {
    (pass == axes::Pass::fill ? filled_ : sums_).read_as_doubles(at, to);
  }
  RunFacts facts() const override {
    RunFacts facts = OnDevice::facts();
    facts.grids = 1;
    return facts;
  }

 protected:
  /// One region each.
  virtual void fill() = 0;
  virtual void add_up(const axes::Strides& strides) = 0;

  std::int64_t n_ = 0;
  DeviceArray<T> values_, filled_, sums_;
};

}  // namespace boltzmark::openmp_target
