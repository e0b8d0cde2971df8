// Textbook: two parallel loops over the bodies.
//
//     for all j   v_j += dt sum over i of G m_i d / |d|^3,   d = x_i - x_j
//     for all j   x_j += dt v_j
#include "common/nbody/textbook.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Textbook final : public nbody::Textbook<T> {
 public:
  explicit Textbook(const Options& asked) : nbody::Textbook<T>(start_workers(asked)) {}

 private:
  void step() override {
#pragma omp parallel for num_threads(this->workers_.count)
    for (std::int64_t j = 0; j < this->bodies(); ++j) this->pull(j);
#pragma omp parallel for num_threads(this->workers_.count)
    for (std::int64_t j = 0; j < this->bodies(); ++j) this->move(j);
  }
};

const Variant textbook =
    textbook_of<target::Run, Textbook>("two loops over threads: velocities from all pairs, then positions");

}  // namespace

target::RunLayer run_layer;  // layer/layer.cpp

}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  return openmp::run_layer(argc, argv, nbody::workload, nbody::on_host, {&openmp::textbook});
}
