// STREAM: five simple kernels over three long arrays, which show what memory gives to a programming model.
// The kernels are those of McCalpin's STREAM with a dot product; start values, scalar, order and check are
// BabelStream's (Deakin and others, "GPU-STREAM", 2016), so that figures can be set side by side.
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

/// What one kernel does to an element of the arrays. STREAM counts every array that is named once.
struct Kernel {
  const char* name;
  int arrays_read, arrays_written;
  int flops;  ///< per element

  std::int64_t bytes(std::int64_t elements, int value_bytes) const {
    return elements * value_bytes * (arrays_read + arrays_written);
  }
  /// With the lines that a processor reads only because it is going to overwrite them.
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

/// What every element of an array holds.
struct Values {
  double a, b, c;

  /// At the start, as a precision holds it.
  static Values start(Precision precision);
  /// After one more turn of copy, mul, add and triad, by the same steps on one number.
  void turn(Precision precision);
};

/// The memory of a model's arrays.
struct Memory {
  bool of_device = false;         ///< a device's own, not this machine's
  std::uint64_t cache_bytes = 0;  ///< last-level caches in front of it, all together; 0 when unknown
  int processors = 0;             ///< that use it; 0 for a device's own
};

/// This machine's, for the processors that the process may use.
Memory machine_memory();

enum class Array { a, b, c };

/// The three arrays of one model and precision, and the kernels over them. A kernel returns when its work is finished,
/// not when it is enqueued.
class Kernels : public Implementation {
 public:
  /// Of the arrays, before init.
  virtual Memory memory() = 0;
  /// Allocates the arrays, of this many elements over all ranks; each worker sets the start values of its part, because
  /// memory is placed where it is first touched.
  virtual void init(std::int64_t elements) = 0;

  virtual void copy() = 0;   ///< c = a
  virtual void mul() = 0;    ///< b = scalar * c
  virtual void add() = 0;    ///< c = a + b
  virtual void triad() = 0;  ///< a = b + scalar * c
  /// Sum of a * b over all ranks. Right to a few units in the last place of the precision, however long the
  /// arrays are.
  virtual double dot() = 0;

  /// How many of the elements this rank holds.
  virtual std::int64_t part() const = 0;
  /// Elements first .. first + values.size() - 1 of this rank's part.
  virtual void read(Array array, std::int64_t first, std::span<double> values) = 0;
};

/// Executes one kernel; returns the sum of dot, 0 of the others.
double execute(Kernels& kernels, Operation operation);

/// Largest relative deviation of an array of this rank from the value that each of its elements should hold;
/// infinite when one is not a number.
double array_error(Kernels& kernels, Array array, double expected);

/// Relative deviation of a value; infinite when it is not a number.
double relative_error(double value, double expected);

/// The deviation that counts as right: 100 units of the precision's rounding, as BabelStream allows.
double tolerance(Precision precision);

/// Elements that each array gets: as many as asked for, else four times what the caches in front of the memory hold; in
/// a machine's memory at most 192 MiB a processor, four times the 48 MiB a core that an EPYC 9184X has, for a virtual
/// machine of two shows the cache of a hundred. Where a device has memory of its own at least 2^27 or, if need be, down
/// to 2^25. Throws Error (unavailable) when three such arrays do not fit the memory.
std::int64_t choose_elements(Kernels& kernels, std::optional<std::int64_t> asked, Precision precision);

using boltzmark::Variant;

extern const WorkloadEntry workload;

}  // namespace boltzmark::stream
