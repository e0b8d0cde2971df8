#include "analysis/roofline/formulas.hpp"

namespace boltzmark {

double published_bandwidth_gb_per_s(int nx, int ny, int iterations, double seconds) {
  const double updates = static_cast<double>(nx) * ny * iterations;
  return updates * published_bytes_per_update / seconds / 1e9;
}

double operational_intensity(double flops, double bytes) { return flops / bytes; }

double gflop_per_s(double gb_per_s, double flop_per_byte) { return gb_per_s * flop_per_byte; }

double speed_ratio(double published_seconds, double our_seconds) { return published_seconds / our_seconds; }

double bandwidth_scaled_ratio(double published_seconds, double published_gb_per_s, double our_seconds,
                              double our_gb_per_s) {
  return speed_ratio(published_seconds * published_gb_per_s, our_seconds * our_gb_per_s);
}

}  // namespace boltzmark
