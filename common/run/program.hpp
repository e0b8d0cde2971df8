// A program is one model at one workload: its variants, devices and options. These interfaces are called once per run,
// never inside a time loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "common/base/error.hpp"
#include "common/cpu/memory.hpp"
#include "common/run/operations.hpp"
#include "common/run/options.hpp"
#include "common/run/settings.hpp"
#include "common/run/team.hpp"
#include "common/run/traffic.hpp"

namespace boltzmark {

struct RunFacts;

/// All bits set: not a number in single and double precision.
inline constexpr std::uint32_t spoiled_word = 0xffffffff;

/// What a variant makes: one model and precision. A workload's interface adds init(), what is timed, and how results
/// are read. Where ranks share the data, all of them call every member but those that read.
class Implementation {
 public:
  virtual ~Implementation() = default;
  /// Before init: the memory found if so many bytes of data do not fit, in words like "21.3 GiB free in this machine";
  /// "" if they fit.
  virtual std::string shortage(double bytes) { return memory_shortage(static_cast<std::uint64_t>(bytes)); }
  /// Untimed, before each run: fills what the run writes, partial results too, with what no right result has, on
  /// whatever holds it: numbers that are none (spoiled_word), so that what a run left undone is seen. Nothing where
  /// each run begins with init(), or where its results are returned.
  virtual void spoil() {}
  /// Untimed, after each run: throws Error (unavailable) where the device did not do it.
  virtual void confirm() {}
  /// Brings the results to the root.
  virtual void collect() {}
  virtual RunFacts facts() const = 0;
};

/// The role of a variant in comparisons.
enum class Role {
  other,
  textbook,       ///< as defined, or as a student of the model writes it
  like_for_like,  ///< the form in which models are compared with one another
  peer,           ///< a library's implementation; never the default
};

/// A variant as one object in its own file. Made: what the workload runs, e.g. lbm::Solver, and in words Made::what;
/// Case: what is known of the case when it is made, e.g. lbm::Problem.
template <class Made, class... Case>
struct VariantOf {
  using Reason = std::string(const Case&..., const Options&);
  using Make = std::unique_ptr<Made>(const Case&..., const Options&);

  std::string name;
  std::string summary;  ///< one line
  Role role = Role::other;
  std::vector<Precision> precisions = {Precision::f32, Precision::f64};
  /// Kinds of cases that it supports: lattices of lbm (D2Q9 is always supported), cases of the binary fluid.
  std::vector<std::string> kinds = {};
  std::vector<ModelOption> options = {};  ///< that it takes, with the ranges that are right for it
  std::function<Reason> fits = {};  ///< why it cannot run the case with these options, "" if it can; none: always can
  std::function<Make> make = nullptr;  ///< for options that were checked. Throws Error

  std::string why_not(const Case&... of, const Options& asked) const { return fits ? fits(of..., asked) : ""; }
};

/// The variant that runs when none is named: its name, or a function that chooses by case and options.
template <class... Case>
struct DefaultVariant : std::function<std::string(const Case&..., const Options&)> {
  using Function = std::function<std::string(const Case&..., const Options&)>;
  using Function::Function;
  DefaultVariant(Function choose) : Function(std::move(choose)) {}
  DefaultVariant(const char* name) : Function([name](const Case&..., const Options&) { return name; }), always(name) {}
  std::string always = "";  ///< its name; "": chosen by case, device or options
};

/// A device that --device can choose; its number is its position in the list.
struct Device {
  std::string type;  ///< "cpu", "gpu", "accelerator"
  std::string name;
  std::string details;  ///< units, memory, driver: one line
};

/// What the runner needs to know of a program. VariantOf<Made, Case...> is the workload's kind of variant; Program is
/// the same whatever is computed, and --describe prints it.
template <class Made, class... Case>
struct ProgramOf<VariantOf<Made, Case...>> {
  std::string model;                                    ///< name of its folder, e.g. "openmp_target"
  std::string summary;                                  ///< one line for --help
  std::vector<VariantOf<Made, Case...>> variants = {};  ///< in the order of --list-variants; the first is the default
  DefaultVariant<Case...> default_variant = {};         ///< where it is not the first
  std::vector<ModelOption> options = {};                ///< in the order of --help: those that every variant takes
  std::function<std::vector<Device>()> devices = {};
  /// The device that these options choose, for a tuner and for tuned options: at least "name". Without it
  /// there are no tuned options.
  std::function<Settings(const Options&)> device_limits = {};
  /// Kernels are compiled at run time and cached, so that the first run starts seconds later.
  bool compiles_kernels = false;
  /// One line of warning before a run, "" for none. Collective.
  std::function<std::string(const Options&)> warning = {};

  /// For `summary`: what is computed, and where.
  static std::string summary_of(const std::string& where) { return std::string(Made::what).append(" ").append(where); }

