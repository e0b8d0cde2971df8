// Wavefront: several steps in one sweep, each a row behind the one before it, while the rows are in cache;
// common/heat/cpu/wavefront.hpp draws it.
//
//     for all waves   for all steps s of the sweep   rows wave - s:   next = 0.2 (...);   delta[s] += |next - centre|
#include "common/heat/cpu/wavefront.hpp"
#include "common/run/vector_lengths.hpp"

namespace boltzmark::serial {
using namespace heat;
namespace {

template <class T, int lanes>
class TimeSkewed : public WavefrontSolver<T, lanes, HostSolver<T>> {
 public:
  explicit TimeSkewed(const Options& asked) : TimeSkewed::WavefrontSolver(asked.number("time-block")) {}

  void advance(std::span<double> deltas) override {
    RowClock clock = this->sweep_->make_clock();
    std::fill(deltas.begin(), deltas.end(), 0.0);
    const auto steps = static_cast<int>(deltas.size());
    this->sweep_->run(this->grids_, 0, this->now_, steps, clock, deltas.data());
    this->now_ = (this->now_ + steps) % 2;
  }
};

}  // namespace

extern const heat::Variant wavefront = {
    .name = "wavefront",
    .summary = "several steps in one sweep over the rows",
    .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of_vvl<Solver, TimeSkewed>};

}  // namespace boltzmark::serial
