// Linked into the programs that users have, in the place of run_program (by the linker's --wrap): --corrupt
// ARRAY:ELEMENT then makes that element of the results wrong, as the check sees them, by a hundredth of the largest
// number that is read with it. In arrays on lattices all values of a site are neighbours.
#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <tuple>

#include "common/axes/patterns.hpp"
#include "common/base/text.hpp"
#include "common/heat/solver.hpp"
#include "common/lbm/solver.hpp"
#include "common/matmul/multiplier.hpp"
#include "common/reduce/reducer.hpp"
#include "common/scan/scanner.hpp"
#include "common/segments/reducer.hpp"
#include "common/stream/kernels.hpp"
#include "common/target/layer.hpp"

// After all others: its words are macros.
#include "common/binary_fluid/fluid.hpp"

namespace boltzmark::testing {
namespace {

/// The object made, and the element that will be wrong.
template <class Made>
struct Held : Made {
  Held(std::unique_ptr<Made> held, const std::string& place)
      : made(std::move(held)), array(place.substr(0, place.find(':'))) {
    if (array.size() < place.size()) element = std::stoul(place.substr(array.size() + 1));
  }

  /// Values of an array, from number `first` on.
  void corrupt(std::string_view name, std::span<double> values, std::int64_t first = 0) const {
    const std::size_t at = element - static_cast<std::size_t>(first);
    if (name != array || at >= values.size()) return;
    double largest = 0.0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    values[at] += largest > 0.0 ? 0.01 * largest : 0.01;
  }

  void confirm() override { made->confirm(); }
  RunFacts facts() const override { return made->facts(); }

  std::unique_ptr<Made> made;
  std::string array;
  std::size_t element = 0;
};

template <class Made>
struct HeldImplementation : Held<Made> {
  using Held<Made>::Held, Held<Made>::made;
  std::string shortage(double bytes) override { return made->shortage(bytes); }
  void spoil() override { made->spoil(); }
  void collect() override { made->collect(); }
};

template <class Made>
struct Corrupted;

template <>
struct Corrupted<axes::Patterns> final : HeldImplementation<axes::Patterns> {
  using HeldImplementation::HeldImplementation;
  void init(std::int64_t n) override { made->init(n); }
  void run(axes::Pass pass) override { made->run(pass); }
  Range part(axes::Pass pass, std::int64_t all) const override { return made->part(pass, all); }
  void read(axes::Pass pass, std::int64_t at, std::span<double> values) override {
    made->read(pass, at, values);
    corrupt(axes::pass_names[static_cast<std::size_t>(pass)], values, at);
  }
};

template <>
struct Corrupted<heat::Solver> final : HeldImplementation<heat::Solver> {
  using HeldImplementation::HeldImplementation;
  void init(const heat::Plate& plate, int steps) override { made->init(plate, steps); }
  void advance(std::span<double> deltas) override {
    made->advance(deltas);
    corrupt("deltas", deltas);
  }
  int steps_per_look() const override { return made->steps_per_look(); }
  void read(std::int64_t row, std::span<double> values) const override {
    made->read(row, values);
    corrupt("temperatures", values, row * std::ssize(values));
  }
};

template <>
struct Corrupted<lbm::Solver> final : Held<lbm::Solver> {
  using Held::Held;
  void init(const lbm::Problem& problem) override { made->init(problem); }
  void run(int steps, std::span<double> av_vels) override {
    made->run(steps, av_vels);
    corrupt("av_vels", av_vels);
  }
  void collect(lbm::State& state) override {
    made->collect(state);
    corrupt("ux", state.ux);
    corrupt("uy", state.uy);
    corrupt("uz", state.uz);
    corrupt("density", state.density);
  }
};

template <>
struct Corrupted<matmul::Multiplier> final : HeldImplementation<matmul::Multiplier> {
  using HeldImplementation::HeldImplementation;
  void init(const matmul::Shape& shape, const matmul::Entries& entries) override { made->init(shape, entries); }
  void multiply() override { made->multiply(); }
  void read(std::int64_t row, std::span<double> values) const override {
    made->read(row, values);
    corrupt("c", values, row * std::ssize(values));
  }
};

template <>
struct Corrupted<reduce::Reducer> final : HeldImplementation<reduce::Reducer> {
  using HeldImplementation::HeldImplementation;
  void init(const reduce::Task& task) override { made->init(task); }
  reduce::Result reduce() override {
    reduce::Result result = made->reduce();
    corrupt("number", {&result.number, 1});
    if (array == "bit") result.word ^= std::uint64_t{1} << element;
    return result;
  }
};

template <>
struct Corrupted<scan::Scanner> final : HeldImplementation<scan::Scanner> {
  using HeldImplementation::HeldImplementation;
  void init(std::int64_t elements) override { made->init(elements); }
  void scan() override { made->scan(); }
  scan::Passes passes() const override { return made->passes(); }
  std::int64_t first() const override { return made->first(); }
  std::int64_t part() const override { return made->part(); }
  void read(std::int64_t at, std::span<double> sums) override {
    made->read(at, sums);
    corrupt("sums", sums, at);
  }
};

template <>
struct Corrupted<segments::Reducer> final : HeldImplementation<segments::Reducer> {
  using HeldImplementation::HeldImplementation;
  void init(const segments::Shape& shape) override { made->init(shape); }
  void reduce() override { made->reduce(); }
  std::int64_t first() const override { return made->first(); }
  std::int64_t part() const override { return made->part(); }
  void read(std::int64_t at, std::span<double> sums) override {
    made->read(at, sums);
    corrupt("sums", sums, at);
  }
};

template <>
struct Corrupted<stream::Kernels> final : HeldImplementation<stream::Kernels> {
  using HeldImplementation::HeldImplementation;
  stream::Memory memory() override { return made->memory(); }
  void init(std::int64_t elements) override { made->init(elements); }
  void copy() override { made->copy(); }
  void mul() override { made->mul(); }
  void add() override { made->add(); }
  void triad() override { made->triad(); }
  double dot() override {
    double sum = made->dot();
    corrupt("dot", {&sum, 1});
    return sum;
  }
  std::int64_t part() const override { return made->part(); }
  void read(stream::Array of, std::int64_t first, std::span<double> values) override {
    made->read(of, first, values);
    corrupt(std::array{"a", "b", "c"}[static_cast<std::size_t>(of)], values, first);
  }
};

template <>
struct Corrupted<target::Run> final : HeldImplementation<target::Run> {
  using HeldImplementation::HeldImplementation;
  void init(const target::Problem& problem) override { made->init(problem); }
  void run() override { made->run(); }
  std::uint32_t lost_launches() override { return made->lost_launches(); }
  target::Arrays results() override {
    target::Arrays results = made->results();
    for (target::NamedArray& one : results) corrupt(one.name, one.values);
    return results;
  }
};

template <>
struct Corrupted<binary_fluid::Fluid> final : HeldImplementation<binary_fluid::Fluid> {
  using HeldImplementation::HeldImplementation;
  void init(const target::Problem& problem) override { made->init(problem); }
  void run() override {
    made->run();
    has_run = true;
  }
  std::uint32_t lost_launches() override { return made->lost_launches(); }
  double bytes_held_per_site() const override { return made->bytes_held_per_site(); }
  std::vector<double> results_of(const std::vector<std::int64_t>& sites) override {
    std::vector<double> found = made->results_of(sites);
    corrupt("sites", found, sites.front() * (std::ssize(found) / std::ssize(sites)));
    return found;
  }
  binary_fluid::Statistics statistics() override {
    binary_fluid::Statistics of = made->statistics();
    std::array means = {of.density, of.phi, of.momentum[0], of.momentum[1], of.momentum[2]};
    if (has_run) corrupt("means", means);  // not those of the start
    std::tie(of.density, of.phi, of.momentum[0], of.momentum[1], of.momentum[2]) = std::tuple_cat(means);
    return of;
  }
  void want(const binary_fluid::Wanted& wanted) override { made->want(wanted); }
  void copy(bool to_target) override { made->copy(to_target); }
  double copy_error() const override { return made->copy_error(); }

