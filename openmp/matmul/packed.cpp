// Packed: common/matmul/cpu/packed.hpp over threads. They pack a block of B together, which all read, and each has
// strips of rows of A and C.
//
//     tile of C in registers += strip of A * strip of B
#include "common/matmul/cpu/packed.hpp"

#include "common/matmul/host_multiplier.hpp"
#include "common/run/vector_lengths.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace matmul;
namespace {

inline void wait_for_all() {
#pragma omp barrier
}

template <class T, int lanes>
class PackedPanels : public OnThreads<HostMultiplier<T>> {
 public:
  using OnThreads<HostMultiplier<T>>::OnThreads;

  void init(const Shape& shape, const Entries& entries) override {
    HostMultiplier<T>::init(shape, entries);
    packed_.emplace(shape, threads_);
  }

  void multiply() override {
    const auto n = shape_.n, k = shape_.k;
    const Operands<T> operands = {shape_, a_.data(), k, b_.data(), n, c_.data(), n};
#pragma omp parallel num_threads(threads_)
    packed_->multiply(operands, false, omp_get_thread_num(), wait_for_all);
  }

  RunFacts facts() const override {
    return this->on_machine(
        {.bytes_per_update = packed_->bytes_per_element(shape_, packed_->blocks()), .settings = packed_->settings()});
  }

 private:
  using HostMultiplier<T>::a_, HostMultiplier<T>::b_, HostMultiplier<T>::c_, HostMultiplier<T>::shape_;
  using OnThreads<HostMultiplier<T>>::threads_;

  std::optional<Packed<T, lanes>> packed_;
};

}  // namespace

extern const matmul::Variant packed = {.name = "packed",
                                       .summary = "packed panels and a micro-kernel in vector registers",
                                       .role = Role::like_for_like,
                                       .options = {vector_length_option()},
                                       .make = made_of_vvl<Multiplier, PackedPanels>};

}  // namespace boltzmark::openmp
