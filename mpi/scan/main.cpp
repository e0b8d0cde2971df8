// scan-mpi: prefix sums of an array of which each rank has a part. MPI_Exscan gives a rank the sum of all before it.
#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"
#include "mpi/on_ranks.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {
namespace {

template <class T>
class RankScanner : public OnRanks<scan::HostScanner<T>> {
 public:
  using OnRanks<scan::HostScanner<T>>::OnRanks;
  void init(std::int64_t elements) override {
    this->make_arrays(range_of_pages(elements, this->rank_, this->ranks_, sizeof(T)));
  }

 protected:
  /// Collective: what the ranks before this one have.
  T sum_before(T mine) const {
    T before = 0;
    MPI_Exscan(&mine, &before, 1, value_type<T>(), MPI_SUM, MPI_COMM_WORLD);
    return this->rank_ == 0 ? T(0) : before;  // there it is not set
  }
};

/// Textbook: scan mine, ask what was before, add it to mine.
template <class T>
class Textbook : public RankScanner<T> {
 public:
  using RankScanner<T>::RankScanner;
  void scan() override {
    T sum = 0;
    for (std::int64_t i = 0; i < this->part(); ++i) this->sums_[i] = sum = sum + this->values_[i];
    const T before = this->sum_before(sum);
    for (std::int64_t i = 0; i < this->part(); ++i) this->sums_[i] += before;
  }
  scan::Passes passes() const override { return scan::adds_after; }
};

/// Vectors: sum mine, ask what was before, scan from there on: sums are written once.
template <class T>
class Vectors : public RankScanner<T> {
 public:
  using RankScanner<T>::RankScanner;
  void scan() override {
    const Range mine = {0, this->part()};
    const T before = this->sum_before(sum_of(this->values_.data(), mine.size()));
    scan::scan_range(this->values_.data(), this->sums_.data(), mine, before);
  }
  scan::Passes passes() const override { return scan::sums_first; }
};

const scan::Variant textbook = textbook_of<scan::Scanner, Textbook>("each rank scans, MPI_Exscan, each rank adds");
const scan::Variant vectors =
    like_for_like_of<scan::Scanner, Vectors>("vectors", "each rank sums, MPI_Exscan, each rank scans");

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_cpu_ranks(argc, argv, scan::workload, {&textbook, &vectors}, "vectors");
}
