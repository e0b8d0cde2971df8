// segments-serial: segmented sums on one core.
#include "common/run/cpu_device.hpp"
#include "common/segments/host_reducer.hpp"

namespace boltzmark::serial {
namespace {

/// Textbook: the two loops.
template <class T>
class Textbook : public segments::HostReducer<T> {
 public:
  void reduce() override {
    const T* values = this->values_.data();
    for (std::int64_t segment = 0; segment < this->shape_.segments; ++segment) {
      T sum = 0;
      for (std::int64_t i = 0; i < this->shape_.length; ++i) sum += *values++;
      this->sums_[segment] = sum;
    }
  }
};

/// Vectors: along a segment, or where that is shorter than a vector across segments.
template <class T>
class Vectors : public segments::HostReducer<T> {
 public:
  void reduce() override {
    sum_rows(this->values_.data(), this->shape_.length, this->sums_.data(), {0, this->shape_.segments});
  }
};

const segments::Variant textbook = textbook_of<segments::Reducer, Textbook>("two loops");

const segments::Variant vectors = like_for_like_of<segments::Reducer, Vectors>(
    "vectors", "vectors along a segment, across segments where these are short");

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, segments::workload, "serial", "on one core", {&textbook, &vectors}, "vectors");
}
