// The binary fluid on any target of the layer: its fields, and which kernel runs when. A Run by itself (on_target.hpp).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "common/binary_fluid/fluid.hpp"
#include "common/target/on_target.hpp"

// Must come after all others, because its words are macros.
#include "common/binary_fluid/binary_fluid.h"

namespace boltzmark::binary_fluid {

using target::Share;

template <class Target>
class Code final : public Fluid {
 public:
  using T = typename Target::Scalar;
  using Field = typename Target::Field;

  Code(const target::LayerEntry& entry, int form, target::MakeTarget<Target> make, Share share)
      : entry_(entry), form_(form), make_(std::move(make)), share_(std::move(share)) {}

  std::string shortage(double bytes) override { return share_.shortage(bytes, bytes * populations / field_values); }
  double bytes_held_per_site() const override { return sizeof(T) * field_values; }

  void init(const target::Problem& problem) override {
    const Case& one = case_ = static_cast<const Case&>(problem);
    physics_ = make_physics<Physics<T>>(one.parameters);
    target_.reset();
    if (!one.is_simulation()) {
      first_ = share_.begin(one.sites_with_halo());
      count_ = share_.end(one.sites_with_halo()) - first_;
      target_ = make_(target::Lattice::line(static_cast<int>(count_)));
      box_ = target_->lattice().box(0, 0, 0, static_cast<int>(count_), 1, 1);
    } else {
      const std::int64_t layer = std::int64_t{one.nx} * one.ny;
      layers_ = {static_cast<int>(share_.begin(one.nz)), static_cast<int>(share_.end(one.nz))};
      first_ = layers_[0] * layer, count_ = (layers_[1] - layers_[0]) * layer;
      target_ = make_(target::Lattice(one.nx, one.ny, layers_[1] - layers_[0]));
      box_ = target_->lattice().box(0, 0, 0, one.nx, one.ny, layers_[1] - layers_[0]);
    }
    fields_.emplace();
    fields_->f = target_->make(populations);
    if (one.scene == Scene::copies) {
      sent_.resize(static_cast<std::size_t>(populations * target_->lattice().stride()));
      for (std::size_t i = 0; i < sent_.size(); ++i) sent_[i] = static_cast<T>(1 + i % 1021);
      back_.resize(sent_.size());
      return;
    }
    fields_->other = target_->make(populations);
    fields_->phi = target_->make(1);
    if (form_ == Form::matrices) matrices_ = target_->constants(matrices<T>());
    if (form_ != Form::fused || one.is_simulation()) fields_->gradient = target_->make(4);
    if (form_ != Form::fused) {
      fields_->force = target_->make(3);
      fields_->velocity = target_->make(3);
    }
    target_->first_launches([this] { step(); });  // a fluid at rest without phi does not change
    one.is_simulation() ? start_simulation() : start_collision();
    target_->wait();
  }

  void run() override {
    for (int done = 0; done < case_.steps; ++done) step();
    target_->wait();
  }
  void confirm() override { target_->confirm(); }
  std::uint32_t lost_launches() override { return target_->lost_launches(); }

  std::vector<double> results_of(const std::vector<std::int64_t>& sites) override {
    std::vector<std::int32_t> wanted;
    for (const std::int64_t site : sites)
      if (site >= first_ && site < first_ + count_) wanted.push_back(place_of(site - first_));
    std::vector<double> mine;
    const auto take = [&](std::initializer_list<const Field*> fields) {
      std::vector<std::vector<T>> of_field;
      for (const Field* field : fields) of_field.push_back(target_->gather(*field, wanted));
      for (std::size_t i = 0; i < wanted.size(); ++i)
        for (const auto& values : of_field)
          for (std::size_t at = i; at < values.size(); at += wanted.size())
            mine.push_back(static_cast<double>(values[at]));
    };
    if (case_.is_simulation()) {
      look();
      take({&*fields_->seen});
    } else {
      take({&fields_->other, &*fields_->velocity});
    }
    return share_.collect(std::move(mine));
  }

