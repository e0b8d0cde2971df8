// scan-mpi: prefix sums of an array of which each rank has a part. MPI_Exscan gives a rank the sum of all before it.
#include "common/run/cpu_device.hpp"
#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"
#include "mpi/types.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
namespace {

template <class T>
class RankScanner : public scan::HostScanner<T> {
 public:
  RankScanner() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }
  std::string shortage(double bytes) override { return shortage_of_ranks(static_cast<std::uint64_t>(bytes / ranks_)); }
  void init(std::int64_t elements) override { this->make_arrays(range_of_pages(elements, rank_, ranks_, sizeof(T))); }
  RunFacts facts() const override { return {.device = cpu_name(), .driver = library_version(), .ranks = ranks_}; }

 protected:
  /// Collective: what the ranks before this one have.
  T sum_before(T mine) const {
    T before = 0;
    MPI_Exscan(&mine, &before, 1, value_type<T>(), MPI_SUM, MPI_COMM_WORLD);
    return rank_ == 0 ? T(0) : before;  // there it is not set
  }

 private:
  int rank_ = 0, ranks_ = 1;
};

/// Textbook: scan mine, ask what was before, add it to mine.
template <class T>
class Textbook : public RankScanner<T> {
 public:
  void scan() override {
    T sum = 0;
    for (std::int64_t i = 0; i < this->part(); ++i) this->sums_[i] = sum = sum + this->values_[i];
    const T before = this->sum_before(sum);
    for (std::int64_t i = 0; i < this->part(); ++i) this->sums_[i] += before;
  }
};

/// Vectors: sum mine, ask what was before, scan from there on: sums are written once.
template <class T>
class Vectors : public RankScanner<T> {
 public:
  void scan() override {
    const Range mine = {0, this->part()};
    const T before = this->sum_before(scan::sum_of_range(this->values_.data(), mine));
    scan::scan_range(this->values_.data(), this->sums_.data(), mine, before);
  }
};

const scan::Variant textbook = {.name = "textbook",
                                .summary = "each rank scans, MPI_Exscan, each rank adds",
                                .role = Role::textbook,
                                .make = made_of<scan::Scanner, Textbook>};
const scan::Variant vectors = {.name = "vectors",
                               .summary = "each rank sums, MPI_Exscan, each rank scans",
                               .role = Role::like_for_like,
                               .make = made_of<scan::Scanner, Vectors>};

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_ranks_program<scan::Variant>(argc, argv,
                                          {.model = "mpi",
                                           .summary = "Prefix sums on the ranks of an MPI launcher (one rank without)",
                                           .build = BOLTZMARK_BUILD_INFO,
                                           .variants = {textbook, vectors},
                                           .default_variant = "vectors",
                                           .devices = cpu_devices,
                                           .warning = crowding});
}
