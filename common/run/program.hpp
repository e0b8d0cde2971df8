// A program is one model of one workload: its variants, devices and options. These interfaces are called once per run,
// never inside a time loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "common/base/error.hpp"
#include "common/cpu/memory.hpp"
#include "common/run/options.hpp"
#include "common/run/settings.hpp"
#include "common/run/team.hpp"
#include "common/run/traffic.hpp"

namespace boltzmark {

struct RunFacts;

/// All bits set: NaN in single and double precision.
inline constexpr std::uint32_t spoiled_word = 0xffffffff;

/// The object that a variant makes, for one model and precision. A workload's interface adds init(), the timed part and
/// functions that read results. If ranks share the data, all of them call every member except those that read.
class Runnable {
 public:
  virtual ~Runnable() = default;
  /// Untimed, after each run: throws Error (unavailable) if the device failed to do the run.
  virtual void confirm() {}
  virtual RunFacts facts() const = 0;
};

/// The same with the members that most workloads (WorkloadOf) need.
class Implementation : public Runnable {
 public:
  /// Before init: the memory found if this many bytes of data do not fit, in words like "21.3 GiB free in this
  /// machine"; "" if they fit.
  virtual std::string shortage(double bytes) { return memory_shortage(static_cast<std::uint64_t>(bytes)); }
  /// Untimed, before each run: overwrites all that the run will write, partial results included, with NaN
  /// (spoiled_word), so that skipped work fails the check. Does nothing if each run begins with init(), or returns its
  /// results.
  virtual void spoil() {}
  /// Brings the results to the root.
  virtual void collect() {}
};

/// The role of a variant in comparisons.
enum class Role {
  other,
  textbook,       ///< by the definition, or as a student of the model writes it
  like_for_like,  ///< the form in which models are compared
  peer,           ///< a library's implementation; never the default
};

/// The case for which a variant is chosen and made, if the workload passes one: lbm::Problem. It converts to the type
/// from which it was made, and outlives the object made.
class AnyCase {
 public:
  AnyCase() = default;
  template <class T>
  explicit AnyCase(const T& of) : of_(&of), type_(&typeid(T)) {}
  template <class T>
  operator const T&() const {
    if (!type_ || *type_ != typeid(T)) throw std::bad_cast();
    return *static_cast<const T*>(of_);
  }

 private:
  const void* of_ = nullptr;
  const std::type_info* type_ = nullptr;
};

/// A function of the options, or of the case and the options; false if there is none.
template <class Result>
class OfCase : public std::function<Result(const AnyCase&, const Options&)> {
  using Function = std::function<Result(const AnyCase&, const Options&)>;
  template <class F>
  static constexpr bool takes_case = std::is_invocable_r_v<Result, const F&, const AnyCase&, const Options&>;
  template <class F>
  static constexpr bool takes_options = std::is_invocable_r_v<Result, const F&, const Options&>;
  template <class F>
  static Function of_both(F f) {
    if constexpr (takes_case<F>)
      return f;
    else
      return [f = std::move(f)](const AnyCase&, const Options& asked) -> Result { return f(asked); };
  }

 public:
  OfCase() = default;
  template <class F>
  requires(takes_case<F> || takes_options<F>) OfCase(F f) : Function(of_both(std::move(f))) {}
};

/// A variant as one object in its own file.
struct Variant {
  std::string name;
  std::string summary;  ///< one line
  Role role = Role::other;
  std::vector<Precision> precisions = {Precision::f32, Precision::f64};
  /// Kinds of cases that it supports: lattices of lbm (D2Q9 is always supported), cases of the binary fluid.
  std::vector<std::string> kinds = {};
  std::vector<ModelOption> options = {};  ///< options that it takes, with its own ranges
  OfCase<std::string> fits = {};          ///< reason why it cannot run the case with these options, "" if it can
  /// Makes the object that the workload runs, e.g. an lbm::Solver, from checked options. Throws Error.
  OfCase<std::unique_ptr<Runnable>> make = {};

  std::string why_not(const AnyCase& of, const Options& asked) const { return fits ? fits(of, asked) : ""; }
};

/// The object made, as its type Made.
template <class Made>
std::unique_ptr<Made> as_made(std::unique_ptr<Runnable> one) {
  auto& made = dynamic_cast<Made&>(*one);  // otherwise a main lists a variant of another workload
  one.release();
  return std::unique_ptr<Made>(&made);
}

/// A variant in a program's list: an object in one of its sources, by address, or one that the program makes.
class VariantPointer {
 public:
  VariantPointer(const Variant* of_a_source);
  VariantPointer(Variant made);
  const Variant& operator*() const { return *one_; }
  const Variant* operator->() const { return one_.get(); }

