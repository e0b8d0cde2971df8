#include "mpi/lbm/peer_transfers.hpp"

#include "common/base/error.hpp"
#include "common/device/session.hpp"
#include "mpi/lbm/peer_buffer.hpp"
#include "mpi/on_all.hpp"

namespace boltzmark::mpi {

using namespace device;
namespace {

constexpr std::size_t line = 256;  ///< bytes between two numbers, and what a slot's size is a multiple of

class PeerTransfers final : public HaloTransfers {
 public:
  explicit PeerTransfers(DeviceStrip& strip) : strip_(strip) {
    Session& session = strip_.session();
    for (const HaloDirection direction : both_ways) {
      Channel& channel = channel_of(direction);
      channel.slot_bytes = (strip_.halo_bytes(direction) + line - 1) / line * line;
      channel.first_slot = bytes_ + line;
      channel.number = bytes_;
      bytes_ += line + slots * channel.slot_bytes;
      channel.queue = session.another_queue(QueueKind::between_devices);
    }
  }

  /// Collective.
  const PeerBuffer& connect(const RankPair& ranks) {
    return buffer_.emplace(strip_.session().context(), channels_[0].queue, ranks, bytes_);
  }

  /// Both directions before either is waited for, see above.
  void send(int state, Events after) override {
    ++exchange_;
    for (const HaloDirection direction : both_ways) {
      Channel& channel = channel_of(direction);
      const Buffer& to = direction == HaloDirection::northward ? buffer_->northern() : buffer_->southern();
      strip_.start_read(channel.queue, direction, state, slot_in(to, channel), after,
                        sent_[static_cast<std::size_t>(direction)]);
      channel.queue.write_word(to, channel.number, exchange_);
    }
  }

  /// The halo rows are written behind the sending in the same queue, and so after all launches that used them.
  std::vector<Event> receive(int state) override {
    for (const HaloDirection direction : both_ways) {
      Channel& channel = channel_of(direction);
      channel.queue.wait_for_word(buffer_->own(), channel.number, exchange_);
      strip_.start_write(channel.queue, direction, state, slot_in(buffer_->own(), channel),
                         written_[static_cast<std::size_t>(direction)]);
    }
    return written_;
  }

 private:
  static constexpr std::size_t slots = 2;

  /// What goes in one direction: where its number and its slots are in every rank's buffer.
  struct Channel {
    std::size_t number = 0, first_slot = 0, slot_bytes = 0;
    Queue queue;
  };
  Channel& channel_of(HaloDirection direction) { return channels_[static_cast<std::size_t>(direction)]; }
  /// Memory of a device.
  void* slot_in(const Buffer& buffer, const Channel& channel) const {
    return static_cast<std::byte*>(buffer.native()) + channel.first_slot + exchange_ % slots * channel.slot_bytes;
  }

  DeviceStrip& strip_;
  std::array<Channel, 2> channels_;
  std::size_t bytes_ = 0;
  std::optional<PeerBuffer> buffer_;
  std::uint32_t exchange_ = 0;  ///< the newest one's number, the same on all ranks, which goes on from run to run
};

}  // namespace

Peers find_peers(const ComputeDevice& device, const RankPair& ranks) {
  Context context;
  Peers peers;
  Queue queue;
  const auto open = [&] {
    context = api().open(device);
    queue = context->queue(QueueKind::between_devices);
  };
  try {
    if (!on_all(ranks.comm, open)) return peers;
  } catch (const device::Failure& error) {
    peers.why_not = error.what();
    return peers;
  }
  const PeerBuffer buffer(context, queue, ranks, 0);
  peers.are_reached = buffer.is_open();
  peers.why_not = buffer.why_not();
  peers.open = context;
  return peers;
}

std::unique_ptr<HaloTransfers> make_peer_transfers(DeviceStrip& strip, const RankPair& ranks) {
  std::unique_ptr<PeerTransfers> transfers;
  if (!on_all(ranks.comm, [&] { transfers = std::make_unique<PeerTransfers>(strip); })) return nullptr;
  const PeerBuffer& buffer = transfers->connect(ranks);
  if (buffer.is_open()) return transfers;
  if (buffer.why_not().empty()) return nullptr;
  throw unavailable("--halo ipc: {}", buffer.why_not());
}

}  // namespace boltzmark::mpi
