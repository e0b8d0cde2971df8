#include "common/target/host_target.hpp"

namespace boltzmark::target {

std::uint32_t HostThreads::lost_launches() const {
  std::uint32_t lost = 0;
  for (const auto& of_worker : ran_) lost = std::max(lost, launched_ - of_worker.launches);
  return lost;
}

template <class Work>
double HostThreads::reduce_parts_by(Reduce reduce, const Sites& box, const Work& work) const {
  const std::int64_t in_row = (box.length + longest_vvl - 1) / longest_vvl, units = in_row * box.rows * box.layers;
  std::vector<double> of_worker(static_cast<std::size_t>(workers_.count), start_of(reduce));
  ++launched_;
  workers_.run([&](int me) {
    double all = start_of(reduce);
    const std::int64_t begin = units * me / workers_.count;
    std::int64_t left = units * (me + 1) / workers_.count - begin;
    if (left > 0) {
      Sites part = box;
      part.rows = part.layers = 1;
      part.row = static_cast<int>(begin / in_row);
      std::int64_t first = begin % in_row;
      for (int row = part.row % box.rows, layer = part.row / box.rows; left > 0; ++part.row) {
        const std::int64_t here = std::min(in_row - first, left);
        part.column = static_cast<int>(first * longest_vvl);
        part.first = box.first + row * box.row_pitch + layer * box.layer_pitch + part.column;
        part.length = static_cast<int>(std::min(box.length - first * longest_vvl, here * longest_vvl));
        work(part, all);
        left -= here, first = 0;
        if (++row == box.rows) row = 0, ++layer;
      }
    }
    streamed();
    of_worker[static_cast<std::size_t>(me)] = all;
    ++ran_[static_cast<std::size_t>(me)].launches;
  });
  return joined(reduce, of_worker);
}
double HostThreads::reduce_parts(Reduce reduce, const Sites& box, const PartOfRow& work) const {
  return reduce_parts_by(reduce, box, work);
}

void HostThreads::launch(const Compiled& kernel, const Sites& box) const {
  reduce_parts_by(Reduce::sum, box, [&](Sites& part, double&) {
    const int end = part.first + part.length, lanes = kernel.lanes,
              begin = std::min(end, (part.first + lanes - 1) & -lanes), whole = std::max(begin, end & -lanes);
    const auto call = [&](Compiled::Function function, int up_to) {
      part.length = up_to - part.first;
      if (part.length > 0) function(kernel.call, part);
      part.first += part.length;
      part.column += part.length;
    };
    call(kernel.by_sites, begin);
    call(kernel.by_chunks, whole);
    call(kernel.by_sites, end);
  });
}

double HostThreads::sum_of(const Compiled& kernel, const Sites& box) const {
  return reduce_parts_by(Reduce::sum, box, [&](Sites& part, double& all) {
    const int end = part.first + part.length, whole = part.first + (part.length & -kernel.lanes);
    for (; part.first < whole; part.first += part.length) {
      part.length = std::min(whole - part.first, kernel.lanes * 1024);
      all += kernel.by_chunks(kernel.call, part);
    }
    part.length = end - whole;
    if (part.length > 0) all += kernel.by_sites(kernel.call, part);
  });
}

void HostThreads::each_part(std::int64_t count, const PartOfAll& work) const {
  workers_.run([&](int me) { work(count * me / workers_.count, count * (me + 1) / workers_.count); });
}
void HostThreads::each_part_of_values(int values, const PartOfAll& work) const {
  each_part(lattice_.stride() / longest_vvl, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = 0; v < values * lattice_.stride(); v += lattice_.stride())
      work(v + begin * longest_vvl, v + end * longest_vvl);
  });
}

}  // namespace boltzmark::target
