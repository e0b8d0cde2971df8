// The published starting point in the CPU models: an array of structures, and loops over 19 populations and three axes
// within a site. Models with threads have their own loop over the sites.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "common/binary_fluid/fluid.hpp"
#include "common/binary_fluid/textbook.hpp"
#include "common/run/workers.hpp"
#include "common/target/share.hpp"

namespace boltzmark::binary_fluid {

using target::Share;

/// A site of the original code.
template <class T>
struct OriginalSite {
  T f[directions], g[directions];
};

/// All sites and the inputs of their collision; collide(i) collides one.
template <class T>
class OriginalFluid : public Fluid {
 public:
  explicit OriginalFluid(Workers workers = {}, const Share& share = {}) : workers_(std::move(workers)), share_(share) {}

  std::string shortage(double bytes) override { return share_.shortage(bytes, bytes); }
  double bytes_held_per_site() const override { return collision_traffic * sizeof(T); }

  void init(const target::Problem& problem) override {
    const Case& one = case_ = static_cast<const Case&>(problem);
    constants_ = textbook::constants_of<T>(one.parameters);
    first_ = share_.begin(one.sites_with_halo());
    const auto sites = static_cast<std::size_t>(share_.end(one.sites_with_halo()) - first_);
    in_.resize(sites), out_.resize(sites), surroundings_.resize(sites), velocity_.resize(3 * sites);
    for (std::size_t i = 0; i < sites; ++i) {
      const auto input = [&](int v) { return collision_input<T>(first_ + static_cast<std::int64_t>(i), v); };
      const auto more = [&](int v) { return input(populations + v); };
      for (int p = 0; p < directions; ++p) in_[i].f[p] = input(2 * p), in_[i].g[p] = input(2 * p + 1);
      surroundings_[i] = {more(0), {more(1), more(2), more(3)}, more(4), {more(5), more(6), more(7)}};
    }
  }

  void spoil() override {
    constexpr T none = std::numeric_limits<T>::quiet_NaN();
    for (auto& site : out_) std::fill_n(site.f, directions, none), std::fill_n(site.g, directions, none);
    std::fill(velocity_.begin(), velocity_.end(), none);
    collisions_ = 0;
  }

  /// One site after another.
  void run() override {
    for (int step = 0; step < case_.steps; ++step)
      for (std::size_t i = 0; i < in_.size(); ++i) collide(i);
  }

  std::vector<double> results_of(const std::vector<std::int64_t>& sites) override {
    std::vector<double> found;
    for (const std::int64_t site : sites) {
      const auto i = static_cast<std::size_t>(site - first_);
      if (i >= out_.size()) continue;  // another rank's
      for (int p = 0; p < directions; ++p) {
        found.push_back(static_cast<double>(out_[i].f[p]));
        found.push_back(static_cast<double>(out_[i].g[p]));
      }
      for (int axis = 0; axis < 3; ++axis) found.push_back(static_cast<double>(velocity_[3 * i + axis]));
    }
    return share_.collect(std::move(found));
  }
  std::uint32_t lost_launches() override {
    return in_.empty() ? 0 : static_cast<std::uint32_t>(case_.steps) - collisions_;
  }
  Statistics statistics() override { return {}; }  // of simulations, which it does not support

  RunFacts facts() const override {
    return workers_.with({.driver = share_.driver,
                          .bytes_per_update = collision_traffic * sizeof(T),
                          .flops_per_update = flops_of_collision(Form::matrices),
                          .fetched_per_update = 1.0 * collision_values * sizeof(T)});
  }

 protected:
  void collide(std::size_t i) {
    if (i == 0) ++collisions_;
    out_[i] = in_[i];
    textbook::collide(out_[i].f, out_[i].g, surroundings_[i], constants_, &velocity_[3 * i]);
  }

  Workers workers_;
  Case case_;
  textbook::Constants<T> constants_;
  std::vector<OriginalSite<T>> in_, out_;
  std::vector<textbook::Surroundings<T>> surroundings_;
  std::vector<T> velocity_;

 private:
  Share share_;
  std::int64_t first_ = 0;
  std::uint32_t collisions_ = 0;  ///< of the first site, in a run
};

}  // namespace boltzmark::binary_fluid
