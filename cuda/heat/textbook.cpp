// The variant `textbook`: passes the plate to textbook.cu and gets its temperatures back.
#include "common/heat/solver.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
using namespace heat;
namespace {

template <class T>
class Textbook : public Solver {
 public:
  explicit Textbook(const Options& asked) : library_(asked, "heat") {}

  std::string shortage(double bytes) override { return library_.shortage(bytes, bytes / 2.0); }

  void init(const Plate& plate, int) override {
    width_ = plate.width;
    temperatures_.resize(static_cast<std::size_t>((plate.width + 2) * (plate.height + 2)));
    for (std::int64_t row = -1; row <= plate.height; ++row)
      plate.fill(row, temperatures_.data() + (row + 1) * (width_ + 2));
    library_.load(textbook_source);
    library_.call<int, int, const T*>("create", static_cast<int>(plate.width), static_cast<int>(plate.height),
                                      temperatures_.data());
  }

  void advance(std::span<double> deltas) override {
    library_.call<int, double*>("run", static_cast<int>(deltas.size()), deltas.data());
  }

  void collect() override { library_.call<T*>("read", temperatures_.data()); }

  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = temperatures_.data() + (row + 1) * (width_ + 2) + 1;
    std::copy(from, from + values.size(), values.begin());
  }

  /// Traffic: the work array is written and read, the plate read twice and written.
  RunFacts facts() const override { return library_.facts(5.0 * sizeof(T)); }

 private:
  TextbookLibrary library_;
  std::int64_t width_ = 0;
  std::vector<T> temperatures_;  ///< of the host, with their border
};

}  // namespace

extern const Variant textbook =
    textbook_of<Solver, Textbook>("CUDA as a student writes it: two kernels and a sum per step, one thread per cell");

}  // namespace boltzmark::cuda
