// Original: the collision of each site, as in the code before targetDP, distributed over teams and their threads.
#include <vector>

#include "common/binary_fluid/original.hpp"
#include "openmp_target/runtime/on_device.hpp"

namespace boltzmark::openmp_target {
using namespace binary_fluid;
namespace {

template <class T>
class Original final : public OnDevice<OriginalFluid<T>> {
  using Base = OnDevice<OriginalFluid<T>>;

 public:
  using Base::Base;

  std::string shortage(double bytes) override { return this->shortage_for(bytes, true); }

  void init(const target::Problem& problem) override {
    Base::init(problem);
    this->launch_over(this->case_.sites_with_halo());
    const int device = this->device_.number;
    of_in_ = on_device(this->in_, device);
    of_out_ = on_device(this->out_, device);
    of_surroundings_ = on_device(this->surroundings_, device);
    of_velocity_ = on_device(this->velocity_, device);
    of_constants_ = on_device<textbook::Constants<T>>({this->constants_}, device);
  }

  void spoil() override {
    Base::spoil();
    of_out_.write(this->out_);
    of_velocity_.write(this->velocity_);
  }

  void run() override {
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const auto* const in = of_in_.data();
    const auto* const surroundings = of_surroundings_.data();
    const auto* const constants = of_constants_.data();
    auto* const out = of_out_.data();
    T* const velocity = of_velocity_.data();
    LaunchRecord* const record = this->record_.data();
    const auto n = static_cast<std::int64_t>(this->in_.size());
    for (int step = 0; step < this->case_.steps; ++step) {
#pragma omp target teams distribute parallel for is_device_ptr(in, out, surroundings, velocity, constants, record) \
    device(device) num_teams(teams) thread_limit(threads) num_threads(threads)
      for (std::int64_t i = 0; i < n; ++i) {
        if (i == 0) record_launch(record, teams, threads);
        if (!Image::is_gpu) {
          out[i] = in[i];
          textbook::collide(out[i].f, out[i].g, surroundings[i], *constants, &velocity[3 * i]);
          continue;
        }
        OriginalSite<T> site = in[i];  // a GPU would write each of its sums to memory term by term
        T u[3];
        textbook::collide(site.f, site.g, surroundings[i], *constants, u);
        out[i] = site;
        for (int a = 0; a < 3; ++a) velocity[3 * i + a] = u[a];
      }
      ++this->regions_;
    }
  }

  std::uint32_t lost_launches() override { return 0; }  // checked by confirm()

  std::vector<double> results_of(const std::vector<std::int64_t>& sites) override {
    of_out_.read(0, of_out_.size(), this->out_.data());
    of_velocity_.read(0, of_velocity_.size(), this->velocity_.data());
    return Base::results_of(sites);
  }

  RunFacts facts() const override {
    const RunFacts work = OriginalFluid<T>::facts();
    RunFacts facts = Base::facts();
    facts.bytes_per_update = work.bytes_per_update;
    facts.flops_per_update = work.flops_per_update;
    facts.fetched_per_update = work.fetched_per_update;
    return facts;
  }

 private:
  DeviceArray<OriginalSite<T>> of_in_, of_out_;
  DeviceArray<textbook::Surroundings<T>> of_surroundings_;
  DeviceArray<T> of_velocity_;
  DeviceArray<textbook::Constants<T>> of_constants_;
};

}  // namespace

extern const Variant original = original_variant(made_of<target::Run, Original>);

}  // namespace boltzmark::openmp_target
