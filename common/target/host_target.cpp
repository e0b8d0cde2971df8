#include "common/target/host_target.hpp"

#include "common/target/parts.hpp"

namespace boltzmark::target {

std::uint32_t HostThreads::lost_launches() const {
  std::uint32_t lost = 0;
  for (const auto& of_worker : ran_) lost = std::max(lost, launched_ - of_worker.launches);
  return lost;
}

template <class Work>
double HostThreads::reduce_parts_by(Reduce reduce, const Sites& box, const Work& work) const {
  std::vector<double> of_worker(static_cast<std::size_t>(workers_.count), start_of(reduce));
  ++launched_;
  workers_.run([&](int me) {
    double all = start_of(reduce);
    each_part_of(box, me, workers_.count, [&](Sites& part) { work(part, all); });
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
    in_chunks(
        part, kernel.lanes, [&](const Sites& sites) { kernel.by_sites(kernel.call, sites); },
        [&](const Sites& sites) { kernel.by_chunks(kernel.call, sites); });
  });
}

double HostThreads::sum_of(const Compiled& kernel, const Sites& box) const {
  return reduce_parts_by(Reduce::sum, box, [&](Sites& part, double& all) {
    sum_in_chunks(
        part, kernel.lanes, [&](const Sites& sites) { all += kernel.by_sites(kernel.call, sites); },
        [&](const Sites& sites) { all += kernel.by_chunks(kernel.call, sites); });
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
