// Fused: a gang takes a row, its threads neighbouring cells, and the host does not wait for a step: the sum of each row
// stays on the device until many steps are done.
//
//     queue      step 0   step 1   ...   step 255   sums to the host
//     a step     gang: row     threads of a vector: cells of it     sums[step][row] = sum of |u|
#include <numeric>

#include "openacc/lbm/grids.hpp"

namespace boltzmark::openacc {
namespace {

template <class T, class L>
class Fused : public Grids<T, L> {
 public:
  using Grids<T, L>::Grids;

  void init(const Problem& problem) override {
    Grids<T, L>::init(problem);
    rows_ = this->p_.ny * this->p_.nz;
    sums_ = DeviceArray<double>(static_cast<std::size_t>(at_once) * rows_);
  }

  void run(int steps, std::span<double> av_vels) override {
    for (int first = 0; first < steps; first += at_once) {
      const int end = std::min(first + at_once, steps);
      for (int step = first; step < end; ++step) do_step(step, step == steps - 1 ? -1 : this->p_.driven_row());
#pragma acc wait(queue)
      sums_.to_host();
      for (int step = first; step < end; ++step) {
        const double* const of_rows = sums_.data() + static_cast<std::ptrdiff_t>(step - first) * rows_;
        av_vels[step] = std::accumulate(of_rows, of_rows + rows_, 0.0) / this->fluid_cells_;
      }
    }
    this->steps_ = steps;
  }

 private:
  static constexpr int at_once = 256, queue = 1;

  void do_step(int step, int driven_row) {
    const int nx = this->p_.nx, ny = this->p_.ny, rows = rows_;
    const std::int64_t cells = this->solid_.size(), values = cells * L::directions, pushes = this->gains_.size();
    const std::int64_t all_sums = sums_.size(), first_sum = std::int64_t{step % at_once} * rows;
    const T* const from = this->grids_[step % 2].data();
    T* const to = this->grids_[(step + 1) % 2].data();
    const std::uint8_t* const solid = this->solid_.data();
    double* const sums = sums_.data();
    const Relaxation<T, L> c = this->constants_;
#pragma acc parallel loop gang vector_length(128) async(queue) \
    present(from [0:values], to [0:values], solid [0:cells], sums [0:all_sums])
    for (int row = 0; row < rows; ++row) {
      double sum = 0.0;
#pragma acc loop vector reduction(+ : sum)
      for (int x = 0; x < nx; ++x) sum += Grids<T, L>::update(from, to, solid, x, row, nx, ny, rows, driven_row, c);
      sums[first_sum + row] = sum;
    }
    if (pushes == 0) return;
    const std::int64_t* const places = this->places_.data();
    const T* const gains = this->gains_.data();
#pragma acc parallel loop async(queue) present(to [0:values], places [0:pushes], gains [0:pushes])
    for (std::int64_t n = 0; n < pushes; ++n) to[places[n]] += gains[n];
  }

  int rows_ = 0;
  DeviceArray<double> sums_;
};

}  // namespace

extern const Variant fused =
    like_for_like_of<Fused>("fused", "a gang for each row, and the host waits once in 256 steps");

}  // namespace boltzmark::openacc
