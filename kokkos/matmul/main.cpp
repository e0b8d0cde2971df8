// matmul-kokkos: matrix multiplication in Kokkos.
#include "kokkos/on_space.hpp"

#include "common/matmul/cpu/packed.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace matmul;

/// Textbook: the definition, one pair of indices per element.
template <class T>
struct Textbook {
  void init(Matrices<T>& of, const Workers&) {
    const auto [m, n, k] = of.shape;
    of_a = {of.a.data(), m, k};
    of_b = {of.b.data(), k, n};
    of_c = {of.c.data(), m, n};
  }
  void upload() { of_c.upload(); }
  void download() { of_c.download(); }

  void multiply(Matrices<T>& of, const Workers&) {
    const auto a = of_a.there, b = of_b.there, c = of_c.there;
    Kokkos::parallel_for(
        cells(0, of.shape.m, of.shape.n), KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) {
          T sum = 0;
          for (int k = 0; k < a.extent_int(1); ++k) sum += a(i, k) * b(k, j);
          c(i, j) = sum;
        });
    Kokkos::fence();
  }

  /// The library's tiling of the loops, and so the repeated reads of B, are not known.
  static RunFacts facts(const Matrices<T>& of, const Workers& workers) {
    return {.bytes_per_update = of.bytes_without_reuse(), .traffic = of.traffic(workers).sets()};
  }

  Mirrored<T**> of_a, of_b, of_c;
};

#ifndef __CUDACC__
/// Packed: a team of all threads of a processor multiplies in packed panels (common/matmul/cpu/packed.hpp). They pack a
/// block of B together and wait at the team's barrier; then each works on strips of rows of A and C.
struct InTeam {
  void operator()(int workers, const auto& part) const {
    Kokkos::parallel_for(Team(1, workers), [&part](const Team::member_type& team) {
      part(team.team_rank(), [&team] { team.team_barrier(); });
    });
  }
};
template <class T, int lanes>
using PackedPanels = PackedTogether<T, lanes, InTeam>;
#endif

const Variant textbook =
    textbook_of("the definition of the product, a parallel_for over rows and columns", by<Textbook>(start_workers));
ON_PROCESSORS(const Variant packed = packed_of<PackedPanels>(
                  "packed panels and a micro-kernel in vector registers, on the threads of one team", start_team);)

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, matmul::workload, {&textbook}, {ON_PROCESSORS(&packed)});
}
