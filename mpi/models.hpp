// The MPI variants.
#pragma once

#include <memory>

#include "common/model.hpp"

namespace boltzmark::mpi {

/// Structure of arrays, two grids, one pass a step; each rank owns a strip of rows and exchanges one halo row
/// with each neighbour a step by blocking MPI_Sendrecv. init throws Error (bad_input) when there are more
/// ranks than rows.
std::unique_ptr<Model> make_fused(Precision precision);

/// The STREAM kernels, with the arrays dealt over the ranks.
std::unique_ptr<Stream> make_stream(Precision precision);

}  // namespace boltzmark::mpi
