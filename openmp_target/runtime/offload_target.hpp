// The target that is an offload device of OpenMP: a chunk for every thread of a GPU in turn, parts of rows for threads
// of a processor. Its members are those of common/target/host_target.hpp.
#pragma once

#include <optional>
#include <vector>

#include "openmp_target/runtime/on_device.hpp"
#include "openmp_target/runtime/words.hpp"

#pragma omp begin declare target
#include "common/cpu/simd_wide.hpp"
#include "common/target/target.h"
#pragma omp end declare target

#include "common/target/kernel.hpp"

namespace boltzmark::openmp_target {

#pragma omp begin declare target

/// A kernel's arguments as plain data: what a region copies to the device as they are.
template <class... Arguments>
struct LaunchArguments {
  template <class REAL, class Function, class... Before>
  KERNEL_FN auto call(const Function& function, const Before&... before) const {
    return function.template operator()<REAL>(before...);
  }
};
template <class First, class... Rest>
struct LaunchArguments<First, Rest...> {
  First first;
  LaunchArguments<Rest...> rest;

  template <class REAL, class Function, class... Before>
  KERNEL_FN auto call(const Function& function, const Before&... before) const {
    return rest.template call<REAL>(function, before..., first);
  }
};

KERNEL_FN LaunchArguments<> launch_arguments() { return {}; }
template <class First, class... Rest>
KERNEL_FN auto launch_arguments(First first, Rest... rest) {
  return LaunchArguments<First, Rest...>{first, launch_arguments(rest...)};
}

/// What a region is launched with.
template <class Function, class Given>
struct alignas(8) Launch {
  target::Sites box;
  Given given;
  Function function;
};

/// What numbers of a box's sites, which are ints, are divided as: a division of 64 bits is some 80 instructions of a GPU.
using Number = std::uint32_t;

KERNEL_FN int rows_of(const target::Sites& box) { return box.rows * box.layers; }
/// Site `x` of a row of a box.
KERNEL_FN int site_in_row(const target::Sites& box, Number row, Number x) {
  const Number layer = row / static_cast<Number>(box.rows), in_layer = row - layer * box.rows;
  return box.first + static_cast<int>(x + in_layer * box.row_pitch + layer * box.layer_pitch);
}

#pragma omp end declare target

template <class T>
class OffloadTarget : public OnDevice<> {
 public:
  using Scalar = T;
  struct Field {
    DeviceArray<T> memory;
    int values = 0;
    T* argument() const { return memory.data(); }
  };
  using Constants = Field;

  OffloadTarget(const Options& asked, std::optional<int> vvl, const target::Lattice& lattice)
      : OnDevice(asked), lattice_(lattice), vvl_(vvl.value_or(is_gpu() ? 1 : device_.properties.lanes<T>())) {
    launch_over((lattice.stride() + vvl_ - 1) / vvl_);
    sums_ = DeviceArray<double>(launch_.all_threads(), device_.number);
  }

  std::uint32_t lost_launches() const { return 0; }  // confirm() sees to it

  const target::Lattice& lattice() const { return lattice_; }
  int vvl() const { return vvl_; }
  RunFacts facts() const {
    RunFacts facts = OnDevice<>::facts();
    facts.write_allocate = !is_gpu() && vvl_ * sizeof(T) < 64;  // see SET_PAST
    return facts;
  }

  template <class Launches>
  void first_launches(Launches&& launches) const {
    launches();
  }

  Field make(int values) {
    Field field = allocate(values * lattice_.stride(), values);
    T* const to = field.argument();
    const std::int64_t stride = lattice_.stride();
    this->each_number(stride, [=](std::int64_t site) {
      for (std::int64_t v = 0; v < values; ++v) to[v * stride + site] = 0;
    });
    return field;
  }
  Constants constants(const std::vector<T>& numbers) {
    Field field = allocate(static_cast<std::int64_t>(numbers.size()), 1);
    field.memory.write(0, field.memory.size(), numbers.data());
    return field;
  }

  void copy_to(Field& field, const T* host, int first, int count) {
    field.memory.write(first * lattice_.stride(), count * lattice_.stride(), host);
  }
  void copy_from(const Field& field, T* host, int first, int count) {
    field.memory.read(first * lattice_.stride(), count * lattice_.stride(), host);
  }

