// cuBLAS, the peer: the sums over all modes as products of matrices by the library. One matrix has the modes of each
// layer in their order in memory, row after row. The other, also made by the library, has the values of the modes at
// as many rows of points as fit in memory at a time. Both are 0 in the padding of rows of modes.
#include "common/device/device_target.hpp"
#include "common/target/on_target.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/cublas.hpp"

// Must come after all others, because its words are macros.
#include "common/magnetic_field/magnetic_field.hpp"

namespace boltzmark::magnetic_field {

extern const std::string_view kernels_source;
extern const target::LayerEntry workload;

using namespace cuda;

template <class Target>
class CodeByCublas : public Code<Target> {
 public:
  using T = typename Target::Scalar;

  CodeByCublas(Target& target, const Problem& problem, const Share& share, int form)
      : Code<Target>(target, problem, share, form),
        library_(cublas_in(target.session())),
        rows_at_once_(static_cast<int>(std::clamp<std::int64_t>(most_points / of_row(), 1, n_))) {
    target.session().allocate({{&points_, static_cast<std::size_t>(rows_at_once_ * of_row()) * sizeof(T)}});
  }

  void step() {
    this->make_coefficients();
    this->make_modes(this->target_.lattice().box(0, 0, 0, n_, n_, n_));
    for (int t = 0; t < this->terms_; ++t)
      for (int j = 0; j < n_; j += rows_at_once_) add_rows(t, j, std::min(rows_at_once_, n_ - j));
  }

  void describe(RunFacts& facts) const {
    facts.settings["library"] = cublas_name();
    const std::string tensor_cores = cublas_tensor_cores(this->target_.session(), sizeof(T));
    if (!tensor_cores.empty()) facts.settings["tensor_cores"] = tensor_cores;
  }

 private:
  using Code<Target>::n_;
  static constexpr std::int64_t most_points = std::int64_t{1} << 27;

  /// Values of the second matrix for a row of points: all points for each mode and for the padding.
  std::int64_t of_row() const { return std::int64_t{n_} * this->target_.lattice().row_pitch() * n_; }
  CUdeviceptr place(const typename Target::Field& field, int value, int row, int layer) const {
    const Lattice& lattice = this->target_.lattice();
    return address_of(field.buffer) + (value * lattice.stride() + lattice.site(0, row, layer)) * sizeof(T);
  }

  /// Term t in `count` rows of points from row j on, of all layers.
  void add_rows(int t, int j, int count) {
    const auto [component, of_row_table, of_column] = this->all_terms[t];
    const Lattice& lattice = this->target_.lattice();
    const int pitch = lattice.row_pitch(), layer_pitch = lattice.layer_pitch();
    // The points of each mode (p, q) of all p: a column times a row, for each q.
    for (int row = 0; row < count; ++row)
      multiply(n_, n_, 1, place(this->tables_, 0, 0, of_column), n_, pitch,
               place(this->tables_, 0, j + row, of_row_table), 1, 0, false,
               address_of(points_) + row * of_row() * sizeof(T), n_, std::int64_t{pitch} * n_, n_);
    multiply(n_, n_, n_ * pitch, address_of(points_), n_, of_row(), place(this->modes_, t, 0, 0), layer_pitch, 0,
             t >= 3, place(*this->field_, component, j, 0), layer_pitch, pitch, count);
  }
  void multiply(int m, int n, int k, CUdeviceptr a, int a_stride, std::int64_t a_step, CUdeviceptr b, int b_stride,
                std::int64_t b_step, bool adds, CUdeviceptr c, int c_stride, std::int64_t c_step, int count) {
    const auto gemm = [] {
      if constexpr (sizeof(T) == sizeof(double))
        return cublas().dgemm_batch;
      else
        return cublas().sgemm_batch;
    }();
    const T one = 1, beta = adds ? 1 : 0;
    check_cublas(gemm(library_.get(), cublas_not_transposed, cublas_not_transposed, m, n, k, &one, a, a_stride, a_step,
                      b, b_stride, b_step, &beta, c, c_stride, c_step, count),
                 "multiply");
  }

  std::shared_ptr<cublasContext> library_;
  int rows_at_once_;
  device::Buffer points_;
};

template <class T>
std::unique_ptr<target::Run> cublas_run(const device::TargetPlan& plan) {
  using Target = device::DeviceTarget<T>;
  return std::make_unique<target::OnTarget<CodeByCublas, Target>>(
      workload, Form::gemm, [plan](const Lattice& lattice) { return std::make_unique<Target>(plan, lattice); },
      target::Share{});
}

const Variant cublas = {.name = "cublas",
                        .summary = "the sums as matrix products by the library cuBLAS (peer)",
                        .role = Role::peer,
                        .make = [](const Options& asked) {
                          cuda::cublas();
                          const auto plan = device::TargetPlan::of(device::device_for(asked), asked, kernels_source);
                          return asked.precision == Precision::f64 ? cublas_run<double>(plan) : cublas_run<float>(plan);
                        }};

Program device_program();

}  // namespace boltzmark::magnetic_field

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  Program program = magnetic_field::device_program();
  program.variants.push_back(&magnetic_field::cublas);
  return run_program(argc, argv, program);
}
