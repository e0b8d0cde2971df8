// Fused: two grids, and a time step is one transform to sums, over rows that a processor takes in vectors, or over a
// GPU's cells.
#include "thrust/on_system.hpp"

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/lane_step.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::by_thrust {
using namespace lbm;
extern const Variant textbook;

namespace {

template <class T, class L>
class Fused : public OnSystem<Solver> {
 public:
  using OnSystem<Solver>::OnSystem;

  void init(const Problem& problem) override {
    p_ = problem.parameters;
    steps_ = 0;
    layout_ = LaneGrid<Lanes<T>, L>(p_);
    require_memory("two grids", 2.0 * sizeof(T) * static_cast<double>(layout_.values()));
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    relaxation_ = make_relaxation<T, L>(p_);
    std::vector<T> host(static_cast<std::size_t>(layout_.values()));
    solid_ = in_system(layout_.start(problem, relaxation_, host.data()));
    for (auto& grid : grids_) {
      grid = Values<T>(host.size());
      fill_with(grid, T(0));
      thrust::copy(host.begin(), host.end(), grid.begin());
    }
    std::vector<Gain> gains;
    for (const auto& [cell, i, momentum] : wall_pushes<L>(problem))
      gains.push_back({layout_.at(static_cast<int>(cell / p_.nx), i, static_cast<int>(cell % p_.nx)), T(momentum)});
    gains_ = in_system(gains);
  }

  struct Step : LaneStep<Lanes<T>, L> {
    KERNEL_FN double operator()(std::int64_t number) const {
      if constexpr (!is_gpu) return this->update_row(static_cast<int>(number));
      // Cells of two grids in a GPU's memory are below 2^32.
      const auto cell = static_cast<unsigned int>(number), nx = static_cast<unsigned int>(this->grid.nx);
      return this->update_vector(static_cast<int>(cell / nx), static_cast<int>(cell % nx));
    }
  };
  /// What a moving wall gives to a population that has just left it.
  struct Gain {
    std::int64_t at;
    T gain;
  };
  struct Push {
    T* to;
    KERNEL_FN void operator()(const Gain& one) const { to[one.at] += one.gain; }
  };

  void run(int steps, std::span<double> av_vels) override {
    const double scale = static_cast<double>(relaxation_.speed_unit) / fluid_cells_;
    const std::int64_t count = is_gpu ? p_.cells() : layout_.rows;
    for (int step = 0; step < steps; ++step) {
      auto &from = grids_[step % 2], &to = grids_[(step + 1) % 2];
      const int driven_row = step == steps - 1 ? -1 : p_.driven_row();
      av_vels[step] =
          scale * joined<double>(count,
                                 Step{{layout_, data_of(from), data_of(to), data_of(solid_), driven_row, relaxation_}},
                                 thrust::plus<double>());
      if (!gains_.empty()) thrust::for_each(on_system(), gains_.begin(), gains_.end(), Push{data_of(to)});
    }
    steps_ = steps;
  }

  void collect(State& state) override {
    const auto host = on_host(grids_[steps_ % 2]);
    collect_fields<L>(p_.nx, layout_.rows, p_.density, fields_of(state),
                      [&](int i, int x, int row) { return host[static_cast<std::size_t>(layout_.at(row, i, x))]; });
  }

  RunFacts facts() const override { return on_system_of(cpu_facts<T, L>(2, {{"vvl", lanes_of<T>}})); }

 private:
  Parameters p_;
  LaneGrid<Lanes<T>, L> layout_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  Relaxation<T, L> relaxation_;
  Values<T> grids_[2];
  Values<std::uint32_t> solid_;
  Values<Gain> gains_;
};

const Variant fused = like_for_like_of<Fused>(
    "fused", "structure of arrays, two grids, one transform to sums per step, over rows in vectors, or a GPU's cells");

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, {textbook, fused}, "fused");
}
