#include "mpi/exchange.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/cpu/progress.hpp"

namespace boltzmark::mpi {
namespace {

/// Tests before a rank yields its core. MPI's own waits may spin without end on a core that the sender's threads need.
constexpr int max_tests = 200;

/// A face, and the ranks that send and receive across it.
struct Addressed {
  Face face;
  int from_rank, to_rank, tag;
};

/// Common to all methods: the northward face, then the southward one.
class FacesExchange : public Exchange {
 public:
  FacesExchange(const RankPair& ranks, int number, Face northward, Face southward)
      : comm_(ranks.comm),
        faces_{{{std::move(northward), ranks.south, ranks.north, 2 * number},
                {std::move(southward), ranks.north, ranks.south, 2 * number + 1}}} {}

  double bytes() const final { return bytes_in(faces_[0].face.type) + bytes_in(faces_[1].face.type); }

 protected:
  MPI_Comm comm_;
  std::array<Addressed, 2> faces_;
};

class Sendrecv : public FacesExchange {
 public:
  using FacesExchange::FacesExchange;

 private:
  void do_finish() override {
    for (const auto& [face, from_rank, to_rank, tag] : faces_)
      MPI_Sendrecv(face.send, 1, face.type.type(), to_rank, tag, face.receive, 1, face.type.type(), from_rank, tag,
                   comm_, MPI_STATUS_IGNORE);
  }
};

class Persistent : public FacesExchange {
 public:
  Persistent(const RankPair& ranks, int number, Face northward, Face southward)
      : FacesExchange(ranks, number, std::move(northward), std::move(southward)) {
    MPI_Request* request = requests_.data();
    for (const auto& [face, from_rank, to_rank, tag] : faces_) {
      MPI_Recv_init(face.receive, 1, face.type.type(), from_rank, tag, comm_, request++);
      MPI_Send_init(face.send, 1, face.type.type(), to_rank, tag, comm_, request++);
    }
  }
  ~Persistent() override {
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  }

 private:
  bool have_arrived() {
    int done = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  }

  void do_start() override { MPI_Startall(static_cast<int>(requests_.size()), requests_.data()); }
  void do_progress() override { have_arrived(); }
  void do_finish() override {
    spin_until([this] { return have_arrived(); }, max_tests);
  }

  std::array<MPI_Request, 4> requests_;
};

class Puts : public FacesExchange {
 public:
  Puts(const RankPair& ranks, int number, Face northward, Face southward)
      : FacesExchange(ranks, number, std::move(northward), std::move(southward)) {
    // The same on all ranks, so that each knows where in a neighbour's window its face is, and all throw or none.
    const double most =
        over_ranks(std::max(bytes_in(faces_[0].face.type), bytes_in(faces_[1].face.type)), MPI_MAX, comm_);
    if (most > 0.5 * std::numeric_limits<int>::max())
      throw unavailable(
          "--halo rma: expected at most 1 GiB of halo cells at a side, found {:.3g} GiB; --halo persistent "
          "has no such limit",
          most / (1 << 30));
    for (const Addressed& one : faces_) {
      int size = 0;  // of the data, with room for a library's additions
      MPI_Pack_size(1, one.face.type.type(), comm_, &size);
      room_ = std::max(room_, size);
    }
    room_ = over_ranks(room_, MPI_MAX, comm_);
    for (auto& buffer : packed_) buffer.resize(static_cast<std::size_t>(room_));
    allocate_window();
    const std::array<int, 2> neighbours = {ranks.south, ranks.north};
    MPI_Group all;
    MPI_Comm_group(comm_, &all);
    MPI_Group_incl(all, ranks.south == ranks.north ? 1 : 2, neighbours.data(), &neighbours_);
    MPI_Group_free(&all);
    MPI_Win_post(neighbours_, 0, window_);
  }
  ~Puts() override {
    // The window is open for a next exchange that never comes.
    MPI_Win_start(neighbours_, 0, window_);
    MPI_Win_complete(window_);
    MPI_Win_wait(window_);
    MPI_Win_free(&window_);
    MPI_Group_free(&neighbours_);
  }

 private:
  /// Some libraries have no windows on some networks: Debian's Open MPI 4.1 allows none over TCP.
  void allocate_window() {
    MPI_Errhandler usual;
    MPI_Comm_get_errhandler(comm_, &usual);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    const int error = MPI_Win_allocate(MPI_Aint{2} * room_, 1, MPI_INFO_NULL, comm_, &window_memory_, &window_);
    MPI_Comm_set_errhandler(comm_, usual);
    MPI_Errhandler_free(&usual);
    if (over_ranks(error != MPI_SUCCESS, MPI_LOR, comm_))
      throw unavailable(
          "--halo rma: expected an MPI library with windows on this network, found none; Open MPI over TCP "
          "may need: mpirun --mca osc ^ucx");
  }

  void do_start() override {
    MPI_Win_start(neighbours_, 0, window_);
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      const Face& face = faces_[i].face;
      int size = 0;
      MPI_Pack(face.send, 1, face.type.type(), packed_[i].data(), room_, &size, comm_);
      MPI_Put(packed_[i].data(), size, MPI_PACKED, faces_[i].to_rank, place_of(i), size, MPI_PACKED, window_);
    }
    MPI_Win_complete(window_);
    have_arrived_ = false;
  }
  void do_progress() override {
    int done = have_arrived_;
    if (!done) MPI_Win_test(window_, &done);
    have_arrived_ = done != 0;
  }
  void do_finish() override {
    spin_until([this] { return do_progress(), have_arrived_; }, max_tests);
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      const Face& face = faces_[i].face;
      int position = 0;
      MPI_Unpack(static_cast<char*>(window_memory_) + place_of(i), room_, &position, face.receive, 1, face.type.type(),
                 comm_);
    }
    MPI_Win_post(neighbours_, 0, window_);
  }

  /// Place of a face in every rank's window.
  MPI_Aint place_of(std::size_t face) const { return static_cast<MPI_Aint>(face) * room_; }

  int room_ = 0;  ///< of a face in the window, in bytes
  std::array<std::vector<char>, 2> packed_;
  void* window_memory_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
  MPI_Group neighbours_ = MPI_GROUP_NULL;
  bool have_arrived_ = true;  ///< since start(): an exposure that has ended must not be tested again
};

template <class Method>
std::unique_ptr<Exchange> make(const RankPair& ranks, int number, Face northward, Face southward) {
  return std::make_unique<Method>(ranks, number, std::move(northward), std::move(southward));
}

struct HaloMethod {
  const char* name;
  std::unique_ptr<Exchange> (*make)(const RankPair&, int, Face, Face);
};
constexpr HaloMethod methods[] = {{"persistent", make<Persistent>}, {"sendrecv", make<Sendrecv>}, {"rma", make<Puts>}};

}  // namespace

void Exchange::start() {
  const Stopwatch stopwatch(seconds_);
  do_start();
}
void Exchange::progress() {
  const Stopwatch stopwatch(seconds_);
  do_progress();
}
void Exchange::finish() {
  const Stopwatch stopwatch(seconds_);
  do_finish();
}

std::vector<std::string> halo_methods() {
  return each(methods, [](const HaloMethod& method) { return std::string(method.name); });
}

std::unique_ptr<Exchange> make_exchange(const std::string& method, const RankPair& ranks, int number, Face northward,
                                        Face southward) {
  const auto* const at = std::ranges::find(methods, method, &HaloMethod::name);
  return at->make(ranks, number, std::move(northward), std::move(southward));
}

}  // namespace boltzmark::mpi
