// Ranks whose devices exchange messages by NCCL. `user`: the option that requests it, named at the start of an error.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>

#include "common/base/error.hpp"
#include "common/device/api.hpp"
#include "common/device/device.hpp"
#include "mpi/team.hpp"

namespace boltzmark::cuda {
struct ncclComm;
}

namespace boltzmark::mpi {

/// "NCCL 2.27.3". Throws Error (unavailable) if it is not installed.
std::string nccl_version(const char* user);

/// Throws Error (unavailable) if it is missing, or would refuse two ranks on one device. Collective.
void expect_nccl(const char* user, const device::ComputeDevice& device);

/// Connects the ranks of a communicator, with the same numbers. Empty if another rank fails. Collective. Throws Error
/// (unavailable).
std::shared_ptr<cuda::ncclComm> connect_by_nccl(const char* user, MPI_Comm ranks);

/// on_all() for work that calls NCCL and CUDA's driver, whose errors fail it too.
template <class Work>
bool on_all_by_nccl(const char* user, MPI_Comm ranks, Work&& work) {
  return on_all(ranks, [&] {
    try {
      work();
    } catch (const device::Failure& failure) {
      throw unavailable("{}: {}", user, failure.what());
    }
  });
}

/// Makes a call of NCCL for a `user` in scope, for files that include cuda/runtime/nccl.hpp. Throws device::Failure.
#define NCCL(call, ...) cuda::check(cuda::nccl(user), cuda::nccl(user).call(__VA_ARGS__), #call)

/// The word that a rank sends to test a method between devices.
constexpr std::uint32_t word_of(int rank) { return 0x40000000u + static_cast<std::uint32_t>(rank); }

}  // namespace boltzmark::mpi
