// What walls that move add to the populations that leave them, on the device: a kernel behind each step
// (kernels/walls.h), as long as there are such walls.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "common/device/session.hpp"
#include "common/lbm/device/grid_layout.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

class Walls {
 public:
  /// Index of population i of cell (x, y) of a plane of the device, halo planes counted, in a grid's buffer.
  using Place = std::function<std::size_t(int x, int y, int plane, int i)>;

  /// Nothing where no wall moves. The module has the kernel; grids: what steps with this number modulo 2 leave. In
  /// place, steps with number 1 leave populations where they move to, in the opposite direction's stead. `units`: of
  /// the stored populations. In place the window is the whole grid.
  void set_up(device::Session& session, const device::Module& module, const Problem& problem, const Window& window,
              Precision precision, double units, const std::array<device::Buffer, 2>& grids, bool is_in_place,
              const Place& place);

  /// After a step of these layers that has left state 0 or 1; `done`, where there is one, becomes the event of the
  /// last of its launches, if it has any.
  void enqueue(const device::Queue& queue, int state, const Bands& bands, device::Event* done) const;

 private:
  device::Buffer momentum_;
  std::array<device::Buffer, 2> places_;
  std::array<device::Kernel, 2> push_;
  std::vector<int> first_;  ///< push of each layer, and behind them their number; none: no wall moves
};

}  // namespace boltzmark::lbm
