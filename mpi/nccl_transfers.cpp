// Halo rows from device to device by NCCL, on one or several machines, with any MPI library.
//
// All of an exchange goes through one queue: rows are copied out of the grid, one group of NCCL's calls sends and
// receives in both directions, and the received rows are copied to the halo rows:
//
//   queue     rows -> out | ncclSend out, ncclRecv in | in -> halo rows
//
// No host waits within a run: all of it is enqueued ahead. Every rank enqueues one group for each exchange, in their
// order, so groups of two ranks match, and a group waits only for the neighbours' group of the same number. One `out`
// and one `in` suffice, because the queue's order separates the exchanges.
//
// A group is a kernel that polls for its neighbours. The queue is one between devices, whose kernels have priority:
// otherwise a launch of the inner rows that fills the device would have to end first, and hide nothing.
#include <array>
#include <memory>

#include "common/device/session.hpp"
#include "cuda/runtime/nccl.hpp"
#include "mpi/halo_transfers.hpp"
#include "mpi/nccl_ranks.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {

using namespace device;
namespace {

constexpr const char* user = "--halo nccl";

class NcclTransfers final : public HaloTransfers {
 public:
  NcclTransfers(HaloStrip& strip, const RankPair& ranks)
      : HaloTransfers(strip, ranks), queue_(strip.session().another_queue(QueueKind::between_devices)) {
    for (std::size_t i = 0; i < both_ways.size(); ++i) {
      bytes_[i] = strip_.halo_bytes(both_ways[i]);
      strip_.session().allocate({{&out_[i], bytes_[i]}, {&in_[i], bytes_[i]}});
    }
  }

  /// False if another rank fails. Collective.
  bool connect() { return (nccl_comm_ = connect_by_nccl(user, comm_)) != nullptr; }

  /// An exchange of a word, because NCCL connects two ranks at their first exchange, which takes long. Collective.
  void try_out() {
    for (std::size_t i = 0; i < both_ways.size(); ++i) queue_->fill(out_[i], word_of(rank_in(comm_)), 0, bytes_[i]);
    exchange();
    for (std::size_t i = 0; i < both_ways.size(); ++i) {
      if (!has_sender(i)) continue;
      std::uint32_t word = 0;
      queue_->finish();
      strip_.session().queue()->read(in_[i], 0, sizeof word, &word);
      if (word != word_of(from_[i]))
        throw unavailable("--halo nccl: data that rank {} sent to the device of rank {} did not arrive", from_[i],
                          rank_in(comm_));
    }
  }

  void send(int state, Events after) override {
    sent_.clear();
    for (std::size_t i = 0; i < both_ways.size(); ++i)
      if (has_receiver(i)) read_out(queue_, i, state, out_[i].native(), after);
    exchange();
  }

  /// The halo rows are written after the sending in the same queue, and so after all launches that used them.
  std::vector<Event> receive(int state) override {
    written_.clear();
    for (std::size_t i = 0; i < both_ways.size(); ++i)
      if (has_sender(i)) write_in(queue_, i, state, in_[i].native());
    return written_;
  }

 private:
  /// Messages between two ranks are matched in order: if both neighbours are the same rank, northward first.
  void exchange() {
    const auto stream = static_cast<cuda::CUstream>(queue_->native());
    NCCL(GroupStart);
    for (std::size_t i = 0; i < both_ways.size(); ++i) {
      if (has_receiver(i)) NCCL(Send, out_[i].native(), bytes_[i], cuda::nccl_bytes, to_[i], nccl_comm_.get(), stream);
      if (has_sender(i)) NCCL(Recv, in_[i].native(), bytes_[i], cuda::nccl_bytes, from_[i], nccl_comm_.get(), stream);
    }
    NCCL(GroupEnd);
  }

  Queue queue_;
  std::array<std::size_t, 2> bytes_{};
  std::array<Buffer, 2> out_, in_;
  std::shared_ptr<struct cuda::ncclComm> nccl_comm_;
};

}  // namespace

std::unique_ptr<HaloTransfers> make_nccl_transfers(HaloStrip& strip, const RankPair& ranks) {
  std::unique_ptr<NcclTransfers> transfers;
  if (!on_all_by_nccl(user, ranks.comm, [&] { transfers = std::make_unique<NcclTransfers>(strip, ranks); }) ||
      !transfers->connect() || !on_all_by_nccl(user, ranks.comm, [&] { transfers->try_out(); }))
    return nullptr;
  return transfers;
}

}  // namespace boltzmark::mpi
