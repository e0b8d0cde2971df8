// The formulas by which published work on this code turns seconds into bandwidth, intensity and FLOP/s.
// Source: Rutterford, "OpenCL Parallelism" (University of Bristol report), the formulas behind its Table IV.
#pragma once

namespace boltzmark {

/// Bytes of a cell update as published: nine populations of a float, each read and written once.
inline constexpr double published_bytes_per_update = 9.0 * sizeof(float) * 2.0;

/// GB/s (1e9 bytes a second): nx * ny * 9 * sizeof(float) * 2 * iterations / seconds, obstacle cells
/// included. `seconds`, above zero, are those of all iterations.
double published_bandwidth_gb_per_s(int nx, int ny, int iterations, double seconds);

/// FLOPs a byte; `bytes` above zero. Published: 122 or, with masks for branches, 155 FLOPs on 72 bytes.
double operational_intensity(double flops, double bytes);

/// GFLOP/s: bandwidth (GB/s) times operational intensity (FLOP/byte).
double gflop_per_s(double gb_per_s, double flop_per_byte);

/// How many times as fast a run is as a published one; all arguments but the first above zero.
double speed_ratio(double published_seconds, double our_seconds);

/// The same once each run is set against the bandwidth of its device (GB/s): above 1 where we make more of
/// our bandwidth than the published run made of its own. (published seconds * published bandwidth) / (our
/// seconds
/// * our bandwidth); only for the same work on both sides.
double bandwidth_scaled_ratio(double published_seconds, double published_gb_per_s, double our_seconds,
                              double our_gb_per_s);

}  // namespace boltzmark
