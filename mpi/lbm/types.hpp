// MPI types as objects that are freed with their owner.
#pragma once

#include <mpi.h>

#include <span>

namespace boltzmark::mpi {

/// The type of a population.
template <class T>
MPI_Datatype value_type() {
  return sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

class OwnedType {
 public:
  /// Stretches of `length` values; starts: of each, in values from where the type is applied.
  OwnedType(std::span<const int> starts, int length, MPI_Datatype value) {
    MPI_Type_create_indexed_block(static_cast<int>(starts.size()), length, starts.data(), value, &type_);
    MPI_Type_commit(&type_);
  }
  /// `length` values in a row.
  OwnedType(int length, MPI_Datatype value) {
    MPI_Type_contiguous(length, value, &type_);
    MPI_Type_commit(&type_);
  }
  OwnedType(const OwnedType&) = delete;
  OwnedType& operator=(const OwnedType&) = delete;
  ~OwnedType() { MPI_Type_free(&type_); }
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace boltzmark::mpi
