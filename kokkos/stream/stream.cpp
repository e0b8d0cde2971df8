// STREAM in Kokkos: every kernel is a parallel_for over the same range, which the execution space deals to its threads
// in the same way each time.
#include "kokkos/on_space.hpp"

#include "common/stream/host_kernels.hpp"

namespace boltzmark::kokkos {
using namespace stream;
namespace {

template <class T>
struct Plain : OnSpace<HostKernels<T>> {
  Memory memory() override { return is_host ? HostKernels<T>::memory() : Memory{.of_device = true}; }
  void init(std::int64_t elements) override {
    HostKernels<T>::init(elements);
    a_ = {this->arrays_.a(), elements};
    b_ = {this->arrays_.b(), elements};
    c_ = {this->arrays_.c(), elements};
  }
  void collect() override { a_.download(), b_.download(), c_.download(); }
  void copy() override {
    const auto a = a_.there;
    store(
        c_.there, KOKKOS_LAMBDA(std::int64_t i) { return a(i); });
  }
  void mul() override {
    const auto c = c_.there;
    store(
        b_.there, KOKKOS_LAMBDA(std::int64_t i) { return T(scalar) * c(i); });
  }
  void add() override {
    const auto a = a_.there, b = b_.there;
    store(
        c_.there, KOKKOS_LAMBDA(std::int64_t i) { return a(i) + b(i); });
  }
  void triad() override {
    const auto b = b_.there, c = c_.there;
    store(
        a_.there, KOKKOS_LAMBDA(std::int64_t i) { return b(i) + T(scalar) * c(i); });
  }
  /// Sums that keep what rounding loses: each thread of a processor has that of its part, taken in vectors.
  double dot() override {
    if constexpr (is_host) {
      return HostKernels<T>::dot();
    } else {
      const auto a = a_.there, b = b_.there;
      CompensatedSum total;
      Kokkos::parallel_reduce(
          Numbers(0, this->part()),
          KOKKOS_LAMBDA(std::int64_t i, CompensatedSum & sum) { sum.add(double{a(i)} * double{b(i)}); },
          Joined<CompensatedSum>{&total});
      return total.value();
    }
  }

  /// to(i) = value(i). A thread of a GPU has four floats, a quarter of the array apart: one is too little on its way.
  template <class To, class Value>
  void store(const To& to, const Value& value) {
    constexpr int each = is_host || sizeof(T) > 4 ? 1 : 4;
    const std::int64_t all = this->part(), apart = all / each;
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

const Variant plain = like_for_like_of<Kernels, Plain>("plain", "each kernel one parallel_for over whole arrays");

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, stream::workload, {&plain});
}
