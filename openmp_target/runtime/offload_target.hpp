// The target that is an offload device of OpenMP: chunks for the threads of a GPU in turn, parts of rows for threads of
// a processor; in TARGET_ROWS a row for several neighbouring threads of a GPU. Its members are those of
// common/target/host_target.hpp.
#pragma once

#include <optional>
#include <vector>

#include "openmp_target/runtime/on_device.hpp"
#include "openmp_target/runtime/words.hpp"

// For target.h: as many threads of a GPU share a row as `sites`, otherwise one row, has rows.
#define ROW_ITEMS (openmp_target::Image::is_gpu ? sites.rows : 1)
#define ROW_ITEM (openmp_target::lane_number() & (ROW_ITEMS - 1))
#define SUM_OF_ROW_ITEMS(x) openmp_target::combined_over_lanes<openmp_target::Plus>(x, ROW_ITEMS)

#pragma omp begin declare target
#include "common/cpu/simd_wide.hpp"
#include "common/target/parts.hpp"
#pragma omp end declare target

#include "common/target/kernel.hpp"

namespace boltzmark::openmp_target {

#pragma omp begin declare target

/// An address that LLVM knows to be in a GPU's global memory; loads by other addresses wait for one another.
template <class T>
KERNEL_FN T* in_global_memory(T* place) {
#if defined(__NVPTX__)
  auto known = (__attribute__((address_space(1))) T*)place;
  asm("" : "+l"(known));  // otherwise both casts are removed
  return (T*)known;
#else
  return place;
#endif
}
template <class T>
KERNEL_FN T in_global_memory(T value) {
  return value;
}

/// A kernel's arguments as plain data, which a region copies to the device unchanged.
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
    return rest.template call<REAL>(function, before..., in_global_memory(first));
  }
};

KERNEL_FN LaunchArguments<> launch_arguments() { return {}; }
template <class First, class... Rest>
KERNEL_FN auto launch_arguments(First first, Rest... rest) {
  return LaunchArguments<First, Rest...>{first, launch_arguments(rest...)};
}

/// Parameters of a region's launch.
template <class Function, class Given>
struct alignas(8) Launch {
  target::Sites box;
  Given given;
  Function function;
};

/// A kernel for a part of a row. On a processor it is a separate function, compiled once for each REAL, and returns the
/// sum of a TARGET_SUM; on a GPU it is part of its region.
template <class Launched>
using KernelOfPart = double (*)(const Launched& launched, const target::Sites& part);
template <class REAL, class Launched>
double call_for_part(const Launched& launched, const target::Sites& part) {
  if constexpr (std::is_void_v<decltype(launched.given.template call<REAL>(launched.function, part))>)
    return launched.given.template call<REAL>(launched.function, part), 0.0;
  else
    return static_cast<double>(target::sum_of_lanes<REAL>(launched.given.template call<REAL>(launched.function, part)));
}
/// In chunks of `vvl` sites, at most `lanes`.
template <class T, int lanes, class Launched>
KERNEL_FN KernelOfPart<Launched> kernel_by_chunks(int vvl) {
  if constexpr (Image::is_gpu) {
    return nullptr;
  } else {
    if constexpr (lanes > 1)
      if (vvl < lanes) return kernel_by_chunks<T, lanes / 2, Launched>(vvl);
    return call_for_part<typename RealOfLanes<T, lanes>::Type, Launched>;
  }
}
template <class REAL, class Launched>
KERNEL_FN auto call_known(const Launched& launched, const target::Sites& part) {
  if constexpr (Image::is_gpu)
    return launched.given.template call<REAL>(launched.function, part);
  else
    return call_for_part<REAL>(launched, part);
}
template <class REAL, class Launched>
KERNEL_FN auto call_by(KernelOfPart<Launched> kernel, const Launched& launched, const target::Sites& part) {
  if constexpr (Image::is_gpu)
    return call_known<REAL>(launched, part);
  else
    return kernel(launched, part);
}

