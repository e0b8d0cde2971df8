// A buffer on this rank's device that its neighbours write to, and theirs. CUDA only.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "cuda/runtime/peer_memory.hpp"
#include "mpi/lbm/exchange.hpp"

namespace boltzmark::mpi::cuda {
using namespace boltzmark::cuda;

class PeerBuffer {
 public:
  /// Opens those of the neighbours, of as many bytes (a multiple of 64), and tries them out. Collective;
  /// is_open() says whether that went well on all ranks. `between`: a queue with queue_between_devices.
  PeerBuffer(const cl::Context& context, cl::CommandQueue between, const RankPair& ranks, std::size_t bytes);
  PeerBuffer(const PeerBuffer&) = delete;
  PeerBuffer& operator=(const PeerBuffer&) = delete;
  /// Collective where it is open.
  ~PeerBuffer();

  bool is_open() const { return is_open_; }
  /// What failed on this rank; empty where others alone failed.
  const std::string& why_not() const { return why_not_; }

  CUdeviceptr own() const { return own_(); }
  CUdeviceptr southern() const { return neighbours_[0]; }
  CUdeviceptr northern() const { return neighbours_[1]; }

 private:
  /// Whether `work` throws nothing on any rank. Collective.
  bool all_can(const std::function<void()>& work);
  void allocate(const cl::Context& context);
  void exchange_handles();
  void open_neighbours();
  void write_to_neighbours();
  void read_from_neighbours();
  void close();

  cl::CommandQueue queue_;
  RankPair ranks_;
  std::size_t bytes_;
  int rank_ = 0;
  bool is_open_ = false;
  std::string why_not_;
  cl::Buffer own_;
  std::array<IpcHandle, 2> handles_{};  ///< of the southern and of the northern neighbour's buffer
  std::array<PeerMemory, 2> mapped_;    ///< theirs, where it is another process
  std::array<CUdeviceptr, 2> neighbours_{};
};

}  // namespace boltzmark::mpi::cuda
