// matmul-cuda: matrix multiplication on a device of CUDA, by the published ladder and beyond, and by cuBLAS.
#include <memory>

#include "common/matmul/device/device_multiplier.hpp"
#include "common/matmul/device/program.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/cublas.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
extern const matmul::Variant textbook;
namespace {

// cuBLAS, the peer.

struct Formats {
  const char* name;
  int type, arithmetic;  ///< of A and B, of the sums
};
Formats formats_of(matmul::Rounding rounding) {
  constexpr int type_f32 = 0, type_f16 = 2, type_bf16 = 14, compute_f32 = 68, compute_f32_by_tf32 = 77;
  if (rounding == matmul::Rounding::tf32) return {"tf32", type_f32, compute_f32_by_tf32};
  if (rounding == matmul::Rounding::f16) return {"f16", type_f16, compute_f32};
  return {"bf16", type_bf16, compute_f32};
}

template <class T>
class CublasPeer final : public matmul::PeerLibrary {
 public:
  CublasPeer(const device::Session& session, Gemm<T>* gemm, matmul::Rounding rounding)
      : gemm_(gemm),
        rounding_(rounding),
        tensor_cores_(cublas_tensor_cores(session, sizeof(T))),
        handle_(cublas_in(session)) {}

  void enqueue(const matmul::Shape& shape, const device::Buffer& a, const device::Buffer& b,
               const device::Buffer& c) override {
    const int m = static_cast<int>(shape.m), n = static_cast<int>(shape.n), k = static_cast<int>(shape.k);
    constexpr int as_it_is = cublas_not_transposed;
    const T one = 1, zero = 0;
    if (rounding_ != matmul::Rounding::as_they_are) {
      const auto [name, type, arithmetic] = formats_of(rounding_);
      return check_cublas(cublas().gemm_of_types(handle_.get(), as_it_is, as_it_is, n, m, k, &one, address_of(b), type,
                                                 n, address_of(a), type, k, &zero, address_of(c), 0, n, arithmetic, -1),
                          "multiply");
    }
    check_cublas(gemm_(handle_.get(), as_it_is, as_it_is, n, m, k, &one, address_of(b), n, address_of(a), k, &zero,
                       address_of(c), n),
                 "multiply");
  }

  std::string name() const override { return cublas_name(); }

  std::string tensor_cores() const override {
    return rounding_ != matmul::Rounding::as_they_are ? formats_of(rounding_).name : tensor_cores_;
  }

 private:
  Gemm<T>* gemm_;
  matmul::Rounding rounding_;
  std::string tensor_cores_;
  std::shared_ptr<cublasContext> handle_;
};

const matmul::Peer cublas_peer = {
    .name = "cublas",
    .summary = "the library cuBLAS; floats use tensor cores only with --arithmetic (peer)",
    .open = [](device::Session& session, const Options& options) -> std::unique_ptr<matmul::PeerLibrary> {
      const matmul::Rounding rounding = matmul::rounding_of(options);
      if (options.precision == Precision::f64)
        return std::make_unique<CublasPeer<double>>(session, cublas().dgemm, rounding);
      return std::make_unique<CublasPeer<float>>(session, cublas().sgemm, rounding);
    },
    .options = {matmul::arithmetic_option()}};

}  // namespace
}  // namespace boltzmark::cuda

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  auto program = matmul::device_program(cuda::cublas_peer);
  program.variants.push_back(matmul::warp_groups_variant());
  return run_program(argc, argv, cuda::with_textbook(std::move(program), cuda::textbook));
}
