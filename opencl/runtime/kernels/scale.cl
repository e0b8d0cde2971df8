// The smallest kernel of common/target's layer as a separate program.
#include "opencl/runtime/kernels/target.h"

#include "common/target/scale.h"
