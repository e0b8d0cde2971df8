// A workload of the layer on a target: starts and runs its Code. Include it before the Code, whose words are macros.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "common/target/layer.hpp"

namespace boltzmark::target {

/// Copies value number `value` of a box of sites from or to the order of `of_box`: layers of rows.
template <class Work>
void each_site(const Sites& box, Work&& work) {
  std::size_t at = 0;
  for (int layer = 0; layer < box.layers; ++layer)
    for (int row = 0; row < box.rows; ++row)
      for (int x = 0; x < box.length; ++x)
        work(at++, static_cast<std::size_t>(box.first + x + row * box.row_pitch + layer * box.layer_pitch));
}
/// Other sites become 0. `of_box` may begin within a larger array.
template <class Target>
void bring(Target& target, typename Target::Field& field, int value, const Sites& box, const double* of_box) {
  std::vector<typename Target::Scalar> all(static_cast<std::size_t>(target.lattice().stride()));
  each_site(box,
            [&](std::size_t at, std::size_t site) { all[site] = static_cast<typename Target::Scalar>(of_box[at]); });
  target.copy_to(field, all.data(), value, 1);
}
template <class Target>
std::vector<double> fetch(Target& target, const typename Target::Field& field, int value, const Sites& box) {
  std::vector<typename Target::Scalar> all(static_cast<std::size_t>(target.lattice().stride()));
  target.copy_from(field, all.data(), value, 1);
  std::vector<double> of_box(static_cast<std::size_t>(box.length) * box.rows * box.layers);
  each_site(box, [&](std::size_t at, std::size_t site) { of_box[at] = static_cast<double>(all[site]); });
  return of_box;
}

template <class Target>
using MakeTarget = std::function<std::unique_ptr<Target>(const Lattice&)>;

/// A target's facts about its device and the work per update.
template <class Target>
RunFacts facts_of(const Target& target, const Share& share, const Work& work) {
  RunFacts facts = target.facts();
  if (!share.driver.empty()) facts.driver = share.driver;
  facts.ranks = share.ranks;
  add_work(facts, work);
  facts.settings["vvl"] = target.vvl();
  facts.settings["vectors"] =
      fmt::format("{} bits", 8 * sizeof(typename Target::Scalar) * static_cast<std::size_t>(target.vvl()));
  return facts;
}

/// The base of a Code<Target>, with its arguments.
template <class Target>
class CodeOn {
 public:
  using T = typename Target::Scalar;
  using Field = typename Target::Field;

  CodeOn(Target& target, const Problem& problem, const Share& share, int form)
      : target_(target), problem_(problem), share_(share), form_(form) {}

 protected:
  Target& target_;
  const Problem& problem_;
  const Share& share_;
  int form_;
};

/// A Code<Target> has
///   static Lattice lattice(const Problem&, const Share&)   the sites of this rank
///   Code(Target&, const Problem&, const Share&, int form)  makes the fields
///   void start()       brings the start to the target
///   void step()        one of problem.steps; launches whose kernels a first call may compile
///   Arrays results()   on the root; collective
///   write_allocate     if it differs from the target's, as in RunFacts
///   void describe(RunFacts&)   adds facts, if there are more
template <template <class> class Code, class Target>
class OnTarget final : public Run {
 public:
  OnTarget(const LayerEntry& workload, int form, MakeTarget<Target> make, Share share)
      : workload_(workload), form_(form), make_(std::move(make)), share_(std::move(share)) {}

  std::string shortage(double bytes) override { return share_.shortage(bytes, bytes); }

  void init(const Problem& problem) override {
    problem_ = &problem;
    code_.reset();
    target_.reset();
    target_ = make_(Code<Target>::lattice(problem, share_));
    code_.emplace(*target_, problem, share_, form_);
    target_->first_launches([this] { code_->step(); });
    code_->start();
    target_->wait();
  }
  void run() override {
    for (std::int64_t done = 0; done < problem_->steps; ++done) code_->step();
    target_->wait();
  }
  void confirm() override { target_->confirm(); }
  std::uint32_t lost_launches() override { return target_->lost_launches(); }
  Arrays results() override { return code_->results(); }

  RunFacts facts() const override {
    RunFacts facts = facts_of(*target_, share_, workload_.work_of(*problem_, form_, sizeof(typename Target::Scalar)));
    if constexpr (requires { Code<Target>::write_allocate; }) facts.write_allocate = Code<Target>::write_allocate;
    if constexpr (requires { code_->describe(facts); }) code_->describe(facts);
    return facts;
  }

 private:
  const LayerEntry& workload_;
  int form_;
  MakeTarget<Target> make_;
  Share share_;
  const Problem* problem_ = nullptr;
  std::unique_ptr<Target> target_;
  std::optional<Code<Target>> code_;
};

/// A Code in a run; or a Code that is itself a Run, made from the same arguments.
template <template <class> class Code, class Target>
using RunOn = std::conditional_t<std::is_base_of_v<Run, Code<Target>>, Code<Target>, OnTarget<Code, Target>>;

}  // namespace boltzmark::target
