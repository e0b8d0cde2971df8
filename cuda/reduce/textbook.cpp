// The variant `textbook`: passes the array to textbook.cu and gets the result back.
#include <fmt/core.h>

#include <array>

#include "common/reduce/reducer.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
using namespace reduce;
namespace {

class Textbook : public Reducer {
 public:
  explicit Textbook(const Options& asked) : library_(asked, "reduce") {}

  std::string shortage(double bytes) override { return library_.shortage(bytes, bytes); }

  void init(const Task& task) override {
    task_ = task;
    with_operator(task, [&]<class Op, class T>(Op, T) {
      constexpr std::array names = {"SUM", "PRODUCT", "MIN", "MAX", "AND", "OR", "XOR"};
      const char* const number = task.is_wide ? "double" : "float";
      const char* const word = task.is_wide ? "uint64_t" : "uint32_t";
      library_.load(textbook_source, fmt::format("-D VALUE={} -D OP_{}", std::is_integral_v<T> ? word : number,
                                                 names[static_cast<std::size_t>(task.op)]));
      library_.call<long long>("create", task.elements);
      std::vector<T> values;
      for (std::int64_t i = 0; i < task.elements; ++i) {
        values.push_back(task.is_ramp ? static_cast<T>(i) : Op::template value<T>(static_cast<unsigned>(i)));
        if (values.size() < most_at_once && i + 1 < task.elements) continue;
        const std::int64_t count = std::ssize(values);
        library_.call<long long, long long, const T*>("fill", i + 1 - count, count, values.data());
        values.clear();
      }
    });
  }

  void spoil() override { library_.call<>("spoil"); }

  Result reduce() override {
    return with_operator(task_, [&]<class Op, class T>(Op, T value) {
      library_.call<T*>("run", &value);
      return result_of(value);
    });
  }

  RunFacts facts() const override { return library_.facts(); }

 private:
  static constexpr std::size_t most_at_once = 1 << 22;

  TextbookLibrary library_;
  Task task_;
};

}  // namespace

extern const Variant textbook = textbook_of<Reducer, Textbook>(
    "CUDA as a student writes it: each thread, then each block, then one last block folds its values");

}  // namespace boltzmark::cuda
