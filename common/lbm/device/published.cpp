// published: the variant described in opencl/lbm/kernels/published.cl, for both lattices.
#include <vector>

#include "common/device/build.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/device/strip.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

using namespace device;

extern const std::string_view published_source;

namespace {

constexpr WorkGroup group = {128, 1, 1};

class Published final : public GridRun {
 public:
  Published(const ComputeDevice& device, const LbmOptions& options) : GridRun(device, options) {
    check_work_group(device_, group, value_bytes());
  }

  void init(const Problem& problem) override {
    problem_ = &problem;
    const Parameters& p = grid();
    global_ = Range(round_up(p.nx, group.x), p.ny, p.nz);
    const auto mask = problem.solid_mask();
    const std::vector<std::int32_t> solid(mask.begin(), mask.end());
    prepare(published_source,
            {.group = group, .reduction = Reduction::tree, .defines = is_flat() ? "" : "-D LATTICE_D3Q19"},
            StepSums(options_.precision, groups_in(global_, group), options_.delay),
            {{&grids_[0], values() * value_bytes()},
             {&grids_[1], values() * value_bytes()},
             {&solid_bits_, solid.size() * sizeof solid[0], solid.data()}});
  }

  void collect(State& state) override {
    HostValues grid_values(storage_of(options_), values());
    attempt("read the final state",
            [&] { session_->queue()->read(grids_[state_], 0, grid_values.bytes(), grid_values.data()); });
    const Parameters& p = grid();
    collect_rows(p, p.ny * p.nz, fields_of(state),
                 [&](int i, int x, int row) { return grid_values[place(x, row % p.ny, row / p.ny, i)]; });
  }

 private:
  struct Extent {
    std::int32_t nx, ny, nz;
  };

  int directions() const { return is_flat() ? D2Q9::directions : D3Q19::directions; }
  std::size_t values() const {
    return static_cast<std::size_t>(problem_->cells()) * static_cast<std::size_t>(directions());
  }
  std::size_t place(int x, int y, int z, int i) const {
    const Parameters& p = grid();
    return ((static_cast<std::size_t>(i) * p.nz + z) * p.ny + y) * p.nx + x;
  }

  void make_kernels() override {
    const Parameters& p = grid();
    const Value c = relaxation_value(p, options_);
    const Extent n = {p.nx, p.ny, p.nz};
    for (int i = 0; i < 2; ++i)
      steps_[i] = Kernel(module_, "published_step", 0, -1, solid_bits_, sums_->partial_sums(),
                         Local{value_bytes() * group.x}, n, c, grids_[i], grids_[1 - i]);
    accelerate_start_ = Kernel(module_, "accelerate_start", p.driven_row(), solid_bits_, n, c, grids_[0]);
  }

  /// At rest, which a step does not change.
  void launch_first() override {
    for (int i = 0; i < 2; ++i) enqueue(1, 0, true);
  }

  void start() override {
    const Parameters& p = grid();
    state_ = 0;
    if (!starts_at_rest(p)) write_start_state();
    walls_.set_up(*session_, module_, *problem_, whole_grid(p), options_.precision, 1.0, grids_, false,
                  [&](int x, int y, int z, int i) { return place(x, y, z, i); });
    if (p.driven_row() >= 0) session_->queue()->launch(accelerate_start_, Range(p.nx, p.nz));
  }

  void write_start_state() {
    const auto write = [&]<class T>(T) {
      const auto state = start_grid<T, D3Q19>(*problem_);
      session_->queue()->write(grids_[0], 0, state.size() * sizeof(T), state.data());
    };
    options_.precision == Precision::f64 ? write(double()) : write(float());
  }

  void enqueue(int, int first_sum, bool is_end) override {
    const Kernel& step = steps_[state_];
    step.rebind(first_sum, is_end ? -1 : grid().driven_row());
    session_->queue()->launch(step, global_, Range(group.x, 1, 1));
    state_ = 1 - state_;
    walls_.enqueue(session_->queue(), state_, {.south = 0, .south_rows = grid().layers(), .north = 0, .north_rows = 0},
                   nullptr);
  }

  void add_facts(RunFacts& facts) const override {
    facts.settings.update({{"work_group", to_string(group)}, {"reduction", to_string(Reduction::tree)}});
  }

  Walls walls_;
  Range global_;
};

}  // namespace

extern const Variant published = {
    .name = "published",
    .summary =
        "as published for D3Q19: one fused kernel, two grids, structure of arrays, one work-item per "
        "cell, work-group (128,1,1) on every device",
    .kinds = {D3Q19::name},
    .options = {delay_option()},
    .make = on_device<Published>};

}  // namespace boltzmark::lbm
