// The OpenCL C++ bindings as this model uses them: OpenCL 1.2, failures as exceptions.
#pragma once

// Some releases of opencl.hpp do not compile with a minimum of 1.2 and a higher target; nothing here needs
// more than 1.2.
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

// After what says which OpenCL it is for.
#include <CL/cl_half.h>
