// An array in this machine's memory: what the reducers of the CPU models have in common.
#pragma once

#include <span>

#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/reduce/reducer.hpp"
#include "common/run/on_host.hpp"

namespace boltzmark::reduce {

class HostReducer : public OnHost<Reducer> {
 public:
  void init(const Task& task) override { make_array(task, {0, task.elements}); }

 protected:
  /// The values of `part` of the task's, each part_of() written by its worker.
  void make_array(const Task& task, Range part) {
    task_ = task;
    part_ = part;
    memory_ = AlignedArray<unsigned char>(static_cast<std::size_t>(part.size()) * value_bytes());
    on_workers([this](std::int64_t me, std::int64_t workers) { fill(part_of(me, workers)); });
  }
  Range part_of(std::int64_t me, std::int64_t workers) const {
    return range_of_pages(size(), me, workers, value_bytes());
  }

  int value_bytes() const { return task_.is_wide ? 8 : 4; }
  /// All that are here, in words of 32 bits.
  std::span<std::uint32_t> words() {
    return {reinterpret_cast<std::uint32_t*>(memory_.data()), memory_.size() / sizeof(std::uint32_t)};
  }
  /// Values here.
  std::int64_t size() const { return part_.size(); }

  /// work(operator, values), where values points to those that are here.
  template <class Work>
  auto with_values(Work&& work) const {
    return with_operator(
        task_, [&]<class Op, class T>(Op op, T) { return work(op, reinterpret_cast<const T*>(memory_.data())); });
  }

 private:
  /// Writes values `on` of those that are here.
  void fill(Range on) {
    with_operator(task_, [&]<class Op, class T>(Op, T) {
      T* const values = reinterpret_cast<T*>(memory_.data());
      for (std::int64_t i = on.begin; i < on.end; ++i) {
        const std::int64_t number = part_.begin + i;
        values[i] = task_.is_ramp ? static_cast<T>(number) : Op::template value<T>(static_cast<unsigned int>(number));
      }
      return 0;
    });
  }

  Task task_;
  Range part_;
  AlignedArray<unsigned char> memory_;
};

}  // namespace boltzmark::reduce