  std::vector<T> gather(const Field& field, const std::vector<std::int32_t>& wanted) {
    std::vector<T> values(wanted.size() * static_cast<std::size_t>(field.values));
    if (wanted.empty()) return values;
    const auto sites = on_device(wanted, device_.number);
    const DeviceArray<T> packed(static_cast<std::int64_t>(values.size()), device_.number);
    move_wanted(field, sites.data(), packed.data(), static_cast<std::int64_t>(wanted.size()), true);
    packed.read(0, packed.size(), values.data());
    return values;
  }
  void scatter(Field& field, const std::vector<std::int32_t>& wanted, const std::vector<T>& values) {
    if (wanted.empty()) return;
    const auto sites = on_device(wanted, device_.number);
    const auto packed = on_device(values, device_.number);
    move_wanted(field, sites.data(), packed.data(), static_cast<std::int64_t>(wanted.size()), false);
  }

  template <class Function, class... Arguments>
  void launch(const target::Kernel<Function>& kernel, const target::Sites& box, const Arguments&... arguments) {
    launch_regions<false>(launch_of(kernel, box, arguments...));
  }
  /// The same of a kernel in TARGET_ROWS: chunks are of the numbers of each site's row.
  template <class Function, class... Arguments>
  void launch_rows(const target::Kernel<Function>& kernel, const target::Sites& box, const Arguments&... arguments) {
    launch_regions<true>(launch_of(kernel, box, arguments...));
  }

  /// Sum over a box of what a TARGET_SUM computes: each thread leaves its own.
  template <class Function, class... Arguments>
  double sum(const target::Kernel<Function>& kernel, const target::Sites& box, const Arguments&... arguments) {
    const auto launch = launch_of(kernel, box, arguments...);
    return with_words<double>(launch, [&](auto... words) {
      return by_vvl([&]<int lanes>() { return sum_of<lanes, std::decay_t<decltype(launch)>>(words...); });
    });
  }

  double reduce(target::Reduce reduce, const Field& field, int value, const target::Sites& box,
                const target::Mask* mask = nullptr) {
    const double start = target::start_of(reduce);
    std::vector<double> parts(static_cast<std::size_t>(sums_.size()), start);
    sums_.write(parts);
    const DeviceArray<std::uint8_t> wanted = mask ? on_device(*mask, device_.number) : DeviceArray<std::uint8_t>();
    const std::uint8_t* const is_wanted = mask ? wanted.data() : nullptr;
    const T* const from = field.argument() + value * lattice_.stride();
    double* const to = sums_.data();
    const int operation = static_cast<int>(reduce);
    this->each_number(std::int64_t{box.length} * box.rows * box.layers, [=](std::int64_t i) {
      const Number number = static_cast<Number>(i), row = number / static_cast<Number>(box.length);
      const int site = site_in_row(box, row, number - row * box.length);
      if (is_wanted && !is_wanted[site]) return;
      double& part = to[thread_number()];
      const auto x = static_cast<double>(from[site]);
      part = operation == 0 ? part + x : operation == 1 ? (x < part ? x : part) : (x > part ? x : part);
    });
    sums_.read(0, sums_.size(), parts.data());
    return target::joined(reduce, parts);
  }

  void wait() const {}  // regions end when they are done

 private:
  Field allocate(std::int64_t size, int values) const {
    Field field = {DeviceArray<T>(size, device_.number), values};
    if (!is_gpu()) field.memory.use_huge_pages();
    return field;
  }
  void move_wanted(const Field& field, const std::int32_t* sites, T* packed, std::int64_t count, bool gathers) {
    T* const values = field.argument();
    const std::int64_t of_site = field.values, stride = lattice_.stride();
    this->each_number(count, [=](std::int64_t i) {
      for (std::int64_t v = 0; v < of_site; ++v) {
        T &there = values[v * stride + sites[i]], &here = packed[v * count + i];
        if (gathers)
          here = there;
        else
          there = here;
      }
    });
  }

  /// What work<lanes>() gives for chunks of --vvl sites.
  template <int lanes = target::longest_vvl, class Work>
  auto by_vvl(const Work& work) const {
    if constexpr (lanes > 1)
      if (vvl_ < lanes) return by_vvl<lanes / 2>(work);
    return work.template operator()<lanes>();
  }

