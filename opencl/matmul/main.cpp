// matmul-opencl: matrix multiplication on a device of OpenCL, by the published ladder and beyond, and by CLBlast.
#include <dlfcn.h>

#include "common/base/error.hpp"
#include "common/matmul/device/program.hpp"
#include "opencl/runtime/api.hpp"
#include "opencl/runtime/calls.hpp"

namespace boltzmark::opencl {
namespace {

// CLBlast, a BLAS in OpenCL for any device. Types and constants are those of its C interface (clblast_c.h), as far as
// used here.

constexpr int row_major = 101, not_transposed = 111;  // CLBlastLayoutRowMajor, CLBlastTransposeNo

template <class T>
using Gemm = int (*)(int layout, int transpose_a, int transpose_b, std::size_t m, std::size_t n, std::size_t k, T alpha,
                     cl_mem a, std::size_t a_first, std::size_t a_stride, cl_mem b, std::size_t b_first,
                     std::size_t b_stride, T beta, cl_mem c, std::size_t c_first, std::size_t c_stride,
                     cl_command_queue* queue, cl_event* done);

/// Stays open to the end, because it keeps the kernels that it has built.
void* open_library() {
  for (const char* const name : {"libclblast.so.1", "libclblast.so"})
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  throw unavailable("clblast: expected the library libclblast.so.1, found none (libclblast1; or set LD_LIBRARY_PATH)");
}

template <class T>
class ClBlast final : public matmul::PeerLibrary {
 public:
  ClBlast(const device::Session& session, const char* function) : session_(session) {
    void* const address = dlsym(open_library(), function);
    if (!address) throw unavailable("clblast: expected {} in the library, found none", function);
    gemm_ = reinterpret_cast<Gemm<T>>(address);
  }

  void enqueue(const matmul::Shape& shape, const device::Buffer& a, const device::Buffer& b,
               const device::Buffer& c) override {
    const auto m = static_cast<std::size_t>(shape.m), n = static_cast<std::size_t>(shape.n),
               k = static_cast<std::size_t>(shape.k);
    const auto matrix = [](const device::Buffer& buffer) { return static_cast<cl_mem>(buffer.native()); };
    auto* queue = static_cast<cl_command_queue>(session_.queue()->native());
    const int status = gemm_(row_major, not_transposed, not_transposed, m, n, k, T(1), matrix(a), 0, k, matrix(b), 0, n,
                             T(0), matrix(c), 0, n, &queue, nullptr);
    if (status != CL_SUCCESS) throw unavailable("clblast: cannot multiply: {}", status_name(status));
  }

  std::string name() const override { return "CLBlast"; }

 private:
  const device::Session& session_;
  Gemm<T> gemm_;
};

const matmul::Peer clblast = {
    .name = "clblast",
    .summary = "the library CLBlast (peer)",
    .open = [](device::Session& session, const Options& options) -> std::unique_ptr<matmul::PeerLibrary> {
      if (options.precision == Precision::f64) return std::make_unique<ClBlast<double>>(session, "CLBlastDgemm");
      return std::make_unique<ClBlast<float>>(session, "CLBlastSgemm");
    }};

}  // namespace
}  // namespace boltzmark::opencl

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(opencl::api());
  return run_program(argc, argv, matmul::device_program(opencl::clblast));
}
