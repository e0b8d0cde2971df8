// Textbook: two loops over the rows, over all edges, and over all cells (common/shallow_water/textbook.hpp).
#include "common/shallow_water/textbook.hpp"

namespace boltzmark::serial {
namespace {

template <class T>
class Textbook final : public shallow_water::Textbook<T> {
  void step() override {
    for (std::int64_t row = 0; row < this->rows_ - 1; ++row) this->half_step(row);
    for (std::int64_t row = 1; row < this->rows_ - 1; ++row) this->whole_step(row);
  }
};

const Variant textbook = textbook_of<target::Run, Textbook>("two loops: half a step between cells, then a whole one");

}  // namespace

target::RunLayer run_layer;  // layer/layer.cpp

}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  return serial::run_layer(argc, argv, shallow_water::workload, shallow_water::on_host, {&serial::textbook});
}
