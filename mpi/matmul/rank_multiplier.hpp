// A multiplication whose matrices are in blocks over ranks, as a variant.
#pragma once

#include <memory>
#include <vector>

#include "common/matmul/matrix_multiplier.hpp"
#include "mpi/gathered.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace matmul;

/// A Method, constructed from workers, as in MatrixMultiplier, with
///
///     Block block_of_c(const Shape& shape, int rank) const
///     Block block_of_a(const Shape& shape) const, block_of_b(shape)      of this rank
template <class T, class Method>
class RankMultiplier final : public Multiplier {
 public:
  explicit RankMultiplier(const Options& asked) : workers_(start_workers(asked)), method_(workers_) {}

  /// The root also holds the whole of C.
  std::string shortage(double bytes) override { return workers_.shortage(1.5 * bytes); }
  void init(const Shape& shape, const Entries& entries) override {
    of_ = Matrices<T>(shape, entries, method_.block_of_a(shape), method_.block_of_b(shape),
                      method_.block_of_c(shape, workers_.rank), workers_);
    method_.init(of_, workers_);
  }
  void spoil() override { of_.spoil(workers_); }
  void multiply() override { method_.multiply(of_, workers_); }
  void collect() override {
    gather_blocks([this](int rank) { return method_.block_of_c(of_.shape, rank); },
                  [this](std::int64_t row) { return of_.c.data() + row * of_.block_of_c.columns.size(); }, whole_);
  }
  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(whole_.data() + row * of_.shape.n, values.size(), values.begin());
  }
  RunFacts facts() const override { return workers_.with(method_.facts(of_, workers_)); }

 private:
  Workers workers_;
  Method method_;
  Matrices<T> of_;
  std::vector<T> whole_;  ///< on the root
};

}  // namespace boltzmark::mpi
