// Textbook: each rank has a part of the rows of A, B and C. The owner of each part of B broadcasts it, and all ranks
// add its product to their rows of C.
//
//     for all ranks   broadcast its rows k of B;   c[i][j] += a[i][k] * b[k][j]   for my rows i
#include "mpi/matmul/rank_multiplier.hpp"

namespace boltzmark::mpi {
using namespace matmul;
namespace {

template <class T>
class Textbook : public RankMultiplier<T> {
 public:
  using RankMultiplier<T>::RankMultiplier;

  void init(const Shape& shape, const Entries& entries) override {
    shape_ = shape;
    b_of_other_ = AlignedArray<T>(static_cast<std::size_t>((shape.k / ranks_ + 1) * shape.n));
    this->make_blocks(shape, entries, {block_of(rank_).rows, {0, shape.k}}, {depth_of(rank_), {0, shape.n}},
                      block_of(rank_));
  }

  void multiply() override {
    T* const c = c_.data();
    std::fill_n(c, c_.size(), T(0));
    for (int owner = 0; owner < ranks_; ++owner) {
      const Range depth = depth_of(owner);
      T* const b = owner == rank_ ? this->b_.data() : b_of_other_.data();
      for (std::int64_t k = 0; k < depth.size(); ++k)
        MPI_Bcast(b + k * shape_.n, static_cast<int>(shape_.n), value_type<T>(), owner, MPI_COMM_WORLD);
      for (std::int64_t i = 0; i < block_of(rank_).rows.size(); ++i)
        for (std::int64_t k = 0; k < depth.size(); ++k) {
          const T a = this->a_[i * shape_.k + depth.begin + k];
          for (std::int64_t j = 0; j < shape_.n; ++j) c[i * shape_.n + j] += a * b[k * shape_.n + j];
        }
    }
  }

  RunFacts facts() const override {
    ProductTraffic traffic = this->traffic();
    traffic.rows_of_b(1, ranks_).add_to_c(ranks_);
    return this->on_machine({.bytes_per_update = this->bytes_by_rows(), .traffic = traffic.sets()});
  }

 private:
  using RankMultiplier<T>::rank_, RankMultiplier<T>::ranks_, RankMultiplier<T>::shape_, RankMultiplier<T>::c_;

  Block block_of(int rank) const override { return {part_of(shape_.m, rank, ranks_), {0, shape_.n}}; }
  Range depth_of(int rank) const { return part_of(shape_.k, rank, ranks_); }

  AlignedArray<T> b_of_other_;
};

}  // namespace

extern const Variant textbook =
    textbook_of<Multiplier, Textbook>("rows of the matrices over ranks, the rows of B broadcast in turn; one thread");

}  // namespace boltzmark::mpi
