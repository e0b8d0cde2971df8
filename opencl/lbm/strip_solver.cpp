#include "opencl/lbm/strip_solver.hpp"

#include <utility>

#include "opencl/lbm/row_layout.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;
namespace {

class StripSolver final : public Solver {
 public:
  explicit StripSolver(std::unique_ptr<DeviceStrip> strip) : strip_(std::move(strip)) {}

  void init(const Problem& problem) override {
    all_ = {.south = 0, .south_rows = problem.parameters.layers(), .north = 0, .north_rows = 0};
    strip_->init(problem, whole_grid(problem.parameters), {all_});
  }

  void run(int steps, std::span<double> av_vels) override {
    int launches = 0;
    strip_->run(
        steps,
        [&](int step, int count, int first_sum) {
          strip_->enqueue({.bands = all_,
                           .source = launches++ % 2,
                           .steps = count,
                           .first_sum = first_sum,
                           .is_end = step + count == steps});
        },
        av_vels);
  }

  void collect(State& state) override { strip_->collect(fields_of(state)); }
  RunFacts facts() const override { return strip_->facts(); }

 private:
  std::unique_ptr<DeviceStrip> strip_;
  Bands all_ = {};
};

}  // namespace

std::unique_ptr<Solver> on_whole_grid(std::unique_ptr<DeviceStrip> strip) {
  return std::make_unique<StripSolver>(std::move(strip));
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
