// Original: the collision of each site, as the code that targetDP began from has it, spread over teams and their
// threads.
#include <cmath>
#include <vector>

#include "common/binary_fluid/original.hpp"
#include "openmp_target/runtime/on_device.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {
using namespace binary_fluid;
namespace {

template <class T>
class Original final : public OnDevice<OriginalFluid<T>> {
  using Base = OnDevice<OriginalFluid<T>>;

 public:
  using Base::Base;
  ~Original() override { unmap(); }

  std::string shortage(double bytes) override { return this->shortage_for(bytes, true); }

  void init(const Case& one) override {
    unmap();
    Base::init(one);
    this->launch_over(one.sites_with_halo());
    auto *const in = this->in_.data(), *const out = this->out_.data();
    auto* const surroundings = this->surroundings_.data();
    T* const velocity = this->velocity_.data();
    auto* const constants = &this->constants_;
    const auto n = static_cast<std::int64_t>(this->in_.size());
#pragma omp target enter data map(to                                               \
                                  : in [0:n], surroundings [0:n], constants [0:1]) \
    map(alloc                                                                      \
        : out [0:n], velocity [0:3 * n]) device(this->device_.number)
    mapped_ = true;
  }

  void spoil() override {
    Base::spoil();
    auto* const out = this->out_.data();
    T* const velocity = this->velocity_.data();
    const auto n = static_cast<std::int64_t>(this->in_.size());
#pragma omp target update to(out [0:n], velocity [0:3 * n]) device(this->device_.number)
  }

  void run() override {
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    auto *const in = this->in_.data(), *const out = this->out_.data();
    auto* const surroundings = this->surroundings_.data();
    T* const velocity = this->velocity_.data();
    auto* const constants = &this->constants_;
    LaunchRecord* const record = this->record_.data();
    const auto n = static_cast<std::int64_t>(this->in_.size());
    for (int step = 0; step < this->case_.steps; ++step) {
#pragma omp target teams distribute parallel for is_device_ptr(record) device(device) num_teams(teams) \
    thread_limit(threads) num_threads(threads)
      for (std::int64_t i = 0; i < n; ++i) {
        if (i == 0) record_launch(record, teams, threads);
        out[i] = in[i];
        textbook::collide(out[i].f, out[i].g, surroundings[i], *constants, &velocity[3 * i]);
      }
      ++this->regions_;
    }
  }

  std::vector<double> results(const std::vector<std::int64_t>& sites) override {
    auto* const out = this->out_.data();
    T* const velocity = this->velocity_.data();
    const auto n = static_cast<std::int64_t>(this->in_.size());
#pragma omp target update from(out [0:n], velocity [0:3 * n]) device(this->device_.number)
    return Base::results(sites);
  }

  RunFacts facts() const override {
    const RunFacts work = OriginalFluid<T>::facts();
    RunFacts facts = Base::facts();
    facts.bytes_per_update = work.bytes_per_update;
    facts.flops_per_update = work.flops_per_update;
    return facts;
  }

 private:
  void unmap() {
    if (!mapped_) return;
    auto *const in = this->in_.data(), *const out = this->out_.data();
    auto* const surroundings = this->surroundings_.data();
    T* const velocity = this->velocity_.data();
    auto* const constants = &this->constants_;
    const auto n = static_cast<std::int64_t>(this->in_.size());
#pragma omp target exit data map(delete                                                                          \
                                 : in [0:n], out [0:n], surroundings [0:n], velocity [0:3 * n], constants [0:1]) \
    device(this->device_.number)
    mapped_ = false;
  }

  bool mapped_ = false;
};

}  // namespace

extern const Variant original = original_variant(made_of<Fluid, Original>);

}  // namespace boltzmark::openmp_target
