// What the kernels have in common: C (m x n) = A (m x depth) B (depth x n), row by row.
#include "opencl/runtime/kernels/pack.h"

#ifndef LOCAL_VARIABLE
#define LOCAL_VARIABLE local
#endif

#define MATMUL_KERNEL kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, GROUP_Z))) void

/// Element (row, column) of a matrix whose rows have so many columns.
#define AT(matrix, row, columns, column) matrix[(size_t)(row) * (columns) + (column)]
