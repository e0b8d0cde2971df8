#include "mpi/lbm/peer_buffer.hpp"

#include <mpi.h>

#include "common/base/error.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/on_all.hpp"

namespace boltzmark::mpi {

using namespace device;
namespace {

/// Behind what the neighbours use: a word that this rank sends, and for each of the two what it writes when it tries, a
/// copied word and a number.
constexpr std::size_t trial_line = 64, trial_bytes = 5 * trial_line;
constexpr std::uint32_t trial_number = 1;
constexpr std::size_t copied_word(std::size_t side) { return (1 + 2 * side) * trial_line; }
constexpr std::size_t number_word(std::size_t side) { return (2 + 2 * side) * trial_line; }

constexpr std::uint32_t word_of(int rank) { return 0x40000000u + static_cast<std::uint32_t>(rank); }

}  // namespace

PeerBuffer::PeerBuffer(Context context, Queue between, const RankPair& ranks, std::size_t bytes)
    : context_(std::move(context)), queue_(std::move(between)), ranks_(ranks), bytes_(bytes) {
  MPI_Comm_rank(ranks_.comm, &rank_);
  int size = 1;
  MPI_Comm_size(ranks_.comm, &size);
  const bool is_one_machine = Neighbours().count() == size;
  is_open_ = all_can([&] {
    if (!is_one_machine) throw unavailable("the ranks are on several machines");
    const std::string missing = context_->missing_for_peers();
    if (!missing.empty()) throw unavailable("the installed driver has no {}; it is too old", missing);
    allocate();
  });
  if (is_open_) exchange_names();
  is_open_ = is_open_ && all_can([&] { open_neighbours(); });
  is_open_ = is_open_ && all_can([&] { write_to_neighbours(); });
  is_open_ = is_open_ && all_can([&] { read_from_neighbours(); });
  if (!is_open_) close();
}

PeerBuffer::~PeerBuffer() {
  if (is_open_) close();
}

bool PeerBuffer::all_can(const std::function<void()>& work) {
  try {
    return on_all(ranks_.comm, work);
  } catch (const std::exception& error) {
    why_not_ = error.what();
  }
  return false;
}

void PeerBuffer::allocate() {
  const std::size_t bytes = peer_bytes(bytes_ + trial_bytes);
  own_ = context_->allocate(bytes);
  queue_.fill(own_, 0, 0, bytes);
  queue_.fill(own_, word_of(rank_), bytes_, sizeof(std::uint32_t));
  queue_.finish();  // before anybody writes to it
  const bool has_other = ranks_.south != rank_ || ranks_.north != rank_;
  if (has_other) names_.fill(context_->name_for_peers(own_));
}

/// Both neighbours get this rank's, which becomes theirs.
void PeerBuffer::exchange_names() {
  const PeerName mine = names_[0];
  constexpr int count = sizeof mine;
  MPI_Sendrecv(mine.data(), count, MPI_CHAR, ranks_.north, 0, names_[0].data(), count, MPI_CHAR, ranks_.south, 0,
               ranks_.comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(mine.data(), count, MPI_CHAR, ranks_.south, 1, names_[1].data(), count, MPI_CHAR, ranks_.north, 1,
               ranks_.comm, MPI_STATUS_IGNORE);
}

/// A process cannot open its own buffer.
void PeerBuffer::open_neighbours() {
  const std::array ranks = {ranks_.south, ranks_.north};
  for (std::size_t side = 0; side < ranks.size(); ++side) {
    if (ranks[side] == rank_)
      neighbours_[side] = own_;
    else if (side == 1 && ranks[1] == ranks[0])
      neighbours_[side] = neighbours_[0];
    else
      neighbours_[side] = context_->open_peer(names_[side]);
  }
}

/// As in a run: a copy, of the kind that asks most of the driver, and a number behind it.
void PeerBuffer::write_to_neighbours() {
  for (std::size_t side = 0; side < neighbours_.size(); ++side) {
    const Buffer& neighbour = neighbours_[side];
    queue_.start_read(own_, {bytes_, sizeof(std::uint32_t), 1, trial_line, trial_line},
                      static_cast<std::byte*>(neighbour.native()) + bytes_ + copied_word(1 - side));
    queue_.write_word(neighbour, bytes_ + number_word(1 - side), trial_number);
  }
  queue_.finish();
}

void PeerBuffer::read_from_neighbours() {
  const std::array ranks = {ranks_.south, ranks_.north};
  const Queue to_host = context_->queue();
  const auto word_at = [&](std::size_t at) {
    std::uint32_t word = 0;
    to_host.read(own_, bytes_ + at, sizeof word, &word);
    return word;
  };
  for (std::size_t side = 0; side < ranks.size(); ++side)
    if (word_at(copied_word(side)) != word_of(ranks[side]) || word_at(number_word(side)) != trial_number)
      throw unavailable("what rank {} wrote to the device of rank {} did not come", ranks[side], rank_);
  // Last, for nothing ends a wait for a number that does not come.
  for (std::size_t side = 0; side < ranks.size(); ++side)
    queue_.wait_for_word(own_, bytes_ + number_word(side), trial_number);
  queue_.finish();
}

/// An owner must keep the memory until the others have closed it.
void PeerBuffer::close() {
  is_open_ = false;
  neighbours_ = {};
  MPI_Barrier(ranks_.comm);
  own_ = {};
}

}  // namespace boltzmark::mpi