  bool has_run = false;
};

/// Made by a workload of this interface: wrong, else nothing.
template <class Made>
bool corrupt_one(std::unique_ptr<Runnable>& made, const std::string& place) {
  if (!dynamic_cast<Made*>(made.get())) return false;
  made = std::make_unique<Corrupted<Made>>(as_made<Made>(std::move(made)), place);
  return true;
}
template <class... Made>
void corrupt_any(std::unique_ptr<Runnable>& made, const std::string& place) {
  if (!(corrupt_one<Made>(made, place) || ...)) throw std::logic_error("corrupted.cpp knows no such workload");
}

}  // namespace

int real_run_program(int argc, char** argv,
                     const Program& program) __asm__("__real__ZN9boltzmark11run_programEiPPcRKNS_7ProgramE");
int wrapped_run_program(int argc, char** argv,
                        const Program& program) __asm__("__wrap__ZN9boltzmark11run_programEiPPcRKNS_7ProgramE");

/// A program whose variants are those of another, corrupted.
int wrapped_run_program(int argc, char** argv, const Program& right) {
  Program program = right;
  program.options.push_back({.name = "corrupt", .value = "ARRAY:ELEMENT", .help = "of the results, to be wrong"});
  program.variants = changed(program.variants, [](Variant& variant) {
    variant.make = [make = variant.make](const AnyCase& of, const Options& asked) {
      auto made = make(of, asked);
      corrupt_any<axes::Patterns, heat::Solver, lbm::Solver, matmul::Multiplier, reduce::Reducer, scan::Scanner,
                  segments::Reducer, stream::Kernels, binary_fluid::Fluid, target::Run>(made, asked.text("corrupt"));
      return made;
    };
  });
  return real_run_program(argc, argv, program);
}

}  // namespace boltzmark::testing
