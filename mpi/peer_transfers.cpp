// Halo rows from device to device on one machine (CUDA IPC); only CUDA has it, see device::Api::has_peers.
//
// Each rank has a buffer that its neighbours write to, with, for each direction, two slots for halo rows and the number
// of the newest exchange whose rows have arrived. A rank copies its rows into the neighbour's slot number n % 2 and
// then writes n; the neighbour's queue waits for n, and copies the slot to the halo rows:
//
//   rank 0, queue northward   rows -> slot of rank 1 | n -> rank 1        wait for n | slot -> halo rows
//   rank 1, queue northward                   wait for n | slot -> halo rows
//
// No host waits within a run: all of it is enqueued ahead. That cannot deadlock: on each rank the sends of exchange n
// are enqueued before anything that waits for n, and they wait only for launches that waited for numbers up to n - 1;
// so even if all queues of a device were one, the command at its head could proceed. A rank with one neighbour has one
// queue, in which it sends before it waits.
//
// Two slots are enough. Rows of exchange n + 2 are sent after the launches that needed the halo rows of n + 1 from both
// sides, so after the neighbour wrote n + 1. The neighbour did so after its launches that needed the rows of n, which
// had therefore been copied out of their slot.
#include <array>
#include <functional>
#include <vector>

#include "common/base/error.hpp"
#include "common/device/api.hpp"
#include "common/device/session.hpp"
#include "mpi/halo_transfers.hpp"
#include "mpi/nccl_ranks.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"

namespace boltzmark::mpi {

using namespace device;
namespace {

/// After the neighbours' part: a word that this rank sends, and for each neighbour the data of its test, a copied word
/// and a number.
constexpr std::size_t trial_line = 64, trial_bytes = 5 * trial_line;
constexpr std::uint32_t trial_number = 1;
constexpr std::size_t copied_word(std::size_t side) { return (1 + 2 * side) * trial_line; }
constexpr std::size_t number_word(std::size_t side) { return (2 + 2 * side) * trial_line; }

/// Values of the southern and of the northern neighbour. Collective.
template <class T>
std::array<T, 2> from_neighbours(const T& mine, const RankPair& ranks) {
  std::array<T, 2> theirs;
  const std::array from = {ranks.south, ranks.north}, to = {ranks.north, ranks.south};
  for (std::size_t side = 0; side < theirs.size(); ++side)
    MPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, to[side], 0, &theirs[side], sizeof mine, MPI_BYTE, from[side], 0,
                 ranks.comm, MPI_STATUS_IGNORE);
  return theirs;
}

/// Buffers of these names on the devices of both neighbours, empty without a neighbour. A process cannot open its own
/// buffer.
std::array<Buffer, 2> open_neighbours(ContextBase& context, const Buffer& own, const std::array<PeerName, 2>& names,
                                      const RankPair& ranks) {
  std::array<Buffer, 2> opened;
  const std::array of = {ranks.south, ranks.north};
  for (std::size_t side = 0; side < of.size(); ++side) {
    if (of[side] == MPI_PROC_NULL) continue;
    if (of[side] == rank_in(ranks.comm))
      opened[side] = own;
    else if (side == 1 && of[1] == of[0])
      opened[side] = opened[0];
    else
      opened[side] = context.open_peer(names[side]);
  }
  return opened;
}

/// A buffer on this rank's device to which its neighbours write, and the neighbours' buffers. CUDA only.
class PeerBuffer {
 public:
  /// Opens those of the neighbours, of the same size (a multiple of 64 bytes), and tests them. Collective; is_open()
  /// tells whether that succeeded on all ranks. `between`: a queue between devices of that context.
  PeerBuffer(Context context, Queue between, const RankPair& ranks, std::size_t bytes)
      : context_(std::move(context)),
        queue_(std::move(between)),
        ranks_(ranks),
        bytes_(bytes),
        rank_(rank_in(ranks.comm)) {
    const bool is_one_machine = Neighbours().count() == size_of(ranks_.comm);
    is_open_ = all_can([&] {
      if (!is_one_machine) throw unavailable("the ranks are on several machines");
      const std::string missing = context_->missing_for_peers();
      if (!missing.empty()) throw unavailable("the installed driver has no {}; it is too old", missing);
      allocate();
    });
    if (is_open_) names_ = from_neighbours(name_, ranks_);
    is_open_ = is_open_ && all_can([&] { neighbours_ = open_neighbours(*context_, own_, names_, ranks_); });
    is_open_ = is_open_ && all_can([&] { write_to_neighbours(); });
    is_open_ = is_open_ && all_can([&] { read_from_neighbours(); });
    if (!is_open_) close();
  }
  PeerBuffer(const PeerBuffer&) = delete;
  PeerBuffer& operator=(const PeerBuffer&) = delete;
  /// Collective if it is open.
  ~PeerBuffer() {
    if (is_open_) close();
  }

