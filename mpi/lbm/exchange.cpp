#include "mpi/lbm/exchange.hpp"

#include "common/base/clock.hpp"
#include "common/cpu/progress.hpp"

namespace boltzmark::mpi {

Exchange::Exchange(HaloMethod method, const RankPair& ranks, int number, const HaloMessage& northward,
                   const HaloMessage& southward)
    : method_(method),
      comm_(ranks.comm),
      messages_{
          {{northward, ranks.south, ranks.north, 2 * number}, {southward, ranks.north, ranks.south, 2 * number + 1}}} {
  requests_.fill(MPI_REQUEST_NULL);
  if (method_ != HaloMethod::persistent) return;
  MPI_Request* request = requests_.data();
  for (const auto& [message, from_rank, to_rank, tag] : messages_) {
    MPI_Recv_init(message.receive, message.count, message.type, from_rank, tag, comm_, request++);
    MPI_Send_init(message.send, message.count, message.type, to_rank, tag, comm_, request++);
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
    // Not MPI_Waitall: a library may spin in it for ever, on a core that the sender's threads could use.
    spin_until([this] { return have_arrived(); }, 200);
    return;
  }
  for (const auto& [message, from_rank, to_rank, tag] : messages_)
    MPI_Sendrecv(message.send, message.count, message.type, to_rank, tag, message.receive, message.count, message.type,
                 from_rank, tag, comm_, MPI_STATUS_IGNORE);
}

void FaceExchanges::add(int parity, int axis, const RankPair& ranks, Face northward, Face southward) {
  before_[parity].emplace_back(method_, ranks, 2 * axis + parity,
                               HaloMessage{northward.send, northward.receive, 1, northward.type.type()},
                               HaloMessage{southward.send, southward.receive, 1, southward.type.type()});
  types_.push_back(std::move(northward.type));
  types_.push_back(std::move(southward.type));
}

void FaceExchanges::start(int parity) {
  if (before_[parity].size() == 1) before_[parity].front().start();
}

void FaceExchanges::finish(int parity) {
  for (Exchange& one : before_[parity]) {
    if (before_[parity].size() > 1) one.start();
    one.finish();
  }
}

double FaceExchanges::seconds() const {
  double seconds = 0.0;
  for (const auto& list : before_)
    for (const Exchange& one : list) seconds += one.seconds();
  return seconds;
}

HaloSeconds seconds_of_all(double seconds) {
  HaloSeconds of_all;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Reduce(&seconds, &of_all.mean, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&seconds, &of_all.most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  of_all.mean /= ranks;
  return of_all;
}

}  // namespace boltzmark::mpi
