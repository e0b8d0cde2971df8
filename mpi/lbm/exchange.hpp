// An exchange of halo cells with both neighbours along an axis: what differs between the halo methods.
//
//   sendrecv     MPI_Sendrecv to the north, then one to the south, when the halo cells are needed
//   persistent   MPI_Send_init and MPI_Recv_init once; MPI_Startall as soon as what is sent is computed, and
//                wait for all when the halo cells are needed; in between the cells inside are computed
#pragma once

#include <mpi.h>

#include <array>

#include "mpi/types.hpp"

namespace boltzmark::mpi {

/// The ranks before and behind one along an axis, by their numbers in a communicator that outlives the exchange.
struct RankPair {
  MPI_Comm comm;
  int south, north;
};

enum class HaloMethod { sendrecv, persistent };

/// What goes to one neighbour through a face of a rank's cells, and where the same arrives from the other neighbour.
struct Face {
  void *send, *receive;
  OwnedType type;
};

class Exchange {
 public:
  /// `northward`: sent to the northern neighbour, received from the southern one; `southward` the other way.
  /// Exchanges that may be under way at the same time need numbers of their own.
  Exchange(HaloMethod method, const RankPair& ranks, int number, Face northward, Face southward);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange();

  /// What is to be sent is computed: from now to the end of finish() it must not change, and memory for what
  /// arrives must not be used.
  void start();
  /// Lets messages that are under way progress: a library may only move them while it is called.
  void progress();
  /// Returns when everything has been received and sent.
  void finish();
  /// Bytes that a rank sends in one exchange, in two messages.
  double bytes() const;
  /// Seconds spent in start(), progress() and finish() so far.
  double seconds() const { return seconds_; }

 private:
  struct Addressed {
    Face face;
    int from_rank, to_rank, tag;
  };

  /// Whether all that was started has arrived.
  bool have_arrived();

  HaloMethod method_;
  MPI_Comm comm_;
  std::array<Addressed, 2> faces_;
  std::array<MPI_Request, 4> requests_;
  double seconds_ = 0.0;
};

}  // namespace boltzmark::mpi
