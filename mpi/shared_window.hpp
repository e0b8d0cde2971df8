// Memory that all ranks of a machine read and write: a window of MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace boltzmark::mpi {

/// Bytes that all ranks together can still share, 0 if they are on several machines. Collective.
std::uint64_t shareable_bytes();

/// Whether such memory can have huge pages on all machines of the ranks: Linux has a separate setting for it.
/// Collective.
bool shared_memory_has_huge_pages();

/// Memory that starts with a page, at a different address on every rank. A page is in the memory of the NUMA node that
/// first writes it.
class SharedWindow {
 public:
  /// Collective over all ranks, as is its end. Throws Error (unavailable) on every rank if they are on several machines
  /// or there is too little of such memory.
  explicit SharedWindow(std::size_t bytes);
  SharedWindow(const SharedWindow&) = delete;
  SharedWindow& operator=(const SharedWindow&) = delete;
  ~SharedWindow();

  void* data() const { return data_; }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  void* data_ = nullptr;
};

}  // namespace boltzmark::mpi