  Statistics statistics() override {
    look();
    fill(*fields_->seen, true);
    target_->launch(TARGET_KERNEL(gradients), box_, *fields_->seen, *fields_->gradient, physics_.points);
    if (!fields_->energy) fields_->energy = target_->make(6);
    target_->template launch<1>(TARGET_KERNEL(energies), box_, *fields_->seen, *fields_->gradient, *fields_->energy,
                                physics_);
    const auto joined = [&](target::Reduce op, const Field& field, int value) {
      return share_.join(op, target_->reduce(op, field, value, box_));
    };
    const auto mean = [&](const Field& field, int value) {
      return joined(target::Reduce::sum, field, value) / static_cast<double>(case_.sites());
    };
    const Field &seen = *fields_->seen, &energy = *fields_->energy;
    Statistics s;
    s.phi = mean(seen, 0);
    s.phi_variance = mean(energy, 0) - s.phi * s.phi;
    s.free_energy = mean(energy, 1);
    s.density = mean(seen, 1);
    s.rho_variance = mean(energy, 2) - s.density * s.density;
    for (int i = 2; i < seen_values; ++i)
      for (const auto op : {target::Reduce::least, target::Reduce::greatest})
        s.largest_velocity = std::max(s.largest_velocity, std::abs(joined(op, seen, i)));
    s.least_phi = joined(target::Reduce::least, seen, 0);
    s.greatest_phi = joined(target::Reduce::greatest, seen, 0);
    for (int i = 0; i < 3; ++i) s.momentum[i] = mean(energy, 3 + i);
    return s;
  }

  void want(const Wanted& wanted) override {
    wanted_ = wanted;
    mask_.assign(static_cast<std::size_t>(target_->lattice().stride()), 0);
    for (std::int64_t i = 0; i < count_; ++i)
      mask_[static_cast<std::size_t>(i)] =
          wanted.is_halo ? is_halo(first_ + i) : random_at(first_ + i, 0) < 2.0 * wanted.share - 1.0;
    const std::vector<T> zeros(static_cast<std::size_t>(target_->lattice().stride()));
    for (int v = 0; v < populations; ++v) target_->copy_to(fields_->f, zeros.data(), v, 1);
    std::fill(back_.begin(), back_.end(), T(0));
  }
  void copy(bool to_target) override {
    const bool is_whole = wanted_.share == 1.0;
    if (to_target)
      is_whole ? target_->copy_to(fields_->f, sent_.data(), 0, populations)
               : target::copy_to_masked(*target_, fields_->f, sent_.data(), mask_);
    else
      is_whole ? target_->copy_from(fields_->f, back_.data(), 0, populations)
               : target::copy_from_masked(*target_, fields_->f, back_.data(), mask_);
    target_->wait();
  }
  double copy_error() const override {
    double error = 0.0;
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      const bool is_sent = wanted_.share == 1.0 || mask_[i % mask_.size()];
      error = std::max(error, std::abs(static_cast<double>(back_[i] - (is_sent ? sent_[i] : T(0)))));
    }
    return share_.join(target::Reduce::greatest, error);
  }

  RunFacts facts() const override {
    return target::facts_of(*target_, share_, entry_.work_of(case_, form_, sizeof(T)));
  }

 private:
  struct Fields {
    Field f, other, phi;
    std::optional<Field> gradient, force, velocity, seen, energy;
  };

  /// Number in the target's lattice of a site numbered with halo.
  bool is_halo(std::int64_t site) const {
    const std::int64_t nx = case_.nx + 2, ny = case_.ny + 2, x = site % nx, y = site / nx % ny, z = site / nx / ny;
    return x == 0 || x == nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == case_.nz + 1;
  }

