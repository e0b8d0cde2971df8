// The processor as a device, for models that run on nothing else.
#pragma once

#include <tuple>
#include <vector>

#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/program.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {

inline std::vector<Device> cpu_devices() { return {{"cpu", cpu_name(), counted(usable_cores(), "core") + " usable"}}; }

/// The processor as tuned options know it.
inline Settings cpu_limits(const Options&) { return {{"name", cpu_name()}, {"type", "cpu"}}; }

/// A model's program on processors. where: they are, in words. usual: the variant that runs when none is named; none:
/// the first. It takes tuned options where a variant has one that a tuner tries.
template <class V>
ProgramOf<V> cpu_program(const char* model, const char* where, std::vector<V> variants, const char* usual = nullptr,
                         std::vector<ModelOption> options = {}) {
  ProgramOf<V> program = {.model = model, .summary = ProgramOf<V>::summary_of(where), .variants = std::move(variants)};
  if (usual) program.default_variant = usual;
  program.options = std::move(options);
  program.devices = cpu_devices;
  for (const V& variant : program.variants)
    for (const ModelOption& option : variant.options)
      if (!option.tuned_values().empty()) program.device_limits = cpu_limits;
  return program;
}

/// Has start(options) called before a variant is made.
template <class V, class Start>
void before_each(std::vector<V>& variants, const Start& start) {
  for (V& variant : variants)
    variant.make = [make = variant.make, start](const auto&... of) {
      start(std::get<sizeof...(of) - 1>(std::tie(of...)));
      return make(of...);
    };
}

/// The main of such a program.
template <class V>
int run_on_cpu(int argc, char** argv, const char* model, const char* where, std::initializer_list<V> variants,
               const char* usual = nullptr) {
  return run_program(argc, argv, cpu_program<V>(model, where, variants, usual));
}

}  // namespace boltzmark
