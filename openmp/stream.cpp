// STREAM over threads: every kernel is a parallel region.
#include <fmt/format.h>

#include "common/provenance.hpp"
#include "common/stream/threaded_stream.hpp"
#include "openmp/models.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class OpenmpStream : public ThreadedStream<T> {
 public:
  using ThreadedStream<T>::ThreadedStream;

  void init(std::int64_t elements) override { this->make_arrays(elements); }
  double dot() override { return this->dot_here(); }

  StreamFacts facts() const override {
    return {.device = provenance_now().cpu,
            .driver = fmt::format("OpenMP {}", _OPENMP),
            .threads = this->threads(),
            .settings = {{"vector_lanes", native_lanes<T>}}};
  }
};

}  // namespace

std::unique_ptr<Stream> make_stream(Precision precision, std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<OpenmpStream<double>>(threads);
  return std::make_unique<OpenmpStream<float>>(threads);
}

}  // namespace boltzmark::openmp
