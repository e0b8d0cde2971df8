// The smallest kernel of common/target's layer as a program of its own.
#include "opencl/runtime/kernels/target.h"

#include "common/target/scale.h"
