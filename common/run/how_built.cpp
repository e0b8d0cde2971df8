// How a program was built: compiled for each program with CMake's definitions.
#include "common/run/provenance.hpp"

boltzmark::BuildInfo boltzmark::build_info() { return {BOLTZMARK_COMPILER, BOLTZMARK_FLAGS}; }
