// The program of matrix multiplication on devices.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/device/session.hpp"
#include "common/matmul/multiplier.hpp"

namespace boltzmark::matmul {

/// Format to which A and B are rounded (to nearest) for tensor cores; sums and C stay floats.
enum class Rounding { as_they_are, tf32, f16, bf16 };
/// The option --arithmetic for tensor cores: tf32, f16 or bf16.
ModelOption arithmetic_option();
/// The value of that option, as_they_are without it. Throws Error (bad_input) if it is given in double precision.
Rounding rounding_of(const Options& options);

/// A library, opened for a session and its precision, which must outlive it.
class PeerLibrary {
 public:
  virtual ~PeerLibrary() = default;
  /// Enqueues C = A B, row by row, in the session's queue. Throws Error (unavailable).
  virtual void enqueue(const Shape& shape, const device::Buffer& a, const device::Buffer& b,
                       const device::Buffer& c) = 0;
  /// "cuBLAS 13.0.2"
  virtual std::string name() const = 0;
  /// The format that tensor cores multiply, "" without tensor cores.
  virtual std::string tensor_cores() const { return ""; }
};

/// The library that is an API's peer. It is opened when the program runs, so the build does not need it.
struct Peer {
  std::string name, summary;  ///< of the variant
  /// Throws Error (unavailable), in one line, if the library is missing.
  std::function<std::unique_ptr<PeerLibrary>(device::Session& session, const Options& options)> open;
  std::vector<ModelOption> options = {};
};

/// A block of C, on one of several devices, to which the products of panels of A and B are added.
class PanelProducts {
 public:
  virtual ~PanelProducts() = default;
  /// For a block of C (m x n) and panels of depth k.
  virtual void init_panels(const Shape& block) = 0;
  /// Sizes in memory of a panel of A (m x k) and one of B (k x n), row by row; padding beyond the block must be 0.
  virtual const Shape& padded() const = 0;
  virtual device::Session& session() = 0;
  /// The first product, in which drivers finish their setup. Throws Error (unavailable).
  virtual void run_first(const device::Buffer& a, const device::Buffer& b) = 0;
  virtual void clear() = 0;
  /// Enqueues the addition of the product of two panels, after `there`; `done`: event of its end, when the panels are
  /// free.
  virtual void add_product(const device::Buffer& a, const device::Buffer& b, device::Events there,
                           device::Event* done) = 0;
};

/// The variants that are PanelProducts too.
Program panel_program();

/// peer: one more variant, if there is one.
Program device_program(const Peer& peer);
Program device_program();

}  // namespace boltzmark::matmul
