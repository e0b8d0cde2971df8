// Common to all targets: kernels by name, reductions, masks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/base/error.hpp"
#include "common/run/options.hpp"
#include "common/target/lattice.hpp"

namespace boltzmark::target {

/// A kernel (target.h) as an argument of a target's launch: in C++ its function for any REAL, elsewhere its name.
template <class Function>
struct Kernel {
  const char* name;
  Function function;
};
template <class Function>
Kernel(const char*, Function) -> Kernel<Function>;

#define TARGET_KERNEL(kernel_name)           \
  (::boltzmark::target::Kernel{#kernel_name, \
                               []<class REAL>(const auto&... arguments) { kernel_name<REAL>(arguments...); }})

/// The same for a TARGET_SUM, as an argument of a target's sum.
#define TARGET_SUM_KERNEL(kernel_name)       \
  (::boltzmark::target::Kernel{#kernel_name, \
                               []<class REAL>(const auto&... arguments) { return kernel_name<REAL>(arguments...); }})

/// A kernel's parameter for an argument of a launch: the address of a field or of constants, else the value itself.
template <class Argument>
decltype(auto) argument_of(const Argument& argument) {
  if constexpr (requires { argument.argument(); })
    return argument.argument();
  else
    return (argument);
}

/// Reductions of a value over sites.
enum class Reduce { sum, least, greatest };

/// Initial value of a reduction.
inline double start_of(Reduce reduce) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return reduce == Reduce::sum ? 0.0 : reduce == Reduce::least ? infinity : -infinity;
}
inline double joined(Reduce reduce, double a, double b) {
  return reduce == Reduce::sum ? a + b : reduce == Reduce::least ? std::min(a, b) : std::max(a, b);
}

inline double joined(Reduce reduce, const auto& parts) {
  double all = start_of(reduce);
  for (const auto part : parts) all = joined(reduce, all, static_cast<double>(part));
  return all;
}

/// Selected sites, one byte for each site of a field (its stride): 1 or 0.
using Mask = std::vector<std::uint8_t>;

/// Their numbers.
inline std::vector<std::int32_t> wanted_sites(const Mask& mask) {
  std::vector<std::int32_t> wanted;
  for (std::size_t site = 0; site < mask.size(); ++site)
    if (mask[site]) wanted.push_back(static_cast<std::int32_t>(site));
  return wanted;
}

/// Masked copies of fields: all values of the selected sites; other sites keep theirs at the destination.
template <class Target>
void copy_to_masked(Target& target, typename Target::Field& field, const typename Target::Scalar* host,
                    const Mask& mask) {
  const auto wanted = wanted_sites(mask);
  std::vector<typename Target::Scalar> values;
  values.reserve(wanted.size() * static_cast<std::size_t>(field.values));
  for (int v = 0; v < field.values; ++v)
    for (const std::int32_t site : wanted) values.push_back(host[v * target.lattice().stride() + site]);
  target.scatter(field, wanted, values);
}
template <class Target>
void copy_from_masked(Target& target, const typename Target::Field& field, typename Target::Scalar* host,
                      const Mask& mask) {
  const auto wanted = wanted_sites(mask);
  const auto values = target.gather(field, wanted);
  auto value = values.begin();
  for (int v = 0; v < field.values; ++v)
    for (const std::int32_t site : wanted) host[v * target.lattice().stride() + site] = *value++;
}

/// --vvl of programs that are written in this layer.
inline ModelOption vvl_option() {
  return {.name = "vvl",
          .value = "N",
          .help =
              "virtual vector length: sites that a thread handles together; default: the vector length of the "
              "processor, 1 on GPUs",
          .choices = {"1", "2", "4", "8", "16", "32"}};
}

/// --order of those for devices.
inline ModelOption order_option() {
  return {.name = "order",
          .value = "rows|columns",
          .help =
              "direction in which neighbouring threads are laid out: rows (contiguous in memory; default) or columns "
              "(strided, as in codes whose first index is the outermost); no difference in 1-D",
          .choices = {"rows", "columns"}};
}

}  // namespace boltzmark::target
