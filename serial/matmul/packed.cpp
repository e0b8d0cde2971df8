// Packed: blocks of A and B are copied into the order in which a micro-kernel in vector registers reads them, as
// libraries do it; common/matmul/cpu/packed.hpp draws the loops.
//
//     tile of C in registers += strip of A * strip of B
#include "common/matmul/cpu/packed.hpp"
#include "common/matmul/host_multiplier.hpp"
#include "common/run/vector_lengths.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

template <class T, int lanes>
class PackedPanels : public HostMultiplier<T> {
 public:
  void init(const Shape& shape, const Entries& entries) override {
    HostMultiplier<T>::init(shape, entries);
    packed_.emplace(shape, 1);
  }

  void multiply() override {
    const auto [m, n, k] = shape_;
    packed_->multiply({shape_, a_.data(), k, b_.data(), n, c_.data(), n}, false, 0, [] {});
  }

  RunFacts facts() const override {
    return this->on_machine(
        {.bytes_per_update = packed_->bytes_per_element(shape_, packed_->blocks()), .settings = packed_->settings()});
  }

 private:
  using HostMultiplier<T>::a_, HostMultiplier<T>::b_, HostMultiplier<T>::c_, HostMultiplier<T>::shape_;

  std::optional<Packed<T, lanes>> packed_;
};

}  // namespace

extern const matmul::Variant packed = {.name = "packed",
                                       .summary = "packed panels and a micro-kernel in vector registers",
                                       .role = Role::like_for_like,
                                       .options = {vector_length_option()},
                                       .make = made_of_vvl<Multiplier, PackedPanels>};

}  // namespace boltzmark::serial
