// Textbook: the method as it is written down.
//
//     for all j   v_j += dt sum over i of G m_i d / |d|^3,   d = x_i - x_j
//     for all j   x_j += dt v_j
#include <cmath>

#include "common/nbody/textbook.hpp"

namespace boltzmark::serial {
namespace {

template <class T>
class Textbook final : public nbody::Textbook<T> {
  void step() override {
    auto& [x, y, z, vx, vy, vz] = this->at_;
    const auto bodies = static_cast<std::int64_t>(x.size());
    const T least = static_cast<T>(this->unit_.least), strength = static_cast<T>(this->unit_.strength()),
            dt = static_cast<T>(this->unit_.dt());
    for (std::int64_t j = 0; j < bodies; ++j) {
      T ax = 0, ay = 0, az = 0;
      for (std::int64_t i = 0; i < bodies; ++i) {
        const T dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
        const T square = std::max(dx * dx + dy * dy + dz * dz, least),
                pull = this->m_[i] / (square * std::sqrt(square));
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
      }
      vx[j] += strength * ax;
      vy[j] += strength * ay;
      vz[j] += strength * az;
    }
    for (std::int64_t j = 0; j < bodies; ++j) {
      x[j] += dt * vx[j];
      y[j] += dt * vy[j];
      z[j] += dt * vz[j];
    }
  }
};

}  // namespace
}  // namespace boltzmark::serial

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {textbook_of<Run, serial::Textbook>("two loops: velocities from all pairs, then positions")};
}
