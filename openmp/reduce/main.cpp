// reduce-openmp: an array that the threads of one machine reduce.
#include <fmt/core.h>

#include "common/run/cpu_device.hpp"
#include "openmp/advice.hpp"
#include "openmp/reduce/textbook.hpp"
#include "openmp/reduce/threaded_reducer.hpp"

namespace boltzmark::openmp {
namespace {

class OpenmpReducer : public ThreadedReducer {
 public:
  using ThreadedReducer::ThreadedReducer;
  void init(const reduce::Task& task) override { make_and_fill(task, {0, task.elements}); }
  RunFacts facts() const override {
    return {.device = cpu_name(), .driver = fmt::format("OpenMP {}", _OPENMP), .threads = team_.size()};
  }
};

class Textbook : public OpenmpReducer {
 public:
  using OpenmpReducer::OpenmpReducer;
  reduce::Result reduce() override {
    return with_values([this](auto op, const auto* values) {
      return TextbookReduction::reduce(op, values, size(), team_.size());
    });
  }
};

class Vectors : public OpenmpReducer {
 public:
  using OpenmpReducer::OpenmpReducer;
  reduce::Result reduce() override { return reduce_in_vectors(); }
};

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  reduce::Program program;
  program.model = "openmp";
  program.summary = "Reduction of an array on the threads of one machine";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook", .summary = "a loop with OpenMP's reduction clause", .role = Role::textbook},
      {.name = "vectors", .summary = "eight vectors at a time on each thread", .role = Role::like_for_like}};
  program.options = {threads_option("what the runtime says")};
  program.devices = cpu_devices;
  program.warning = [](const Options& options) { return openmp::thread_advice(options.number("threads")); };
  program.default_variant = [](const Options&) { return "vectors"; };
  program.make = [](const Options& options) -> std::unique_ptr<reduce::Reducer> {
    const auto threads = options.number("threads");
    if (options.variant == "textbook") return std::make_unique<openmp::Textbook>(threads);
    return std::make_unique<openmp::Vectors>(threads);
  };
  return reduce::run_program(argc, argv, program);
}
