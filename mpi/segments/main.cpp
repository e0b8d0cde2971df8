// segments-mpi: segmented sums of an array of which ranks have whole segments, or, if these are few, a part of each.
//
//     many segments   sums of my segments
//     few             part of every sum, of my part of each segment;   MPI_Allreduce(parts, sums)
#include <vector>

#include "common/cpu/vector_sum.hpp"
#include "common/run/arrays.hpp"
#include "common/segments/reducer.hpp"
#include "mpi/types.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
namespace {

template <class T, class Method>
class RankSegments final : public segments::Reducer {
 public:
  explicit RankSegments(const Options& asked) : workers_(start_workers(asked)) {}

  std::string shortage(double bytes) override { return workers_.shortage(bytes); }
  void init(const segments::Shape& shape) override {
    are_few_ = shape.segments < 8 * workers_.ranks;  // with which the shares are uneven
    const auto mine_of = [this](std::int64_t all) { return boltzmark::part_of(all, workers_.rank, workers_.ranks); };
    if (are_few_) {
      const Range mine = mine_of(shape.length);
      mine_ = {0, shape.segments};
      here_ = {shape.segments, mine.size()};
      values_ = AlignedArray<T>(static_cast<std::size_t>(here_.elements()));
      for (std::int64_t segment = 0; segment < shape.segments; ++segment)
        fill_eighths(workers_, values_.data() + segment * mine.size(),
                     {segment * shape.length + mine.begin, segment * shape.length + mine.end});
    } else {
      mine_ = mine_of(shape.segments);
      here_ = {mine_.size(), shape.length};
      values_ = eighths<T>(workers_, {mine_.begin * shape.length, mine_.end * shape.length});
    }
    sums_ = AlignedArray<T>(static_cast<std::size_t>(mine_.size()));
    of_all_.resize(are_few_ ? sums_.size() : 0);
    spoil();
  }
  void spoil() override {
    spoil_array(workers_, sums_);
    std::fill(of_all_.begin(), of_all_.end(), std::numeric_limits<T>::quiet_NaN());
  }
  void reduce() override {
    Method::reduce(values_.data(), here_, sums_.data());
    if (are_few_)
      MPI_Allreduce(sums_.data(), of_all_.data(), static_cast<int>(of_all_.size()), value_type<T>(), MPI_SUM,
                    MPI_COMM_WORLD);
  }

  std::int64_t first() const override { return mine_.begin; }
  std::int64_t part() const override { return mine_.size(); }
  void read(std::int64_t at, std::span<double> sums) override {
    std::copy_n((are_few_ ? of_all_.data() : sums_.data()) + at, sums.size(), sums.begin());
  }
  RunFacts facts() const override { return workers_.with({}); }

 private:
  Workers workers_;
  bool are_few_ = false;
  Range mine_;            ///< segments whose sums, or parts of sums, are made here
  segments::Shape here_;  ///< of this rank's array: with few segments its part of each, one after another
  AlignedArray<T> values_, sums_;
  std::vector<T> of_all_;  ///< the sums over all ranks, if there are few segments
};

/// Textbook: the two loops.
struct Loops {
  template <class T>
  static void reduce(const T* values, segments::Shape shape, T* sums) {
    for (std::int64_t segment = 0; segment < shape.segments; ++segment) {
      T sum = 0;
      for (std::int64_t i = 0; i < shape.length; ++i) sum += values[segment * shape.length + i];
      sums[segment] = sum;
    }
  }
};
struct Rows {
  template <class T>
  static void reduce(const T* values, segments::Shape shape, T* sums) {
    sum_rows(values, shape.length, sums, {0, shape.segments});
  }
};
template <class T>
using Textbook = RankSegments<T, Loops>;
template <class T>
using Vectors = RankSegments<T, Rows>;

const segments::Variant textbook = textbook_of<segments::Reducer, Textbook>("two loops on each rank");
const segments::Variant vectors = like_for_like_of<segments::Reducer, Vectors>("vectors", "vectors on each rank");

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_cpu_ranks(argc, argv, segments::workload, {&textbook, &vectors}, "vectors");
}
