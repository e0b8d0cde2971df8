#include "mpi/shared_window.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <string>

#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/cpu/aligned.hpp"
#include "mpi/neighbours.hpp"

namespace boltzmark::mpi {
namespace {

constexpr std::size_t page = 4096;

/// The place where MPI libraries keep such memory; without it there may be none, or a file on a disk.
std::uint64_t free_bytes() {
  struct statvfs found;
  if (statvfs("/dev/shm", &found) != 0) return 0;
  return std::min<std::uint64_t>(std::uint64_t{found.f_bavail} * found.f_frsize, available_memory_bytes());
}

}  // namespace

std::uint64_t shareable_bytes() {
  return over_ranks(Neighbours().count() == size_of(MPI_COMM_WORLD) ? free_bytes() / 10 * 9 : 0, MPI_MIN);
}

bool shared_memory_has_huge_pages() {
  const std::string choices = first_line_of("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
  const bool has_none = choices.find("[never]") != choices.npos || choices.find("[deny]") != choices.npos;
  return over_ranks(has_none ? 0 : 1, MPI_MIN) == 1;
}

SharedWindow::SharedWindow(std::size_t bytes) {
  const std::uint64_t can_be_had = shareable_bytes();
  if (can_be_had == 0)
    throw unavailable("expected all ranks on one machine, with memory in /dev/shm; found ranks or memory elsewhere");
  constexpr std::uint64_t mib = 1 << 20;
  if (bytes > can_be_had)
    throw unavailable("expected {} MiB of memory that ranks share, found {} MiB free in /dev/shm", bytes / mib,
                      can_be_had / mib);
  MPI_Win_allocate_shared(static_cast<MPI_Aint>(rank_in(MPI_COMM_WORLD) == 0 ? bytes + page : 0), 1, MPI_INFO_NULL,
                          MPI_COMM_WORLD, &data_, &window_);
  MPI_Aint size = 0;
  int unit = 1;
  MPI_Win_shared_query(window_, 0, &size, &unit, &data_);
  // Every rank maps the same memory in whole pages, so rounding up finds the same place on all ranks.
  data_ = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(data_) + page - 1) / page * page);
  advise_huge_pages(data_, bytes);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
}

SharedWindow::~SharedWindow() {
  if (window_ == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

}  // namespace boltzmark::mpi
