// The target that is this processor: chunks over threads, and a chunk's sites in vector registers.
//
// Every target has these members (common/device/device_target.hpp, openmp_target/runtime/offload_target.hpp), and host
// code for all of them is a template over the target: common/binary_fluid/binary_fluid.hpp.
#pragma once

#include <algorithm>
#include <optional>

#include "common/cpu/aligned.hpp"
#include "common/cpu/simd_wide.hpp"
#include "common/run/program.hpp"
#include "common/run/provenance.hpp"
#include "common/run/workers.hpp"
#include "common/target/kernel.hpp"

namespace boltzmark::target {

/// The division of sites among workers, which is the same for all kernels and types of numbers.
class HostThreads {
 public:
  HostThreads(const Lattice& lattice, Workers workers, int vvl)
      : lattice_(lattice), workers_(std::move(workers)), vvl_(vvl), ran_(static_cast<std::size_t>(workers_.count)) {}

  const Lattice& lattice() const { return lattice_; }
  int vvl() const { return vvl_; }
  int threads() const { return workers_.count; }
  const Workers& workers() const { return workers_; }

  /// Runs `launches` if a kernel's first launch is slower than later ones.
  template <class Launches>
  void first_launches(Launches&&) const {}
  /// Whether each site has its own thread; fewer launches then outweigh more work per site.
  bool is_site_by_site() const { return false; }
  /// Returns when all launches are done.
  void wait() const {}
  /// Throws Error (unavailable) if a launch did not run on the target.
  void confirm() const {}
  /// Number of launches in which a worker did not take part.
  std::uint32_t lost_launches() const;

 protected:
  /// A kernel with its arguments, for some sites of a row, in chunks of `lanes` sites or one by one: the only code
  /// compiled for every kernel. Returns the sum for a TARGET_SUM.
  struct Compiled {
    using Function = double (*)(const void* call, const Sites& sites);
    const void* call;
    int lanes;
    Function by_chunks, by_sites;
  };
  void launch(const Compiled& kernel, const Sites& box) const;
  double sum_of(const Compiled& kernel, const Sites& box) const;

  /// Calls work(part, all) for the parts of rows of a box, each on its worker, in units of the longest chunk, and joins
  /// the workers' `all`.
  using PartOfRow = std::function<void(const Sites& part, double& all)>;
  double reduce_parts(Reduce reduce, const Sites& box, const PartOfRow& work) const;

  /// Calls work(begin, end) on every thread for its part of `count`; the second form for this many values of all sites,
  /// one after another.
  using PartOfAll = std::function<void(std::int64_t begin, std::int64_t end)>;
  void each_part(std::int64_t count, const PartOfAll& work) const;
  void each_part_of_values(int values, const PartOfAll& work) const;

  Lattice lattice_;
  Workers workers_;
  int vvl_;

 private:
  struct alignas(64) Ran {
    std::uint32_t launches = 0;
  };
  template <class Work>
  double reduce_parts_by(Reduce reduce, const Sites& box, const Work& work) const;

  mutable std::uint32_t launched_ = 0;
  mutable std::vector<Ran> ran_;  ///< on a cache line for each worker
};

template <class T>
class HostTarget : public HostThreads {
 public:
  using Scalar = T;
  /// Some values of every site, on the target; the caller's copies are on the host.
  struct Field {
    AlignedArray<T> memory;
    int values = 0;
    T* argument() const { return const_cast<T*>(memory.data()); }
  };

  HostTarget(const Lattice& lattice, Workers workers, std::optional<int> vvl)
      : HostThreads(lattice, std::move(workers), vvl.value_or(native_lanes<T>)) {}

  RunFacts facts() const {
    return {.device = cpu_name(), .threads = threads(), .write_allocate = vvl_ * sizeof(T) < 64};  // see SET_PAST
  }

  /// Zeros, each first touched by the thread whose sites they are.
  Field make(int values) const {
    Field field{AlignedArray<T>(static_cast<std::size_t>(values * lattice_.stride())), values};
    each_part_of_values(values, [&](std::int64_t begin, std::int64_t end) {
      std::fill(field.memory.data() + begin, field.memory.data() + end, T(0));
    });
    return field;
  }

  /// A few numbers that are equal for all sites.
  struct Constants {
    std::vector<T> numbers;
    const T* argument() const { return numbers.data(); }
  };
  Constants constants(const std::vector<T>& numbers) const { return {numbers}; }

