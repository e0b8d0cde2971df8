// Textbook: two parallel loops over the bodies.
//
//     for all j   v_j += dt sum over i of G m_i d / |d|^3,   d = x_i - x_j
//     for all j   x_j += dt v_j
#include "common/nbody/textbook.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Textbook final : public OnThreads<nbody::Textbook<T>> {
 public:
  using OnThreads<nbody::Textbook<T>>::OnThreads;

 private:
  void step() override {
#pragma omp parallel for num_threads(this->threads_)
    for (std::int64_t j = 0; j < this->bodies(); ++j) this->pull(j);
#pragma omp parallel for num_threads(this->threads_)
    for (std::int64_t j = 0; j < this->bodies(); ++j) this->move(j);
  }
};

}  // namespace
}  // namespace boltzmark::openmp

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {textbook_of<Run, openmp::Textbook>("two loops over threads: velocities from all pairs, then positions")};
}
