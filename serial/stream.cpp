// STREAM on one core: each kernel is one loop over whole arrays.
#include "common/provenance.hpp"
#include "common/stream/host_stream.hpp"
#include "serial/models.hpp"

namespace boltzmark::serial {
namespace {

template <class T>
class SerialStream : public HostStream<T> {
 public:
  void init(std::int64_t elements) override {
    arrays_ = StreamArrays<T>(elements);
    arrays_.init(whole());
  }
  void copy() override { arrays_.copy(whole()); }
  void mul() override { arrays_.mul(whole()); }
  void add() override { arrays_.add(whole()); }
  void triad() override { arrays_.triad(whole()); }
  double dot() override { return arrays_.dot(whole()); }

  StreamFacts facts() const override {
    return {.device = provenance_now().cpu, .settings = {{"vector_lanes", native_lanes<T>}}};
  }

 private:
  using HostStream<T>::arrays_;
  Stretch whole() const { return {0, arrays_.size()}; }
};

}  // namespace

std::unique_ptr<Stream> make_stream(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<SerialStream<double>>();
  return std::make_unique<SerialStream<float>>();
}

}  // namespace boltzmark::serial
