// STREAM in Kokkos: every kernel is a parallel_for over the same range, which the execution space divides among its
// threads in the same way each time.
#include "kokkos/on_space.hpp"

#include "common/stream/array_kernels.hpp"

namespace boltzmark::kokkos {
using namespace stream;
namespace {

template <class T>
struct Plain {
  void init(Arrays<T>& at, const Workers& workers) {
    InParts<T>::init(at, workers);
    a_ = {at.a(), at.size()};
    b_ = {at.b(), at.size()};
    c_ = {at.c(), at.size()};
  }
  void collect() const { a_.download(), b_.download(), c_.download(); }
  void copy(Arrays<T>&, const Workers&) const {
    const auto a = a_.there;
    store(
        c_.there, KOKKOS_LAMBDA(std::int64_t i) { return a(i); });
  }
  void mul(Arrays<T>&, const Workers&) const {
    const auto c = c_.there;
    store(
        b_.there, KOKKOS_LAMBDA(std::int64_t i) { return T(scalar) * c(i); });
  }
  void add(Arrays<T>&, const Workers&) const {
    const auto a = a_.there, b = b_.there;
    store(
        c_.there, KOKKOS_LAMBDA(std::int64_t i) { return a(i) + b(i); });
  }
  void triad(Arrays<T>&, const Workers&) const {
    const auto b = b_.there, c = c_.there;
    store(
        a_.there, KOKKOS_LAMBDA(std::int64_t i) { return b(i) + T(scalar) * c(i); });
  }
  /// Compensated sums: each thread of a processor has one for its part, computed in vectors.
  double dot(const Arrays<T>& at, const Workers& workers) const {
    if constexpr (is_host) {
      return InParts<T>::dot(at, workers);
    } else {
      const auto a = a_.there, b = b_.there;
      CompensatedSum total;
      Kokkos::parallel_reduce(
          Numbers(0, at.size()),
          KOKKOS_LAMBDA(std::int64_t i, CompensatedSum & sum) { sum.add(double{a(i)} * double{b(i)}); },
          Joined<CompensatedSum>{&total});
      return total.value();
    }
  }

  static Settings settings() { return settings_of_vectors<T>(); }

  /// to(i) = value(i). A thread of a GPU has four floats, a quarter of the array apart, because one float per thread
  /// keeps too few bytes in flight.
  template <class To, class Value>
  void store(const To& to, const Value& value) const {
    constexpr int each = is_host || sizeof(T) > 4 ? 1 : 4;
    const std::int64_t all = a_.host.extent(0), apart = all / each;
    Kokkos::parallel_for(
        Numbers(0, apart), KOKKOS_LAMBDA(std::int64_t i) {
          T values[each];
          for (int n = 0; n < each; ++n) values[n] = value(i + n * apart);
          for (int n = 0; n < each; ++n) to(i + n * apart) = values[n];
        });
    if constexpr (each > 1)
      Kokkos::parallel_for(
          Numbers(each * apart, all), KOKKOS_LAMBDA(std::int64_t i) { to(i) = value(i); });
    Kokkos::fence();
  }

  Mirrored<T*> a_, b_, c_;
};

const Variant plain =
    like_for_like_of("plain", "each kernel one parallel_for over whole arrays", by<Plain>(start_workers));

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, stream::workload, {&plain});
}