  /// Number of a site of this share in the target's lattice.
  std::int32_t place_of(std::int64_t number) const {
    if (!case_.is_simulation()) return static_cast<std::int32_t>(number);
    const std::int64_t x = number % case_.nx, y = number / case_.nx % case_.ny, z = number / case_.nx / case_.ny;
    return target_->lattice().site(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
  }

  void start_collision() {
    std::vector<T> values(static_cast<std::size_t>(target_->lattice().stride()));
    const auto bring = [&](Field& field, int first, int count) {
      for (int v = 0; v < count; ++v) {
        for (std::int64_t i = 0; i < count_; ++i)
          values[static_cast<std::size_t>(i)] = collision_input<T>(first_ + i, first + v);
        target_->copy_to(field, values.data(), v, 1);
      }
    };
    bring(fields_->f, 0, populations);
    bring(fields_->phi, populations, 1);
    bring(*fields_->gradient, populations + 1, 4);
    bring(*fields_->force, populations + 5, 3);
  }

  /// At rest: f = w, which is stored as 0, and g = phi at rest.
  void start_simulation() {
    std::vector<T> values(static_cast<std::size_t>(target_->lattice().stride()));
    for (int z = layers_[0]; z < layers_[1]; ++z)
      for (int y = 0; y < case_.ny; ++y)
        for (int x = 0; x < case_.nx; ++x)
          values[static_cast<std::size_t>(target_->lattice().site(x, y, z - layers_[0]))] =
              static_cast<T>(start_phi(case_, x, y, z));
    target_->copy_to(fields_->f, values.data(), 1, 1);
  }

  void step() {
    if (!case_.is_simulation())
      collide();
    else
      form_ == Form::fused ? fused() : unfused();
  }

  void collide() {
    Fields& s = *fields_;
    if (form_ == Form::matrices)
      target_->launch(TARGET_KERNEL(collide_matrices), box_, s.f, s.phi, *s.gradient, *s.force, s.other, *s.velocity,
                      *matrices_, physics_);
    else
      target_->launch(TARGET_KERNEL(collide_moments), box_, s.f, s.phi, *s.gradient, *s.force, s.other, *s.velocity,
                      physics_);
  }

  void unfused() {
    Fields& s = *fields_;
    target_->launch(TARGET_KERNEL(order_parameter), box_, s.f, s.phi, 0);
    fill(s.phi, true);
    target_->launch(TARGET_KERNEL(gradients), box_, s.phi, *s.gradient, physics_.points);
    collide();
    fill(s.other, false);
    target_->launch(TARGET_KERNEL(propagate), box_, s.other, s.f);
  }

  void fused() {
    Fields& s = *fields_;
    fill(s.f, false);
    target_->launch(TARGET_KERNEL(order_parameter), box_, s.f, s.phi, 1);
    fill(s.phi, true);
    target_->launch(TARGET_KERNEL(fused_step), box_, s.f, s.phi, s.other, physics_);
    std::swap(s.f, s.other);
  }

  /// Fills `seen` with the current state. Between fused steps populations have yet to be propagated.
  void look() {
    if (!fields_->seen) fields_->seen = target_->make(seen_values);
    if (form_ == Form::fused) fill(fields_->f, false);
    target_->template launch<1>(TARGET_KERNEL(macroscopic), box_, fields_->f, *fields_->seen,
                                form_ == Form::fused ? 1 : 0);
  }

  /// Populations that arrive through a face: bit v for value v. Faces: x below, x above, y below ...
  static unsigned long arriving(int face) {
    unsigned long bits = 0;
    for (int p = 0; p < directions; ++p)
      if (direction[p][face / 2] == (face % 2 == 0 ? 1 : -1)) bits |= 3ul << (2 * p);
    return bits;
  }

  /// Periodic halos: of the populations that arrive, or only of the first value. If ranks share the layers, those below
  /// and above come from other ranks.
  void fill(Field& field, bool first_alone) {
    const target::Lattice& lattice = target_->lattice();
    const int nx = lattice.nx(), ny = lattice.ny(), nz = lattice.nz(), layers = share_.exchange ? 0 : 1;
    Sites numbers = lattice.box(0, 0, 0, 2 * (nx + 2 + ny) * nz + 2 * layers * (nx + 2) * (ny + 2), 1, 1);
    numbers.first = 0;
    const Halo halo = {lattice.site(0, 0, 0), nx, ny, nz, lattice.row_pitch(), lattice.layer_pitch(), layers};
    target_->template launch<1>(TARGET_KERNEL(fill_halo), numbers, field, halo, first_alone ? 1 : 0);
    if (!share_.exchange) return;
    target_->wait();
    if constexpr (requires { field.memory.data(); })
      share_.exchange(field.memory.data(), lattice, first_alone ? 1ul : arriving(4), first_alone ? 1ul : arriving(5));
  }

  const target::LayerEntry& entry_;
  int form_;
  target::MakeTarget<Target> make_;
  Share share_;
  Case case_;
  Physics<T> physics_;
  std::unique_ptr<Target> target_;
  std::optional<Fields> fields_;
  std::optional<typename Target::Constants> matrices_;
  Sites box_ = {};
  std::array<int, 2> layers_ = {};      ///< of the simulation: first and end
  std::int64_t first_ = 0, count_ = 0;  ///< sites of this share
  // Of copies.
  Wanted wanted_ = {};
  target::Mask mask_;
  std::vector<T> sent_, back_;
};

}  // namespace boltzmark::binary_fluid
