// axes-mpi: access patterns on ranks, each with a part of the outermost axis and the sums of this part. Sums along the
// outermost axis need the data of all ranks:
//
//     axis 0        partial sums of mine, of all;   MPI_Reduce_scatter(partial sums, my part of the sums)
//     axes 1 .. 3   sums of mine
#include <vector>

#include "common/axes/cpu/vectors.hpp"
#include "common/axes/patterns.hpp"
#include "common/run/arrays.hpp"
#include "mpi/types.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
namespace {
using namespace axes;

template <class T, class Method>
class RankPatterns final : public Patterns {
 public:
  explicit RankPatterns(const Options& asked) : workers_(start_workers(asked)) {}

  std::string shortage(double bytes) override { return workers_.shortage(bytes); }
  void init(std::int64_t n) override {
    n_ = n;
    planes_ = share_of(n, workers_.rank);
    const std::int64_t of_plane = n * n * n;
    values_ = eighths<T>(workers_, {planes_.begin * of_plane, planes_.end * of_plane});
    filled_ = AlignedArray<T>(values_.size());
    for (auto* sums : {&partial_, &sums_}) *sums = AlignedArray<T>(static_cast<std::size_t>(of_plane));
    shares_.clear();
    for (int rank = 0; rank < workers_.ranks; ++rank)
      shares_.push_back(static_cast<int>(share_of(of_plane, rank).size()));
    spoil();
  }
  void spoil() override {
    for (auto* array : {&filled_, &partial_, &sums_}) spoil_array(workers_, *array);
  }
  void run(Pass pass) override {
    if (pass == Pass::fill) {
      std::fill_n(filled_.data(), filled_.size(), T(1));
    } else if (pass == Pass::axis0) {
      Method::add_up(values_.data(), n_, n_, planes_.size(), strides_of(pass, n_), partial_.data(), workers_);
      MPI_Reduce_scatter(partial_.data(), sums_.data(), shares_.data(), value_type<T>(), MPI_SUM, MPI_COMM_WORLD);
    } else {
      Method::add_up(values_.data(), n_, planes_.size(), n_, strides_of(pass, n_), sums_.data(), workers_);
    }
  }

  Range part(Pass pass, std::int64_t all) const override {
    if (pass == Pass::axis0) return share_of(all, workers_.rank);
    const std::int64_t of_plane = all / n_;
    return {planes_.begin * of_plane, planes_.end * of_plane};
  }
  void read(Pass pass, std::int64_t at, std::span<double> values) override {
    std::copy_n((pass == Pass::fill ? filled_ : sums_).data() + at, values.size(), values.begin());
  }
  RunFacts facts() const override { return workers_.with({.grids = 1}); }

 private:
  Range share_of(std::int64_t all, int rank) const { return boltzmark::part_of(all, rank, workers_.ranks); }

  Workers workers_;
  std::int64_t n_ = 0;
  Range planes_;  ///< of the outermost axis
  AlignedArray<T> values_, filled_, partial_, sums_;
  std::vector<int> shares_;  ///< of the sums along axis 0, each rank's
};

/// Textbook: the loops over the remaining axes, of which the outermost has this many elements here; sums have `count`
/// terms.
struct Loops {
  template <class T>
  static void add_up(const T* values, std::int64_t n, std::int64_t outer_end, std::int64_t count, const Strides& s,
                     T* sums, const Workers&) {
    for (std::int64_t outer = 0; outer < outer_end; ++outer)
      for (std::int64_t middle = 0; middle < n; ++middle)
        for (std::int64_t inner = 0; inner < n; ++inner) {
          T sum = 0;
          for (std::int64_t at = 0; at < count; ++at)
            sum += values[outer * s.outer + middle * s.middle + inner * s.inner + at * s.reduced];
          sums[(outer * n + middle) * n + inner] = sum;
        }
  }
};

/// Vectors: each thread computes its sums, those of neighbouring elements together (common/axes/cpu/vectors.hpp).
struct InVectors {
  template <class T>
  static void add_up(const T* values, std::int64_t n, std::int64_t outer_end, std::int64_t count, const Strides& s,
                     T* sums, const Workers& workers) {
    on_threads(workers.count, [&](int me) {
      axes::add_up(values, count, s.reduced, sums, workers.pages_of(me, outer_end * n * n, sizeof(T)));
    });
  }
};

template <class T>
using Textbook = RankPatterns<T, Loops>;
template <class T>
using Vectors = RankPatterns<T, InVectors>;

const axes::Variant textbook = textbook_of<axes::Patterns, Textbook>(
    "loops over the remaining axes, then MPI_Reduce_scatter; one thread per rank");
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