  /// Values `first` to `first + count - 1` of all sites, in this layout: the value of site s at s, the next value
  /// `stride` further on.
  void copy_to(Field& field, const T* host, int first, int count) const {
    T* const to = field.memory.data() + first * lattice_.stride();
    each_part_of_values(count,
                        [&](std::int64_t begin, std::int64_t end) { std::copy(host + begin, host + end, to + begin); });
  }
  void copy_from(const Field& field, T* host, int first, int count) const {
    const T* const from = field.memory.data() + first * lattice_.stride();
    each_part_of_values(
        count, [&](std::int64_t begin, std::int64_t end) { std::copy(from + begin, from + end, host + begin); });
  }

  /// All values of the selected sites: value after value, each with its sites in order.
  std::vector<T> gather(const Field& field, const std::vector<std::int32_t>& wanted) const {
    std::vector<T> values(wanted.size() * static_cast<std::size_t>(field.values));
    each_wanted(wanted, field.values, [&](std::size_t at, std::int64_t there) { values[at] = field.memory[there]; });
    return values;
  }
  void scatter(Field& field, const std::vector<std::int32_t>& wanted, const std::vector<T>& values) const {
    each_wanted(wanted, field.values, [&](std::size_t at, std::int64_t there) { field.memory[there] = values[at]; });
  }

  /// Runs a kernel for the sites of a box, in chunks of at most `longest` sites: 1 if vectors gain nothing, because
  /// each length takes time to compile.
  template <int longest = longest_vvl, class Function, class... Arguments>
  void launch(const Kernel<Function>& kernel, const Sites& box, const Arguments&... arguments) const {
    const auto call = [&]<class REAL>(const Sites& sites) {
      kernel.function.template operator()<REAL>(sites, argument_of(arguments)...);
    };
    HostThreads::launch({&call, std::min(vvl_, longest), by_chunks<longest>(call), by_chunks<1>(call)}, box);
  }

  /// The same for a kernel in TARGET_ROWS, whose chunks are of the numbers in each site's row.
  template <class Function, class... Arguments>
  void launch_rows(const Kernel<Function>& kernel, const Sites& box, const Arguments&... arguments) const {
    const auto call = [&]<class REAL>(const Sites& sites) {
      kernel.function.template operator()<REAL>(sites, argument_of(arguments)...);
    };
    HostThreads::launch({&call, 1, by_chunks(call), nullptr}, box);
  }

  /// Sum over a box of the values of a TARGET_SUM: by lanes for 1024 chunks at a time, and their sums in double
  /// precision, in an order that depends only on the number of threads.
  template <class Function, class... Arguments>
  double sum(const Kernel<Function>& kernel, const Sites& box, const Arguments&... arguments) const {
    const auto call = [&]<class REAL>(const Sites& sites) {
      return sum_of_lanes<REAL>(kernel.function.template operator()<REAL>(sites, argument_of(arguments)...));
    };
    return sum_of({&call, vvl_, by_chunks(call), by_chunks<1>(call)}, box);
  }

  /// Sum, minimum or maximum of a value over a box, or over its sites in `mask`. Added up in double precision, in a
  /// fixed order.
  double reduce(Reduce reduce, const Field& field, int value, const Sites& box, const Mask* mask = nullptr) const {
    const T* const from = field.memory.data() + value * lattice_.stride();
    return reduce_parts(reduce, box, [&](const Sites& part, double& all) {
      for (int site = part.first; site < part.first + part.length; ++site)
        if (!mask || (*mask)[static_cast<std::size_t>(site)])
          all = joined(reduce, all, static_cast<double>(from[site]));
    });
  }

 private:
  template <class REAL, class Call>
  static double compiled(const void* given, const Sites& sites) {
    const Call& call = *static_cast<const Call*>(given);
    if constexpr (std::is_void_v<decltype(call.template operator()<REAL>(sites))>)
      return call.template operator()<REAL>(sites), 0.0;
    else
      return static_cast<double>(call.template operator()<REAL>(sites));
  }
  template <int lanes = longest_vvl, class Call>
  Compiled::Function by_chunks(const Call& call) const {
    if constexpr (lanes > 1)
      if (vvl_ < lanes) return by_chunks<lanes / 2>(call);
    return compiled<typename RealOfLanes<T, lanes>::Type, Call>;
  }

  template <class Work>
  void each_wanted(const std::vector<std::int32_t>& wanted, int values, Work&& work) const {
    each_part(static_cast<std::int64_t>(wanted.size()), [&](std::int64_t begin, std::int64_t end) {
      for (int v = 0; v < values; ++v)
        for (std::int64_t i = begin; i < end; ++i)
          work(v * wanted.size() + i, v * lattice_.stride() + wanted[static_cast<std::size_t>(i)]);
    });
  }
};

}  // namespace boltzmark::target
