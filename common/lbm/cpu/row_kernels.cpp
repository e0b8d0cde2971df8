#include "common/lbm/cpu/row_kernels.hpp"

#include <fmt/core.h>

#include "common/base/error.hpp"

namespace boltzmark::lbm {
namespace {

/// Every length in the build, those of an instruction set first, starting with the widest.
template <class T, class L>
std::vector<const RowKernels<T, L>*> built() {
  std::vector<const RowKernels<T, L>*> all;
  if constexpr (std::is_same_v<T, Half>) {
    all.push_back(&half_rows<L>());
    return all;
  } else {
#if defined(__x86_64__)
    for (const RowTables* tables : {&rows_512, &rows_256, &rows_128})
#else
    for (const RowTables* tables : {&rows_128})
#endif
      all.push_back(&std::get<RowKernels<T, L>>(*tables));
    if constexpr (L::dimension == 2)
      for (const auto& kernels : std::get<sizeof(T) / sizeof(double)>(rows_0)) all.push_back(&kernels);
    return all;
  }
}

template <class T, class L>
std::string lengths_that_run() {
  std::string text;
  for (const auto* kernels : row_kernels_here<T, L>())
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", kernels->lanes, kernels->name);
  return text;
}

}  // namespace

template <class T, class L>
const RowKernels<T, L>& row_kernels(std::optional<int> lanes) {
  for (const auto* kernels : built<T, L>()) {
    if (lanes && kernels->lanes != *lanes) continue;
    if (kernels->runs_here()) return *kernels;
    if (lanes)
      throw unavailable("--vvl: this processor has no {}; expected one of {} for f{}, found {}", kernels->name,
                        lengths_that_run<T, L>(), 8 * sizeof(T), *lanes);
  }
  if constexpr (std::is_same_v<T, Half>)
    throw unavailable("--vvl: --storage f16 has vectors of {} alone, found {}", lengths_that_run<T, L>(), *lanes);
  // A plan may sweep the lengths of all instruction sets: a length of another architecture is not an error.
  if (const int bits = 8 * static_cast<int>(sizeof(T)) * *lanes; bits == 128 || bits == 256 || bits == 512)
    throw unavailable("--vvl: this architecture has no vectors of {} bits; expected one of {} for f{}, found {}", bits,
                      lengths_that_run<T, L>(), 8 * sizeof(T), *lanes);
  throw bad_input("--vvl: expected one of {} for f{}, found {}", lengths_that_run<T, L>(), 8 * sizeof(T), *lanes);
}

template <class T, class L>
std::vector<const RowKernels<T, L>*> row_kernels_here() {
  auto kernels = built<T, L>();
  std::erase_if(kernels, [](const auto* one) { return !one->runs_here(); });
  return kernels;
}

template std::vector<const RowKernels<Half, D2Q9>*> row_kernels_here();
template std::vector<const RowKernels<Half, D3Q19>*> row_kernels_here();
template const RowKernels<Half, D2Q9>& row_kernels(std::optional<int>);
template const RowKernels<Half, D3Q19>& row_kernels(std::optional<int>);
template std::vector<const RowKernels<float, D2Q9>*> row_kernels_here();
template std::vector<const RowKernels<double, D2Q9>*> row_kernels_here();
template std::vector<const RowKernels<float, D3Q19>*> row_kernels_here();
template std::vector<const RowKernels<double, D3Q19>*> row_kernels_here();
template const RowKernels<float, D2Q9>& row_kernels(std::optional<int>);
template const RowKernels<double, D2Q9>& row_kernels(std::optional<int>);
template const RowKernels<float, D3Q19>& row_kernels(std::optional<int>);
template const RowKernels<double, D3Q19>& row_kernels(std::optional<int>);

}  // namespace boltzmark::lbm
