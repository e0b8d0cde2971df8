// For regions to say where they ran. Included between `declare target` and its end.
#pragma once

#include <omp.h>

#include "openmp_target/kernels.hpp"

namespace boltzmark::openmp_target {

/// Called once in every region of a run, with a witness on the device.
CELL_FN void testify(Witness* witness) {
  witness->regions += !omp_is_initial_device();
  witness->teams = omp_get_num_teams();
  witness->threads = omp_get_num_threads();
}

}  // namespace boltzmark::openmp_target
