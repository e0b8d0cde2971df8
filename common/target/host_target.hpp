// The target that is this processor: chunks over threads, and a chunk's sites in vector registers.
//
// Every target has these members (common/device/device_target.hpp, openmp_target/runtime/offload_target.hpp), and host
// code for all of them is a template over the target: common/binary_fluid/binary_fluid.hpp.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>

#include "common/cpu/aligned.hpp"
#include "common/cpu/simd_wide.hpp"
#include "common/run/program.hpp"
#include "common/run/provenance.hpp"
#include "common/target/kernel.hpp"

namespace boltzmark::target {

template <class T>
class HostTarget {
 public:
  using Scalar = T;
  /// Some values of every site, on the target; copies of the caller's are the host's.
  struct Field {
    AlignedArray<T> memory;
    int values = 0;
    T* argument() const { return const_cast<T*>(memory.data()); }
  };

  HostTarget(const Lattice& lattice, Workers workers, std::optional<int> vvl)
      : lattice_(lattice),
        workers_(std::move(workers)),
        vvl_(vvl.value_or(native_lanes<T>)),
        ran_(static_cast<std::size_t>(workers_.count)) {}

  const Lattice& lattice() const { return lattice_; }
  int vvl() const { return vvl_; }
  int threads() const { return workers_.count; }
  const Workers& workers() const { return workers_; }
  RunFacts facts() const {
    return {.device = cpu_name(), .threads = threads(), .write_allocate = vvl_ * sizeof(T) < 64};  // see SET_PAST
  }

  /// Runs `launches` where a kernel's first launch is slower than others.
  template <class Launches>
  void first_launches(Launches&&) const {}

  /// Zeros, each first touched by the thread whose sites they are.
  Field make(int values) const {
    Field field{AlignedArray<T>(static_cast<std::size_t>(values * lattice_.stride())), values};
    each_part([&](std::int64_t begin, std::int64_t end) {
      for (int v = 0; v < values; ++v)
        std::fill(field.memory.data() + v * lattice_.stride() + begin,
                  field.memory.data() + v * lattice_.stride() + end, T(0));
    });
    return field;
  }

  /// A few numbers that all sites need.
  struct Constants {
    std::vector<T> numbers;
    const T* argument() const { return numbers.data(); }
  };
  Constants constants(const std::vector<T>& numbers) const { return {numbers}; }

