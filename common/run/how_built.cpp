// What a program says of how it was built: compiled for each with the definitions that CMake gives it.
#include "common/run/provenance.hpp"

boltzmark::BuildInfo boltzmark::build_info() { return {BOLTZMARK_COMPILER, BOLTZMARK_FLAGS}; }
