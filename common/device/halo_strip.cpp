#include "common/device/halo_strip.hpp"

namespace boltzmark::device {

std::size_t HaloStrip::halo_bytes(HaloDirection direction) const {
  std::size_t bytes = 0;
  for (const Region& region : incoming(direction)) bytes += region.row_bytes * region.rows;
  return bytes;
}

void HaloStrip::start_read(const Queue& queue, HaloDirection direction, int state, void* host, Events after,
                           Event& done) const {
  auto* to = static_cast<std::byte*>(host);
  for (const Region& region : outgoing(direction)) {
    queue->start_read(memory_of(state), region, to, after, &done);
    to += region.row_bytes * region.rows;
  }
}

void HaloStrip::start_write(const Queue& queue, HaloDirection direction, int state, const void* host,
                            Event& done) const {
  const auto* from = static_cast<const std::byte*>(host);
  for (const Region& region : incoming(direction)) {
    queue->start_write(memory_of(state), region, from, {}, &done);
    from += region.row_bytes * region.rows;
  }
}

}  // namespace boltzmark::device
