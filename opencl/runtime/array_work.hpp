// What workloads on long arrays do alike: work-items in one row, and how a program of devices describes itself.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "opencl/runtime/device.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/options.hpp"
#include "opencl/runtime/session.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// The work-group of --work-group, or Nx1 with N `usual`, halved until the device can have it. Throws Error (bad_input)
/// unless it is Nx1 with N a power of two, and Error (unavailable) where the device cannot run it with
/// `local_bytes` of local memory a work-item.
WorkGroup row_group(const ComputeDevice& device, const Options& options, int usual, std::size_t local_bytes);

/// Launches one after the other, each of so many groups of one row.
class RowLaunches {
 public:
  void clear() { all_.clear(); }
  void add(cl::Kernel kernel, std::int64_t groups) { all_.push_back({std::move(kernel), groups}); }
  std::size_t size() const { return all_.size(); }
  cl::Kernel& kernel(std::size_t launch) { return all_[launch].kernel; }

  void enqueue(Session& session, WorkGroup group) const {
    for (std::size_t i = 0; i < all_.size(); ++i) enqueue_one(i, session, group);
  }
  void enqueue_one(std::size_t launch, Session& session, WorkGroup group) const;

 private:
  struct Launch {
    cl::Kernel kernel;
    std::int64_t groups;
  };
  std::vector<Launch> all_;
};

/// Runs the source's `fill` on all of `elements` of an array: its work-items stride through it.
void fill_array(Session& session, const cl::Program& program, const cl::Buffer& array, std::int64_t elements);

/// Elements of type T of an array, from `at` on. Throws Error (unavailable).
template <class T>
void read_array(Session& session, const cl::Buffer& array, std::int64_t at, std::span<double> into) {
  std::vector<T> read(into.size());
  attempt("read an array", [&] {
    session.queue().enqueueReadBuffer(array, CL_TRUE, static_cast<std::size_t>(at) * sizeof(T),
                                      read.size() * sizeof(T), read.data());
  });
  std::copy(read.begin(), read.end(), into.begin());
}

/// One of a workload's ways of this name.
template <class Ways>
const auto& way_named(const Ways& ways, const std::string& name) {
  return *std::find_if(ways.begin(), ways.end(), [&](const auto& way) { return way.name == name; });
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
