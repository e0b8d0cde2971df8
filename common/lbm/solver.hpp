// The interface of a variant to the lattice Boltzmann workload.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/base/half.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"
#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::lbm {

/// Macroscopic state of the whole grid, one value per cell at index x + nx*(y + ny*z), lattice units. A solver fills
/// fluid cells; values in solid cells are overwritten (at rest, initial density).
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

/// One model, variant and precision, ready to run one problem. Called in the order init, run, confirm, collect, each
/// once.
class Solver : public Runnable {
 public:
  /// Allocates, sets the start state (first touch by the thread that will use it), uploads, builds kernels. The
  /// problem outlives the solver.
  virtual void init(const Problem& problem) = 0;
  /// The timed part: `steps` time steps. av_vels has `steps` entries, initially NaN; on the root rank entry t becomes
  /// the mean of |u| over the fluid cells after step t. Returns when the work is finished, not when it is enqueued.
  virtual void run(int steps, std::span<double> av_vels) = 0;
  /// Gathers to the host: fills `state` on the root rank (already sized there); other ranks only send. Not
  /// called if the state is not used.
  virtual void collect(State& state) = 0;
};

/// Makes Class<T, L>: T by precision, L the problem's lattice.
template <template <class T, class L> class Class, class... Arguments>
std::unique_ptr<Solver> make_solver(const Problem& problem, Precision precision, const Arguments&... arguments) {
  const auto of_lattice = [&]<class L>(L) -> std::unique_ptr<Solver> {
    if (precision == Precision::f64) return std::make_unique<Class<double, L>>(arguments...);
    return std::make_unique<Class<float, L>>(arguments...);
  };
  return problem.parameters.dimension == 2 ? of_lattice(D2Q9{}) : of_lattice(D3Q19{});
}

/// Storage of populations in single precision.
ModelOption storage_option();
/// Whether they are stored as halves. Throws Error (bad_input) for doubles.
bool wants_halves(const Options& asked);
/// Tolerance of the check for these: docs/method/checking.md.
inline constexpr double half_tolerance = 2e-3;

/// The same for a variant with storage_option().
template <template <class T, class L> class Class, class... Arguments>
std::unique_ptr<Solver> make_stored(const Problem& problem, const Options& asked, const Arguments&... arguments) {
  if (!wants_halves(asked)) return make_solver<Class>(problem, asked.precision, arguments...);
  if (problem.parameters.dimension == 2) return std::make_unique<Class<Half, D2Q9>>(arguments...);
  return std::make_unique<Class<Half, D3Q19>>(arguments...);
}

using boltzmark::Variant;

extern const WorkloadEntry workload;

/// `.make` of a variant that is a class template over element type and lattice, constructed from the options if it
/// takes them.
template <template <class T, class L> class Class>
std::unique_ptr<Solver> made_of(const Problem& problem, const Options& asked) {
  if constexpr (std::is_constructible_v<Class<float, D2Q9>, const Options&>)
    return make_solver<Class>(problem, asked.precision, asked);
  else
    return make_solver<Class>(problem, asked.precision);
}
/// The same for one with storage_option().
template <template <class T, class L> class Class>
std::unique_ptr<Solver> stored_of(const Problem& problem, const Options& asked) {
  if constexpr (std::is_constructible_v<Class<float, D2Q9>, const Options&>)
    return make_stored<Class>(problem, asked, asked);
  else
    return make_stored<Class>(problem, asked);
}

/// A model's textbook, and the form in which models are compared, for both lattices.
template <template <class T, class L> class Class>
Variant textbook_of(const char* summary) {
  return {
      .name = "textbook", .summary = summary, .role = Role::textbook, .kinds = {D3Q19::name}, .make = made_of<Class>};
}
template <template <class T, class L> class Class>
Variant like_for_like_of(const char* name, const char* summary) {
  return {
      .name = name, .summary = summary, .role = Role::like_for_like, .kinds = {D3Q19::name}, .make = made_of<Class>};
}

}  // namespace boltzmark::lbm
