// STREAM in Kokkos: every kernel is a parallel_for over the same range, which the execution space deals to its threads
// in the same way each time.
#include "kokkos/on_space.hpp"

#include "common/stream/host_kernels.hpp"

namespace boltzmark::kokkos {
using namespace stream;
namespace {

struct Sum : CompensatedSum {
  KERNEL_FN void take(const Sum& other) { add(other); }
};

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
    const auto a = a_.there, c = c_.there;
    for_each(KOKKOS_LAMBDA(std::int64_t i) { c(i) = a(i); });
  }
  void mul() override {
    const auto b = b_.there, c = c_.there;
    for_each(KOKKOS_LAMBDA(std::int64_t i) { b(i) = T(scalar) * c(i); });
  }
  void add() override {
    const auto a = a_.there, b = b_.there, c = c_.there;
    for_each(KOKKOS_LAMBDA(std::int64_t i) { c(i) = a(i) + b(i); });
  }
  void triad() override {
    const auto a = a_.there, b = b_.there, c = c_.there;
    for_each(KOKKOS_LAMBDA(std::int64_t i) { a(i) = b(i) + T(scalar) * c(i); });
  }
  /// Sums that keep what rounding loses: each thread of a processor has that of its part, taken in vectors.
  double dot() override {
    if (is_host) return HostKernels<T>::dot();
    const auto a = a_.there, b = b_.there;
    Sum total;
    Kokkos::parallel_reduce(
        Numbers(0, this->part()),
        KOKKOS_LAMBDA(std::int64_t i, Sum & sum) { sum.add(static_cast<double>(a(i)) * static_cast<double>(b(i))); },
        Joined<Sum>{&total});
    return total.value();
  }

  template <class Kernel>
  void for_each(const Kernel& kernel) {
    Kokkos::parallel_for(Numbers(0, this->part()), kernel);
    Kokkos::fence();
  }

  Mirrored<T*> a_, b_, c_;
};

const Variant plain = like_for_like_of<Kernels, Plain>("plain", "each kernel one parallel_for over whole arrays");

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark::kokkos;
  return run_on_space(argc, argv, {plain});
}
