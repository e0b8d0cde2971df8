// Precedes the kernels of every program; precompiled for all tests (tests/CMakeLists.txt).
#pragma once

#include "cuda_runtime.h"

#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#undef __clang__  // of which kernels would take its CUDA front end for granted
