// reduce-serial: an array that one core reduces.
#include <numeric>

#include "common/reduce/host_reducer.hpp"
#include "common/reduce/vectors.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
namespace {

/// Textbook: one loop, one result. Each step waits for the one before. A sum of floats stalls once a term is less than
/// half the last digit of what there is: of 1 + 1 + ... at 2^24. `--values ramp` shows it.
struct Textbook {
  template <class Op, class T>
  static reduce::Result reduce(Op, const T* values, std::int64_t elements) {
    T result = Op::template neutral<T>;
    for (std::int64_t i = 0; i < elements; ++i) result = Op::of(result, values[i]);
    return reduce::result_of(result);
  }
};

/// std::reduce without a policy: the library as the peer. It may take the values in any order.
struct StdReduce {
  template <class Op, class T>
  static reduce::Result reduce(Op, const T* values, std::int64_t elements) {
    return reduce::result_of(
        std::reduce(values, values + elements, Op::template neutral<T>, [](T a, T b) { return Op::of(a, b); }));
  }
};

/// Vectors: eight of them at a time, so that no step waits for the one before (common/reduce/vectors.hpp).
struct Vectors {
  template <class Op, class T>
  static reduce::Result reduce(Op op, const T* values, std::int64_t elements) {
    return reduce_vectors(op, values, {0, elements}).result();
  }
};

template <class Method>
class SerialReducer : public reduce::HostReducer {
 public:
  void init(const reduce::Task& task) override {
    make_array(task, {0, task.elements});
    fill({0, size()});
  }
  reduce::Result reduce() override {
    return with_values([this](auto op, const auto* values) { return Method::reduce(op, values, size()); });
  }
  RunFacts facts() const override { return {.device = cpu_name()}; }
};

template <class Method>
std::unique_ptr<reduce::Reducer> made_of(const Options&) {
  return std::make_unique<SerialReducer<Method>>();
}

const reduce::Variant textbook = {
    .name = "textbook", .summary = "one loop, one result", .role = Role::textbook, .make = made_of<Textbook>};

const reduce::Variant std_reduce = {.name = "std-reduce",
                                    .summary = "the library's std::reduce: the peer",
                                    .role = Role::peer,
                                    .make = made_of<StdReduce>};

const reduce::Variant vectors = {
    .name = "vectors", .summary = "eight vectors at a time", .role = Role::like_for_like, .make = made_of<Vectors>};

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_program<reduce::Variant>(argc, argv,
                                      {.model = "serial",
                                       .summary = "Reduction of an array on one core",
                                       .build = BOLTZMARK_BUILD_INFO,
                                       .variants = {textbook, std_reduce, vectors},
                                       .default_variant = "vectors",
                                       .devices = cpu_devices});
}
