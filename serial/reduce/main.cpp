// reduce-serial: an array that one core reduces.
#include "common/reduce/host_reducer.hpp"
#include "common/run/cpu_device.hpp"
#include "serial/reduce/std_reduce.hpp"
#include "serial/reduce/textbook.hpp"
#include "serial/reduce/vectors.hpp"

namespace boltzmark::serial {
namespace {

template <class Way>
class SerialReducer : public reduce::HostReducer {
 public:
  void init(const reduce::Task& task) override {
    make_array(task, {0, task.elements});
    fill({0, size()});
  }
  reduce::Result reduce() override {
    return with_values([this](auto op, const auto* values) { return Way::reduce(op, values, {0, size()}); });
  }
  RunFacts facts() const override { return {.device = cpu_name()}; }
};

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  reduce::Program program;
  program.model = "serial";
  program.summary = "Reduction of an array on one core";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook", .summary = "one loop, one result", .role = Role::textbook},
      {.name = "std-reduce", .summary = "the library's std::reduce: the peer", .role = Role::peer},
      {.name = "vectors", .summary = "eight vectors at a time", .role = Role::like_for_like}};
  program.devices = cpu_devices;
  program.default_variant = [](const Options&) { return "vectors"; };
  program.make = [](const Options& options) -> std::unique_ptr<reduce::Reducer> {
    if (options.variant == "textbook") return std::make_unique<SerialReducer<TextbookReduction>>();
    if (options.variant == "std-reduce") return std::make_unique<SerialReducer<StdReduction>>();
    return std::make_unique<SerialReducer<VectorReduction>>();
  };
  return reduce::run_program(argc, argv, program);
}
