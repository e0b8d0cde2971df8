// NCCL, NVIDIA's library of messages between devices, of one machine or of several; opened when first needed, so the
// build needs no header of it. Types and constants are those of its C interface (nccl.h), as far as used here. It works
// in the current context.
#pragma once

#include <string>

#include "cuda/runtime/driver.hpp"

namespace boltzmark::cuda {

using NcclComm = struct ncclComm*;

/// ncclUniqueId: the id by which the ranks of a communicator find one another; made by one rank and passed to all.
struct NcclId {
  char bytes[128];
};

inline constexpr int nccl_bytes = 0;  // ncclInt8

// Functions that return a status, with their exported names after "nccl".
#define BOLTZMARK_NCCL_FUNCTIONS(F)                                                                   \
  F(GetVersion, int* version)                                                                         \
  F(GetUniqueId, NcclId* id)                                                                          \
  F(CommInitRank, NcclComm* comm, int ranks, NcclId id, int rank)                                     \
  F(CommDestroy, NcclComm comm)                                                                       \
  F(GroupStart)                                                                                       \
  F(GroupEnd)                                                                                         \
  F(Send, const void* from, std::size_t count, int type, int to_rank, NcclComm comm, CUstream stream) \
  F(Recv, void* to, std::size_t count, int type, int from_rank, NcclComm comm, CUstream stream)       \
  F(Broadcast, const void* from, void* to, std::size_t count, int type, int root, NcclComm comm, CUstream stream)

struct Nccl {
#define BOLTZMARK_FIELD(name, ...) int (*name)(__VA_ARGS__) = nullptr;
  BOLTZMARK_NCCL_FUNCTIONS(BOLTZMARK_FIELD)
#undef BOLTZMARK_FIELD
  const char* (*GetErrorString)(int status) = nullptr;
};

/// Opened at the first call. Throws Error (unavailable), whose text begins with `user`, if it is missing or older than
/// 2.7, the first with Send and Recv.
const Nccl& nccl(const char* user);

/// "NCCL 2.27.3".
std::string nccl_version(const Nccl& library);

/// Throws device::Failure unless the status is 0; its line: "unhandled cuda error ... from ncclSend".
void check(const Nccl& library, int status, const char* call);

}  // namespace boltzmark::cuda
