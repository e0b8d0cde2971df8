// Included before the main of a model (-include), whose programs then have --corrupt ARRAY:ELEMENT: that element of the
// results, as the check sees them, is off by a hundredth of the array's largest number. Main, workload and check are
// those that users run; the product has no such hook.
#pragma once

#include <algorithm>
#include <cmath>

#include "common/base/ranges.hpp"
#include "common/base/text.hpp"
#include "common/run/cpu_device.hpp"
#include "common/target/layer.hpp"

namespace boltzmark::testing {

class Corrupted final : public target::Run {
 public:
  Corrupted(std::unique_ptr<Run> run, std::string place) : run_(std::move(run)), place_(std::move(place)) {}

  std::string shortage(double bytes) override { return run_->shortage(bytes); }
  void spoil() override { run_->spoil(); }
  void confirm() override { run_->confirm(); }
  void collect() override { run_->collect(); }
  RunFacts facts() const override { return run_->facts(); }
  void init(const target::Problem& problem) override { run_->init(problem); }
  void run() override { run_->run(); }
  std::uint32_t lost_launches() override { return run_->lost_launches(); }
  target::Arrays results() override {
    target::Arrays results = run_->results();
    const std::size_t colon = place_.find(':');
    for (target::NamedArray& one : results)
      if (colon != place_.npos && one.name == place_.substr(0, colon)) {
        double largest = 0.0;
        for (const double value : one.values) largest = std::max(largest, std::abs(value));
        one.values.at(std::stoul(place_.substr(colon + 1))) += largest > 0.0 ? 0.01 * largest : 0.01;
      }
    return results;
  }

 private:
  std::unique_ptr<Run> run_;
  std::string place_;
};

inline int run_corrupted(int argc, char** argv, ProgramOf<target::Variant> program) {
  program.options.push_back({.name = "corrupt", .value = "ARRAY:ELEMENT", .help = "of the results, to be wrong"});
  for (target::Variant& variant : program.variants)
    variant.make = [make = variant.make](const Options& asked) {
      return std::make_unique<Corrupted>(make(asked), asked.text("corrupt"));
    };
  return run_program(argc, argv, program);
}

}  // namespace boltzmark::testing

#define run_program testing::run_corrupted
