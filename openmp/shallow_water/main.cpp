// Textbook: two parallel loops over the rows, over all edges, and over all cells (common/shallow_water/textbook.hpp).
#include "common/shallow_water/textbook.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Textbook final : public shallow_water::Textbook<T> {
 public:
  explicit Textbook(const Options& asked) : shallow_water::Textbook<T>(start_workers(asked)) {}

 private:
  void step() override {
#pragma omp parallel for num_threads(this->workers_.count)
    for (std::int64_t row = 0; row < this->rows_ - 1; ++row) this->half_step(row);
#pragma omp parallel for num_threads(this->workers_.count)
    for (std::int64_t row = 1; row < this->rows_ - 1; ++row) this->whole_step(row);
  }
};

const Variant textbook =
    textbook_of<target::Run, Textbook>("two loops over threads: half a step between cells, then a whole one");

}  // namespace

target::RunLayer run_layer;  // layer/layer.cpp

}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  return openmp::run_layer(argc, argv, shallow_water::workload, shallow_water::on_host, {&openmp::textbook});
}
