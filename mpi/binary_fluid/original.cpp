// Original: each rank has a stretch of the sites, whose collisions need nothing of other ranks.
#include "mpi/binary_fluid/original.hpp"

#include "common/binary_fluid/original.hpp"

namespace boltzmark::mpi {
using namespace binary_fluid;
namespace {

template <class T>
class Original final : public OriginalFluid<T> {
 public:
  explicit Original(const Share& share) : OriginalFluid<T>(share) {}

  void run() override {
    for (int step = 0; step < this->case_.steps; ++step)
      for (std::size_t i = 0; i < this->in_.size(); ++i) {
        this->out_[i] = this->in_[i];
        textbook::collide(this->out_[i].f, this->out_[i].g, this->beside_[i], this->constants_,
                          &this->velocity_[3 * i]);
      }
  }
};

}  // namespace

std::unique_ptr<Fluid> make_original(Precision precision, const Share& share) {
  if (precision == Precision::f64) return std::make_unique<Original<double>>(share);
  return std::make_unique<Original<float>>(share);
}

}  // namespace boltzmark::mpi
