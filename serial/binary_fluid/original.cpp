// Original: the collision of each site, one after another, as the code that targetDP began from has it.
#include "common/binary_fluid/original.hpp"
#include "serial/binary_fluid/variants.hpp"

namespace boltzmark::serial {
using namespace binary_fluid;
namespace {

template <class T>
class Original final : public OriginalFluid<T> {
 public:
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

std::unique_ptr<Fluid> make_original(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<Original<double>>();
  return std::make_unique<Original<float>>();
}

}  // namespace boltzmark::serial
