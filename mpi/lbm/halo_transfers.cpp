#include "mpi/lbm/halo_transfers.hpp"

#include <climits>

#include "common/base/error.hpp"

namespace boltzmark::mpi {

using namespace device;

HostTransfers::HostTransfers(DeviceStrip& strip, const RankPair& ranks, HaloMethod method)
    : strip_(strip), queue_(strip.session().another_queue()) {
  std::array<HaloMessage, 2> messages;
  for (const HaloDirection direction : both_ways) {
    const auto number = static_cast<std::size_t>(direction);
    const std::size_t bytes = strip_.halo_bytes(direction);
    if (bytes > INT_MAX)
      throw unavailable("expected halo rows of at most {} bytes for a message, found {}", INT_MAX, bytes);
    auto& [out, in] = memory_[number];
    out = strip_.session().pinned(bytes);
    in = strip_.session().pinned(bytes);
    messages[number] = {out.host(), in.host(), static_cast<int>(bytes), MPI_BYTE};
  }
  exchange_.emplace(method, ranks, 0, messages[0], messages[1]);
}

void HostTransfers::send(int state, Events after) {
  for (const HaloDirection direction : both_ways) {
    const auto number = static_cast<std::size_t>(direction);
    strip_.start_read(queue_, direction, state, memory_[number].out.host(), after, sent_[number]);
  }
  queue_.flush();
}

std::vector<Event> HostTransfers::receive(int state) {
  for (const Event& event : sent_) event.wait();
  exchange_->start();
  exchange_->finish();
  for (const HaloDirection direction : both_ways) {
    const auto number = static_cast<std::size_t>(direction);
    strip_.start_write(queue_, direction, state, memory_[number].in.host(), written_[number]);
  }
  queue_.flush();
  return written_;
}

}  // namespace boltzmark::mpi
