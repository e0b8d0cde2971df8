// Packed: common/matmul/cpu/packed.hpp over threads. They pack a block of B together, which all read, and each has strips
// of rows of A and C.
//
//     tile of C in registers += strip of A * strip of B
#include "common/matmul/cpu/packed.hpp"

#include "common/matmul/cpu/vector_lengths.hpp"
#include "openmp/matmul/threaded_multiplier.hpp"
#include "openmp/matmul/variants.hpp"

namespace boltzmark::openmp {
namespace {

inline void wait_for_all() {
#pragma omp barrier
}

template <class T, int lanes>
class PackedPanels : public ThreadedMultiplier<T> {
 public:
  using ThreadedMultiplier<T>::ThreadedMultiplier;

  void init(const Shape& shape, const Entries& entries) override {
    ThreadedMultiplier<T>::init(shape, entries);
    packed_.emplace(shape, team_.size());
  }

  void multiply() override {
    const auto n = shape_.n, k = shape_.k;
    const Operands<T> operands = {shape_, a_.data(), k, b_.data(), n, c_.data(), n};
    team_.run([&](int me) { packed_->multiply(operands, false, me, wait_for_all); });
  }

  RunFacts facts() const override {
    return this->facts_with(packed_->bytes_per_element(shape_, packed_->blocks()), settings_of(*packed_));
  }

 private:
  using HostMultiplier<T>::a_;
  using HostMultiplier<T>::b_;
  using HostMultiplier<T>::c_;
  using HostMultiplier<T>::shape_;
  using ThreadedMultiplier<T>::team_;

  std::optional<Packed<T, lanes>> packed_;
};

}  // namespace

std::unique_ptr<Multiplier> make_packed(Precision precision, std::optional<int> threads,
                                        std::optional<int> lanes) {
  return make_of_length<PackedPanels>(precision, lanes, threads);
}

}  // namespace boltzmark::openmp
