#include "analysis/peaks/device/open_device.hpp"

#include <algorithm>

#include "common/device/build.hpp"

namespace boltzmark::peaks {

const device::Context& OpenDevice::context() {
  open();
  return context_;
}

const device::Queue& OpenDevice::queue() {
  open();
  return queue_;
}

device::Module OpenDevice::build(std::string_view source, const std::string& options) {
  return context()->build(source, options, {});
}

void OpenDevice::open() {
  if (queue_) return;
  device::attempt("open " + device.name, [&] {
    context_ = device::api().open(device);
    queue_ = context_->queue(device::QueueKind::timed);
  });
}

std::size_t OpenDevice::group_items() const {
  if (is_cpu()) return 1;
  std::size_t items = 256;
  while (items > std::min(device.max_work_group, device.max_work_group_x)) items /= 2;
  return items;
}

std::size_t OpenDevice::resident_groups() const {
  // A GPU's unit holds 1024 items even when each has 64 registers.
  constexpr std::size_t items_in_unit = 1024;
  const std::size_t groups_in_unit = is_cpu() ? 1 : items_in_unit / group_items();
  return static_cast<std::size_t>(std::max(device.units, 1)) * groups_in_unit;
}

}  // namespace boltzmark::peaks
