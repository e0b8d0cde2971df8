// What the ranks' results come to, on every rank.
#pragma once

#include <mpi.h>

#include "common/reduce/operators.hpp"

namespace boltzmark::mpi {

inline MPI_Op library_operator(reduce::Operator op) {
  switch (op) {
    case reduce::Operator::product:
      return MPI_PROD;
    case reduce::Operator::min:
      return MPI_MIN;
    case reduce::Operator::max:
      return MPI_MAX;
    case reduce::Operator::bit_and:
      return MPI_BAND;
    case reduce::Operator::bit_or:
      return MPI_BOR;
    case reduce::Operator::bit_xor:
      return MPI_BXOR;
    default:
      return MPI_SUM;
  }
}

/// Collective. Numbers go in double precision, words as wide ones; what ranks without values have is neutral.
template <class Op>
reduce::Result all_reduce(Op, const reduce::Result& mine) {
  reduce::Result all;
  if constexpr (Op::op < reduce::Operator::bit_and)
    MPI_Allreduce(&mine.number, &all.number, 1, MPI_DOUBLE, library_operator(Op::op), MPI_COMM_WORLD);
  else
    MPI_Allreduce(&mine.word, &all.word, 1, MPI_UINT64_T, library_operator(Op::op), MPI_COMM_WORLD);
  return all;
}

}  // namespace boltzmark::mpi
