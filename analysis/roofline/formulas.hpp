// The published formulas.
#pragma once

namespace boltzmark {

inline double operational_intensity(double flops_per_update, double bytes_per_update) {
  return flops_per_update / bytes_per_update;
}
inline double gflop_per_s(double gb_per_s, double flop_per_byte) { return gb_per_s * flop_per_byte; }

}  // namespace boltzmark
