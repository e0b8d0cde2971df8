// A solver that takes the place of another one whose groups turn out not to run all at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "common/base/print.hpp"
#include "common/lbm/solver.hpp"
#include "opencl/runtime/api.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

/// That a wait of work-groups for one another ran out, or would.
class NotResident : public Error {
 public:
  explicit NotResident(const std::string& line) : Error(ExitStatus::unavailable, line) {}
};

/// Runs `first`, and where that ends with NotResident starts anew with the solver that `make_next` makes, the variant
/// `next_name`, with a line that says so. Seconds of a run that had to start anew are those of both.
class OrNextBest final : public Solver {
 public:
  OrNextBest(std::unique_ptr<Solver> first, std::string next_name,
             std::function<std::unique_ptr<Solver>()> make_next)
      : solver_(std::move(first)), next_name_(std::move(next_name)), make_next_(std::move(make_next)) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    try {
      solver_->init(problem);
    } catch (const NotResident& reason) {
      take_next(reason);
    }
  }

  void run(int steps, std::span<double> av_vels) override {
    try {
      solver_->run(steps, av_vels);
    } catch (const NotResident& reason) {
      take_next(reason);
      solver_->run(steps, av_vels);
    }
  }

  void confirm() override { solver_->confirm(); }
  void collect(State& state) override { solver_->collect(state); }
  RunFacts facts() const override {
    RunFacts facts = solver_->facts();
    if (has_next_) facts.variant = next_name_;
    return facts;
  }

 private:
  void take_next(const NotResident& reason) {
    print_note(fmt::format("lbm-{}", model_name),
               fmt::format("{}: {} runs in its place", reason.what(), next_name_));
    solver_.reset();  // before the next one takes as much memory
    solver_ = make_next_();
    has_next_ = true;
    solver_->init(*problem_);
  }

  std::unique_ptr<Solver> solver_;
  std::string next_name_;
  std::function<std::unique_ptr<Solver>()> make_next_;
  bool has_next_ = false;
  const Problem* problem_ = nullptr;
};

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
