// What the textbook variants of the models have in common: cells in this machine's memory.
#pragma once

#include "common/run/on_host.hpp"
#include "common/shallow_water/cells.hpp"

namespace boltzmark::shallow_water {

template <class T>
class Textbook : public OnHost<target::Run> {
 public:
  void init(const target::Problem& problem) override {
    problem_ = &problem;
    rows_ = problem.size[0];
    columns_ = problem.size[1];
    for (std::size_t value = 0; value < names.size(); ++value) {
      const auto& start = array_of(problem.start, names[value]);
      water_[value].assign(start.begin(), start.end());
    }
    below_ = beside_ = water_;
  }
  void run() override {
    for (std::int64_t done = 0; done < problem_->steps; ++done) {
      reflect();
      step();
    }
  }
  target::Arrays results() override {
    reflect();
    target::Arrays all;
    for (std::size_t value = 0; value < names.size(); ++value)
      all.push_back({names[value], {water_[value].begin(), water_[value].end()}});
    return all;
  }
  /// Two loops: three values are read and six written, then nine read and three written. Seven divisions, and eight.
  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = 21.0 * sizeof(T),
                             .flops_per_update = 98.0,
                             .operations_per_update = {{operation::division, 15.0}}});
  }

 protected:
  virtual void step() = 0;

  const target::Problem* problem_ = nullptr;
  std::int64_t rows_ = 0, columns_ = 0;
  /// Of cells; between a cell and the one below; between a cell and the next of its row.
  std::array<std::vector<T>, 3> water_, below_, beside_;

 private:
  void reflect() {
    for (std::size_t value = 0; value < names.size(); ++value) {
      T* const cell = water_[value].data();
      for (std::int64_t row = 0; row < rows_; ++row) {
        T* const first = cell + row * columns_;
        first[0] = value == 2 ? -first[1] : first[1];
        first[columns_ - 1] = value == 2 ? -first[columns_ - 2] : first[columns_ - 2];
      }
      for (std::int64_t column = 0; column < columns_; ++column) {
        T *const first = cell + column, *const last = first + (rows_ - 1) * columns_;
        *first = value == 1 ? -first[columns_] : first[columns_];
        *last = value == 1 ? -last[-columns_] : last[-columns_];
      }
    }
  }
};

}  // namespace boltzmark::shallow_water