 private:
  std::shared_ptr<const Variant> one_;
};
using Variants = std::vector<VariantPointer>;

/// The default variant: its name, or a function that chooses by case and options.
struct DefaultVariant : OfCase<std::string> {
  using OfCase::OfCase;
  DefaultVariant(const char* name);
  std::string always = "";  ///< its name; "": chosen by case, device or options
};

/// A device that --device can choose; its number is its position in the list.
struct Device {
  std::string type;  ///< "cpu", "gpu", "accelerator"
  std::string name;
  std::string details;  ///< units, memory, driver: one line
};

/// A workload as its programs refer to it: an object in its folder, common/<workload>/.
struct WorkloadEntry {
  const char* what;  ///< is computed, for the program's summary: "Prefix sums"
  std::unique_ptr<Workload> (*make)(const Program& program);
  bool chooses_by_case = false;  ///< choice of the default variant
};

/// A model's program of a workload; --describe prints it.
struct Program {
  const WorkloadEntry* workload = nullptr;
  std::string model;                      ///< name of its folder, e.g. "openmp_target"
  std::string where;                      ///< it computes, for --help: "on one core"
  Variants variants = {};                 ///< in the order of --list-variants; the first is the default
  DefaultVariant default_variant = {};    ///< if it is not the first
  std::vector<ModelOption> options = {};  ///< options that every variant takes, in the order of --help
  std::function<std::vector<Device>()> devices = {};
  /// The device that these options choose, for a tuner and for tuned options; has at least "name". If it is absent,
  /// there are no tuned options.
  std::function<Settings(const Options&)> device_limits = {};
  /// Kernels are compiled at run time and cached, so that the first run starts seconds later.
  bool compiles_kernels = false;
  /// One line of warning before a run, "" for none. Collective.
  std::function<std::string(const Options&)> warning = {};

  std::string summary() const;
  /// The variant of this name, or nullptr.
  const Variant* variant(const std::string& name) const;
  /// The name of the default variant.
  std::string usual(const Options& asked, const AnyCase& of = {}) const;
  /// Makes the variant that the options name. Throws Error (bad_input) if it does not fit the case.
  template <class Made>
  std::unique_ptr<Made> make(const Options& asked, const AnyCase& of = {}) const {
    return as_made<Made>(make_any(asked, of));
  }
  /// The same with the options of all variants, as the runner offers them.
  Program with_all_options() const;

  std::unique_ptr<Runnable> make_any(const Options& asked, const AnyCase& of) const;
};

/// Changed copies of these.
Variants changed(const Variants& variants, const std::function<void(Variant&)>& change);
/// The same, with start(options) called before one of them is made.
Variants before_each(const Variants& variants, const std::function<void(const Options&)>& start);

/// `.make` of a variant that is a class, constructed from the options if it takes them.
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
Variant textbook_of(const char* summary) {
  return {.name = "textbook", .summary = summary, .role = Role::textbook, .make = made_of<Made, Class>};
}
template <class Made, template <class T> class Class>
Variant textbook_of(const char* summary) {
  return {.name = "textbook", .summary = summary, .role = Role::textbook, .make = made_of<Made, Class>};
}

/// The form of it in which models are compared (Role::like_for_like).
template <class Made, class Class>
Variant like_for_like_of(const char* name, const char* summary) {
  return {.name = name, .summary = summary, .role = Role::like_for_like, .make = made_of<Made, Class>};
}
template <class Made, template <class T> class Class>
Variant like_for_like_of(const char* name, const char* summary) {
  return {.name = name, .summary = summary, .role = Role::like_for_like, .make = made_of<Made, Class>};
}

/// Class<T> by the precision, made of these arguments.
template <class Made, template <class T> class Class, class... Arguments>
std::unique_ptr<Made> of_precision(Precision precision, const Arguments&... arguments) {
  if (precision == Precision::f64) return std::make_unique<Class<double>>(arguments...);
  return std::make_unique<Class<float>>(arguments...);
}

/// The main of a model's program; returns its exit status.
int run_program(int argc, char** argv, const Program& program, Team& team);
int run_program(int argc, char** argv, const Program& program);

/// Facts of a finished run for the record.
struct RunFacts {
  std::string variant = "";               ///< variant that ran, if not the default one
  std::string device = "";                ///< device that really ran it, as reported by its runtime
  std::string device_type = "cpu";        ///< "cpu", "gpu" or "accelerator"
  std::string pci_address = "";           ///< of a GPU that has one, "0000:17:00.0"
  std::string driver = "";                ///< version of the runtime or driver behind it, "" if there is none
  int threads = 1;                        ///< threads per rank (0 if the device decides)
  int ranks = 1;                          ///< processes
  int grids = 2;                          ///< copies of the case's data in memory
  double bytes_per_update = 0.0;          ///< moved to and from memory, by the algorithm's own count
  double flops_per_update = 0.0;          ///< counted by running the code on a counting type
  Operations operations_per_update = {};  ///< operations with separate roofs
  std::int64_t steps_per_launch = 1;      ///< time steps between two visits to the host, or in one sweep of a device
  bool write_allocate = true;            ///< plain stores read a line before they change it, as in a processor's caches
  double fetched_per_update = 0.0;       ///< bytes of lines that plain stores fetch, where write_allocate
  Traffic traffic = {};                  ///< empty: all data in every step, bytes_per_update and those fetched
  std::optional<double> tolerance = {};  ///< tolerance of its results, if not that of the precision
  Settings settings = {};                ///< settings of the model worth recording, e.g. work_group
};

}  // namespace boltzmark
