#include "common/lbm/device/walls.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/device/session.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

using namespace device;

void Walls::set_up(Session& session, const Module& module, const Problem& problem, const Window& window,
                   Precision precision, double units, const std::array<Buffer, 2>& grids, bool is_in_place,
                   const Place& place) {
  using L = D3Q19;  // in two dimensions no wall moves
  const Parameters& p = problem.parameters;
  const auto pushes = problem.moving.empty() ? std::vector<WallPush>{} : wall_pushes<L>(problem);
  if (pushes.empty()) return;
  std::vector<double> momentum;
  std::array<std::vector<std::uint64_t>, 2> places;
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
      momentum.push_back(push->momentum * units);
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
  HostValues stored(device::storage_of(precision), momentum.size());
  for (std::size_t push = 0; push < momentum.size(); ++push) stored.set(push, momentum[push]);
  const std::size_t place_bytes = momentum.size() * sizeof places[0][0];
  session.allocate({{&momentum_, stored.bytes(), stored.data()},
                    {&places_[0], place_bytes, places[0].data()},
                    {&places_[1], place_bytes, places[1].data()}});
  for (int i = 0; i < 2; ++i) push_[i] = Kernel(module, "push_from_walls", 0, 0, places_[i], momentum_, grids[i]);
}

void Walls::enqueue(const Queue& queue, int state, const Bands& bands, Event* done) const {
  if (first_.empty()) return;
  for (const auto& [layer, layers] : {std::pair{bands.south, bands.south_rows}, {bands.north, bands.north_rows}}) {
    const int push = first_[layer], end = first_[layer + layers];
    if (end == push) continue;
    push_[state].rebind(push, end);
    queue->launch(push_[state], Range(static_cast<std::size_t>(end - push)), {}, {}, done);
  }
}

}  // namespace boltzmark::lbm
