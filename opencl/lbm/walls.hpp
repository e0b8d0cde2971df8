// What walls that move add to the populations that leave them, on the device: a kernel behind each step
// (kernels/walls.h), as long as there are such walls.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "common/lbm/problem.hpp"
#include "opencl/lbm/row_layout.hpp"
#include "opencl/runtime/session.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

template <class T>
class Walls {
 public:
  /// Index of population i of cell (x, y) of a plane of the device, halo planes counted, in a grid's buffer.
  using Place = std::function<std::size_t(int x, int y, int plane, int i)>;

  /// Nothing where no wall moves. The program has the kernel; grids: what steps with this number modulo 2 leave. In
  /// place, steps with number 1 leave populations where they move to, in the opposite direction's stead. `units`: of
  /// the stored populations. In place the window is the whole grid.
  void set_up(Session& session, const cl::Program& program, const Problem& problem, const Window& window,
              double units, bool is_in_place, const std::array<cl::Buffer, 2>& grids, const Place& place);

  /// Behind a step of these layers that has left state 0 or 1; `done`, where there is one, becomes the event of the
  /// last of its launches, if it has any.
  void enqueue(cl::CommandQueue& queue, int state, const Bands& bands, cl::Event* done);

 private:
  cl::Buffer momentum_;
  std::array<cl::Buffer, 2> places_;
  std::array<cl::Kernel, 2> push_;
  std::vector<int> first_;  ///< push of each layer, and behind them their number; none: no wall moves
};

extern template class Walls<float>;
extern template class Walls<double>;

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
