// STREAM over threads: every kernel is a parallel region in which each thread takes the same stretch of the
// arrays every time, the one that it touched first.
#include <fmt/format.h>

#include "common/host_stream.hpp"
#include "common/provenance.hpp"
#include "openmp/models.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class OpenmpStream : public HostStream<T> {
 public:
  explicit OpenmpStream(std::optional<int> threads) : threads_(start_threads(threads)) {}

  void init(std::int64_t elements) override {
    arrays_ = StreamArrays<T>(elements);
    on_all_threads([this](Stretch mine) { arrays_.init(mine); });
  }
  void copy() override {
    on_all_threads([this](Stretch mine) { arrays_.copy(mine); });
  }
  void mul() override {
    on_all_threads([this](Stretch mine) { arrays_.mul(mine); });
  }
  void add() override {
    on_all_threads([this](Stretch mine) { arrays_.add(mine); });
  }
  void triad() override {
    on_all_threads([this](Stretch mine) { arrays_.triad(mine); });
  }
  double dot() override {
    double sum = 0.0;
#pragma omp parallel num_threads(threads_) reduction(+ : sum)
    sum += arrays_.dot(my_stretch());
    return sum;
  }

  StreamFacts facts() const override {
    return {.device = provenance_now().cpu,
            .driver = fmt::format("OpenMP {}", _OPENMP),
            .threads = threads_,
            .settings = {{"vector_lanes", native_lanes<T>}}};
  }

 private:
  using HostStream<T>::arrays_;

  Stretch my_stretch() const {
    return stretch_of(arrays_.size(), omp_get_thread_num(), omp_get_num_threads(), sizeof(T));
  }
  template <class Work>
  void on_all_threads(Work work) {
#pragma omp parallel num_threads(threads_)
    work(my_stretch());
  }

  int threads_;
};

}  // namespace

std::unique_ptr<Stream> make_stream(Precision precision, std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<OpenmpStream<double>>(threads);
  return std::make_unique<OpenmpStream<float>>(threads);
}

}  // namespace boltzmark::openmp
