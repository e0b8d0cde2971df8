// axes-mpi: access patterns on ranks, of which each has a part of the outermost axis, and the sums of this part. Those
// along the outermost axis need what all ranks have:
//
//     axis 0        partial sums of mine, of all;   MPI_Reduce_scatter(partial sums, my part of the sums)
//     axes 1 .. 3   sums of mine
#include <vector>

#include "common/axes/host_patterns.hpp"
#include "mpi/on_ranks.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {
namespace {
using namespace axes;

template <class T, bool is_textbook>
class RankPatterns : public OnRanks<HostPatterns<T>> {
 public:
  using OnRanks<HostPatterns<T>>::OnRanks;

  void init(std::int64_t n) override {
    planes_ = boltzmark::part_of(n, rank_, ranks_);
    this->make_arrays(n, planes_);
    partial_ = AlignedArray<T>(this->sums_.size());
    shares_.clear();
    for (int rank = 0; rank < ranks_; ++rank)
      shares_.push_back(static_cast<int>(boltzmark::part_of(n * n * n, rank, ranks_).size()));
  }
  void spoil() override {
    HostPatterns<T>::spoil();
    std::fill_n(partial_.data(), partial_.size(), std::numeric_limits<T>::quiet_NaN());
  }
  void run(Pass pass) override {
    is_axis0_ = pass == Pass::axis0;
    HostPatterns<T>::run(pass);
  }
  Range part(Pass pass, std::int64_t all) const override {
    if (pass == Pass::axis0) return boltzmark::part_of(all, rank_, ranks_);
    const std::int64_t of_plane = all / this->n_;
    return {planes_.begin * of_plane, planes_.end * of_plane};
  }

 private:
  void fill() override { std::fill_n(this->filled_.data(), this->filled_.size(), T(1)); }
  void add_up(const Strides& s) override {
    const std::int64_t n = this->n_, planes = planes_.size();
    const T* const values = this->values_.data();
    T* const sums = is_axis0_ ? partial_.data() : this->sums_.data();
    const std::int64_t outer_end = is_axis0_ ? n : planes, count = is_axis0_ ? planes : n;
    if constexpr (is_textbook) {
      for (std::int64_t outer = 0; outer < outer_end; ++outer)
        for (std::int64_t middle = 0; middle < n; ++middle)
          for (std::int64_t inner = 0; inner < n; ++inner) {
            T sum = 0;
            for (std::int64_t at = 0; at < count; ++at)
              sum += values[outer * s.outer + middle * s.middle + inner * s.inner + at * s.reduced];
            sums[(outer * n + middle) * n + inner] = sum;
          }
    } else {
      const std::int64_t all = outer_end * n * n;
      on_threads(this->threads_, [&](int me) {
        axes::add_up(values, count, s.reduced, sums, range_of_pages(all, me, this->threads_, sizeof(T)));
      });
    }
    if (is_axis0_)
      MPI_Reduce_scatter(partial_.data(), this->sums_.data(), shares_.data(), value_type<T>(), MPI_SUM, MPI_COMM_WORLD);
  }

  using OnRanks<HostPatterns<T>>::rank_, OnRanks<HostPatterns<T>>::ranks_;

  bool is_axis0_ = false;
  Range planes_;  ///< of the outermost axis
  AlignedArray<T> partial_;
  std::vector<int> shares_;  ///< of the sums along axis 0, each rank's
};

template <class T>
using Textbook = RankPatterns<T, true>;
template <class T>
using Vectors = RankPatterns<T, false>;

const axes::Variant textbook =
    textbook_of<axes::Patterns, Textbook>("the loops over the axes that are left, then MPI_Reduce_scatter; one thread");
const axes::Variant vectors = {.name = "vectors",
                               .summary = "sums of neighbouring elements in vectors, then MPI_Reduce_scatter",
                               .role = Role::like_for_like,
                               .options = {threads_option("1")},
                               .make = made_of<axes::Patterns, Vectors>};

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_cpu_ranks(argc, argv, axes::workload, {&textbook, &vectors}, "vectors");
}
