// segments-mpi: segmented sums of an array of which ranks have whole segments, or where these are few, a part of each.
//
//     many segments   sums of my segments
//     few             part of every sum, of my part of each segment;   MPI_Allreduce(parts, sums)
#include "common/segments/host_reducer.hpp"
#include "mpi/on_ranks.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {
namespace {

template <class T, bool is_textbook>
class RankSegments : public OnRanks<segments::HostReducer<T>> {
 public:
  using OnRanks<segments::HostReducer<T>>::OnRanks;
  std::int64_t part() const override { return are_few() ? all_.segments : HostReducer::part(); }
  void read(std::int64_t at, std::span<double> sums) override {
    if (!are_few()) return HostReducer::read(at, sums);
    std::copy_n(of_all_.data() + at, sums.size(), sums.begin());
  }

  void spoil() override {
    HostReducer::spoil();
    std::fill(of_all_.begin(), of_all_.end(), std::numeric_limits<T>::quiet_NaN());
  }
  void init(const segments::Shape& shape) override {
    all_ = shape;
    if (!are_few()) return this->make_arrays(shape, part_of(shape.segments, rank_, ranks_));
    // A rank's array is its part of every segment, one after the other.
    mine_of_each_ = part_of(shape.length, rank_, ranks_);
    this->make_arrays({shape.segments, mine_of_each_.size()}, {0, shape.segments});
    of_all_.resize(static_cast<std::size_t>(shape.segments));
    T* value = this->values_.data();
    for (std::int64_t segment = 0; segment < shape.segments; ++segment)
      for (std::int64_t i = mine_of_each_.begin; i < mine_of_each_.end; ++i)
        *value++ = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(segment * shape.length + i)));
  }

  void reduce() override {
    const std::int64_t length = this->shape_.length;
    T* const sums = this->sums_.data();
    if constexpr (is_textbook)
      for (std::int64_t segment = 0; segment < this->mine_.size(); ++segment) {
        T sum = 0;
        for (std::int64_t i = 0; i < length; ++i) sum += this->values_[segment * length + i];
        sums[segment] = sum;
      }
    else
      sum_rows<T>(this->values_.data(), length, sums, {0, this->mine_.size()});
    if (are_few())
      MPI_Allreduce(sums, of_all_.data(), static_cast<int>(of_all_.size()), value_type<T>(), MPI_SUM, MPI_COMM_WORLD);
  }

 private:
  using HostReducer = segments::HostReducer<T>;
  using OnRanks<segments::HostReducer<T>>::rank_, OnRanks<segments::HostReducer<T>>::ranks_;
  bool are_few() const { return all_.segments < 8 * ranks_; }  // with which the shares are uneven

  segments::Shape all_;
  Range mine_of_each_;
  std::vector<T> of_all_;
};

template <class T>
using Textbook = RankSegments<T, true>;
template <class T>
using Vectors = RankSegments<T, false>;

const segments::Variant textbook = textbook_of<segments::Reducer, Textbook>("two loops on each rank");
const segments::Variant vectors = like_for_like_of<segments::Reducer, Vectors>("vectors", "vectors on each rank");

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_cpu_ranks(argc, argv, segments::workload, {&textbook, &vectors}, "vectors");
}
