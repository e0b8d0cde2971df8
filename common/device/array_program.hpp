// A workload on arrays as a device runs it: the session, the arrays, and the launches of a run, most in work-groups of
// one row. Variants differ only in their kernels.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/device/build.hpp"
#include "common/device/session.hpp"

namespace boltzmark::device {

/// A library's algorithm on a device's arrays: a peer of the kernels, such as CUB with CUDA (cuda/runtime/nvcc.hpp).
class LibraryCall {
 public:
  virtual ~LibraryCall() = default;
  /// Puts it into the session's queue. Throws Error (unavailable).
  virtual void enqueue() = 0;
  /// For the record: the library and its compiler.
  virtual Settings settings() const = 0;
};

/// The call: makes `results` from the first `count` of `values`.
struct LibraryTask {
  std::string defines = "";  ///< "-D NAME=VALUE ...", as a shell reads it
  Buffer values, results;
  std::int64_t count = 0;
};

/// Compiles it and allocates its memory besides the arrays. Throws Error (unavailable), in one line, if it is not
/// installed. The session must outlive it.
using MakeLibraryCall =
    std::function<std::unique_ptr<LibraryCall>(Session& session, const BuildOptions& options, const LibraryTask& task)>;

/// The type of the values, and the narrowest that counts them: a library may have better code for it.
inline std::string library_defines(const std::string& type, std::int64_t count) {
  const bool is_long = count > std::numeric_limits<std::int32_t>::max();
  return fmt::format("-D \"BOLTZMARK_VALUE={}\" -D \"BOLTZMARK_COUNT={}\"", type, is_long ? "long long" : "int");
}

inline const char* number_type(Precision precision) { return precision == Precision::f64 ? "double" : "float"; }

/// A variant that is a class Made, constructed from options and `how`: its kernels, or a library's call.
template <class Made, class How>
Variant array_variant(const char* name, const char* summary, How how, Role role = Role::other,
                      std::vector<ModelOption> options = {work_group_option()}) {
  return {.name = name,
          .summary = summary,
          .role = role,
          .options = std::move(options),
          .make = [how](const Options& asked) { return std::make_unique<Made>(asked, how); }};
}

/// The variant that is the library CUB: Made, constructed from options and `run`.
template <class Made, class Run>
Variant library_variant(Run run) {
  Variant cub =
      array_variant<Made>("cub", "the library CUB, compiled by the toolkit's nvcc (peer)", run, Role::peer, {});
  cub.make = [make = cub.make](const AnyCase& of, const Options& asked) {
    refuse_for_library(asked, api().compiler_option);
    return make(of, asked);
  };
  return cub;
}

/// Number of parts of at most `part` in `whole`.
inline std::int64_t parts_of(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

class ArrayProgram {
 public:
  /// On the device that the options name. Throws as device_for().
  explicit ArrayProgram(const Options& options);

  /// Sets the group (256x1 without this call): --work-group, or Nx1 with N `usual`, halved until the device accepts it.
  /// Throws Error (bad_input) unless it is Nx1 with N a power of two, and Error (unavailable) if the device cannot run
  /// it with `local_values` values of local memory per work-item.
  void choose_group(int usual, int local_values);

  const ComputeDevice& device() const { return device_; }
  bool is_cpu() const { return device_.type == DeviceType::cpu; }
  bool has_warps() const { return device_.sub_groups == SubGroups::warps; }
  const Options& options() const { return options_; }
  Precision precision() const { return options_.precision; }
  std::size_t value_bytes() const { return static_cast<std::size_t>(bytes_of(precision())); }
  /// Values of a processor's vector registers, or of a GPU's widest load.
  int vector_lanes() const {
    return is_cpu() ? device_.native_lanes(precision()) : 16 / static_cast<int>(value_bytes());
  }
  /// Work-items of a group.
  int group() const { return group_.x; }
  Session& session() { return *session_; }
  const Session& session() const { return *session_; }

  /// device_shortage() of `bytes`, the largest array having `largest`.
  std::string shortage(double bytes, double largest) const;

  /// The shape of kernels in such groups; kernels are told whether groups consist of warps.
  KernelShape shape(const std::string& defines = "", int lanes = 1, int vectors = 1) const;
  /// Opens the device, without any launches.
  void open();
  /// Opens the device and builds the source with these groups.
  void build(std::string_view source, const KernelShape& shape);
  /// Later launches are of another source, or of the same source in another shape.
  void build_more(std::string_view source, const KernelShape& shape);
  const Module& module() const { return module_; }

  /// A long array of this many results; and one of values, filled by the source's kernel `fill` with the values of a
  /// longer array from `first` on.
  Buffer array(std::int64_t values);
  Buffer filled_array(std::int64_t values, std::int64_t first = 0);
  /// Zeroed device memory, a multiple of four bytes, which lives as long as the session: for partial results, and for
  /// data that kernels keep between runs.
  const Buffer& scratch(std::size_t bytes);
  const Buffer& state(std::size_t bytes);
  Local local(int values_of_item) const {
    return {value_bytes() * static_cast<std::size_t>(values_of_item * group_.x)};
  }

  /// Adds a launch of `groups` groups to those of a run.
  template <class... Arguments>
  void add(std::int64_t groups, const char* kernel, const Arguments&... arguments) {
    add_items(Range(groups * group_.x), Range(group_.x), kernel, arguments...);
  }
  /// The same for this many work-items, in groups of this shape.
  template <class... Arguments>
  void add_items(const Range& items, const Range& group, const char* kernel, const Arguments&... arguments) {
    attempt("set up the kernels", [&] {
      launches_.push_back({device::Kernel(module_, kernel, arguments...), items, group});
    });
  }
  /// Calls `rebind` before each run of the latest launch, to change arguments.
  void before_each(std::function<void(const Kernel&)> rebind) { launches_.back().before = std::move(rebind); }
  /// Makes the run a library call, which is compiled here.
  void call(const MakeLibraryCall& make, const LibraryTask& task) {
    library_ = make(*session_, build_options(options_), task);
  }

  /// Overwrites arrays and scratch; for Implementation::spoil.
  void spoil() { session_->spoil(results_); }

  /// The first run, in which drivers finish their setup.
  void run_first();
  /// Enqueues a run, or only `count` of its launches.
  void enqueue() const;
  void enqueue(std::size_t first, std::size_t count) const;
  std::size_t launches() const { return launches_.size(); }
  const Kernel& kernel(std::size_t launch) const { return launches_[launch].kernel; }
  /// Enqueues a run and waits. Throws Error (unavailable): "cannot DOING: ..."
  void run(const char* doing) const;
  /// The same for a single launch.
  void run_one(std::size_t launch, const char* doing) const;

  /// Values of an array, from `at` on. Throws Error (unavailable).
  void read(const Buffer& array, std::int64_t at, std::span<double> into) const {
    session_->read_values(array, at, into);
  }

  /// With the work-group, the launches and `settings`, or the facts of the library.
  RunFacts facts() const;

  Settings settings;  ///< of the kernels, for the record

 private:
  ComputeDevice device_;
  Options options_;
  WorkGroup group_ = {256, 1};
  std::optional<Session> session_;
  std::unique_ptr<LibraryCall> library_;
  Module module_;
  std::deque<Buffer> memory_;
  std::vector<BufferRequest> results_;
  struct ArrayLaunch {
    Kernel kernel;
    Range items, group;
    std::function<void(const Kernel&)> before = {};
  };
  std::vector<ArrayLaunch> launches_;
};

}  // namespace boltzmark::device
