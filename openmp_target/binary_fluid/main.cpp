#include <fmt/core.h>

#include "common/cpu/memory.hpp"
#include "common/target/kernel.hpp"
#include "openmp_target/binary_fluid/variants.hpp"

namespace boltzmark::openmp_target {

std::string shortage_on(const OffloadDevice& device, double bytes) {
  const std::string here = memory_shortage(static_cast<std::uint64_t>(bytes));
  if (!here.empty()) return here;
  const std::string there = memory_shortage_on(device, bytes);
  return there.empty() ? "" : fmt::format("{} on {}", there, device.name());
}

}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  openmp_target::prepare_runtime(argv);
  binary_fluid::Program program;
  program.model = "openmp_target";
  program.summary = "A binary fluid in OpenMP target regions on an offload device";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "original",
       .summary = "the collision with matrices, loops over 19 and 3 within a site; array of structures",
       .role = Role::textbook,
       .kinds = {"collision"}}};
  for (const Variant& variant : binary_fluid::layer_variants({})) program.variants.push_back(variant);
  program.options = {openmp_target::team_threads_option(), device_option(), target::vvl_option()};
  program.devices = openmp_target::list_devices;
  program.make = [](const Options& options) {
    const auto device = openmp_target::choose_device(options.text("device"));
    const auto threads = options.number("threads");
    if (options.variant == "original")
      return openmp_target::make_original(options.precision, device, threads);
    const auto vvl = options.variant == "soa" ? std::optional(1) : options.number("vvl");
    const auto make =
        options.precision == Precision::f64 ? openmp_target::make_layer_f64 : openmp_target::make_layer_f32;
    return make(binary_fluid::form_of(options.variant), device, threads, vvl);
  };
  return binary_fluid::run_program(argc, argv, program);
}
