// Single precision: a source by itself, as its kernels need other registers than those of the other precision.
#define LAYER_SCALAR float
#define LAYER_MAKE make_f32
#include "openmp_target/layer/layer.hpp"
#undef LAYER_SCALAR
#undef LAYER_MAKE
