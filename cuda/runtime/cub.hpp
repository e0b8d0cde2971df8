// CUB, the algorithms of CUDA's toolkit, as a peer. A source for it has, as C functions,
//
//     int run(void* scratch, size_t* scratch_bytes, const void* values, void* results, long long count, void* stream);
//         without scratch: how much it needs; else puts the algorithm into the stream. Gives CUDA's status.
//     const char* name_of(int status);
//     int version();      CUB_VERSION
//
// The CUDA runtime in it works in the context that is current, which is the session's, on its arrays and stream.
#pragma once

#include <string_view>

#include "common/device/library_call.hpp"

namespace boltzmark::cuda {

device::MakeLibraryCall cub_call(std::string_view source);

}  // namespace boltzmark::cuda
