// The MPI variants.
#pragma once

#include <memory>
#include <optional>

#include "common/model.hpp"

namespace boltzmark::mpi {

/// Structure of arrays, two grids, one pass a step; each rank owns a strip of rows and exchanges one halo row
/// with each neighbour a step by blocking MPI_Sendrecv. init throws Error (bad_input) when there are more
/// ranks than rows.
std::unique_ptr<Model> make_fused(Precision precision);

/// One grid updated in place, in vectors of `lanes` cells (unset: the widest of the processor). With a
/// `time_block` of one step (the in-place variant) each rank borrows a row's crossing populations from each
/// neighbour before every other step and returns them after it; with more (unset: from cache sizes and strip
/// heights) it exchanges that many halo rows for as many steps and does these in a wavefront. Throws Error as
/// row_kernels(), and Error (bad_input) for an odd number of steps above one; init throws Error (bad_input)
/// when there are more ranks than rows.
std::unique_ptr<Model> make_in_place(Precision precision, std::optional<int> lanes,
                                     std::optional<int> time_block);

/// The STREAM kernels, with the arrays dealt over the ranks.
std::unique_ptr<Stream> make_stream(Precision precision);

}  // namespace boltzmark::mpi
