// A rank's share of the sites, and its communication with the other ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/target/kernel.hpp"

namespace boltzmark::target {

/// For a single process: everything.
struct Share {
  int rank = 0, ranks = 1;
  std::string driver = "";  ///< the library that connects the ranks, for the record
  /// A reduction over all ranks, on every rank.
  std::function<double(Reduce, double)> join = [](Reduce, double mine) { return mine; };
  /// Results of all ranks in their order, on the root.
  std::function<std::vector<double>(std::vector<double>)> collect = [](std::vector<double> mine) { return mine; };
  /// Fills the first layer of a field on the host (in a plane the first row) with values `up` of the rank below, and
  /// the last one with values `down` of the rank above; bit v selects value v. Empty if the process has all layers.
  std::function<void(void* field, const Lattice&, unsigned long up, unsigned long down)> exchange = {};
  /// Completes an array of `count` numbers on the host, of which each rank has the part from begin(count) to
  /// end(count).
  std::function<void(void* array, std::int64_t count)> complete = [](void*, std::int64_t) {};
  /// The memory found if this many bytes over all ranks do not fit, the largest field of `largest`; "" if they fit.
  std::function<std::string(double bytes, double largest)> shortage = [](double bytes, double) {
    return memory_shortage(static_cast<std::uint64_t>(bytes));
  };

  /// This rank's part of `count` layers, rows or sites.
  std::int64_t begin(std::int64_t count) const { return count * rank / ranks; }
  std::int64_t end(std::int64_t count) const { return count * (rank + 1) / ranks; }
};

}  // namespace boltzmark::target
