// An exchange of halo rows with both neighbours: what differs between the halo methods.
//
//   sendrecv     MPI_Sendrecv to the north, then one to the south, when the halo rows are needed
//   persistent   MPI_Send_init and MPI_Recv_init once; MPI_Startall as soon as what is sent is there, and
//                wait for all when the halo rows are needed; in between the rows inside are computed
#pragma once

#include <mpi.h>

#include <array>

namespace boltzmark::mpi {

/// The ranks before and behind one along an axis, by their numbers in a communicator that outlives the exchange.
struct RankPair {
  MPI_Comm comm;
  int south, north;
};

enum class HaloMethod { sendrecv, persistent };

/// What goes to one neighbour, and where the same comes in from the other neighbour.
struct HaloMessage {
  void *send, *receive;
  int count;          ///< of values of this type
  MPI_Datatype type;  ///< must live as long as the exchange
};

class Exchange {
 public:
  /// `northward`: sent to the northern neighbour, received from the southern one; `southward` the other way.
  /// Exchanges that may be under way at the same time need numbers of their own.
  Exchange(HaloMethod method, const RankPair& ranks, int number, const HaloMessage& northward,
           const HaloMessage& southward);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange();

  /// What is to be sent is there: from now to the end of finish() it must not change, and memory for what
  /// comes must not be used.
  void start();
  /// Lets messages that are under way progress: a library may only move them while it is called.
  void progress();
  /// Returns when all that comes has come and all that goes has gone.
  void finish();
  /// Seconds spent in start(), progress() and finish() so far.
  double seconds() const { return seconds_; }

 private:
  struct Addressed {
    HaloMessage message;
    int from_rank, to_rank, tag;
  };

  /// Whether all that was started has come and gone.
  bool have_arrived();

  HaloMethod method_;
  MPI_Comm comm_;
  std::array<Addressed, 2> messages_;
  std::array<MPI_Request, 4> requests_;
  double seconds_ = 0.0;
};

/// Seconds that halo rows cost the ranks, known on rank 0.
struct HaloSeconds {
  double mean = 0.0, most = 0.0;
};
/// Of what each rank says. Collective.
HaloSeconds seconds_of_all(double seconds);

}  // namespace boltzmark::mpi
