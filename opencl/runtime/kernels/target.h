// The basis of kernels in the words of common/target/target.h, and kernels that the layer's host side
// (device_target.hpp) needs in every program: gathering of selected sites, and reductions.
#ifndef BOLTZMARK_OPENCL_TARGET_H
#define BOLTZMARK_OPENCL_TARGET_H

#include "opencl/runtime/kernels/pack.h"

#include "common/target/target.h"

kernel void gather(int count, global const int* restrict wanted, global const SCALAR* restrict field, int stride,
                   int values, global SCALAR* restrict gathered) {
  const int i = get_global_id(0);
  if (i >= count) return;
  for (int v = 0; v < values; ++v) gathered[(long)v * count + i] = field[(long)v * stride + wanted[i]];
}

kernel void scatter(int count, global const int* restrict wanted, global SCALAR* restrict field, int stride, int values,
                    global const SCALAR* restrict gathered) {
  const int i = get_global_id(0);
  if (i >= count) return;
  for (int v = 0; v < values; ++v) field[(long)v * stride + wanted[i]] = gathered[(long)v * count + i];
}

/// Each work-item reduces every items-th site of a box, starting from its value in `parts`, and stores the result
/// there; the host joins these. `operation` is a target::Reduce. With `is_masked` only sites whose byte is not 0.
kernel void reduce_sites(Sites sites, global const SCALAR* restrict field, int value, int operation, int is_masked,
                         global const uchar* restrict mask, global SCALAR* restrict parts) {
  const int all = sites.length * sites.rows * sites.layers, items = get_global_size(0);
  SCALAR result = parts[get_global_id(0)];
  for (int i = get_global_id(0); i < all; i += items) {
    const int row = i / sites.length;
    const int site = sites.first + (i - row * sites.length) + (row % sites.rows) * sites.row_pitch +
                     (row / sites.rows) * sites.layer_pitch;
    if (is_masked && !mask[site]) continue;
    const SCALAR x = field[(long)value * sites.stride + site];
    if (operation == 0)
      result = result + x;
    else if (operation == 1)
      result = x < result ? x : result;
    else
      result = x > result ? x : result;
  }
  parts[get_global_id(0)] = result;
}

#endif
