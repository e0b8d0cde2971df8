// matmul-kokkos: matrix multiplication in Kokkos.
#include "kokkos/on_space.hpp"

#include "common/matmul/cpu/packed.hpp"
#include "common/run/vector_lengths.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace matmul;

/// Textbook: the definition, an index pair an element.
template <class T>
struct Textbook : OnSpace<HostMultiplier<T>> {
  void init(const Shape& shape, const Entries& entries) override {
    HostMultiplier<T>::init(shape, entries);
    of_a_ = {this->a_.data(), shape.m, shape.k};
    of_b_ = {this->b_.data(), shape.k, shape.n};
    of_c_ = {this->c_.data(), shape.m, shape.n};
  }
  void spoil() override { HostMultiplier<T>::spoil(), of_c_.upload(); }
  void collect() override { of_c_.download(); }

  void multiply() override {
    const auto a = of_a_.there, b = of_b_.there, c = of_c_.there;
    Kokkos::parallel_for(
        cells(0, this->shape_.m, this->shape_.n), KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) {
          T sum = 0;
          for (int k = 0; k < a.extent_int(1); ++k) sum += a(i, k) * b(k, j);
          c(i, j) = sum;
        });
    Kokkos::fence();
  }

  /// How the library cuts the loops, and thus what of B is read again, is not known.
  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = this->bytes_without_reuse(), .traffic = this->traffic().sets()});
  }

  Mirrored<T**> of_a_, of_b_, of_c_;
};

/// Packed: a team of all threads of a processor multiplies in packed panels (common/matmul/cpu/packed.hpp). They pack a
/// block of B together, wait at the team's barrier, and each has strips of rows of A and C.
template <class T, int lanes>
struct PackedPanels : PackedMultiplier<T, lanes, OnSpace<HostMultiplier<T>>> {
  void multiply() override {
    Kokkos::parallel_for(Team(1, workers()), [this](const Team::member_type& team) {
      this->multiply_part(team.team_rank(), [&team] { team.team_barrier(); });
    });
  }
  int workers() const override { return std::min(threads(), most_of_team); }
};

const Variant textbook =
    textbook_of<Multiplier, Textbook>("the product as defined, a parallel_for over rows and columns");
ON_PROCESSORS(const Variant packed = like_for_like_of<Multiplier, PackedPanels>(
                  "packed", "packed panels and a micro-kernel in vector registers, by the threads of one team");)

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, matmul::workload, {&textbook}, {ON_PROCESSORS(&packed)});
}
