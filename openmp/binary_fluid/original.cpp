// Original: the collision of each site, as the code that targetDP began from has it, with the loop over the sites parallel.
#include <fmt/core.h>

#include "common/binary_fluid/original.hpp"
#include "openmp/binary_fluid/variants.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::openmp {
using namespace binary_fluid;
namespace {

template <class T>
class Original final : public OriginalFluid<T> {
 public:
  explicit Original(std::optional<int> threads) : team_(threads) {}

  void run() override {
    const auto sites = static_cast<std::int64_t>(this->in_.size());
    for (int step = 0; step < this->case_.steps; ++step) {
#pragma omp parallel for num_threads(team_.size())
      for (std::int64_t i = 0; i < sites; ++i) {
        this->out_[i] = this->in_[i];
        textbook::collide(this->out_[i].f, this->out_[i].g, this->beside_[i], this->constants_,
                          &this->velocity_[3 * i]);
      }
    }
  }

  RunFacts facts() const override {
    RunFacts facts = OriginalFluid<T>::facts();
    facts.driver = fmt::format("OpenMP {}", _OPENMP);
    facts.threads = team_.size();
    return facts;
  }

 private:
  ThreadTeam team_;
};

}  // namespace

std::unique_ptr<Fluid> make_original(Precision precision, std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<Original<double>>(threads);
  return std::make_unique<Original<float>>(threads);
}

}  // namespace boltzmark::openmp
