// A stretch of an array, reduced in vectors, for the fastest variants of the CPU models.
//
//     block of values   vectors v0 .. v7:  v_k = v_k (op) next vector, `turns` times; then v0 (op) v1 ..., lanes
//     all blocks        total = total (op) block
//
// Eight vectors hide how long an addition takes. Equal terms round alike, so each sum takes at most `turns` of them
// before it goes into a total in double precision (Total).
#pragma once

#include <vector>

#include "common/cpu/range.hpp"
#include "common/cpu/simd.hpp"
#include "common/reduce/operators.hpp"

namespace boltzmark::reduce {

template <class Op, class T>
T reduce_block(const T* values) {
  constexpr int vectors = 8, turns = 32, lanes = native_lanes<T>;
  using Vector = Pack<T, lanes>;
  typename Vector::Raw part[vectors];
  for (int v = 0; v < vectors; ++v) part[v] = Vector::load(values + v * lanes).raw;
  for (int turn = 1; turn < turns; ++turn)
    for (int v = 0; v < vectors; ++v)
      part[v] = Op::of(part[v], Vector::load(values + (turn * vectors + v) * lanes).raw);
  for (int half = vectors / 2; half > 0; half /= 2)
    for (int v = 0; v < half; ++v) part[v] = Op::of(part[v], part[v + half]);
  T result = part[0][0];
  for (int lane = 1; lane < lanes; ++lane) result = Op::of(result, static_cast<T>(part[0][lane]));
  return result;
}

template <class Op, class T>
Total<Op, T> reduce_vectors(Op, const T* values, Range on) {
  constexpr std::int64_t block = 8 * 32 * native_lanes<T>;
  Total<Op, T> total;
  std::int64_t i = on.begin;
  for (; i + block <= on.end; i += block) total.take(reduce_block<Op>(values + i));
  for (; i < on.end; ++i) total.take(values[i]);
  return total;
}

/// Joins the results of workers in order, so the result is the same every time.
template <class Op, class T>
Total<Op, T> joined(const std::vector<Total<Op, T>>& totals) {
  Total<Op, T> all = totals.front();
  for (std::size_t worker = 1; worker < totals.size(); ++worker) all.take(totals[worker]);
  return all;
}

}  // namespace boltzmark::reduce
