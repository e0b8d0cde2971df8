// Ranks by number, and MPI types as objects that are freed with their owner.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace boltzmark::mpi {

inline int rank_in(MPI_Comm ranks) {
  int rank = 0;
  MPI_Comm_rank(ranks, &rank);
  return rank;
}
inline int size_of(MPI_Comm ranks) {
  int size = 1;
  MPI_Comm_size(ranks, &size);
  return size;
}

/// The type of a float, a double, an int, a 64-bit number or a boolean; of other 16-bit types as a number.
template <class T>
MPI_Datatype value_type() {
  if constexpr (std::is_same_v<T, bool>) return MPI_CXX_BOOL;
  if constexpr (std::is_same_v<T, int>) return MPI_INT;
  if constexpr (std::is_same_v<T, std::uint64_t>) return MPI_UINT64_T;
  if constexpr (sizeof(T) == 2) return MPI_UINT16_T;
  return sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

/// All ranks' numbers by MPI_SUM, MPI_MAX and the like, on every rank. Collective.
template <class T>
T over_ranks(T mine, MPI_Op op, MPI_Comm ranks = MPI_COMM_WORLD) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, value_type<T>(), op, ranks);
  return mine;
}

class OwnedType {
 public:
  /// Takes over a type that is not committed yet.
  explicit OwnedType(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  /// Segments of `length` values each; starts: offset of each, in values from the start of the buffer.
  OwnedType(std::span<const int> starts, int length, MPI_Datatype value) {
    MPI_Type_create_indexed_block(static_cast<int>(starts.size()), length, starts.data(), value, &type_);
    MPI_Type_commit(&type_);
  }
  /// `length` consecutive values.
  OwnedType(int length, MPI_Datatype value) {
    MPI_Type_contiguous(length, value, &type_);
    MPI_Type_commit(&type_);
  }
  /// `count` elements of another type, `stride` bytes apart.
  OwnedType(int count, std::size_t stride, const OwnedType& element) {
    MPI_Type_create_hvector(count, 1, static_cast<MPI_Aint>(stride), element.type_, &type_);
    MPI_Type_commit(&type_);
  }
  OwnedType(OwnedType&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  OwnedType& operator=(OwnedType&&) = delete;
  ~OwnedType() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Bytes that an element of the type sends.
inline double bytes_in(const OwnedType& type) {
  MPI_Count size = 0;
  MPI_Type_size_x(type.type(), &size);
  return static_cast<double>(size);
}

}  // namespace boltzmark::mpi
