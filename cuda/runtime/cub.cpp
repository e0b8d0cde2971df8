// CUB, the algorithms of CUDA's toolkit, as a peer. A source of ours has, as C functions,
//
//     int run(void* scratch, size_t* scratch_bytes, const void* values, void* results, long long count, void* stream);
//         without scratch: how much it needs; else puts the algorithm into the stream. Gives CUDA's status.
//     const char* name_of(int status);
//     int version();      CUB_VERSION
//
// The CUDA runtime in it works in the context that is current, which is the session's, on our arrays and stream.
#include <fmt/core.h>

#include "cuda/runtime/nvcc.hpp"
#include "opencl/runtime/library_call.hpp"

namespace boltzmark::cuda {
namespace {

class CubCall final : public LibraryCall {
 public:
  CubCall(Session& session, const BuildOptions& options, const LibraryTask& task)
      : queue_(session.queue()),
        task_(task),
        library_("cub", task.source, task.defines, session.device(), options.kernel_cache),
        run_(library_.function<Run>("run")),
        name_of_(library_.function<NameOf>("name_of")) {
    call(nullptr);
    scratch_bytes_ = std::max<std::size_t>(4, (scratch_bytes_ + 3) / 4 * 4);
    session.allocate({{&scratch_, scratch_bytes_}});
  }

  void enqueue() override { call(reinterpret_cast<void*>(scratch_())); }

  Settings settings() const override {
    const int version = library_.function<int()>("version")();
    return {{"library", fmt::format("CUB {}.{}.{}", version / 100000, version / 100 % 1000, version % 100)},
            {"library_compiler", library_.compiler()},
            {"library_cache", library_.cache_use()}};
  }

 private:
  using Run = int(void* scratch, std::size_t* scratch_bytes, const void* values, void* results,
                  long long count, void* stream);
  using NameOf = const char*(int status);

  void call(void* scratch) {
    const int status = run_(scratch, &scratch_bytes_, reinterpret_cast<const void*>(task_.values()),
                            reinterpret_cast<void*>(task_.results()), task_.count, queue_());
    if (status != success) throw unavailable("cub: cannot run: {}", name_of_(status));
  }

  cl::CommandQueue queue_;
  LibraryTask task_;
  NvccLibrary library_;
  Run* run_;
  NameOf* name_of_;
  std::size_t scratch_bytes_ = 0;
  cl::Buffer scratch_;
};

}  // namespace

std::unique_ptr<LibraryCall> make_library_call(Session& session, const BuildOptions& options,
                                               const LibraryTask& task) {
  return std::make_unique<CubCall>(session, options, task);
}

}  // namespace boltzmark::cuda