  template <class Function, class... Arguments>
  static auto launch_of(const target::Kernel<Function>& kernel, const target::Sites& box,
                        const Arguments&... arguments) {
    const auto given = launch_arguments(target::argument_of(arguments)...);
    return Launch<Function, std::decay_t<decltype(given)>>{box, given, kernel.function};
  }
  template <bool is_of_rows, class Launched>
  void launch_regions(const Launched& launch) {
    with_words<double>(
        launch, [&](auto... words) { by_vvl([&]<int lanes>() { region<lanes, is_of_rows, Launched>(words...); }); });
  }

  /// Threads of a processor have parts of rows that begin with whole vectors, as SET_PAST needs; of a GPU a chunk each.
  template <int lanes, bool is_of_rows, class Launched, class... Words>
  void region(Words... words) {
    LaunchRecord* const record = record_.data();
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
#pragma omp target teams is_device_ptr(record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const auto launched = from_words<Launched>(words...);
      const auto& [box, given, function] = launched;
      using Real = typename RealOfLanes<T, lanes>::Type;
      constexpr int of_unit = is_of_rows ? 1 : lanes;  // sites are whole units of these, but for those left over
      constexpr Number unit = Image::is_gpu ? of_unit : target::longest_vvl;
      const Number length = box.length, in_row = (length + unit - 1) / unit;
      const IndexRange range = indices_of_thread(std::int64_t{in_row} * rows_of(box));
      for (std::int64_t at = range.begin; at < range.end;) {
        const Number row = static_cast<Number>(at) / in_row, first = static_cast<Number>(at) - row * in_row;
        const std::int64_t left = Image::is_gpu ? 1 : range.end - at;
        const Number last = first + left < in_row ? first + static_cast<Number>(left) : in_row;
        const Number sites = (last * unit < length ? last * unit : length) - first * unit;
        target::Sites part = box;
        part.first = site_in_row(box, row, first * unit);
        part.rows = part.layers = 1;
        part.length = static_cast<int>(sites / of_unit * of_unit);
        if (part.length > 0) given.template call<Real>(function, part);
        if constexpr (of_unit > 1) {
          part.first += part.length;
          part.length = static_cast<int>(sites) - part.length;
          if (part.length > 0) given.template call<T>(function, part);
        }
        at += Image::is_gpu ? range.stride : last - first;
      }
    }
    ++regions_;
  }

  /// A thread adds up blocks of chunks one after another in its part, or on a GPU every so many chunks.
  template <int lanes, class Launched, class... Words>
  double sum_of(Words... words) {
    LaunchRecord* const record = record_.data();
    double* const to = sums_.data();
    std::vector<double> parts(static_cast<std::size_t>(sums_.size()), 0.0);
    sums_.write(parts);
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
#pragma omp target teams is_device_ptr(record, to) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const auto launched = from_words<Launched>(words...);
      const auto& [box, given, function] = launched;
      using Real = typename RealOfLanes<T, lanes>::Type;
      constexpr Number unit = Image::is_gpu ? lanes : lanes * 1024;
      const std::int64_t rows = rows_of(box), in_row = (std::int64_t{box.length} + unit - 1) / unit;
      const IndexRange range = indices_of_thread(in_row * rows);
      double all = 0.0;
      for (std::int64_t at = range.begin; at < range.end; at += range.stride) {
        const Number number = static_cast<Number>(at), row = rows == 1 ? 0 : number / static_cast<Number>(in_row);
        const Number first = (number - row * static_cast<Number>(in_row)) * unit, behind = box.length - first;
        const Number sites = behind < unit ? behind : unit;
        target::Sites part = box;
        part.first = site_in_row(box, row, first);
        part.rows = part.layers = 1;
        part.length = static_cast<int>(sites / lanes * lanes);
        if (part.length > 0) {
          const Real sum = given.template call<Real>(function, part);
          if constexpr (lanes == 1)
            all += static_cast<double>(sum);
          else
            all += static_cast<double>(sum.sum());
        }
        if constexpr (lanes > 1) {
          part.first += part.length;
          part.length = static_cast<int>(sites) - part.length;
          if (part.length > 0) all += static_cast<double>(given.template call<T>(function, part));
        }
      }
      to[thread_number()] = all;
    }
    ++regions_;
    sums_.read(0, sums_.size(), parts.data());
    return target::joined(target::Reduce::sum, parts);
  }

  target::Lattice lattice_;
  int vvl_;
  DeviceArray<double> sums_;  ///< one for each thread
};

}  // namespace boltzmark::openmp_target
