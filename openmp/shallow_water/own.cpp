// Textbook: two parallel loops over the rows, over all edges, and over all cells (common/shallow_water/textbook.hpp).
#include "common/shallow_water/textbook.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Textbook final : public OnThreads<shallow_water::Textbook<T>> {
 public:
  using OnThreads<shallow_water::Textbook<T>>::OnThreads;

 private:
  void step() override {
#pragma omp parallel for num_threads(this->threads_)
    for (std::int64_t row = 0; row < this->rows_ - 1; ++row) this->half_step(row);
#pragma omp parallel for num_threads(this->threads_)
    for (std::int64_t row = 1; row < this->rows_ - 1; ++row) this->whole_step(row);
  }
};

}  // namespace
}  // namespace boltzmark::openmp

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {textbook_of<Run, openmp::Textbook>("two loops over threads: half a step between cells, then a whole one")};
}
