// Textbook: each rank has a part of the rows of A, B and C. The owner of each part of B broadcasts it, and all ranks
// add its product to their rows of C.
//
//     for all ranks   broadcast its rows k of B;   c[i][j] += a[i][k] * b[k][j]   for my rows i
#include "mpi/matmul/rank_multiplier.hpp"

namespace boltzmark::mpi {
using namespace matmul;
namespace {

template <class T>
class Rows {
 public:
  explicit Rows(const Workers& workers) : rank_(workers.rank), ranks_(workers.ranks) {}

  Block block_of_c(const Shape& shape, int rank) const { return {part_of(shape.m, rank, ranks_), {0, shape.n}}; }
  Block block_of_a(const Shape& shape) const { return {part_of(shape.m, rank_, ranks_), {0, shape.k}}; }
  Block block_of_b(const Shape& shape) const { return {part_of(shape.k, rank_, ranks_), {0, shape.n}}; }
  void init(const Matrices<T>& of, const Workers&) {
    b_of_other_ = AlignedArray<T>(static_cast<std::size_t>((of.shape.k / ranks_ + 1) * of.shape.n));
  }

  void multiply(Matrices<T>& of, const Workers&) {
    const std::int64_t rows = of.block_of_c.rows.size(), n = of.shape.n, all_k = of.shape.k;
    T* const c = of.c.data();
    std::fill_n(c, of.c.size(), T(0));
    for (int owner = 0; owner < ranks_; ++owner) {
      const Range depth = part_of(all_k, owner, ranks_);
      T* const b = owner == rank_ ? of.b.data() : b_of_other_.data();
      for (std::int64_t k = 0; k < depth.size(); ++k)
        MPI_Bcast(b + k * n, static_cast<int>(n), value_type<T>(), owner, MPI_COMM_WORLD);
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t k = 0; k < depth.size(); ++k) {
          const T a = of.a[i * all_k + depth.begin + k];
          for (std::int64_t j = 0; j < n; ++j) c[i * n + j] += a * b[k * n + j];
        }
    }
  }
  RunFacts facts(const Matrices<T>& of, const Workers& workers) const {
    ProductTraffic traffic = of.traffic(workers);
    traffic.rows_of_b(1, ranks_).add_to_c(ranks_);
    return {.bytes_per_update = of.bytes_by_rows(), .traffic = traffic.sets()};
  }

 private:
  int rank_, ranks_;
  AlignedArray<T> b_of_other_;
};

template <class T>
using Textbook = RankMultiplier<T, Rows<T>>;

}  // namespace

extern const Variant textbook = textbook_of<Multiplier, Textbook>(
    "rows of the matrices over ranks, the rows of B broadcast in turn; one thread per rank");

}  // namespace boltzmark::mpi
