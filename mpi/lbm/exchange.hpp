// An exchange of halo cells with both neighbours along an axis: what differs between the halo methods.
//
//   sendrecv     MPI_Sendrecv to the north, then one to the south, when the halo cells are needed
//   persistent   MPI_Send_init and MPI_Recv_init once; MPI_Startall as soon as what is sent is computed, and
//                wait for all when the halo cells are needed; in between the cells inside are computed
#pragma once

#include <mpi.h>

#include <array>
#include <list>
#include <vector>

#include "mpi/types.hpp"

namespace boltzmark::mpi {

/// The ranks before and behind one along an axis, by their numbers in a communicator that outlives the exchange.
struct RankPair {
  MPI_Comm comm;
  int south, north;
};

enum class HaloMethod { sendrecv, persistent };

/// What goes to one neighbour, and where the same arrives from the other neighbour.
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

  /// What is to be sent is computed: from now to the end of finish() it must not change, and memory for what
  /// arrives must not be used.
  void start();
  /// Lets messages that are under way progress: a library may only move them while it is called.
  void progress();
  /// Returns when everything has been received and sent.
  void finish();
  /// Seconds spent in start(), progress() and finish() so far.
  double seconds() const { return seconds_; }

 private:
  struct Addressed {
    HaloMessage message;
    int from_rank, to_rank, tag;
  };

  /// Whether all that was started has arrived.
  bool have_arrived();

  HaloMethod method_;
  MPI_Comm comm_;
  std::array<Addressed, 2> messages_;
  std::array<MPI_Request, 4> requests_;
  double seconds_ = 0.0;
};

/// The directions that cross a face along an axis of lattice L, where c = 1 northwards, -1 southwards.
template <class L>
std::vector<int> directions_across(int axis, int c) {
  const auto& c_i = axis == 0 ? L::cx : axis == 1 ? L::cy : L::cz;
  std::vector<int> found;
  for (int i = 0; i < L::directions; ++i)
    if (c_i[i] == c) found.push_back(i);
  return found;
}

/// What crosses a face along an axis, from that of its first row: that of every row (one in two dimensions) of every
/// layer that the face has.
template <class L>
OwnedType face_type(int axis, OwnedType of_row, int rows, std::size_t row_bytes, int layers, std::size_t layer_bytes) {
  constexpr int layer_axis = L::dimension - 1;
  const bool has_all_rows = L::dimension == 3 && axis != 1;
  OwnedType of_layer = has_all_rows ? OwnedType(rows, row_bytes, of_row) : std::move(of_row);
  return axis == layer_axis ? std::move(of_layer) : OwnedType(layers, layer_bytes, of_layer);
}

/// A face of a rank's cells: what is sent through it, and where the same arrives at the opposite face.
struct Face {
  void *send, *receive;
  OwnedType type;
};

/// The exchanges through all faces of a rank's cells before even and before odd steps, those of one step in their
/// order: each passes on what the ones before have brought.
class FaceExchanges {
 public:
  explicit FaceExchanges(HaloMethod method) : method_(method) {}

  /// `northward` is sent to the next rank along the axis, `southward` to the one before.
  void add(int parity, int axis, const RankPair& ranks, Face northward, Face southward);

  /// Before a step of this parity. A single exchange is under way from start() to finish(); several are done one after
  /// the other in finish().
  void start(int parity);
  void finish(int parity);
  /// Seconds spent in them so far.
  double seconds() const;

 private:
  HaloMethod method_;
  std::list<OwnedType> types_;
  std::array<std::list<Exchange>, 2> before_;
};

/// Seconds that halo cells cost the ranks, known on rank 0.
struct HaloSeconds {
  double mean = 0.0, most = 0.0;
};
/// From those of each rank. Collective.
HaloSeconds seconds_of_all(double seconds);

}  // namespace boltzmark::mpi
