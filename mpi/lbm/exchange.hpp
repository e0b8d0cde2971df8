// An exchange of halo rows with both neighbours: what differs between the halo methods.
//
//   sendrecv     MPI_Sendrecv to the north, then one to the south, when the halo rows are needed
//   persistent   MPI_Send_init and MPI_Recv_init once; MPI_Startall as soon as what is sent is there, and
//                MPI_Waitall when the halo rows are needed; in between the rows inside are computed
#pragma once

#include <mpi.h>

#include <array>
#include <string>

namespace boltzmark::mpi {

class Ranks;

enum class HaloMethod { sendrecv, persistent };

/// Memory that goes to one neighbour, and memory that the like from the other neighbour comes to.
struct Passage {
  void *from, *to;
  int count;          ///< of values of this type
  MPI_Datatype type;  ///< must live as long as the exchange
};

class Exchange {
 public:
  /// `northward`: sent to the northern neighbour, received from the southern one; `southward` the other way.
  /// Exchanges that may be under way at the same time need numbers of their own.
  Exchange(HaloMethod method, const Ranks& ranks, int number, const Passage& northward,
           const Passage& southward);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange();

  /// What is to be sent is there: from now to the end of finish() it must not change, and memory for what
  /// comes must not be used.
  void start();
  /// Helps messages along that are under way: a library may only move them while it is called.
  void help();
  /// Returns when all that comes has come and all that goes has gone.
  void finish();
  /// Seconds spent in start(), help() and finish() so far.
  double seconds() const { return seconds_; }

 private:
  /// A passage and the neighbours at its ends.
  struct Leg {
    Passage passage;
    int from_rank, to_rank, tag;
  };

  HaloMethod method_;
  std::array<Leg, 2> legs_;
  std::array<MPI_Request, 4> requests_;
  double seconds_ = 0.0;
};

}  // namespace boltzmark::mpi
