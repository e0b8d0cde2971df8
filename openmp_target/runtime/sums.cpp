#include "openmp_target/runtime/sums.hpp"

#include <algorithm>
#include <vector>

#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {
namespace {

constexpr std::int64_t most_parts = std::int64_t{1} << 24;  ///< 128 MiB

std::int64_t groups_of(const RegionLaunch& launch, int sum_group) {
  return (launch.all_threads() + sum_group - 1) / sum_group;
}
int slices_of(std::int64_t groups) {
  constexpr std::int64_t parts_per_slice = 512, most = 256;
  return static_cast<int>(std::clamp(groups / parts_per_slice, std::int64_t{1}, most));
}

}  // namespace

StepSums::StepSums(const RegionLaunch& launch, int sum_group, int most_steps)
    : launch_(launch),
      sum_group_(sum_group),
      groups_(groups_of(launch, sum_group)),
      slices_(slices_of(groups_)),
      steps_(static_cast<int>(std::clamp(most_parts / groups_, std::int64_t{1}, std::int64_t{most_steps}))),
      parts_(groups_ * steps_, launch.device),
      slice_sums_(std::int64_t{slices_} * steps_, launch.device) {}

void StepSums::set_launch(const RegionLaunch& launch) {
  launch_ = launch;
  groups_ = groups_of(launch, sum_group_);
  slices_ = slices_of(groups_);
}

void StepSums::reduce(int steps, LaunchRecord* record, double* sums) const {
  const double* const parts = parts_.data();
  double* const slice_sums = slice_sums_.data();
  const std::int64_t groups = groups_, slices = slices_, items = slices * steps;
  const int device = launch_.device, threads = launch_.threads;
  const int teams = static_cast<int>(std::min<std::int64_t>(launch_.teams, items));
#pragma omp target teams is_device_ptr(parts, slice_sums, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    const std::int64_t thread = thread_number(), lane = thread % Image::sum_group;
    const std::int64_t adders = thread_count() / Image::sum_group;
    for (std::int64_t item = thread / Image::sum_group; item < items; item += adders) {
      const std::int64_t step = item / slices, slice = item % slices;
      const std::int64_t end = groups * (slice + 1) / slices;
      CompensatedSum sum;
      for (std::int64_t i = groups * slice / slices + lane; i < end; i += Image::sum_group)
        sum.add(parts[step * groups + i]);
      const double total = sum_over_group(sum.value());
      if (lane == 0) slice_sums[item] = total;
    }
  }
  std::vector<double> of_slices(static_cast<std::size_t>(items));
  slice_sums_.read(0, items, of_slices.data());
  for (int step = 0; step < steps; ++step) {
    CompensatedSum sum;
    for (int slice = 0; slice < slices_; ++slice) sum.add(of_slices[static_cast<std::size_t>(step) * slices_ + slice]);
    sums[step] = sum.value();
  }
}

}  // namespace boltzmark::openmp_target
