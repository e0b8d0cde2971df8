// Textbook: lattice Boltzmann as a student of OpenACC writes it. The grids stay on the device for the whole run; a time
// step is one loop nest over all cells, with a reduction.
//
//     for every cell      read from the grid `from`          pull: the populations moving here, from all directions
//                         write to the grid `to`             collided, or bounced back where solid (grids.hpp)
#include "openacc/lbm/grids.hpp"

namespace boltzmark::openacc {
namespace {

template <class T, class L>
class Textbook : public Grids<T, L> {
 public:
  using Grids<T, L>::Grids;

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step)
      av_vels[step] = do_step(step, step == steps - 1 ? -1 : this->p_.driven_row()) / this->fluid_cells_;
    this->steps_ = steps;
  }

 private:
  /// Returns the sum of |u| over the fluid cells.
  double do_step(int step, int driven_row) {
    const int nx = this->p_.nx, ny = this->p_.ny, rows = ny * this->p_.nz;
    const std::int64_t cells = this->solid_.size(), values = cells * L::directions, pushes = this->gains_.size();
    const T* const from = this->grids_[step % 2].data();
    T* const to = this->grids_[(step + 1) % 2].data();
    const std::uint8_t* const solid = this->solid_.data();
    const Relaxation<T, L> c = this->constants_;
    double tot_u = 0.0;
#pragma acc parallel loop collapse(2) reduction(+ : tot_u) present(from [0:values], to [0:values], solid [0:cells])
    for (int row = 0; row < rows; ++row)
      for (int x = 0; x < nx; ++x) tot_u += Grids<T, L>::update(from, to, solid, x, row, nx, ny, rows, driven_row, c);
    if (pushes == 0) return tot_u;
    // The push of moving walls on the populations that have just left them.
    const std::int64_t* const places = this->places_.data();
    const T* const gains = this->gains_.data();
#pragma acc parallel loop present(to [0:values], places [0:pushes], gains [0:pushes])
    for (std::int64_t n = 0; n < pushes; ++n) to[places[n]] += gains[n];
    return tot_u;
  }
};

}  // namespace

extern const Variant textbook = textbook_of<Textbook>("one loop nest per step over all cells, with a reduction");

}  // namespace boltzmark::openacc
