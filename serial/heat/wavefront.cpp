// Wavefront: several steps in one sweep, each a row behind the one before it, while the rows are in cache;
// common/heat/cpu/wavefront.hpp draws it.
//
//     for all waves   for all steps s of the sweep   rows wave - s:   next = 0.2 (...);   delta[s] += |next - centre|
#include "common/heat/cpu/wavefront.hpp"
#include "common/heat/host_solver.hpp"
#include "common/run/vector_lengths.hpp"

namespace boltzmark::serial {
using namespace heat;
namespace {

template <class T, int lanes>
class TimeSkewed : public HostSolver<T> {
 public:
  explicit TimeSkewed(const Options& asked) : asked_depth_(asked.number("time-block")) {}

  void init(const Plate& plate, int steps) override {
    HostSolver<T>::init(plate, steps);
    sweep_.emplace(plate, 1, asked_depth_);
  }

  void advance(std::span<double> deltas) override {
    RowClock clock = sweep_->make_clock();
    std::fill(deltas.begin(), deltas.end(), 0.0);
    const auto steps = static_cast<int>(deltas.size());
    sweep_->run(grids_, 0, now_, steps, clock, deltas.data());
    now_ = (now_ + steps) % 2;
  }
  int steps_per_look() const override { return sweep_->depth(); }

  /// As if every step were a sweep of its own.
  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = 2.0 * sizeof(T),
                             .steps_per_launch = sweep_->depth(),
                             .settings = {{"vvl", lanes}, {"strip", sweep_->strip()}}});
  }

 private:
  using HostSolver<T>::grids_, HostSolver<T>::now_;

  std::optional<int> asked_depth_;
  std::optional<Wavefront<T, lanes>> sweep_;
};

}  // namespace

extern const heat::Variant wavefront = {
    .name = "wavefront",
    .summary = "several steps in one sweep over the rows",
    .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of_vvl<Solver, TimeSkewed>};

}  // namespace boltzmark::serial
