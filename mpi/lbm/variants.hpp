// The MPI variants on processors. What they say of rows is true of planes in three dimensions.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "common/lbm/solver.hpp"
#include "mpi/lbm/ranks_grid.hpp"

namespace boltzmark::mpi {

/// Array of structs, strips of rows with one halo row on either side, MPI_Sendrecv in every step and one MPI_Reduce at
/// the end, as a student of MPI writes it. init throws Error as below.
std::unique_ptr<lbm::Solver> make_textbook(const lbm::Problem& problem, Precision precision);

/// Structure of arrays, two grids, one pass per step; each rank owns a strip of rows, divided over its threads, and
/// exchanges one halo row with each neighbour in every step by `halo`: sendrecv or persistent (exchange.hpp). Throws
/// Error (unavailable) for threads that this program cannot have; init throws Error (bad_input) when there
/// are more ranks than rows.
std::unique_ptr<lbm::Solver> make_fused(const lbm::Problem& problem, Precision precision,
                                        const std::string& halo, std::optional<int> threads);

/// The same where each rank owns a block of a Cartesian grid of ranks, `shape`, and has exchanged all its faces before
/// a step begins.
std::unique_ptr<lbm::Solver> make_fused_blocks(const lbm::Problem& problem, Precision precision,
                                               const RanksShape& shape, const std::string& halo,
                                               std::optional<int> threads);

/// One grid updated in place, in vectors of `lanes` cells (unset: the widest of the processor). With `halo`
/// sendrecv or persistent (the in-place variant, time_block 1) each rank borrows a row's crossing populations from
/// each neighbour before every other step and returns them after it. With `halo` deep (the wavefront variant) it
/// exchanges `time_block` halo rows for as many steps (unset: from cache sizes and strip heights) and does
/// these in a wavefront. Throws Error as above and as row_kernels(), and Error (bad_input) for an odd number
/// of steps above one.
std::unique_ptr<lbm::Solver> make_in_place(const lbm::Problem& problem, Precision precision,
                                           const std::string& halo, std::optional<int> threads,
                                           std::optional<int> lanes, std::optional<int> time_block);

/// In place as above, where each rank owns a block of a Cartesian grid of ranks, and borrows and returns what crosses
/// all its faces between steps.
std::unique_ptr<lbm::Solver> make_in_place_blocks(const lbm::Problem& problem, Precision precision,
                                                  const RanksShape& shape, const std::string& halo,
                                                  std::optional<int> threads, std::optional<int> lanes);

/// One grid in memory that all ranks share, updated in place in a wavefront by all of them as by so many threads; lanes
/// and time_block (any number) as above. init throws Error (bad_input) as above and Error (unavailable) where ranks are on several machines or have
/// too little memory in common.
std::unique_ptr<lbm::Solver> make_shared(const lbm::Problem& problem, Precision precision,
                                         std::optional<int> threads, std::optional<int> lanes,
                                         std::optional<int> time_block);

}  // namespace boltzmark::mpi