/// Calls it with a constant number of GPU threads per row, if it is the default, so that LLVM computes addresses at
/// compile time.
template <class REAL, bool is_of_rows, class Launched>
KERNEL_FN void call_with_known_rows(KernelOfPart<Launched> kernel, const Launched& launched, target::Sites part) {
  constexpr int usual = 8;
  if (Image::is_gpu && is_of_rows && part.rows == usual) {
    part.rows = usual;
    call_by<REAL>(kernel, launched, part);
  } else {
    call_by<REAL>(kernel, launched, part);
  }
}

/// The row, and the unit within the row.
struct UnitInRow {
  std::uint32_t row, unit;
};
/// Number `i`: along rows, or down columns, those in neighbouring layers first. Numbers have 32 bits, like those of
/// sites, because a GPU divides longer ones many times more slowly.
KERNEL_FN UnitInRow unit_in_order(const target::Sites& box, std::uint32_t in_row, std::uint32_t i, bool down_columns) {
  const auto rows = static_cast<std::uint32_t>(box.rows), layers = static_cast<std::uint32_t>(box.layers);
  const std::uint32_t along = down_columns ? rows * layers : in_row, across = i / along, rest = i - across * along;
  if (!down_columns) return {across, rest};
  return {rest % layers * rows + rest / layers, across};
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

  /// row_items: threads that share a row of TARGET_ROWS, a power of two; if they cannot, each has separate rows.
  OffloadTarget(const Options& asked, std::optional<int> vvl, int row_items, const target::Lattice& lattice)
      : OnDevice(asked),
        lattice_(lattice),
        vvl_(vvl.value_or(is_gpu() ? 1 : device_.properties.lanes<T>())),
        row_items_(std::min(row_items, device_.properties.sum_group)),
        is_down_columns_(asked.text("order") == "columns") {
    const std::int64_t chunks = (lattice.stride() + vvl_ - 1) / vvl_;
    launch_over(row_items_ > 1 ? lattice.stride() * row_items_ : chunks);
  }

  std::uint32_t lost_launches() const { return 0; }  // checked by confirm()

  const target::Lattice& lattice() const { return lattice_; }
  int vvl() const { return vvl_; }
  RunFacts facts() const {
    RunFacts facts = OnDevice<>::facts();
    facts.write_allocate = !is_gpu() && vvl_ * sizeof(T) < 64;  // see SET_PAST
    facts.settings["order"] = is_down_columns_ ? "columns" : "rows";
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

  bool is_site_by_site() const { return is_gpu() && vvl_ == 1; }

  template <int lanes = target::longest_vvl, class Function, class... Arguments>
  void launch(const target::Kernel<Function>& kernel, const target::Sites& box, const Arguments&... arguments) {
    launch_regions<lanes, false>(launch_of(kernel, box, arguments...));
  }
  /// The same for a kernel in TARGET_ROWS, whose chunks are of the numbers in each site's row.
  template <class Function, class... Arguments>
  void launch_rows(const target::Kernel<Function>& kernel, const target::Sites& box, const Arguments&... arguments) {
    launch_regions<target::longest_vvl, true>(launch_of(kernel, box, arguments...));
  }

  /// Sum over a box of the values of a TARGET_SUM: each thread, on a GPU each group of threads, stores a partial sum.
  template <class Function, class... Arguments>
  double sum(const target::Kernel<Function>& kernel, const target::Sites& box, const Arguments&... arguments) {
    const auto launch = launch_of(kernel, box, arguments...);
    return with_words<double>(launch, [&](auto... words) {
      return by_vvl<target::longest_vvl>(
          [&]<int lanes>() { return sum_of<lanes, std::decay_t<decltype(launch)>>(words...); });
    });
  }

  double reduce(target::Reduce reduce, const Field& field, int value, const target::Sites& box,
                const target::Mask* mask = nullptr) {
    const double start = target::start_of(reduce);
    std::vector<double> parts(static_cast<std::size_t>(launch_.all_threads()), start);
    const DeviceArray<double> of_threads = on_device(parts, device_.number);
    const DeviceArray<std::uint8_t> wanted = mask ? on_device(*mask, device_.number) : DeviceArray<std::uint8_t>();
    const std::uint8_t* const is_wanted = mask ? wanted.data() : nullptr;
    const T* const from = field.argument() + value * lattice_.stride();
    double* const to = of_threads.data();
    const int operation = static_cast<int>(reduce);
    this->each_number(std::int64_t{box.length} * box.rows * box.layers, [=](std::int64_t i) {
      const auto [row, number] = unit_in_order(box, box.length, static_cast<std::uint32_t>(i), false);
      const int site = target::part_of_row(box, row, static_cast<int>(number), 1).first;
      if (is_wanted && !is_wanted[site]) return;
      double& part = to[thread_number()];
      const auto x = static_cast<double>(from[site]);
      part = operation == 0 ? part + x : operation == 1 ? (x < part ? x : part) : (x > part ? x : part);
    });
    of_threads.read(0, of_threads.size(), parts.data());
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

  /// Calls work<lanes>() for chunks of --vvl sites: for GPUs there is a region for each length, which is a compile-time
  /// constant.
  template <int lanes, class Work>
  auto by_vvl(const Work& work) const {
#ifdef BOLTZMARK_OFFLOADS_TO_GPUS
    if constexpr (lanes > 1)
      if (vvl_ < lanes) return by_vvl<lanes / 2>(work);
#define VVL_OF_REGION(lanes, asked) constexpr int vvl = lanes
#else
#define VVL_OF_REGION(lanes, asked) const int vvl = asked
#endif
    return work.template operator()<lanes>();
  }

  template <class Function, class... Arguments>
  static auto launch_of(const target::Kernel<Function>& kernel, const target::Sites& box,
                        const Arguments&... arguments) {
    const auto given = launch_arguments(target::argument_of(arguments)...);
    return Launch<Function, std::decay_t<decltype(given)>>{box, given, kernel.function};
  }
  template <int most_lanes, bool is_of_rows, class Launched>
  void launch_regions(const Launched& launch) {
    with_words<double>(launch, [&](auto... words) {
      by_vvl<most_lanes>([&]<int lanes>() { region<lanes, is_of_rows, Launched>(launch.box, words...); });
    });
  }

  /// Threads of a processor have parts of rows that begin with whole vectors, as SET_PAST needs; threads of a GPU have
  /// one chunk of `lanes` sites each.
  template <int lanes, bool is_of_rows, class Launched, class... Words>
  void region(const target::Sites& whole, Words... words) {
    VVL_OF_REGION(lanes, std::min(vvl_, lanes));
    LaunchRecord* const record = record_.data();
    const int sharing = is_of_rows ? row_items_ : 1, down_columns = is_down_columns_;
    const std::int64_t in_whole_row = is_of_rows ? whole.length : (whole.length + vvl - 1) / vvl;
    const int device = launch_.device, threads = launch_.threads,
              teams = launch_.teams_for(in_whole_row * whole.rows * whole.layers * sharing);
#pragma omp target teams is_device_ptr(record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const auto launched = from_words<Launched>(words...);
      const target::Sites& box = launched.box;
      const auto by_chunks = kernel_by_chunks<T, lanes, Launched>(vvl);
      using Real = typename RealOfLanes<T, lanes>::Type;
      // Sites are whole units, except for the remainder.
      const int of_unit = is_of_rows ? 1 : Image::is_gpu ? lanes : vvl;
      constexpr int unit = !Image::is_gpu ? target::longest_vvl : is_of_rows ? 1 : lanes;
      const auto in_row = static_cast<std::uint32_t>((box.length + unit - 1) / unit);
      const IndexRange range = indices_of_thread(std::int64_t{in_row} * box.rows * box.layers, sharing);
      for (std::int64_t at = range.begin; at < range.end;) {
        const auto [row, first] = unit_in_order(box, in_row, static_cast<std::uint32_t>(at), down_columns);
        const std::int64_t in_order = Image::is_gpu || down_columns ? 1 : in_row - first,
                           units = in_order < range.end - at ? in_order : range.end - at;
        target::Sites part =
            target::part_of_row(box, row, static_cast<int>(first) * unit, static_cast<int>(units) * unit);
        part.rows = sharing;
        const int sites = part.length;
        part.length = Image::is_gpu && of_unit == 1 ? 1 : sites & -of_unit;
        if (part.length > 0) call_with_known_rows<Real, is_of_rows>(by_chunks, launched, part);
        if constexpr (!is_of_rows && lanes > 1) {
          part.first += part.length;
          part.column += part.length;
          part.length = sites - part.length;
          if (part.length > 0) call_known<T>(launched, part);
        }
        at += Image::is_gpu ? range.stride : units;
      }
    }
    ++regions_;
  }

  /// A thread adds up consecutive blocks of chunks in its part, or on a GPU chunks at a constant distance.
  template <int lanes, class Launched, class... Words>
  double sum_of(Words... words) {
    VVL_OF_REGION(lanes, vvl_);
    LaunchRecord* const record = record_.data();
    RegionLaunch launch = launch_;  // as many threads as fit on a GPU, which leave fewer parts
    if (is_gpu()) launch.teams = std::min(launch.teams, 16 * std::max(device_.multiprocessors, 128));
    const std::int64_t groups = launch.all_threads() / device_.properties.sum_group;
    if (parts_.size() == 0) parts_ = DeviceArray<double>(groups, device_.number);
    double* const to = parts_.data();
    const int device = launch.device, teams = launch.teams, threads = launch.threads;
#pragma omp target teams is_device_ptr(record, to) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const auto launched = from_words<Launched>(words...);
      const target::Sites& box = launched.box;
      const auto by_chunks = kernel_by_chunks<T, lanes, Launched>(vvl);
      using Real = typename RealOfLanes<T, lanes>::Type;
      using Sum = std::conditional_t<Image::is_gpu, Real, double>;
      const int of_unit = Image::is_gpu ? lanes : vvl, unit = Image::is_gpu ? lanes : vvl * 1024;
      const auto in_row = static_cast<std::uint32_t>((box.length + unit - 1) / unit);
      // Threads of a GPU share each row: a loop over the chunks of a box would take two divisions per chunk.
      const int rows = box.rows * box.layers, rows_at_once = Image::is_gpu ? 1 : rows;
      const IndexRange range = indices_of_thread(std::int64_t{in_row} * rows_at_once);
      const auto begin = static_cast<std::uint32_t>(range.begin), stride = static_cast<std::uint32_t>(range.stride);
      const auto count =
          static_cast<std::uint32_t>(range.begin < range.end ? (range.end - range.begin - 1) / range.stride + 1 : 0);
      constexpr std::uint32_t at_once = Image::is_gpu ? 64 : 1;  // chunks whose sum is not in doubles yet
      double all = 0.0;
      for (int first_row = 0; first_row < rows; first_row += rows_at_once) {
        const target::Sites whole_row = target::part_of_row(box, static_cast<std::uint32_t>(first_row), 0, box.length);
        std::uint32_t at = begin;
        for (std::uint32_t left = count; left > 0;) {
          const std::uint32_t now = left < at_once ? left : at_once;
          Sum whole = target::broadcast<Sum>(0);
          left -= now;
          UNROLLED_BY_FOUR
          for (std::uint32_t i = 0; i < now; ++i, at += stride) {
            const auto [row, first] = Image::is_gpu ? UnitInRow{0, at} : unit_in_order(box, in_row, at, false);
            target::Sites part =
                target::part_of_row(Image::is_gpu ? whole_row : box, row, static_cast<int>(first) * unit, unit);
            const int sites = part.length;
            part.length = Image::is_gpu && lanes == 1 ? 1 : sites & -of_unit;
            if (part.length > 0) whole = whole + call_by<Real>(by_chunks, launched, part);
            if constexpr (lanes > 1) {
              part.first += part.length;
              part.length = sites - part.length;
              if (part.length > 0) all += static_cast<double>(call_known<T>(launched, part));
            }
          }
          all += static_cast<double>(target::sum_of_lanes<Sum>(whole));
        }
      }
      store_group_sum(all, to);
    }
    ++regions_;
    std::vector<double> parts(static_cast<std::size_t>(groups));
    parts_.read(0, groups, parts.data());
    return target::joined(target::Reduce::sum, parts);
  }

  target::Lattice lattice_;
  int vvl_, row_items_;
  bool is_down_columns_;
  DeviceArray<double> parts_;  ///< of sums, one for each group of threads
};

}  // namespace boltzmark::openmp_target
