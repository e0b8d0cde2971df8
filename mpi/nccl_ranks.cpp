#include "mpi/nccl_ranks.hpp"

#include "cuda/runtime/nccl.hpp"
#include "mpi/neighbours.hpp"

namespace boltzmark::mpi {

std::string nccl_version(const char* user) {
  return device::attempt("ask NCCL for its version", [&] { return cuda::nccl_version(cuda::nccl(user)); });
}

void expect_nccl(const char* user, const device::ComputeDevice& device) {
  const bool is_shared = !Neighbours().is_first_with(device.pci_address);
  nccl_version(user);
  if (is_shared)
    throw unavailable("{}: expected a device for each rank, found rank {} on one that another has, {}", user,
                      rank_in(MPI_COMM_WORLD), device.name);
}

std::shared_ptr<cuda::ncclComm> connect_by_nccl(const char* user, MPI_Comm ranks) {
  cuda::NcclId id{};
  cuda::NcclComm comm = nullptr;
  const bool can_start = on_all_by_nccl(user, ranks, [&] {
    if (rank_in(ranks) == 0) NCCL(GetUniqueId, &id);
  });
  if (!can_start) return nullptr;
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, ranks);
  const bool is_there =
      on_all_by_nccl(user, ranks, [&] { NCCL(CommInitRank, &comm, size_of(ranks), id, rank_in(ranks)); });
  if (!is_there) return nullptr;
  return {comm, [user](cuda::NcclComm old) { cuda::nccl(user).CommDestroy(old); }};
}

}  // namespace boltzmark::mpi
