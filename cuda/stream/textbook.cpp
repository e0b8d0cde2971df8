// The variant `textbook`: the calls of textbook.cu.
#include "common/stream/kernels.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
using namespace stream;
namespace {

template <class T>
class Textbook : public Kernels {
 public:
  explicit Textbook(const Options& asked) : library_(asked, "stream") {}

  Memory memory() override { return {.of_device = true, .cache_bytes = library_.cache_bytes()}; }
  std::string shortage(double bytes) override { return library_.shortage(bytes, bytes / 3.0); }
  void init(std::int64_t elements) override {
    elements_ = elements;
    library_.load(textbook_source);
    library_.call<long long, double, double, double, double>("create", elements, scalar, start_a, start_b, start_c);
  }

  void copy() override { run(Operation::copy); }
  void mul() override { run(Operation::mul); }
  void add() override { run(Operation::add); }
  void triad() override { run(Operation::triad); }
  double dot() override { return run(Operation::dot); }

  std::int64_t part() const override { return elements_; }
  void read(Array array, std::int64_t first, std::span<double> values) override {
    std::vector<T> read(values.size());
    library_.call<int, long long, T*, long long>("read", static_cast<int>(array), first, read.data(), std::ssize(read));
    std::copy(read.begin(), read.end(), values.begin());
  }
  RunFacts facts() const override { return library_.facts(); }

 private:
  double run(Operation operation) {
    double result = 0.0;
    library_.call<int, double*>("run", static_cast<int>(operation), &result);
    return result;
  }

  TextbookLibrary library_;
  std::int64_t elements_ = 0;
};

}  // namespace

extern const Variant textbook =
    textbook_of<Kernels, Textbook>("CUDA as a student writes it: one kernel each, one thread per element");

}  // namespace boltzmark::cuda
