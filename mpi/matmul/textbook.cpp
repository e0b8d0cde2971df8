// Textbook: each rank has a part of the rows of A, B and C. The owner of each part of B broadcasts it, and
// everybody adds to its own rows of C what that part gives.
//
//     for all ranks   broadcast its rows k of B;   c[i][j] += a[i][k] * b[k][j]   for my rows i
#include "common/matmul/multiplier.hpp"
#include "mpi/gathered.hpp"
#include "mpi/on_ranks.hpp"

namespace boltzmark::mpi {
using namespace matmul;
namespace {

template <class T>
class Textbook : public OnRanks<OnHost<Multiplier>> {
 public:
  using OnRanks<OnHost<Multiplier>>::OnRanks;

  /// The root also takes C as a whole.
  std::string shortage(double bytes) override { return OnRanks::shortage(1.5 * bytes); }

  void init(const Shape& shape, const Entries& entries) override {
    shape_ = shape;
    const Range rows = rows_of(rank_), depth = depth_of(rank_);
    a_.resize(static_cast<std::size_t>(rows.size() * shape.k));
    b_.resize(static_cast<std::size_t>(depth.size() * shape.n));
    b_of_other_.resize(static_cast<std::size_t>((shape.k / ranks_ + 1) * shape.n));
    c_.resize(static_cast<std::size_t>(rows.size() * shape.n));
    entries.fill(Matrix::a, a_.data(), shape.k, rows.begin, rows.end, 0, shape.k);
    entries.fill(Matrix::b, b_.data(), shape.n, depth.begin, depth.end, 0, shape.n);
  }

  void spoil() override { std::fill(c_.begin(), c_.end(), std::numeric_limits<T>::quiet_NaN()); }
  void multiply() override {
    const MPI_Datatype value = value_type<T>();
    std::fill(c_.begin(), c_.end(), T(0));
    for (int owner = 0; owner < ranks_; ++owner) {
      const Range depth = depth_of(owner);
      T* const b = owner == rank_ ? b_.data() : b_of_other_.data();
      for (std::int64_t k = 0; k < depth.size(); ++k)
        MPI_Bcast(b + k * shape_.n, static_cast<int>(shape_.n), value, owner, MPI_COMM_WORLD);
      for (std::int64_t i = 0; i < rows_of(rank_).size(); ++i)
        for (std::int64_t k = 0; k < depth.size(); ++k) {
          const T a = a_[i * shape_.k + depth.begin + k];
          for (std::int64_t j = 0; j < shape_.n; ++j) c_[i * shape_.n + j] += a * b[k * shape_.n + j];
        }
    }
  }

  void collect() override {
    c_of_all_.gather(
        shape_.m, shape_.n, [this](std::int64_t row) { return c_.data() + row * shape_.n; },
        [this](int rank) {
          return Block{rows_of(rank), {0, shape_.n}};
        });
  }
  void read(std::int64_t row, std::span<double> values) const override { c_of_all_.read(row, values); }

  /// A row of C stays in cache; all of B is read for it.
  RunFacts facts() const override {
    const auto k = static_cast<double>(shape_.k), n = static_cast<double>(shape_.n);
    return on_machine({.bytes_per_update = (k + k / n + 1.0) * sizeof(T)});
  }

 private:
  Range rows_of(int rank) const { return part_of(shape_.m, rank, ranks_); }
  Range depth_of(int rank) const { return part_of(shape_.k, rank, ranks_); }

  Shape shape_;
  std::vector<T> a_, b_, b_of_other_, c_;
  Gathered<T> c_of_all_;
};

}  // namespace

extern const Variant textbook = {
    .name = "textbook",
    .summary = "rows of the matrices over ranks, the rows of B broadcast in turn; one thread",
    .role = Role::textbook,
    .make = made_of<Multiplier, Textbook>};

}  // namespace boltzmark::mpi
