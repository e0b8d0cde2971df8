// common/target's layer on a device of OpenCL.
#include <gtest/gtest.h>

#include "programs.hpp"

// After all others: its words are macros.
#include "common/device/device_target.hpp"
#include "opencl/runtime/api.hpp"
#include "target_checks.hpp"

namespace boltzmark::testing {

extern const std::string_view scale_source;

namespace {

using namespace device;

template <class T>
void check_on_device(const char* vvl, const std::map<std::string, std::string>& more = {}) {
  if (!cannot_run_here("opencl").empty()) GTEST_SKIP() << cannot_run_here("opencl");
  device::use(opencl::api());
  SCOPED_TRACE(fmt::format("vvl {}", vvl));
  Options options;
  options.precision = sizeof(T) == 8 ? Precision::f64 : Precision::f32;
  options.of_model = more;
  options.of_model["vvl"] = vvl;
  const TargetPlan plan = TargetPlan::of(choose_device(""), options, scale_source);
  check_layer<DeviceTarget<T>>(
      [&](const target::Lattice& lattice) { return std::make_unique<DeviceTarget<T>>(plan, lattice); });
}

TEST(OpenclLayer, DoesItsWorkInSinglePrecision) {
  for (const char* vvl : {"1", "4", "32"}) check_on_device<float>(vvl);
}
/// Tiles that are longer than the box, higher, or no divisor of it.
TEST(OpenclLayer, DoesItsWorkInAnyOrderAndGroup) {
  for (const char* order : {"rows", "columns"})
    for (const char* group : {"7x3", "2x16", "64x1"})
      for (const char* vvl : {"1", "4"}) {
        SCOPED_TRACE(fmt::format("{} {}", order, group));
        check_on_device<float>(vvl, {{"order", order}, {"work-group", group}});
      }
}
TEST(OpenclLayer, DoesItsWorkInDoublePrecision) {
  device::use(opencl::api());
  if (cannot_run_here("opencl").empty() && !choose_device("").has_doubles) GTEST_SKIP() << "no doubles";
  for (const char* vvl : {"2", "8", "16"}) check_on_device<double>(vvl);
}

}  // namespace
}  // namespace boltzmark::testing
