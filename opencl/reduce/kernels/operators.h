// The operator of a reduction, and its array. The host defines one of OP_SUM, OP_PRODUCT, OP_MIN, OP_MAX, on SCALARs,
// or OP_AND, OP_OR, OP_XOR, on integers as wide; and RAMP for the values 0, 1, 2 ...
#ifndef BOLTZMARK_OPENCL_OPERATORS_H
#define BOLTZMARK_OPENCL_OPERATORS_H

#include "opencl/runtime/kernels/pack.h"

#include "common/reduce/value.h"

#if defined OP_AND || defined OP_OR || defined OP_XOR
#define VALUE LANE_MASK
#define TERM_IS_WORD
#else
#define VALUE SCALAR
#endif
#define TERM VALUE
#if LANES == 1
#define VALUES VALUE
#else
#define VALUES JOIN(VALUE, LANES)
#endif

// COMBINE takes numbers, or vectors of them.
#if defined OP_SUM
#define COMBINE(a, b) ((a) + (b))
#define NEUTRAL ((VALUE)0)
#define SUB_GROUP_COMBINED(value) sub_group_reduce_add(value)
#ifdef RAMP
#define VALUE_AT(number) ((VALUE)(number))
#else
#define VALUE_AT(number) ((VALUE)0.125 * eighths_at((uint)(number)))
#endif
#elif defined OP_PRODUCT
#define COMBINE(a, b) ((a) * (b))
#define NEUTRAL ((VALUE)1)
#define VALUE_AT(number) ((VALUE)0.5 * halves_at((uint)(number)))
#elif defined OP_MIN
#define COMBINE(a, b) choose((b) < (a), b, a)
#define NEUTRAL ((VALUE)8388608) /* more than every value */
#define SUB_GROUP_COMBINED(value) sub_group_reduce_min(value)
#define VALUE_AT(number) ((VALUE)extreme_at((uint)(number)))
#elif defined OP_MAX
#define COMBINE(a, b) choose((a) < (b), b, a)
#define NEUTRAL ((VALUE)-8388609)
#define SUB_GROUP_COMBINED(value) sub_group_reduce_max(value)
#define VALUE_AT(number) ((VALUE)extreme_at((uint)(number)))
#elif defined OP_AND
#define COMBINE(a, b) ((a) & (b))
#define NEUTRAL (~(VALUE)0)
#define VALUE_AT(number) (~(VALUE)mark_at((uint)(number), 8 * sizeof(VALUE)))
#elif defined OP_OR
#define COMBINE(a, b) ((a) | (b))
#define NEUTRAL ((VALUE)0)
#define VALUE_AT(number) ((VALUE)mark_at((uint)(number), 8 * sizeof(VALUE)))
#elif defined OP_XOR
#define COMBINE(a, b) ((a) ^ (b))
#define NEUTRAL ((VALUE)0)
#define VALUE_AT(number) ((VALUE)word_at((uint)(number)))
#endif

#if defined SUB_GROUPS && !defined SUB_GROUP_COMBINED
/// Without a function of its own: every item takes all the values in turn.
FN VALUE sub_group_combined(VALUE value) {
  VALUE all_values = sub_group_broadcast(value, 0);
  for (uint i = 1; i < get_sub_group_size(); ++i) all_values = COMBINE(all_values, sub_group_broadcast(value, i));
  return all_values;
}
#define SUB_GROUP_COMBINED(value) sub_group_combined(value)
#endif

kernel void fill(global VALUE* restrict values, ulong count, ulong first) {
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) values[i] = VALUE_AT(first + i);
}

#endif
