// Shared by the textbook variants of the models: bodies in this machine's memory, and the step of one body. The loops
// over the bodies are in the models' files.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/nbody/bodies.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::nbody {

extern const target::LayerEntry workload;
extern const target::HostRuns on_host;

template <class T>
class Textbook : public target::Run {
 public:
  explicit Textbook(Workers workers = {}) : workers_(std::move(workers)) {}

  void init(const target::Problem& problem) override {
    problem_ = &problem;
    m_ = as_numbers(array_of(problem.start, "m"), unit_.mass);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      at_[i] = as_numbers(array_of(problem.start, coordinates[i]), unit_.of(i));
  }
  void run() override {
    for (std::int64_t done = 0; done < problem_->steps; ++done) {
      before_ = at_;
      step();
    }
  }
  target::Arrays results() override {
    target::Arrays all;
    for (std::size_t i = 0; i < coordinates.size(); ++i) all.push_back(in_si(coordinates[i], at_[i], i));
    for (std::size_t i = 0; i < coordinates.size(); ++i) all.push_back(in_si('.' + coordinates[i], before_[i], i));
    return all;
  }
  RunFacts facts() const override {
    const target::Work work = workload.work_of(*problem_, Form::pairs, sizeof(T));
    return workers_.with({.bytes_per_update = work.bytes,
                          .flops_per_update = work.flops,
                          .operations_per_update = work.operations,
                          .traffic = {set_of_bodies(*problem_, 10, sizeof(T))}});
  }

 protected:
  virtual void step() = 0;

  std::int64_t bodies() const { return static_cast<std::int64_t>(m_.size()); }
  /// v_j += dt sum over i of G m_i d / |d|^3,   d = x_i - x_j
  void pull(std::int64_t j) {
    auto& [x, y, z, vx, vy, vz] = at_;
    const std::int64_t all = bodies();
    const T least = static_cast<T>(unit_.least), strength = static_cast<T>(unit_.strength());
    T ax = 0, ay = 0, az = 0;
    for (std::int64_t i = 0; i < all; ++i) {
      const T dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      const T square = std::max(dx * dx + dy * dy + dz * dz, least), pull = m_[i] / (square * std::sqrt(square));
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    vx[j] += strength * ax;
    vy[j] += strength * ay;
    vz[j] += strength * az;
  }
  /// x_j += dt v_j
  void move(std::int64_t j) {
    const T dt = static_cast<T>(unit_.dt());
    for (int axis = 0; axis < 3; ++axis) at_[axis][j] += dt * at_[axis + 3][j];
  }

  Workers workers_;
  static constexpr Units unit_ = units<T>;
  const target::Problem* problem_ = nullptr;
  std::vector<T> m_;
  std::array<std::vector<T>, 6> at_;  ///< in the order of `coordinates`

 private:
  static std::vector<T> as_numbers(std::vector<double> values, double unit) {
    for (double& value : values) value /= unit;
    return {values.begin(), values.end()};
  }
  static target::NamedArray in_si(const std::string& name, const std::vector<T>& values, std::size_t coordinate) {
    target::NamedArray array = {name, {values.begin(), values.end()}};
    for (double& value : array.values) value *= unit_.of(coordinate);
    return array;
  }

  std::array<std::vector<T>, 6> before_;  ///< the last step
};

}  // namespace boltzmark::nbody
