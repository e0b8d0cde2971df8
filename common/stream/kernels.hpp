// STREAM: five simple kernels over three long arrays, which measure the memory bandwidth that a programming model
// achieves. The kernels are those of McCalpin's STREAM with a dot product; start values, scalar, order and check are
// BabelStream's (Deakin and others, "GPU-STREAM", 2016), so that figures can be compared.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::stream {

/// As BabelStream's.
inline constexpr double scalar = 0.4, start_a = 0.1, start_b = 0.2, start_c = 0.0;

/// Work of a kernel per element of the arrays. STREAM counts every array that is named once.
struct Kernel {
  const char* name;
  int arrays_read, arrays_written;
  int flops;  ///< per element

  std::int64_t bytes(std::int64_t elements, int value_bytes) const {
    return elements * value_bytes * (arrays_read + arrays_written);
  }
  /// Including the lines that a processor reads only because it will overwrite them.
  std::int64_t bytes_with_write_allocate(std::int64_t elements, int value_bytes) const {
    return elements * value_bytes * (arrays_read + 2 * arrays_written);
  }
};

/// In the order of their execution, which is also that of `Operation`.
inline constexpr std::array<Kernel, 5> all_kernels = {{
    {"copy", 1, 1, 0},   // c = a
    {"mul", 1, 1, 1},    // b = scalar * c
    {"add", 2, 1, 1},    // c = a + b
    {"triad", 2, 1, 2},  // a = b + scalar * c
    {"dot", 2, 0, 2},    // sum of a * b
}};
enum class Operation { copy, mul, add, triad, dot };

/// A turn of the five kernels multiplies `a` by 2s + s*s = 0.96: after more turns single precision would reach
/// denormals, which are slow.
inline constexpr int most_repeats = 500;

/// Value of every element of an array.
struct Values {
  double a, b, c;

  /// At the start, rounded to the precision.
  static Values start(Precision precision);
  /// After one more turn of copy, mul, add and triad, by the same steps on one number.
  void turn(Precision precision);
};

/// The memory of a model's arrays.
struct Memory {
  bool of_device = false;         ///< memory of a device, not of this machine
  std::uint64_t cache_bytes = 0;  ///< last-level caches in front of it, in total; 0 if unknown
  int processors = 0;             ///< that use it; 0 for a device's own
};

/// This machine's, for the processors that the process may use.
Memory machine_memory();

enum class Array { a, b, c };

/// The three arrays of one model and precision, and the kernels over them. A kernel returns when its work is finished,
/// not when it is enqueued.
class Kernels : public Implementation {
 public:
  /// Bytes of the arrays, before init.
  virtual Memory memory() = 0;
  /// Allocates the arrays, of this many elements over all ranks; each worker sets the start values of its part, because
  /// memory is placed where it is first touched.
  virtual void init(std::int64_t elements) = 0;

  virtual void copy() = 0;   ///< c = a
  virtual void mul() = 0;    ///< b = scalar * c
  virtual void add() = 0;    ///< c = a + b
  virtual void triad() = 0;  ///< a = b + scalar * c
  /// Sum of a * b over all ranks. Accurate to a few units in the last place of the precision, for arrays of any length.
  virtual double dot() = 0;

  /// Number of elements on this rank.
  virtual std::int64_t part() const = 0;
  /// Elements first .. first + values.size() - 1 of this rank's part.
  virtual void read(Array array, std::int64_t first, std::span<double> values) = 0;
};

/// Executes one kernel; returns the sum of dot, 0 of the others.
double execute(Kernels& kernels, Operation operation);

/// Largest relative deviation of an array on this rank from the value that all its elements should have; infinite if
/// one is NaN.
double array_error(Kernels& kernels, Array array, double expected);

/// Relative deviation of a value; infinite for NaN.
double relative_error(double value, double expected);

/// The tolerance: 100 units of the precision's rounding, as in BabelStream.
double tolerance(Precision precision);

/// Elements of each array: the requested number, else four times the size of the caches in front of the memory. In a
/// machine's memory, at most 192 MiB per processor, four times the 48 MiB per core of an EPYC 9184X, because a virtual
/// machine with two cores may report the cache of a hundred. In a device's own memory, at least 2^27 elements, or fewer
/// if necessary, down to 2^25. Throws Error (unavailable) if three such arrays do not fit in memory.
std::int64_t choose_elements(Kernels& kernels, std::optional<std::int64_t> asked, Precision precision);

using boltzmark::Variant;

extern const WorkloadEntry workload;

/// The program of the device API in use (device/stream.cpp).
Program device_program();

}  // namespace boltzmark::stream
