// Common base of the variants of matrix multiplication on devices.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "common/device/array_program.hpp"
#include "common/device/host_values.hpp"
#include "common/matmul/device/program.hpp"
#include "common/matmul/traffic.hpp"

namespace boltzmark::matmul {

inline std::int64_t padded(std::int64_t value, std::int64_t multiple) {
  return device::parts_of(value, multiple) * multiple;
}

/// Rounds floats in place, to nearest; 16-bit results are packed at the front. Returns their bytes, a multiple of four.
inline std::size_t round_operands(device::HostValues& values, Rounding rounding) {
  if (rounding == Rounding::as_they_are) return values.bytes();
  return values.with([rounding](auto all) {
    auto* const halves = reinterpret_cast<unsigned char*>(all.data());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const float value = static_cast<float>(all[i]);
      const auto bits = std::bit_cast<std::uint32_t>(value);
      std::uint16_t half = half_from_float(value);
      if (rounding == Rounding::bf16) half = static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
      if (rounding == Rounding::tf32)
        all[i] = std::bit_cast<float>((bits + 0x1000u) & ~0x1fffu);
      else
        std::memcpy(halves + i * sizeof half, &half, sizeof half);
    }
    return rounding == Rounding::tf32 ? all.size() * sizeof(float) : (all.size() + 1) / 2 * sizeof(float);
  });
}

/// The matrices on a device, and all operations on them except the multiplication.
class DeviceMultiplier : public Multiplier {
 public:
  explicit DeviceMultiplier(const Options& options) : array_(options) {}

  std::string shortage(double bytes) override { return array_.shortage(bytes, bytes / 3); }
  void multiply() override { array_.run("multiply"); }
  void spoil() override { array_.session().spoil({{&c_, result_.bytes()}}); }
  void collect() override {
    device::attempt("read C", [&] { array_.session().queue()->read(c_, 0, result_.bytes(), result_.data()); });
  }
  void read(std::int64_t row, std::span<double> values) const override { result_.read(row * sizes_.n, values); }

 protected:
  /// Matrices of these sizes, padded with zeros, C filled with values that no product has; and `more` buffers of zeros.
  void allocate(const Shape& shape, const Shape& sizes, const Entries& entries, Rounding rounding,
                std::vector<device::BufferRequest> more = {}) {
    shape_ = shape;
    const auto [m, n, k] = sizes_ = sizes;
    device::HostValues a(array_.precision(), m * k), b(array_.precision(), k * n);
    result_ = device::HostValues(array_.precision(), m * n, 0.5);
    a.with([&](auto values) { entries.fill(Matrix::a, values.data(), k, 0, shape.m, 0, shape.k); });
    b.with([&](auto values) { entries.fill(Matrix::b, values.data(), n, 0, shape.k, 0, shape.n); });
    const std::size_t bytes_of_a = round_operands(a, rounding), bytes_of_b = round_operands(b, rounding);
    more.insert(more.begin(),
                {{&a_, bytes_of_a, a.data()}, {&b_, bytes_of_b, b.data()}, {&c_, result_.bytes(), result_.data()}});
    array_.session().allocate(more);
  }
  /// Adds the launch of the kernel that multiplies `a` by `b`.
  void add_multiplication(const device::Range& items, const device::Range& group, const device::Buffer& a,
                          const device::Buffer& b) {
    array_.add_items(items, group, "multiply", size(sizes_.m), size(sizes_.n), size(sizes_.k), a, b, c_);
  }
  /// Facts with the traffic of each matrix once, without padding; a variant adds repeated passes. operand_bytes: of a
  /// value of A or B.
  ProductTraffic traffic(double operand_bytes = 0.0) const {
    return {shape_, static_cast<std::size_t>(array_.value_bytes()), array_.is_cpu(), operand_bytes};
  }
  RunFacts facts_of(const Settings& settings, double values_per_element, const ProductTraffic& traffic) const {
    RunFacts facts = array_.session().facts(settings);
    facts.bytes_per_update = values_per_element * static_cast<double>(array_.value_bytes());
    facts.write_allocate = array_.is_cpu();
    facts.traffic = traffic.sets();
    return facts;
  }
  static std::int32_t size(std::int64_t value) { return static_cast<std::int32_t>(value); }

  device::ArrayProgram array_;
  Shape shape_, sizes_;  ///< of the problem, and padded
  device::Buffer a_, b_, c_;
  device::HostValues result_;
};

/// First compute capability whose tensor cores multiply doubles as Tensor does: Hopper's.
inline constexpr int capability_for_doubles = 90;
/// On tensor cores; and driven by Hopper's warp groups, only in CUDA.
Variant tensor_variant();
Variant warp_groups_variant();

}  // namespace boltzmark::matmul
