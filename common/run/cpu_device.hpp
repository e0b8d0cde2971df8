// The processor as a device, for models that run on nothing else.
#pragma once

#include <vector>

#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/program.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {

std::vector<Device> cpu_devices();

/// The processor as tuned options know it.
Settings cpu_limits(const Options& options);

/// A model's program on processors. where: the processors in words. usual: the default variant; if empty, the first. It
/// takes tuned options if a variant has one that a tuner tries.
Program cpu_program(const WorkloadEntry& workload, const char* model, const char* where, Variants variants,
                    const char* usual = nullptr, std::vector<ModelOption> options = {});

/// The main of such a program.
inline int run_on_cpu(int argc, char** argv, const WorkloadEntry& workload, const char* model, const char* where,
                      Variants variants, const char* usual = nullptr) {
  return run_program(argc, argv, cpu_program(workload, model, where, std::move(variants), usual));
}

}  // namespace boltzmark
