// STREAM in Kokkos: every kernel is a parallel_for over the same range, which the execution space deals to its threads
// in the same way each time.
#include "kokkos/on_space.hpp"

#include "common/stream/kernels.hpp"

namespace boltzmark::kokkos {
using namespace stream;
namespace {

template <class T>
class Plain : public OnSpace<Kernels> {
 public:
  using OnSpace<Kernels>::OnSpace;

  Memory memory() override { return is_host ? machine_memory() : Memory{.of_device = true}; }
  void init(std::int64_t elements) override {
    for (auto* array : {&a_, &b_, &c_}) *array = untouched<Values>("array", elements);
    const Values a = a_, b = b_, c = c_;
    for_each(KOKKOS_LAMBDA(std::int64_t i) {
      a(i) = T(start_a);
      b(i) = T(start_b);
      c(i) = T(start_c);
    });
  }
  void copy() override {
    const Values a = a_, c = c_;
    for_each(KOKKOS_LAMBDA(std::int64_t i) { c(i) = a(i); });
  }
  void mul() override {
    const Values b = b_, c = c_;
    for_each(KOKKOS_LAMBDA(std::int64_t i) { b(i) = T(scalar) * c(i); });
  }
  void add() override {
    const Values a = a_, b = b_, c = c_;
    for_each(KOKKOS_LAMBDA(std::int64_t i) { c(i) = a(i) + b(i); });
  }
  void triad() override {
    const Values a = a_, b = b_, c = c_;
    for_each(KOKKOS_LAMBDA(std::int64_t i) { a(i) = b(i) + T(scalar) * c(i); });
  }
  /// Equal terms round alike, so that a sum's error grows with its length: an index sums up a few vectors, and these
  /// sums go into one that keeps what rounding loses.
  double dot() override {
    constexpr std::int64_t terms = is_host ? 32 * lanes_of<T> : 1;
    const T *const a = a_.data(), *const b = b_.data();
    const std::int64_t count = part();
    CompensatedSum total;
    Kokkos::parallel_reduce(
        Numbers(0, (count + terms - 1) / terms),
        KOKKOS_LAMBDA(std::int64_t block, CompensatedSum & sum) {
          const std::int64_t first = block * terms;
          if (first + terms <= count) {
            auto part = load<Lanes<T>>(a + first) * load<Lanes<T>>(b + first);
            for (std::int64_t i = first + lanes_of<T>; i < first + terms; i += lanes_of<T>)
              part = part + load<Lanes<T>>(a + i) * load<Lanes<T>>(b + i);
            sum.add(sum_of_lanes(part));
          } else {
            for (std::int64_t i = first; i < count; ++i) sum.add(static_cast<double>(a[i]) * static_cast<double>(b[i]));
          }
        },
        Joined<Merged, CompensatedSum>{&total});
    return total.value();
  }

  std::int64_t part() const override { return static_cast<std::int64_t>(a_.extent(0)); }
  void read(Array array, std::int64_t first, std::span<double> values) override {
    read_values(array == Array::a ? a_ : array == Array::b ? b_ : c_, first, values);
  }

 private:
  using Values = Kokkos::View<T*>;

  template <class Kernel>
  void for_each(const Kernel& kernel) {
    Kokkos::parallel_for(Numbers(0, part()), kernel);
    Kokkos::fence();
  }

  Values a_, b_, c_;
};

const Variant plain = like_for_like_of<Kernels, Plain>("plain", "each kernel one parallel_for over whole arrays");

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, {plain});
}
