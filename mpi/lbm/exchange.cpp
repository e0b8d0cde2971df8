#include "mpi/lbm/exchange.hpp"

#include <chrono>

#include "mpi/lbm/ranks.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

/// Adds the seconds of its life to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

Exchange::Exchange(HaloMethod method, const Ranks& ranks, int number, const Passage& northward,
                   const Passage& southward)
    : method_(method),
      legs_{{{northward, ranks.south(), ranks.north(), 2 * number},
             {southward, ranks.north(), ranks.south(), 2 * number + 1}}} {
  requests_.fill(MPI_REQUEST_NULL);
  if (method_ != HaloMethod::persistent) return;
  MPI_Request* request = requests_.data();
  for (const auto& [passage, from_rank, to_rank, tag] : legs_) {
    MPI_Recv_init(passage.to, passage.count, passage.type, from_rank, tag, MPI_COMM_WORLD, request++);
    MPI_Send_init(passage.from, passage.count, passage.type, to_rank, tag, MPI_COMM_WORLD, request++);
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

void Exchange::help() {
  if (method_ != HaloMethod::persistent) return;
  const Stopwatch stopwatch(seconds_);
  int done = 0;
  MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
}

void Exchange::finish() {
  const Stopwatch stopwatch(seconds_);
  if (method_ == HaloMethod::persistent) {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    return;
  }
  for (const auto& [passage, from_rank, to_rank, tag] : legs_)
    MPI_Sendrecv(passage.from, passage.count, passage.type, to_rank, tag, passage.to, passage.count,
                 passage.type, from_rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace boltzmark::mpi
