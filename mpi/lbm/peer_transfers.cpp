#include "mpi/lbm/peer_transfers.hpp"

#include "common/base/error.hpp"
#include "mpi/lbm/peer_buffer.hpp"
#include "mpi/on_all.hpp"
#include "opencl/runtime/error.hpp"

namespace boltzmark::mpi::cuda {
namespace {

constexpr std::size_t line = 256;  ///< bytes between two numbers, and what a slot's size is a multiple of

class PeerTransfers final : public HaloTransfers {
 public:
  explicit PeerTransfers(DeviceStrip& strip) : strip_(strip) {
    Session& session = strip_.session();
    for (const HaloDirection direction : both_ways) {
      Way& way = way_of(direction);
      way.slot_bytes = (strip_.halo_bytes(direction) + line - 1) / line * line;
      way.first_slot = bytes_ + line;
      way.number = bytes_;
      bytes_ += line + slots * way.slot_bytes;
      way.queue = attempt("open a queue between devices", [&] {
        return cl::CommandQueue(session.context(), session.device().handle, queue_between_devices);
      });
    }
  }

  /// Collective.
  const PeerBuffer& connect(const RankPair& ranks) {
    return buffer_.emplace(strip_.session().context(), ways_[0].queue, ranks, bytes_);
  }

  /// Both ways before either is waited for, see above.
  void send(int state, const std::vector<cl::Event>& after) override {
    ++exchange_;
    for (const HaloDirection direction : both_ways) {
      Way& way = way_of(direction);
      const CUdeviceptr to =
          direction == HaloDirection::northward ? buffer_->northern() : buffer_->southern();
      strip_.enqueue_read(way.queue, direction, state, reinterpret_cast<void*>(to + slot_of(way)), after,
                          sent_[static_cast<std::size_t>(direction)]);
      way.queue.enqueueWriteWord(to + way.number, exchange_);
    }
  }

  /// The halo rows are written behind the sending in the same queue, and so after all launches that used them.
  std::vector<cl::Event> receive(int state) override {
    for (const HaloDirection direction : both_ways) {
      Way& way = way_of(direction);
      way.queue.enqueueWaitForWord(buffer_->own() + way.number, exchange_);
      strip_.enqueue_write(way.queue, direction, state,
                           reinterpret_cast<const void*>(buffer_->own() + slot_of(way)),
                           written_[static_cast<std::size_t>(direction)]);
    }
    return written_;
  }

 private:
  static constexpr std::size_t slots = 2;

  /// What goes one way: where its number and its slots are in every rank's buffer.
  struct Way {
    std::size_t number = 0, first_slot = 0, slot_bytes = 0;
    cl::CommandQueue queue;
  };
  Way& way_of(HaloDirection direction) { return ways_[static_cast<std::size_t>(direction)]; }
  std::size_t slot_of(const Way& way) const { return way.first_slot + exchange_ % slots * way.slot_bytes; }

  DeviceStrip& strip_;
  std::array<Way, 2> ways_;
  std::size_t bytes_ = 0;
  std::optional<PeerBuffer> buffer_;
  cl_uint exchange_ = 0;  ///< the newest one's number, the same on all ranks, which goes on from run to run
};

}  // namespace

Peers find_peers(const ComputeDevice& device, const RankPair& ranks) {
  const auto context = std::make_shared<cl::Context>();
  Peers peers;
  cl::CommandQueue queue;
  const auto open = [&] {
    *context = cl::Context(device.handle);
    queue = cl::CommandQueue(*context, device.handle, queue_between_devices);
  };
  try {
    if (!on_all(ranks.comm, open)) return peers;
  } catch (const cl::Error& error) {
    peers.why_not = failure_words(error);
    return peers;
  }
  const PeerBuffer buffer(*context, queue, ranks, 0);
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

}  // namespace boltzmark::mpi::cuda
