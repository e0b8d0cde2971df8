#include "mpi/lbm/peer_buffer.hpp"

#include <mpi.h>

#include "common/base/error.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/on_all.hpp"
#include "opencl/runtime/error.hpp"

namespace boltzmark::mpi::cuda {
namespace {

/// Behind what the neighbours use: a word that this rank sends, and for each of the two what it writes when it tries, a copied
/// word and a number.
constexpr std::size_t trial_line = 64, trial_bytes = 5 * trial_line;
constexpr cl_uint trial_number = 1;
constexpr std::size_t copied_word(std::size_t side) { return (1 + 2 * side) * trial_line; }
constexpr std::size_t number_word(std::size_t side) { return (2 + 2 * side) * trial_line; }

constexpr cl_uint word_of(int rank) { return 0x40000000u + static_cast<cl_uint>(rank); }

}  // namespace

PeerBuffer::PeerBuffer(const cl::Context& context, cl::CommandQueue between, const RankPair& ranks,
                       std::size_t bytes)
    : queue_(std::move(between)), ranks_(ranks), bytes_(bytes) {
  MPI_Comm_rank(ranks_.comm, &rank_);
  int size = 1;
  MPI_Comm_size(ranks_.comm, &size);
  const bool is_one_machine = Neighbours().count() == size;
  is_open_ = all_can([&] {
    if (!is_one_machine) throw unavailable("the ranks are on several machines");
    if (const char* const missing = missing_for_peers())
      throw unavailable("the installed driver has no {}; it is too old", missing);
    allocate(context);
  });
  if (is_open_) exchange_handles();
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
  } catch (const cl::Error& error) {
    why_not_ = failure_words(error);
  } catch (const std::exception& error) {
    why_not_ = error.what();
  }
  return false;
}

void PeerBuffer::allocate(const cl::Context& context) {
  const std::size_t bytes = peer_bytes(bytes_ + trial_bytes);
  own_ = cl::Buffer(context, CL_MEM_READ_WRITE, bytes);
  queue_.enqueueFillBuffer(own_, cl_uint{0}, 0, bytes);
  queue_.enqueueFillBuffer(own_, word_of(rank_), bytes_, sizeof(cl_uint));
  queue_.finish();  // before anybody writes to it
  const bool has_other = ranks_.south != rank_ || ranks_.north != rank_;
  if (has_other) handles_.fill(handle_of(own_));
}

/// Both neighbours get this rank's, which becomes theirs.
void PeerBuffer::exchange_handles() {
  const IpcHandle mine = handles_[0];
  constexpr int count = sizeof mine.bytes;
  MPI_Sendrecv(mine.bytes, count, MPI_CHAR, ranks_.north, 0, handles_[0].bytes, count, MPI_CHAR, ranks_.south,
               0, ranks_.comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(mine.bytes, count, MPI_CHAR, ranks_.south, 1, handles_[1].bytes, count, MPI_CHAR, ranks_.north,
               1, ranks_.comm, MPI_STATUS_IGNORE);
}

/// A process cannot open what is its own.
void PeerBuffer::open_neighbours() {
  const std::array ranks = {ranks_.south, ranks_.north};
  for (std::size_t side = 0; side < ranks.size(); ++side) {
    if (ranks[side] == rank_)
      neighbours_[side] = own();
    else if (side == 1 && ranks[1] == ranks[0])
      neighbours_[side] = neighbours_[0];
    else
      neighbours_[side] = (mapped_[side] = PeerMemory(handles_[side]))();
  }
}

/// As in a run: a copy, of the kind that asks most of the driver, and a number behind it.
void PeerBuffer::write_to_neighbours() {
  for (std::size_t side = 0; side < neighbours_.size(); ++side) {
    const CUdeviceptr trial = neighbours_[side] + bytes_;
    queue_.enqueueReadBufferRect(own_, false, {0, bytes_ / trial_line, 0}, {0, 0, 0}, {sizeof(cl_uint), 1, 1},
                                 trial_line, 0, trial_line, 0,
                                 reinterpret_cast<void*>(trial + copied_word(1 - side)));
    queue_.enqueueWriteWord(trial + number_word(1 - side), trial_number);
  }
  queue_.finish();
}

void PeerBuffer::read_from_neighbours() {
  const std::array ranks = {ranks_.south, ranks_.north};
  const auto word_at = [&](std::size_t at) {
    cl_uint word = 0;
    const CUresult status = driver().cuMemcpyDtoH_v2(&word, own() + bytes_ + at, sizeof word);
    if (status != success) throw cl::Error(status, "cuMemcpyDtoH");
    return word;
  };
  for (std::size_t side = 0; side < ranks.size(); ++side)
    if (word_at(copied_word(side)) != word_of(ranks[side]) || word_at(number_word(side)) != trial_number)
      throw unavailable("what rank {} wrote to the device of rank {} did not come", ranks[side], rank_);
  // Only now, for nothing ends a wait for a number that does not come.
  for (std::size_t side = 0; side < ranks.size(); ++side)
    queue_.enqueueWaitForWord(own() + bytes_ + number_word(side), trial_number);
  queue_.finish();
}

/// An owner must keep the memory until the others have closed it.
void PeerBuffer::close() {
  is_open_ = false;
  mapped_ = {};
  MPI_Barrier(ranks_.comm);
  own_ = {};
}

}  // namespace boltzmark::mpi::cuda
