// What a variant of a programming model is to the lattice Boltzmann workload.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"
#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::lbm {

/// Macroscopic state of the whole grid, one value per cell at index x + nx*(y + ny*z), lattice
/// units.
/// A solver fills fluid cells; what it leaves in solid cells is overwritten (at rest, initial density).
struct State {
  std::vector<double> ux, uy, density;
  std::vector<double> uz;  ///< empty in two dimensions

  static double bytes(const Problem& problem) {
    return (1.0 + problem.parameters.dimension) * sizeof(double) * static_cast<double>(problem.cells());
  }
  void resize(std::int64_t cells, int dimension = 2) {
    for (auto* field : {&ux, &uy, &density}) field->assign(static_cast<std::size_t>(cells), 0.0);
    uz.assign(dimension == 3 ? static_cast<std::size_t>(cells) : 0, 0.0);
  }
  double speed(std::size_t cell) const {
    return uz.empty() ? std::hypot(ux[cell], uy[cell]) : std::hypot(ux[cell], uy[cell], uz[cell]);
  }
};

inline Fields fields_of(State& state) { return {state.ux, state.uy, state.density, state.uz}; }

/// One model, variant and precision, ready to run one problem. Used as init, run, confirm, collect, each once.
class Solver {
 public:
  virtual ~Solver() = default;
  /// Allocates, sets the start state (first touch by whoever will use it), uploads, builds kernels. The
  /// problem outlives the solver.
  virtual void init(const Problem& problem) = 0;
  /// The timed part: `steps` time steps. av_vels has `steps` entries, all 0 before; on the root rank entry t
  /// becomes the mean of |u| over the fluid cells after step t. Returns when the work is finished, not when
  /// it is enqueued.
  virtual void run(int steps, std::span<double> av_vels) = 0;
  /// After the time steps and not timed, in every run: throws Error (unavailable) where they were not done as
  /// they should be and only the solver can tell, such as on another device.
  virtual void confirm() {}
  /// Gathers to the host: fills `state` on the root rank (already sized there); other ranks only send. Not
  /// called where nobody wants the state.
  virtual void collect(State& state) = 0;
  virtual RunFacts facts() const = 0;
};

/// Makes Variant<T, L>: T by precision, L the problem's lattice.
template <template <class T, class L> class Variant, class... Arguments>
std::unique_ptr<Solver> make_solver(const Problem& problem, Precision precision,
                                    const Arguments&... arguments) {
  const auto of_lattice = [&]<class L>(L) -> std::unique_ptr<Solver> {
    if (precision == Precision::f64) return std::make_unique<Variant<double, L>>(arguments...);
    return std::make_unique<Variant<float, L>>(arguments...);
  };
  return problem.parameters.dimension == 2 ? of_lattice(D2Q9{}) : of_lattice(D3Q19{});
}

/// A model's program for this workload.
struct Program : boltzmark::Program {
  /// The variant that runs when none is named: the fastest that is right for this problem and device.
  std::function<std::string(const Problem&, const Options&)> default_variant;
  /// Makes the solver for checked options (variant and precision known to exist, the variant for the problem's
  /// lattice). Throws Error (unavailable)
  /// where this machine cannot run it, Error (bad_input) for an option value that makes no sense.
  std::function<std::unique_ptr<Solver>(const Problem&, const Options&)> make;
};

/// The main of a model's program. Returns its exit status.
int run_program(int argc, char** argv, const Program& program);
/// The same for the ranks of a team.
int run_program(int argc, char** argv, const Program& program, Team& team);

}  // namespace boltzmark::lbm
