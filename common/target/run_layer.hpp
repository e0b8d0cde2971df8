// What the main of a program of the layer calls. Nothing else is included: CMake makes most of these mains
// (cpu/main.cpp.in), and each is a source.
#pragma once

#include <initializer_list>

namespace boltzmark {

struct Variant;

namespace target {

struct LayerEntry;
struct HostRuns;

/// MODEL::run_layer, in MODEL/layer/layer.cpp. own: the model's variants outside the layer.
using RunLayer = int(int argc, char** argv, const LayerEntry& workload, const HostRuns& on_host,
                     std::initializer_list<const Variant*> own);

}  // namespace target
}  // namespace boltzmark
