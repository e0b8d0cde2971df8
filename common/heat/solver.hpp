// The heat equation on a plate with a border of fixed temperature, by the simplest scheme. A step, for every cell:
//
//     new = 0.2 (centre + north + south + west + east)
//     delta += |new - centre|
//
// repeated until delta is small enough, or for a given number of steps. A step reads and writes every cell once, 16
// bytes in double precision, for 7 FLOPs (absolute values are not counted): it is bound by memory, and only a variant
// that does several steps on loaded data can exceed that bound.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "common/heat/plate.hpp"
#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::heat {

inline constexpr double flops_per_update = 7.0;

/// One model, variant and precision.
class Solver : public Implementation {
 public:
  /// Makes the plate, for runs of at most this many steps. Collective.
  virtual void init(const Plate& plate, int steps) = 0;
  /// The timed part: deltas.size() steps, and the delta of each, on every rank. Collective.
  virtual void advance(std::span<double> deltas) = 0;
  /// Steps between two checks of delta, for runs that end by it: they may do up to one step fewer than this too many.
  virtual int steps_per_look() const { return 1; }
  /// A row of the temperatures, without the border, on the root; on any thread.
  virtual void read(std::int64_t row, std::span<double> values) const = 0;

  /// `most` steps, or fewer if the delta of one is at most `enough`; returns the deltas of the steps done. Without a
  /// limit (0) no delta is read before the end.
  std::vector<double> run(int most, double enough) {
    std::vector<double> deltas(static_cast<std::size_t>(most), std::numeric_limits<double>::quiet_NaN());
    const int at_once = enough > 0.0 ? steps_per_look() : most;
    for (int done = 0; done < most;) {
      const std::span next = std::span(deltas).subspan(done, std::min(at_once, most - done));
      advance(next);
      done += static_cast<int>(next.size());
      if (std::any_of(next.begin(), next.end(), [&](double delta) { return delta <= enough; }) && enough > 0.0)
        deltas.resize(static_cast<std::size_t>(most = done));
    }
    return deltas;
  }
};

using boltzmark::Variant;

extern const WorkloadEntry workload;

}  // namespace boltzmark::heat
