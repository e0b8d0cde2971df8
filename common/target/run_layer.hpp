// The functions that the main of a layer program calls. It includes nothing else, because CMake makes most of these
// mains (cpu/main.cpp.in), each a separate source.
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
