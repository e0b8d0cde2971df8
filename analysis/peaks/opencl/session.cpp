#include "analysis/peaks/opencl/session.hpp"

#include <algorithm>

namespace boltzmark {

const cl::Context& Session::context() {
  open();
  return context_;
}

cl::CommandQueue& Session::queue() {
  open();
  return queue_;
}

void Session::open() {
  if (open_) return;
  attempt("open " + device.name, [&] {
    context_ = cl::Context(device.handle);
    queue_ = cl::CommandQueue(context_, device.handle, CL_QUEUE_PROFILING_ENABLE);
  });
  open_ = true;
}

std::size_t Session::group_items() const {
  if (is_cpu()) return 1;
  std::size_t items = 256;
  while (items > std::min(device.max_work_group, device.max_work_group_x)) items /= 2;
  return items;
}

std::size_t Session::resident_groups() const {
  // A GPU's unit holds 1024 items even when each has 64 registers.
  constexpr std::size_t items_in_unit = 1024;
  const std::size_t groups_in_unit = is_cpu() ? 1 : items_in_unit / group_items();
  return static_cast<std::size_t>(std::max(device.units, 1)) * groups_in_unit;
}

}  // namespace boltzmark
