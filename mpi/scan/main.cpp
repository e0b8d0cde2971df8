// scan-mpi: prefix sums of an array divided among the ranks. MPI_Exscan gives a rank the sum of all before it.
#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/vectors.hpp"
#include "mpi/types.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
namespace {

/// Collective: the sum of the ranks before this one.
template <class T>
T sum_before(T mine, const Workers& workers) {
  T before = 0;
  MPI_Exscan(&mine, &before, 1, value_type<T>(), MPI_SUM, MPI_COMM_WORLD);
  return workers.rank == 0 ? T(0) : before;  // not set on rank 0
}

/// Textbook: scan this rank's part, get the sum before it, and add it to the part.
struct Textbook {
  static constexpr scan::Passes passes = scan::adds_after;
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers& workers) {
    T sum = 0;
    for (std::int64_t i = 0; i < elements; ++i) sums[i] = sum = sum + values[i];
    const T before = sum_before(sum, workers);
    for (std::int64_t i = 0; i < elements; ++i) sums[i] += before;
  }
};

/// Vectors: sum this rank's part, get the sum before it, and scan from there, so that sums are written once.
struct Vectors {
  static constexpr scan::Passes passes = scan::sums_first;
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers& workers) {
    const T before = sum_before(sum_of(values, elements), workers);
    scan::scan_range(values, sums, {0, elements}, before);
  }
};

const scan::Variant textbook =
    textbook_of("each rank scans, MPI_Exscan, each rank adds", scan::by<Textbook>(start_workers));
const scan::Variant vectors =
    like_for_like_of("vectors", "each rank sums, MPI_Exscan, each rank scans", scan::by<Vectors>(start_workers));

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_cpu_ranks(argc, argv, scan::workload, {&textbook, &vectors}, "vectors");
}
