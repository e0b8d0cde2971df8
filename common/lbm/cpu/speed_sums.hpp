// How the speeds of many cells are added up in the precision of the update.
#pragma once

namespace boltzmark::lbm {

/// The number of speeds that a lane adds up before they go into a sum in double precision. Where the flow is
/// uniform they are equal and round the same way every time: n of them are wrong by up to n/2 units of
/// rounding, in single precision 2e-6 for these and 4e-5 for a row of 20 000 cells.
inline constexpr int most_speeds_a_lane = 64;
enum : int { speeds_a_lane = most_speeds_a_lane };  ///< an enumerator: offload code cannot read a constexpr variable

}  // namespace boltzmark::lbm
