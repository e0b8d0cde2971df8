// The processor as a device, for models that run on nothing else.
#pragma once

#include <vector>

#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/program.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {

inline std::vector<Device> cpu_devices() { return {{"cpu", cpu_name(), counted(usable_cores(), "core") + " usable"}}; }

/// The processor as tuned options know it.
inline Settings cpu_limits(const Options&) { return {{"name", cpu_name()}, {"type", "cpu"}}; }

/// Whether a program takes tuned options.
enum class Tuned { no, yes };

/// A model's program on processors. usual: the variant that runs when none is named; none: the first.
template <class V>
ProgramOf<V> cpu_program(const char* model, const char* summary, const BuildInfo& build, std::vector<V> variants,
                         const char* usual = nullptr, Tuned tuned = Tuned::no) {
  ProgramOf<V> program = {.model = model, .summary = summary, .build = build, .variants = std::move(variants)};
  if (usual) program.default_variant = usual;
  program.devices = cpu_devices;
  if (tuned == Tuned::yes) program.device_limits = cpu_limits;
  return program;
}

/// The main of such a program.
template <class V, class... Rest>
int run_on_cpu(int argc, char** argv, const char* model, const char* summary, const BuildInfo& build,
               std::vector<V> variants, const Rest&... rest) {
  return run_program(argc, argv, cpu_program(model, summary, build, std::move(variants), rest...));
}

}  // namespace boltzmark