  /// Values `first` to `first + count - 1` of all sites, laid out as here: that of site s at s, the next value's
  /// `stride` on.
  void copy_to(Field& field, const T* host, int first, int count) const {
    T* const to = field.memory.data() + first * lattice_.stride();
    each_part([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = 0; v < count * lattice_.stride(); v += lattice_.stride())
        std::copy(host + v + begin, host + v + end, to + v + begin);
    });
  }
  void copy_from(const Field& field, T* host, int first, int count) const {
    const T* const from = field.memory.data() + first * lattice_.stride();
    each_part([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = 0; v < count * lattice_.stride(); v += lattice_.stride())
        std::copy(from + v + begin, from + v + end, host + v + begin);
    });
  }

  /// All values of the wanted sites: value after value, of each its sites in order.
  std::vector<T> gather(const Field& field, const std::vector<std::int32_t>& wanted) const {
    std::vector<T> values(wanted.size() * static_cast<std::size_t>(field.values));
    each_wanted(wanted, field.values, [&](std::size_t at, std::int64_t there) { values[at] = field.memory[there]; });
    return values;
  }
  void scatter(Field& field, const std::vector<std::int32_t>& wanted, const std::vector<T>& values) const {
    each_wanted(wanted, field.values, [&](std::size_t at, std::int64_t there) { field.memory[there] = values[at]; });
  }

  /// Whether each site has a thread of its own: then fewer launches are worth more work for a site.
  bool is_site_by_site() const { return false; }

  /// Runs a kernel for the sites of a box, by chunks of at most `lanes` sites.
  template <int lanes = longest_vvl, class Function, class... Arguments>
  void launch(const Kernel<Function>& kernel, const Sites& box, const Arguments&... arguments) const {
    if constexpr (lanes > 1)
      if (vvl_ < lanes) return launch<lanes / 2>(kernel, box, arguments...);
    launch_of<lanes>(kernel.function, box, argument_of(arguments)...);
  }

  /// The same of a kernel in TARGET_ROWS: chunks are of the numbers of each site's row.
  template <int lanes = longest_vvl, class Function, class... Arguments>
  void launch_rows(const Kernel<Function>& kernel, const Sites& box, const Arguments&... arguments) const {
    if constexpr (lanes > 1)
      if (vvl_ < lanes) return launch_rows<lanes / 2>(kernel, box, arguments...);
    ++launched_;
    workers_.run([&](int me) {
      each_part_of_rows(box, me, [&](const Sites& part) {
        kernel.function.template operator()<typename RealOfLanes<T, lanes>::Type>(part, argument_of(arguments)...);
      });
      ++ran_[static_cast<std::size_t>(me)].launches;
    });
  }

  /// Sum over a box of what a TARGET_SUM computes: lanes of 1024 chunks at a time, and these in double precision, in an
  /// order that depends on the number of threads alone.
  template <int lanes = longest_vvl, class Function, class... Arguments>
  double sum(const Kernel<Function>& kernel, const Sites& box, const Arguments&... arguments) const {
    if constexpr (lanes > 1)
      if (vvl_ < lanes) return sum<lanes / 2>(kernel, box, arguments...);
    return sum_of<lanes>(kernel.function, box, argument_of(arguments)...);
  }

  /// Sum, least or greatest of a value over a box, or over its sites in `mask`. Added up in double precision, in a
  /// fixed order.
  double reduce(Reduce reduce, const Field& field, int value, const Sites& box, const Mask* mask = nullptr) const {
    std::vector<double> of_worker(static_cast<std::size_t>(workers_.count), start_of(reduce));
    const T* const from = field.memory.data() + value * lattice_.stride();
    workers_.run([&](int me) {
      double all = start_of(reduce);
      each_part_of_rows(box, me, [&](const Sites& row) {
        for (int site = row.first; site < row.first + row.length; ++site)
          if (!mask || (*mask)[static_cast<std::size_t>(site)])
            all = joined(reduce, all, static_cast<double>(from[site]));
      });
      of_worker[static_cast<std::size_t>(me)] = all;
    });
    return joined(reduce, of_worker);
  }

  /// Returns when all launches are done.
  void wait() const {}
  /// Throws Error (unavailable) if a launch did not run on the target.
  void confirm() const {}
  /// Launches that a worker had no part in.
  std::uint32_t lost_launches() const {
    std::uint32_t lost = 0;
    for (const auto& of_worker : ran_) lost = std::max(lost, launched_ - of_worker.launches);
    return lost;
  }

 private:
  struct alignas(64) Ran {
    std::uint32_t launches = 0;
  };

  /// Calls work(part) for the parts of rows of a box that are worker `me`'s, in units of the longest chunk.
  template <class Work>
  void each_part_of_rows(const Sites& box, int me, Work&& work) const {
    const std::int64_t in_row = (box.length + longest_vvl - 1) / longest_vvl, units = in_row * box.rows * box.layers;
    const std::int64_t end = units * (me + 1) / workers_.count;
    for (std::int64_t unit = units * me / workers_.count; unit < end;) {
      const std::int64_t row = unit / in_row, first = unit % in_row, last = std::min(in_row, first + end - unit);
      Sites part = box;
      part.first += static_cast<int>(row % box.rows) * box.row_pitch +
                    static_cast<int>(row / box.rows) * box.layer_pitch + static_cast<int>(first) * longest_vvl;
      part.length = static_cast<int>(std::min<std::int64_t>(box.length, last * longest_vvl) - first * longest_vvl);
      part.rows = part.layers = 1;
      part.row = static_cast<int>(row);
      part.column = static_cast<int>(first) * longest_vvl;
      work(part);
      unit += last - first;
    }
  }

  template <int lanes, class Function, class... Arguments>
  __attribute__((noinline)) void launch_of(Function function, const Sites& box, Arguments... arguments) const {
    using Real = typename RealOfLanes<T, lanes>::Type;
    ++launched_;
    workers_.run([&](int me) {
      each_part_of_rows(box, me, [&](const Sites& row) {
        // A function of its own: inlined three times here, a kernel's loops would lose their registers to one another.
        const auto call = [&]<class REAL>(int first, int end) __attribute__((noinline)) {
          if (first >= end) return;
          Sites part = row;
          part.column += first - part.first;
          part.first = first, part.length = end - first;
          function.template operator()<REAL>(part, arguments...);
        };
        const int end = row.first + row.length;
        if constexpr (lanes == 1) {
          call.template operator()<T>(row.first, end);
        } else {
          const int begin = std::min(end, (row.first + lanes - 1) / lanes * lanes),
                    whole = std::max(begin, end / lanes * lanes);
          call.template operator()<T>(row.first, begin);
          call.template operator()<Real>(begin, whole);
          call.template operator()<T>(whole, end);
        }
      });
      streamed();
      ++ran_[static_cast<std::size_t>(me)].launches;
    });
  }

  template <int lanes, class Function, class... Arguments>
  __attribute__((noinline)) double sum_of(Function function, const Sites& box, Arguments... arguments) const {
    using Real = typename RealOfLanes<T, lanes>::Type;
    std::vector<double> of_worker(static_cast<std::size_t>(workers_.count), 0.0);
    ++launched_;
    workers_.run([&](int me) {
      double all = 0.0;
      each_part_of_rows(box, me, [&](Sites row) {
        const int end = row.first + row.length, whole = row.first + row.length / lanes * lanes;
        while (row.first < whole) {
          row.length = std::min(whole - row.first, lanes * 1024);
          const Real sum = function.template operator()<Real>(row, arguments...);
          if constexpr (lanes == 1)
            all += static_cast<double>(sum);
          else
            all += static_cast<double>(sum.sum());
          row.first += row.length;
        }
        row.length = end - whole;
        if (row.length > 0) all += static_cast<double>(function.template operator()<T>(row, arguments...));
      });
      of_worker[static_cast<std::size_t>(me)] = all;
      ++ran_[static_cast<std::size_t>(me)].launches;
    });
    return std::accumulate(of_worker.begin(), of_worker.end(), 0.0);
  }

  /// Calls work(begin, end) on every thread for its part of all sites.
  template <class Work>
  void each_part(Work&& work) const {
    const std::int64_t chunks = lattice_.stride() / longest_vvl;
    workers_.run([&](int me) {
      work(chunks * me / workers_.count * longest_vvl, chunks * (me + 1) / workers_.count * longest_vvl);
    });
  }

  template <class Work>
  void each_wanted(const std::vector<std::int32_t>& wanted, int values, Work&& work) const {
    const std::size_t count = wanted.size();
    workers_.run([&](int me) {
      const std::size_t workers = static_cast<std::size_t>(workers_.count), begin = count * me / workers,
                        end = count * (me + 1) / workers;
      for (int v = 0; v < values; ++v)
        for (std::size_t i = begin; i < end; ++i) work(v * count + i, v * lattice_.stride() + wanted[i]);
    });
  }

  Lattice lattice_;
  Workers workers_;
  int vvl_;
  mutable std::uint32_t launched_ = 0;
  mutable std::vector<Ran> ran_;  ///< on a cache line for each worker
};

}  // namespace boltzmark::target
