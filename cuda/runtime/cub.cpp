#include "cuda/runtime/cub.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {

using namespace device;

namespace {

class CubCall final : public LibraryCall {
 public:
  CubCall(std::string_view source, Session& session, const BuildOptions& options, const LibraryTask& task)
      : queue_(session.queue()),
        task_(task),
        library_("cub", source, task.defines, session.device(), options.kernel_cache),
        run_(library_.function<Run>("run")),
        name_of_(library_.function<NameOf>("name_of")) {
    call(nullptr);
    scratch_bytes_ = std::max<std::size_t>(4, (scratch_bytes_ + 3) / 4 * 4);
    session.allocate({{&scratch_, scratch_bytes_}});
  }

  void enqueue() override { call(scratch_.native()); }

  Settings settings() const override {
    const int version = library_.function<int()>("version")();
    return {{"library", fmt::format("CUB {}.{}.{}", version / 100000, version / 100 % 1000, version % 100)},
            {"library_compiler", library_.compiler()},
            {"library_cache", library_.cache_use()}};
  }

 private:
  using Run = int(void* scratch, std::size_t* scratch_bytes, const void* values, void* results, long long count,
                  void* stream);
  using NameOf = const char*(int status);

  void call(void* scratch) {
    const int status =
        run_(scratch, &scratch_bytes_, task_.values.native(), task_.results.native(), task_.count, queue_->native());
    if (status != 0) throw unavailable("cub: cannot run: {}", name_of_(status));
  }

  Queue queue_;
  LibraryTask task_;
  NvccLibrary library_;
  Run* run_;
  NameOf* name_of_;
  std::size_t scratch_bytes_ = 0;
  Buffer scratch_;
};

}  // namespace

MakeLibraryCall cub_call(std::string_view source) {
  return [source](Session& session, const BuildOptions& options, const LibraryTask& task) {
    return std::make_unique<CubCall>(source, session, options, task);
  };
}

}  // namespace boltzmark::cuda