  bool is_open() const { return is_open_; }
  /// The failure of this rank; empty if only others failed.
  const std::string& why_not() const { return why_not_; }

  const Buffer& own() const { return own_; }
  const Buffer& southern() const { return neighbours_[0]; }
  const Buffer& northern() const { return neighbours_[1]; }

 private:
  /// Whether `work` throws nothing on any rank. Collective.
  bool all_can(const std::function<void()>& work) {
    try {
      return on_all(ranks_.comm, work);
    } catch (const std::exception& error) {
      why_not_ = error.what();
    }
    return false;
  }
  void allocate() {
    const std::size_t bytes = peer_bytes(bytes_ + trial_bytes);
    own_ = context_->allocate(bytes);
    queue_->fill(own_, 0, 0, bytes);
    queue_->fill(own_, word_of(rank_), bytes_, sizeof(std::uint32_t));
    queue_->finish();  // before anybody writes to it
    const bool has_other = ranks_.south != rank_ || ranks_.north != rank_;
    if (has_other) name_ = context_->name_for_peers(own_);
  }
  /// A copy as in a run, of the kind that demands most of the driver, followed by a number.
  void write_to_neighbours() {
    for (std::size_t side = 0; side < neighbours_.size(); ++side) {
      const Buffer& neighbour = neighbours_[side];
      if (!neighbour) continue;
      queue_->start_read(own_, {bytes_, sizeof(std::uint32_t), 1, trial_line, trial_line},
                         static_cast<std::byte*>(neighbour.native()) + bytes_ + copied_word(1 - side));
      queue_->write_word(neighbour, bytes_ + number_word(1 - side), trial_number);
    }
    queue_->finish();
  }
  void read_from_neighbours() {
    const std::array ranks = {ranks_.south, ranks_.north};
    const Queue to_host = context_->queue();
    const auto word_at = [&](std::size_t at) {
      std::uint32_t word = 0;
      to_host->read(own_, bytes_ + at, sizeof word, &word);
      return word;
    };
    for (std::size_t side = 0; side < ranks.size(); ++side)
      if (neighbours_[side] &&
          (word_at(copied_word(side)) != word_of(ranks[side]) || word_at(number_word(side)) != trial_number))
        throw unavailable("data that rank {} wrote to the device of rank {} did not arrive", ranks[side], rank_);
    // Last, because nothing ends a wait for a number that never arrives.
    for (std::size_t side = 0; side < ranks.size(); ++side)
      if (neighbours_[side]) queue_->wait_for_word(own_, bytes_ + number_word(side), trial_number);
    queue_->finish();
  }
  /// An owner must keep the memory until the others have closed it.
  void close() {
    is_open_ = false;
    neighbours_ = {};
    MPI_Barrier(ranks_.comm);
    own_ = {};
  }

  Context context_;
  Queue queue_;
  RankPair ranks_;
  std::size_t bytes_;
  int rank_;
  bool is_open_ = false;
  std::string why_not_;
  Buffer own_;
  PeerName name_{};
  std::array<PeerName, 2> names_{};   ///< of the southern and of the northern neighbour's buffer
  std::array<Buffer, 2> neighbours_;  ///< empty without a neighbour
};

constexpr std::size_t line = 256;  ///< bytes between two numbers; sizes of slots are multiples of it

class PeerTransfers final : public HaloTransfers {
 public:
  PeerTransfers(HaloStrip& strip, const RankPair& ranks) : HaloTransfers(strip, ranks) {
    Session& session = strip_.session();
    for (std::size_t i = 0; i < both_ways.size(); ++i) {
      Channel& channel = channels_[i];
      channel.slot_bytes = (strip_.halo_bytes(both_ways[i]) + line - 1) / line * line;
      channel.first_slot = bytes_ + line;
      channel.number = bytes_;
      bytes_ += line + slots * channel.slot_bytes;
      const bool has_both = has_receiver(0) && has_receiver(1);
      channel.queue = i == 0 || has_both ? session.another_queue(QueueKind::between_devices) : channels_[0].queue;
    }
  }

