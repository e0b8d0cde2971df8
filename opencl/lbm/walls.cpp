#include "opencl/lbm/walls.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/lbm/start_state.hpp"
#include "opencl/runtime/launch.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

template <class T>
void Walls<T>::set_up(Session& session, const cl::Program& program, const Problem& problem,
                      const Window& window, double units, bool is_in_place,
                      const std::array<cl::Buffer, 2>& grids, const Place& place) {
  using L = D3Q19;  // in two dimensions no wall moves
  const Parameters& p = problem.parameters;
  const auto pushes = problem.moving.empty() ? std::vector<WallPush>{} : wall_pushes<L>(problem);
  if (pushes.empty()) return;
  std::vector<T> momentum;
  std::array<std::vector<cl_ulong>, 2> places;
  const int planes = window.rows + 2 * window.halo;
  first_ = {0};
  for (int plane = 0; plane < planes; ++plane) {
    const std::int64_t z = ((window.first_row - window.halo + plane) % p.nz + p.nz) % p.nz;
    const auto before = [](const WallPush& push, std::int64_t cell) { return push.cell < cell; };
    const auto begin = std::lower_bound(pushes.begin(), pushes.end(), z * p.layer_cells(), before);
    const auto end = std::lower_bound(begin, pushes.end(), (z + 1) * p.layer_cells(), before);
    for (auto push = begin; push != end; ++push) {
      const int i = push->direction;
      const auto x = static_cast<int>(push->cell % p.nx), y = static_cast<int>(push->cell / p.nx % p.ny);
      momentum.push_back(static_cast<T>(push->momentum * units));
      places[0].push_back(place(x, y, plane, i));
      places[1].push_back(!is_in_place ? places[0].back()
                                       : place((x + L::cx[i] + p.nx) % p.nx, (y + L::cy[i] + p.ny) % p.ny,
                                               (plane + L::cz[i] + p.nz) % p.nz, L::opposite[i]));
    }
    first_.push_back(static_cast<int>(momentum.size()));
  }
  if (momentum.empty()) {  // another rank has them
    first_.clear();
    return;
  }
  session.allocate({{&momentum_, momentum.size() * sizeof(T), momentum.data()},
                    {&places_[0], momentum.size() * sizeof(cl_ulong), places[0].data()},
                    {&places_[1], momentum.size() * sizeof(cl_ulong), places[1].data()}});
  for (int i = 0; i < 2; ++i)
    push_[i] = call_of(program, "push_from_walls", 0, 0, places_[i], momentum_, grids[is_in_place ? 0 : i]);
}

template <class T>
void Walls<T>::enqueue(cl::CommandQueue& queue, int state, const Bands& bands, cl::Event* done) {
  if (first_.empty()) return;
  for (const auto& [layer, layers] :
       {std::pair{bands.south, bands.south_rows}, {bands.north, bands.north_rows}}) {
    const int push = first_[layer], end = first_[layer + layers];
    if (end == push) continue;
    set_arguments(push_[state], push, end);
    queue.enqueueNDRangeKernel(push_[state], cl::NullRange, cl::NDRange(static_cast<std::size_t>(end - push)),
                               cl::NullRange, nullptr, done);
  }
}

template class Walls<float>;
template class Walls<double>;

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
