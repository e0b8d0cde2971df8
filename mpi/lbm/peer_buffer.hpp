// A buffer on this rank's device that its neighbours write to, and theirs. CUDA only.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "common/device/api.hpp"
#include "mpi/lbm/exchange.hpp"

namespace boltzmark::mpi {

class PeerBuffer {
 public:
  /// Opens those of the neighbours, of as many bytes (a multiple of 64), and tries them out. Collective;
  /// is_open() says whether that went well on all ranks. `between`: a queue between devices of that context.
  PeerBuffer(device::Context context, device::Queue between, const RankPair& ranks, std::size_t bytes);
  PeerBuffer(const PeerBuffer&) = delete;
  PeerBuffer& operator=(const PeerBuffer&) = delete;
  /// Collective where it is open.
  ~PeerBuffer();

  bool is_open() const { return is_open_; }
  /// What failed on this rank; empty where others alone failed.
  const std::string& why_not() const { return why_not_; }

  const device::Buffer& own() const { return own_; }
  const device::Buffer& southern() const { return neighbours_[0]; }
  const device::Buffer& northern() const { return neighbours_[1]; }

 private:
  /// Whether `work` throws nothing on any rank. Collective.
  bool all_can(const std::function<void()>& work);
  void allocate();
  void exchange_names();
  void open_neighbours();
  void write_to_neighbours();
  void read_from_neighbours();
  void close();

  device::Context context_;
  device::Queue queue_;
  RankPair ranks_;
  std::size_t bytes_;
  int rank_ = 0;
  bool is_open_ = false;
  std::string why_not_;
  device::Buffer own_;
  std::array<device::PeerName, 2> names_{};  ///< of the southern and of the northern neighbour's buffer
  std::array<device::Buffer, 2> neighbours_;
};

}  // namespace boltzmark::mpi
