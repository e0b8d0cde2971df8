// The variant `textbook`: passes the matrices to textbook.cu and gets the product back.
#include "common/matmul/multiplier.hpp"
#include "common/matmul/traffic.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
using namespace matmul;
namespace {

template <class T>
class Textbook : public Multiplier {
 public:
  explicit Textbook(const Options& asked) : library_(asked, "matmul") {}

  std::string shortage(double bytes) override { return library_.shortage(bytes, bytes / 3.0); }

  void init(const Shape& shape, const Entries& entries) override {
    shape_ = shape;
    const auto [m, n, k] = shape;
    std::vector<T> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
    entries.fill(Matrix::a, a.data(), k, 0, m, 0, k);
    entries.fill(Matrix::b, b.data(), n, 0, k, 0, n);
    library_.load(textbook_source);
    library_.call<int, int, int, const T*, const T*>("create", int(m), int(n), int(k), a.data(), b.data());
  }

  void spoil() override { library_.call<>("spoil"); }
  void multiply() override { library_.call<>("run"); }

  void collect() override {
    product_.resize(static_cast<std::size_t>(shape_.m * shape_.n));
    library_.call<T*>("read", product_.data());
  }
  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = product_.data() + row * shape_.n;
    std::copy(from, from + values.size(), values.begin());
  }

  /// A number read by a block serves 16 threads.
  RunFacts facts() const override {
    constexpr int tile = 16;
    RunFacts facts = library_.facts((2.0 / tile * static_cast<double>(shape_.k) + 1.0) * sizeof(T));
    facts.traffic = ProductTraffic(shape_, sizeof(T), false).groups({tile, tile, tile}, 1).sets();
    return facts;
  }

 private:
  TextbookLibrary library_;
  Shape shape_;
  std::vector<T> product_;
};

}  // namespace

extern const Variant textbook = textbook_of<Multiplier, Textbook>(
    "CUDA as a student writes it: tiles of 16x16 in shared memory, one thread per element");

}  // namespace boltzmark::cuda
