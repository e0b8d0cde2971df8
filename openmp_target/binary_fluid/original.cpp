// Original: the collision of each site, as the code that targetDP began from has it, spread over teams and their threads.
#include <cmath>
#include <vector>

#include "common/binary_fluid/original.hpp"
#include "openmp_target/binary_fluid/variants.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {
using namespace binary_fluid;
namespace {

template <class T>
class Original final : public OriginalFluid<T> {
 public:
  Original(const OffloadDevice& device, std::optional<int> threads) : device_(device), threads_(threads) {}
  ~Original() override { unmap(); }

  std::string shortage(double bytes) override { return shortage_on(device_, bytes); }

  void init(const Case& one) override {
    unmap();
    OriginalFluid<T>::init(one);
    regions_ = 0;
    record_ = {};
    launch_ = launch_for(device_, threads_, one.sites_with_halo());
    auto *const in = this->in_.data(), *const out = this->out_.data();
    auto* const beside = this->beside_.data();
    T* const velocity = this->velocity_.data();
    auto* const constants = &this->constants_;
    LaunchRecord* const record = &record_;
    const auto n = static_cast<std::int64_t>(this->in_.size());
#pragma omp target enter data map(to                                                       \
                                  : in [0:n], beside [0:n], constants [0:1], record [0:1]) \
    map(alloc                                                                              \
        : out [0:n], velocity [0:3 * n]) device(device_.number)
    mapped_ = true;
  }

  void run() override {
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    auto *const in = this->in_.data(), *const out = this->out_.data();
    auto* const beside = this->beside_.data();
    T* const velocity = this->velocity_.data();
    auto* const constants = &this->constants_;
    LaunchRecord* const record = &record_;
    const auto n = static_cast<std::int64_t>(this->in_.size());
    for (int step = 0; step < this->case_.steps; ++step) {
#pragma omp target teams distribute parallel for device(device) num_teams(teams) thread_limit(threads) \
    num_threads(threads)
      for (std::int64_t i = 0; i < n; ++i) {
        if (i == 0) record_launch(record, teams, threads);
        out[i] = in[i];
        textbook::collide(out[i].f, out[i].g, beside[i], *constants, &velocity[3 * i]);
      }
      ++regions_;
    }
  }

  void confirm() override {
    LaunchRecord* const record = &record_;
#pragma omp target update from(record [0:1]) device(device_.number)
    check_launches(device_, record_, regions_, launch_);
  }

  std::vector<double> results(const std::vector<std::int64_t>& sites) override {
    auto* const out = this->out_.data();
    T* const velocity = this->velocity_.data();
    const auto n = static_cast<std::int64_t>(this->in_.size());
#pragma omp target update from(out [0:n], velocity [0:3 * n]) device(device_.number)
    return OriginalFluid<T>::results(sites);
  }

  RunFacts facts() const override {
    const RunFacts work = OriginalFluid<T>::facts();
    RunFacts facts = device_facts(device_, launch_, record_);
    facts.bytes_per_update = work.bytes_per_update;
    facts.flops_per_update = work.flops_per_update;
    return facts;
  }

 private:
  void unmap() {
    if (!mapped_) return;
    auto *const in = this->in_.data(), *const out = this->out_.data();
    auto* const beside = this->beside_.data();
    T* const velocity = this->velocity_.data();
    auto* const constants = &this->constants_;
    LaunchRecord* const record = &record_;
    const auto n = static_cast<std::int64_t>(this->in_.size());
#pragma omp target exit data map(delete                                                                    \
                                 : in [0:n], out [0:n], beside [0:n], velocity [0:3 * n], constants [0:1], \
                                   record [0:1]) device(device_.number)
    mapped_ = false;
  }

  OffloadDevice device_;
  std::optional<int> threads_;
  Launch launch_;
  LaunchRecord record_;
  std::int64_t regions_ = 0;
  bool mapped_ = false;
};

}  // namespace

std::unique_ptr<Fluid> make_original(Precision precision, const OffloadDevice& device,
                                     std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<Original<double>>(device, threads);
  return std::make_unique<Original<float>>(device, threads);
}

}  // namespace boltzmark::openmp_target
