// Textbook: the method as usually written.
//
//     for all j   v_j += dt sum over i of G m_i d / |d|^3,   d = x_i - x_j
//     for all j   x_j += dt v_j
#include "common/nbody/textbook.hpp"

namespace boltzmark::serial {
namespace {

template <class T>
class Textbook final : public nbody::Textbook<T> {
  void step() override {
    for (std::int64_t j = 0; j < this->bodies(); ++j) this->pull(j);
    for (std::int64_t j = 0; j < this->bodies(); ++j) this->move(j);
  }
};

const Variant textbook = textbook_of<target::Run, Textbook>("two loops: velocities from all pairs, then positions");

}  // namespace

target::RunLayer run_layer;  // layer/layer.cpp

}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  return serial::run_layer(argc, argv, nbody::workload, nbody::on_host, {&serial::textbook});
}
