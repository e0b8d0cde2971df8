#include "mpi/lbm/exchange.hpp"

#include "common/base/clock.hpp"
#include "common/cpu/progress.hpp"

namespace boltzmark::mpi {

Exchange::Exchange(HaloMethod method, const RankPair& ranks, int number, Face northward, Face southward)
    : method_(method),
      comm_(ranks.comm),
      faces_{{{std::move(northward), ranks.south, ranks.north, 2 * number},
              {std::move(southward), ranks.north, ranks.south, 2 * number + 1}}} {
  requests_.fill(MPI_REQUEST_NULL);
  if (method_ != HaloMethod::persistent) return;
  MPI_Request* request = requests_.data();
  for (const auto& [face, from_rank, to_rank, tag] : faces_) {
    MPI_Recv_init(face.receive, 1, face.type.type(), from_rank, tag, comm_, request++);
    MPI_Send_init(face.send, 1, face.type.type(), to_rank, tag, comm_, request++);
  }
}

Exchange::~Exchange() {
  for (MPI_Request& request : requests_)
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

void Exchange::start() {
  if (method_ != HaloMethod::persistent) return;
  const Stopwatch stopwatch(seconds_);
  MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
}

bool Exchange::have_arrived() {
  int done = 0;
  MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
  return done != 0;
}

void Exchange::progress() {
  if (method_ != HaloMethod::persistent) return;
  const Stopwatch stopwatch(seconds_);
  have_arrived();
}

void Exchange::finish() {
  const Stopwatch stopwatch(seconds_);
  if (method_ == HaloMethod::persistent) {
    // Not MPI_Waitall: it may spin without end on a core that the sender's threads need.
    spin_until([this] { return have_arrived(); }, 200);
    return;
  }
  for (const auto& [face, from_rank, to_rank, tag] : faces_)
    MPI_Sendrecv(face.send, 1, face.type.type(), to_rank, tag, face.receive, 1, face.type.type(), from_rank, tag, comm_,
                 MPI_STATUS_IGNORE);
}

double Exchange::bytes() const { return bytes_in(faces_[0].face.type) + bytes_in(faces_[1].face.type); }

}  // namespace boltzmark::mpi
