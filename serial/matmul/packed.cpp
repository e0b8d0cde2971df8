// Packed: blocks of A and B are copied into the order in which a micro-kernel in vector registers reads them, as libraries
// do it; common/matmul/cpu/packed.hpp draws the loops.
//
//     tile of C in registers += strip of A * strip of B
#include <fmt/core.h>

#include "common/matmul/cpu/packed.hpp"
#include "common/matmul/cpu/vector_lengths.hpp"
#include "common/matmul/host_multiplier.hpp"
#include "common/run/provenance.hpp"
#include "serial/matmul/variants.hpp"

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
    return {.device = cpu_name(),
            .bytes_per_update = packed_->bytes_per_element(shape_, packed_->blocks()),
            .settings = settings_of(*packed_)};
  }

 private:
  using HostMultiplier<T>::a_;
  using HostMultiplier<T>::b_;
  using HostMultiplier<T>::c_;
  using HostMultiplier<T>::shape_;

  std::optional<Packed<T, lanes>> packed_;
};

}  // namespace

std::unique_ptr<Multiplier> make_packed(Precision precision, std::optional<int> lanes) {
  return make_of_length<PackedPanels>(precision, lanes);
}

}  // namespace boltzmark::serial
