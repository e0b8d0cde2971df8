// Work that may fail on some ranks alone, before something that all do together.
#pragma once

#include <mpi.h>

#include <exception>

namespace boltzmark::mpi {

/// Whether `work` threw nothing on any rank. Throws what it threw on this one. Collective.
template <class Work>
bool on_all(MPI_Comm ranks, Work&& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  int can = failure ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, ranks);
  if (failure) std::rethrow_exception(failure);
  return can != 0;
}

}  // namespace boltzmark::mpi
