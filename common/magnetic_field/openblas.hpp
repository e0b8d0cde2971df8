// OpenBLAS, the peer of the CPU models: the sums over all modes as products of matrices by the library. One matrix has
// the modes of each layer; the other, made for a row of points at a time, the values of the modes at these points. Each
// thread has separate rows and calls the library, which uses one thread per call.
#pragma once

#include <memory>

#include "common/cpu/openblas.hpp"
#include "common/target/host_target.hpp"

// Must come after all others, because its words are macros.
#include "common/magnetic_field/magnetic_field.hpp"

namespace boltzmark::magnetic_field {

extern const target::LayerEntry workload;
extern const target::HostRuns on_host;

template <class Target>
class CodeByOpenBlas : public Code<Target> {
 public:
  using T = typename Target::Scalar;
  static constexpr bool write_allocate = true;

  CodeByOpenBlas(Target& target, const Problem& problem, const Share& share, int form)
      : Code<Target>(target, problem, share, form),
        modes_of_layers_(at(n_, 0, 0)),
        at_points_(modes_of_layers_.size() * static_cast<std::size_t>(target.threads())),
        sums_(at(1, 0, 0) * static_cast<std::size_t>(target.threads())) {}

  void step() {
    this->make_coefficients();
    this->make_modes(this->target_.lattice().box(0, 0, 0, n_, n_, n_));
    for (int t = 0; t < this->terms_; ++t) {
      const auto [component, of_row, of_column] = this->all_terms[t];
      const T* const modes = this->modes_.argument() + t * this->target_.lattice().stride();
      each([&](int, int layer) {
        for (int q = 0; q < n_; ++q) std::copy_n(modes + site(0, q, layer), n_, &modes_of_layers_[at(layer, q, 0)]);
      });
      each([&](int me, int j) {
        T *const at_points = &at_points_[me * at(n_, 0, 0)], *const sums = &sums_[me * at(1, 0, 0)];
        const T* const along_row = this->tables_.argument() + site(0, j, of_row);
        for (int q = 0; q < n_; ++q) {
          const T* const along_column = this->tables_.argument() + site(0, q, of_column);
          for (int p = 0; p < n_; ++p)
            for (int k = 0; k < n_; ++k) at_points[at(q, p, k)] = along_row[p] * along_column[k];
        }
        library_.multiply(n_, n_, n_ * n_, modes_of_layers_.data(), at_points, sums);
        for (int layer = 0; layer < n_; ++layer) {
          T* const to = this->field_->argument() + component * this->target_.lattice().stride() + site(0, j, layer);
          for (int k = 0; k < n_; ++k) to[k] = sums[at(0, layer, k)] + (t >= 3 ? to[k] : T(0));
        }
      });
    }
  }

 private:
  std::size_t at(int i, int j, int k) const { return (static_cast<std::size_t>(i) * n_ + j) * n_ + k; }
  int site(int x, int y, int z) const { return this->target_.lattice().site(x, y, z); }
  /// Calls work(me, i) for i < n, a share on each thread.
  template <class Work>
  void each(Work&& work) const {
    const int threads = this->target_.threads();
    this->target_.workers().run([&](int me) {
      for (int i = n_ * me / threads; i < n_ * (me + 1) / threads; ++i) work(me, i);
    });
  }

  using Code<Target>::n_;
  OpenBlas<T> library_{1};
  AlignedArray<T> modes_of_layers_, at_points_, sums_;
};

/// Uses these threads. Throws Error (unavailable) if the library is missing.
template <class T>
std::unique_ptr<target::Run> openblas_run(const Workers& workers) {
  using Target = target::HostTarget<T>;
  return std::make_unique<target::OnTarget<CodeByOpenBlas, Target>>(
      workload, Form::gemm,
      [workers](const Lattice& lattice) { return std::make_unique<Target>(lattice, workers, std::nullopt); },
      target::Share{.driver = OpenBlas<T>(1).configuration()});
}

inline Variant openblas(StartWorkers* start_workers) {
  return {.name = "openblas",
          .summary = "the sums as matrix products by the library OpenBLAS (peer)",
          .role = Role::peer,
          .make = [start_workers](const Options& asked) {
            return asked.precision == Precision::f64 ? openblas_run<double>(start_workers(asked))
                                                     : openblas_run<float>(start_workers(asked));
          }};
}

}  // namespace boltzmark::magnetic_field
