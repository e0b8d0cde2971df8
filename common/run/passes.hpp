// Traffic of a step that passes over its data in several loops: the fields that each loop reads and writes determine
// how many other bytes are touched before a datum is used again, and so which caches could still hold it.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "common/run/traffic.hpp"

namespace boltzmark {

/// A loop over all cells, or over a share of them, given by the numbers of the fields that it reads and writes.
struct Pass {
  std::vector<int> read, written;
  double share = 1.0;

  bool reads(int field) const { return std::ranges::count(read, field) > 0; }
  bool writes(int field) const { return std::ranges::count(written, field) > 0; }
  std::set<int> fields() const {
    std::set<int> all(read.begin(), read.end());
    all.insert(written.begin(), written.end());
    return all;
  }
};

/// The loops of a step, or of as many steps as it takes until fields have their first roles again.
struct Passes {
  double cells = 0.0;
  std::vector<double> fields = {};  ///< bytes that a cell has of each
  std::vector<Pass> loops = {};
  int steps = 1;
};

/// A lower bound: of the bytes that two loops touch before and after a datum, the smaller number counts.
class PassTraffic {
 public:
  PassTraffic(const Passes& passes, bool write_allocate) : p_(passes) {
    const int loops = static_cast<int>(p_.loops.size());
    for (int loop = 0; loop < loops; ++loop)
      for (const int field : p_.loops[loop].fields()) {
        const Pass& pass = p_.loops[loop];
        const double bytes = p_.fields[field] * pass.share / p_.steps;
        if (pass.reads(field) || write_allocate) by_size_[between(last_before(loop, field), loop)] += bytes;
        if (pass.writes(field)) by_size_[until_written_back(loop, field)] += bytes;
      }
  }

  Traffic traffic() const {
    Traffic all;
    for (const auto& [of_cell, per_update] : by_size_) all.push_back({"fields", of_cell * p_.cells, per_update});
    return all;
  }

 private:
  int wrapped(int loop) const { return loop % static_cast<int>(p_.loops.size()); }
  int last_before(int loop, int field) const {
    do loop = wrapped(loop + static_cast<int>(p_.loops.size()) - 1);
    while (!p_.loops[loop].fields().contains(field));
    return loop;
  }
  int next_after(int loop, int field) const {
    do loop = wrapped(loop + 1);
    while (!p_.loops[loop].fields().contains(field));
    return loop;
  }

  /// Bytes per cell touched between the use of a datum in one loop and its next use in a later loop.
  double between(int from, int to) const {
    std::set<int> all;
    for (int loop = wrapped(from + 1); loop != to; loop = wrapped(loop + 1)) all.merge(p_.loops[loop].fields());
    const auto with = [&](int loop) {
      std::set<int> more = p_.loops[loop].fields();
      more.insert(all.begin(), all.end());
      return std::accumulate(more.begin(), more.end(), 0.0,
                             [&](double sum, int field) { return sum + p_.fields[field]; });
    };
    return std::min(with(from), with(to));
  }

  /// The same for fields that a loop writes: a cache can keep it through all reads, until it is written again.
  double until_written_back(int loop, int field) const {
    double most = 0.0;
    for (int at = loop;;) {
      const int next = next_after(at, field);
      most = std::max(most, between(at, next));
      if (p_.loops[next].writes(field)) return most;
      at = next;
    }
  }

  const Passes& p_;
  std::map<double, double, std::greater<>> by_size_;  ///< bytes per update, by bytes of a cell
};

inline Traffic traffic_of(const Passes& passes, bool write_allocate) {
  return PassTraffic(passes, write_allocate).traffic();
}

}  // namespace boltzmark
