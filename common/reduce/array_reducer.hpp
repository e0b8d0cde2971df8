// A reduction that is a function of an array, as a variant of the CPU models.
#pragma once

#include <utility>

#include "common/cpu/aligned.hpp"
#include "common/cpu/worth_starting.hpp"
#include "common/reduce/reducer.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::reduce {

/// Method::reduce(operator, values, elements, workers), and spoil() where there are partial results. One whose workers
/// take long to start has `takes_fewer`: its reduce() has as many as the array is worth.
template <class Method, template <class> class There>
class ArrayReducer final : public Reducer {
 public:
  explicit ArrayReducer(Workers workers) : workers_(std::move(workers)), sharing_(workers_) {}

  std::string shortage(double bytes) override { return workers_.shortage(bytes); }
  void init(const Task& task) override {
    task_ = task;
    const int value_bytes = task.is_wide ? 8 : 4;
    part_ = workers_.part_of(task.elements, value_bytes);
    memory_ = AlignedArray<unsigned char>(static_cast<std::size_t>(part_.size()) * value_bytes);
    workers_.run_on_pages(part_.size(), value_bytes, [this](Range on) { fill(on); });
    words_there_ = {reinterpret_cast<std::uint32_t*>(memory_.data()), part_.size() * value_bytes / 4};
    if constexpr (requires { Method::takes_fewer; })
      sharing_.count =
          worth_starting(workers_.count, static_cast<double>(memory_.size()), [this] { workers_.run([](int) {}); });
  }
  void spoil() override {
    if constexpr (requires { Method::spoil(); }) Method::spoil();
  }
  Result reduce() override {
    return with_operator(task_, [this]<class Op, class T>(Op op, T) {
      return Method::reduce(op, reinterpret_cast<const T*>(words_there_.data()), part_.size(), sharing_);
    });
  }
  RunFacts facts() const override {
    RunFacts facts = workers_.with({});
    if (sharing_.count < workers_.count) facts.settings["workers"] = sharing_.count;
    return facts;
  }

 private:
  /// Writes values `on` of this process's part.
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

  Workers workers_, sharing_;
  Task task_;
  Range part_;
  AlignedArray<unsigned char> memory_;
  There<std::uint32_t> words_there_;
};

/// `.make` of a variant.
template <class Method, template <class> class There = Here>
auto by(StartWorkers* start_workers) {
  return [start_workers](const Options& asked) -> std::unique_ptr<Reducer> {
    return std::make_unique<ArrayReducer<Method, There>>(start_workers(asked));
  };
}

}  // namespace boltzmark::reduce
