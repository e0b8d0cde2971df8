// A stand-in for NCCL in some of the tests of programs with `--local cuda`: messages between the memory of fake devices
// (fake_cuda.cpp), which MPI transfers when the command runs that GroupEnd enqueued. With
// BOLTZMARK_TEST_LOSE_GROUP="NUMBER" in the environment nothing of the group of that number arrives, counted from 0 on.
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "cuda/runtime/nccl.hpp"

using namespace boltzmark::cuda;

namespace {

constexpr int invalid_usage = 5;

enum class Kind { sent, received, broadcast };
struct Message {
  Kind kind;
  void* memory;
  int bytes, rank;  ///< a broadcast's: its root
  MPI_Comm comm;
};
struct Group {
  CUstream stream = nullptr;
  bool is_lost = false;
  std::vector<Message> messages;
};
Group open_group;
int depth = 0, groups = 0;

MPI_Comm& comm_of(NcclComm comm) { return *reinterpret_cast<MPI_Comm*>(comm); }

/// All at once: those to one rank in their order. A lost message is received in another place.
void run(void* group) {
  const auto* const whole = static_cast<const Group*>(group);
  std::vector<MPI_Request> requests(whole->messages.size());
  std::vector<std::vector<char>> lost(whole->messages.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto& [kind, memory, bytes, rank, comm] = whole->messages[i];
    lost[i].resize(static_cast<std::size_t>(bytes));
    int number = 0;
    MPI_Comm_rank(comm, &number);
    const bool is_here = kind == Kind::sent || (kind == Kind::broadcast && rank == number);
    void* const place = whole->is_lost && !is_here ? lost[i].data() : memory;
    if (kind == Kind::broadcast)
      MPI_Ibcast(place, bytes, MPI_BYTE, rank, comm, &requests[i]);
    else if (is_here)
      MPI_Isend(place, bytes, MPI_BYTE, rank, 0, comm, &requests[i]);
    else
      MPI_Irecv(place, bytes, MPI_BYTE, rank, 0, comm, &requests[i]);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  delete whole;
}

int add(Kind kind, void* memory, std::size_t bytes, int type, int rank, NcclComm comm, CUstream stream) {
  if (depth == 0 || type != nccl_bytes || (open_group.stream && open_group.stream != stream)) return invalid_usage;
  open_group.stream = stream;
  open_group.messages.push_back({kind, memory, static_cast<int>(bytes), rank, comm_of(comm)});
  return 0;
}

}  // namespace

extern "C" {

int ncclGetVersion(int* version) { return *version = 22703, 0; }
const char* ncclGetErrorString(int status) { return status == invalid_usage ? "invalid usage" : "a fault of the test"; }
int ncclGetUniqueId(NcclId* id) {
  std::memset(id, 0, sizeof *id);
  const int number = static_cast<int>(getpid());  // one name for all of a process: it makes one communicator at a time
  return std::memcpy(id->bytes, &number, sizeof number), 0;
}
/// All ranks make communicators at the same time, those with one name the same one: its number of ranks must be the
/// stated one, and the first rank must have the name.
int ncclCommInitRank(NcclComm* comm, int ranks, NcclId id, int rank) {
  if (std::getenv("BOLTZMARK_TEST_NO_NCCL")) return 1;
  int name = 0, size = 0, number = 0, first = getpid();
  std::memcpy(&name, id.bytes, sizeof name);
  auto* const made = new MPI_Comm;
  MPI_Comm_split(MPI_COMM_WORLD, name, rank, made);
  MPI_Comm_size(*made, &size);
  MPI_Comm_rank(*made, &number);
  MPI_Bcast(&first, 1, MPI_INT, 0, *made);
  if (size != ranks || number != rank || first != name) return invalid_usage;
  return *comm = reinterpret_cast<NcclComm>(made), 0;
}
int ncclCommDestroy(NcclComm comm) {
  MPI_Comm_free(&comm_of(comm));
  return delete &comm_of(comm), 0;
}
int ncclGroupStart() { return ++depth, 0; }
int ncclGroupEnd() {
  if (depth == 0) return invalid_usage;
  if (--depth > 0 || open_group.messages.empty()) return 0;
  const char* const lost = std::getenv("BOLTZMARK_TEST_LOSE_GROUP");
  open_group.is_lost = lost && std::atoi(lost) == groups;
  ++groups;
  auto* const whole = new Group(std::exchange(open_group, {}));
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  const auto launch = reinterpret_cast<int (*)(CUstream, void (*)(void*), void*)>(dlsym(driver, "cuLaunchHostFunc"));
  return launch(whole->stream, run, whole);
}
int ncclSend(const void* from, std::size_t count, int type, int to_rank, NcclComm comm, CUstream stream) {
  return add(Kind::sent, const_cast<void*>(from), count, type, to_rank, comm, stream);
}
int ncclRecv(void* to, std::size_t count, int type, int from_rank, NcclComm comm, CUstream stream) {
  return add(Kind::received, to, count, type, from_rank, comm, stream);
}
/// In place.
int ncclBroadcast(const void* from, void* to, std::size_t count, int type, int root, NcclComm comm, CUstream stream) {
  return from == to ? add(Kind::broadcast, to, count, type, root, comm, stream) : invalid_usage;
}
}
