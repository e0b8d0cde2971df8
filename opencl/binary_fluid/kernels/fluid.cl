// The kernels of the binary fluid, which are those of every model (common/binary_fluid).
#include "opencl/runtime/kernels/target.h"

#include "common/binary_fluid/step.h"
