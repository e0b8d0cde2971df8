// An exchange of halo cells with both neighbours along an axis: the interface of the halo methods.
//
//   sendrecv     MPI_Sendrecv to the north, then one to the south, when the halo cells are needed
//   persistent   MPI_Send_init and MPI_Recv_init once; MPI_Startall as soon as what is sent is computed, and
//                wait for all when the halo cells are needed; in between the cells inside are computed
//   rma          one-sided: MPI_Put into a window of each neighbour, as soon as what is sent is computed
//
//                sender                      receiver
//                                            MPI_Win_post: the window is free from here on
//                pack, MPI_Win_start
//                MPI_Put
//                MPI_Win_complete            the cells inside are computed
//                                            MPI_Win_test until all neighbours have completed, unpack
//                                            MPI_Win_post, for the next exchange
//
// Windows hold faces packed: a put needs the layout in the receiver's memory, and strides differ between blocks of
// unequal width. Only neighbouring ranks wait for one another; a fence would delay all ranks.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "mpi/types.hpp"

namespace boltzmark::mpi {

/// The ranks before and behind one along an axis, by their numbers in a communicator that outlives the exchange.
struct RankPair {
  MPI_Comm comm;
  int south, north;
};

/// Data sent to one neighbour through a face of a rank's cells, and the place where the same data arrive from the other
/// neighbour.
struct Face {
  void *send, *receive;
  OwnedType type;
};

class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// To be called when the data to send are complete: until the end of finish() they must not change, and the receive
  /// memory must not be used.
  void start();
  /// Lets messages in flight progress: a library may move them only during calls.
  void progress();
  /// Returns when everything has been received and sent.
  void finish();
  /// Bytes that a rank sends in one exchange, in two messages.
  virtual double bytes() const = 0;
  /// Seconds spent in start(), progress() and finish() so far.
  double seconds() const { return seconds_; }

 private:
  virtual void do_start() {}
  virtual void do_progress() {}
  virtual void do_finish() = 0;

  double seconds_ = 0.0;
};

/// The names of the methods, the default first.
std::vector<std::string> halo_methods();

/// method: one of halo_methods(). `northward`: sent to the northern neighbour, received from the southern one;
/// `southward` the other way. Exchanges that may be in flight at the same time need different numbers. All ranks of the
/// communicator make and destroy their exchanges in the same order: with rma both are collective. Throws Error
/// (unavailable) on all of them if a face is too large for rma, or the library has no windows on this network.
std::unique_ptr<Exchange> make_exchange(const std::string& method, const RankPair& ranks, int number, Face northward,
                                        Face southward);

}  // namespace boltzmark::mpi