  /// Collective.
  const PeerBuffer& connect(const RankPair& ranks) {
    return buffer_.emplace(strip_.session().context(), channels_[0].queue, ranks, bytes_);
  }
  /// For launches that send: opens the neighbours' states; whether all ranks could. Collective.
  bool connect_launches(const RankPair& ranks) {
    struct Offer {
      int rows = 0;
      std::array<PeerName, 2> states = {};
    } mine;
    const HaloStrip::Peer own = strip_.as_peer();
    ContextBase& context = *strip_.session().context();
    if (own.rows == 0) return true;
    mine.rows = own.rows;
    if (!on_all(ranks.comm, [&] {
          for (std::size_t i = 0; i < own.states.size(); ++i) mine.states[i] = context.name_for_peers(own.states[i]);
        }))
      return false;
    const std::array<Offer, 2> offers = from_neighbours(mine, ranks);
    return on_all(ranks.comm, [&] {
      std::array<HaloStrip::Peer, 2> peers = {HaloStrip::Peer{offers[0].rows}, {offers[1].rows}};
      for (std::size_t i = 0; i < own.states.size(); ++i) {
        opened_.push_back(open_neighbours(context, own.states[i], {offers[0].states[i], offers[1].states[i]}, ranks));
        for (std::size_t side = 0; side < peers.size(); ++side) peers[side].states[i] = opened_.back()[side];
      }
      strip_.connect(peers[0], peers[1]);
    });
  }

  /// Both directions before either is waited for, see above.
  void send(int state, Events after) override {
    ++exchange_;
    sent_.clear();
    for (std::size_t i = 0; i < both_ways.size(); ++i) {
      if (!has_receiver(i)) continue;
      const Channel& channel = channels_[i];
      const Buffer& to = both_ways[i] == HaloDirection::northward ? buffer_->northern() : buffer_->southern();
      read_out(channel.queue, i, state, slot_in(to, channel), after);
      channel.queue->write_word(to, channel.number, exchange_);
    }
  }

  /// The halo rows are written after the sending in the same queue, and so after all launches that used them.
  std::vector<Event> receive(int state) override {
    written_.clear();
    for (std::size_t i = 0; i < both_ways.size(); ++i) {
      if (!has_sender(i)) continue;
      const Channel& channel = channels_[i];
      channel.queue->wait_for_word(buffer_->own(), channel.number, exchange_);
      write_in(channel.queue, i, state, slot_in(buffer_->own(), channel));
    }
    return written_;
  }

 private:
  static constexpr std::size_t slots = 2;

  /// Data of one direction: the places of its number and its slots in every rank's buffer.
  struct Channel {
    std::size_t number = 0, first_slot = 0, slot_bytes = 0;
    Queue queue;
  };
  /// Memory of a device.
  void* slot_in(const Buffer& buffer, const Channel& channel) const {
    return static_cast<std::byte*>(buffer.native()) + channel.first_slot + exchange_ % slots * channel.slot_bytes;
  }

  std::array<Channel, 2> channels_;
  std::size_t bytes_ = 0;
  std::optional<PeerBuffer> buffer_;           ///< which waits for the others when it is closed, behind what follows
  std::vector<std::array<Buffer, 2>> opened_;  ///< the neighbours' states
  std::uint32_t exchange_ = 0;                 ///< newest exchange, the same on all ranks, counted over all runs
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

std::unique_ptr<HaloTransfers> make_peer_transfers(HaloStrip& strip, const RankPair& ranks) {
  std::unique_ptr<PeerTransfers> transfers;
  if (!on_all(ranks.comm, [&] { transfers = std::make_unique<PeerTransfers>(strip, ranks); })) return nullptr;
  const PeerBuffer& buffer = transfers->connect(ranks);
  if (buffer.is_open()) return transfers->connect_launches(ranks) ? std::move(transfers) : nullptr;
  if (buffer.why_not().empty()) return nullptr;
  throw unavailable("--halo ipc: {}", buffer.why_not());
}

}  // namespace boltzmark::mpi
