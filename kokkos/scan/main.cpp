// scan-kokkos: prefix sums in Kokkos. parallel_scan calls its body with the sum of all that is before an index: once,
// or first to add up parts and then again, as `is_final` says, with what goes before each part.
#include "kokkos/on_space.hpp"

#include <limits>

#include "common/base/eighths.h"
#include "common/scan/scanner.hpp"
#include "common/scan/vectors.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace scan;

template <class T>
class InViews : public OnSpace<Scanner> {
 public:
  using OnSpace<Scanner>::OnSpace;

  void init(std::int64_t elements) override {
    values_ = untouched<Kokkos::View<T*>>("values", elements);
    sums_ = untouched<Kokkos::View<T*>>("sums", elements);
    const Kokkos::View<T*> values = values_;
    Kokkos::parallel_for(
        Numbers(0, elements), KOKKOS_LAMBDA(std::int64_t i) {
          values(i) = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(i)));
        });
    spoil();
  }
  void spoil() override { Kokkos::deep_copy(sums_, std::numeric_limits<T>::quiet_NaN()); }
  std::int64_t part() const override { return static_cast<std::int64_t>(sums_.extent(0)); }
  void read(std::int64_t at, std::span<double> sums) override { read_values(sums_, at, sums); }

 protected:
  Kokkos::View<T*> values_, sums_;
};

/// Textbook: an index is an element.
template <class T>
class Textbook : public InViews<T> {
 public:
  using InViews<T>::InViews;
  void scan() override {
    const Kokkos::View<T*> values = this->values_, sums = this->sums_;
    Kokkos::parallel_scan(
        Numbers(0, this->part()), KOKKOS_LAMBDA(std::int64_t i, T & sum, bool is_final) {
          sum += values(i);
          if (is_final) sums(i) = sum;
        });
    Kokkos::fence();
  }
};

/// Blocks: an index is a block, which a processor's thread adds up or scans in vectors (common/scan/vectors.hpp); on a
/// GPU a block is an element.
template <class T>
class Blocks : public InViews<T> {
 public:
  using InViews<T>::InViews;
  void scan() override {
    constexpr std::int64_t block = is_host ? 4096 : 1;
    const std::int64_t count = this->part();
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    Kokkos::parallel_scan(
        Numbers(0, (count + block - 1) / block), KOKKOS_LAMBDA(std::int64_t number, T & sum, bool is_final) {
          const std::int64_t begin = number * block, end = begin + block < count ? begin + block : count;
          if constexpr (is_host) {
            sum = is_final ? scan_range(values, sums, {begin, end}, sum) : sum + sum_of(values + begin, end - begin);
          } else {
            sum += values[begin];
            if (is_final) sums[begin] = sum;
          }
        });
    Kokkos::fence();
  }
};

const Variant textbook = textbook_of<Scanner, Textbook>("a loop with parallel_scan");
const Variant blocks = like_for_like_of<Scanner, Blocks>(
    "blocks", "parallel_scan over blocks, each added up and scanned in the vectors of a processor");

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, {textbook, blocks}, "blocks");
}