  /// Makes the variant that the options name. Throws Error (bad_input) where it does not fit the case.
  std::unique_ptr<Made> make(const Case&... of, const Options& asked) const {
    const auto one = std::find_if(variants.begin(), variants.end(),
                                  [&](const auto& variant) { return variant.name == asked.variant; });
    const std::string why_not = one->why_not(of..., asked);
    if (!why_not.empty()) throw bad_input("--variant {}: {}", one->name, why_not);
    return one->make(of..., asked);
  }
  std::string usual(const Case&... of, const Options& asked) const {
    return default_variant ? default_variant(of..., asked) : variants.front().name;
  }

  /// What the runner sees of it: variants that are not made, and the options of all of them.
  Program outline() const {
    Program program = {.model = model, .summary = summary, .options = options, .devices = devices};
    program.device_limits = device_limits;
    program.compiles_kernels = compiles_kernels;
    program.warning = warning;
    program.default_variant.always = default_variant ? default_variant.always : variants.front().name;
    for (ModelOption& option : program.options) option.in_every_variant = true;
    for (const auto& v : variants) {
      program.variants.push_back({v.name, v.summary, v.role, v.precisions, v.kinds, v.options});
      for (const ModelOption& option : v.options) add_option(program.options, option);
    }
    return program;
  }
};

/// `.make` of a variant that is a class, made of the options where it takes them.
template <class Made, class Class>
std::unique_ptr<Made> made_of(const Options& asked) {
  if constexpr (std::is_constructible_v<Class, const Options&>)
    return std::make_unique<Class>(asked);
  else
    return std::make_unique<Class>();
}
/// The same of a class template over the element type.
template <class Made, template <class T> class Class>
std::unique_ptr<Made> made_of(const Options& asked) {
  return asked.precision == Precision::f64 ? made_of<Made, Class<double>>(asked) : made_of<Made, Class<float>>(asked);
}

/// A model's textbook of a workload (Role::textbook), as made_of() makes it.
template <class Made, class Class>
VariantOf<Made> textbook_of(const char* summary) {
  return {.name = "textbook", .summary = summary, .role = Role::textbook, .make = made_of<Made, Class>};
}
template <class Made, template <class T> class Class>
VariantOf<Made> textbook_of(const char* summary) {
  return {.name = "textbook", .summary = summary, .role = Role::textbook, .make = made_of<Made, Class>};
}

/// The form of it in which models are compared (Role::like_for_like).
template <class Made, class Class>
VariantOf<Made> like_for_like_of(const char* name, const char* summary) {
  return {.name = name, .summary = summary, .role = Role::like_for_like, .make = made_of<Made, Class>};
}
template <class Made, template <class T> class Class>
VariantOf<Made> like_for_like_of(const char* name, const char* summary) {
  return {.name = name, .summary = summary, .role = Role::like_for_like, .make = made_of<Made, Class>};
}

/// Class<T> by the precision, made of these arguments.
template <class Made, template <class T> class Class, class... Arguments>
std::unique_ptr<Made> of_precision(Precision precision, const Arguments&... arguments) {
  if (precision == Precision::f64) return std::make_unique<Class<double>>(arguments...);
  return std::make_unique<Class<float>>(arguments...);
}

/// What a workload does with a program: its interface's static member run_workload, defined with the workload by
/// run_as().
template <class Made, class... Case>
using RunWorkload = int (*)(int argc, char** argv, const ProgramOf<VariantOf<Made, Case...>>& program, Team& team);

/// The main of a model's program; returns its exit status.
template <class Made, class... Case>
int run_program(int argc, char** argv, const ProgramOf<VariantOf<Made, Case...>>& program, Team& team) {
  return Made::run_workload(argc, argv, program, team);
}
template <class V>
int run_program(int argc, char** argv, const ProgramOf<V>& program) {
  Team alone;
  return run_program(argc, argv, program, alone);
}

/// What a finished run says of itself, for the record.
struct RunFacts {
  std::string variant = "";               ///< that ran, where the default one had to give way to another
  std::string device = "";                ///< where it really ran, as its runtime reports it
  std::string device_type = "cpu";        ///< "cpu", "gpu" or "accelerator"
  std::string pci_address = "";           ///< of a GPU that has one, "0000:17:00.0"
  std::string driver = "";                ///< version of the runtime or driver behind it, "" where there is none
  int threads = 1;                        ///< threads per rank (0 where the device decides)
  int ranks = 1;                          ///< processes
  int grids = 2;                          ///< copies of the case's data that it keeps
  double bytes_per_update = 0.0;          ///< moved to and from memory, by the algorithm's own count
  double flops_per_update = 0.0;          ///< counted by running the code on a counting type
  Operations operations_per_update = {};  ///< that have roofs of their own
  std::int64_t steps_per_launch = 1;      ///< time steps between two visits to the host, or in one sweep of a device
  bool write_allocate = true;            ///< a line is read before a plain store changes it, as in a processor's caches
  double fetched_per_update = 0.0;       ///< bytes of lines that plain stores fetch, where write_allocate
  Traffic traffic = {};                  ///< empty: all data in every step, bytes_per_update and those fetched
  std::optional<double> tolerance = {};  ///< of its results, where it is not that of the precision
  Settings settings = {};                ///< of the model, worth keeping, e.g. work_group
};

}  // namespace boltzmark
