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

}  // namespace
}  // namespace boltzmark::serial

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {textbook_of<Run, serial::Textbook>("two loops: half a step between cells, then a whole one")};
}
