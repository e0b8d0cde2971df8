// Columns of figures.csv that a row has among others with more or fewer workers, or on other devices.
#include "analysis/roofline/figures.hpp"

namespace boltzmark {
namespace {

using R = const Row&;

}  // namespace

FigureColumns<Row> scaling_columns() {
  const auto scaling = [](std::optional<Scaling> Row::*line, double Scaling::*figure) {
    return [=](R r) { return if_any(r.*line, figure); };
  };
  const auto fitted = [](std::optional<Scaling> Row::*line, double Scaling::Fit::*figure) {
    return [=](R r) { return r.*line ? if_any((r.*line)->fit, figure) : std::nullopt; };
  };
  return {{"strong_speed_up: over one worker, same case; for the fastest row of each number of workers",
           scaling(&Row::strong, &Scaling::speed_up)},
          {"strong_efficiency: that over the workers", scaling(&Row::strong, &Scaling::efficiency)},
          {"strong_serial_share: by Amdahl's law, fitted to the line where it has three points from one worker on",
           fitted(&Row::strong, &Scaling::Fit::serial_share)},
          {"strong_fit_residual: root of the mean square of its relative deviations",
           fitted(&Row::strong, &Scaling::Fit::residual)},
          {"strong_fit_speed_up: by that law", fitted(&Row::strong, &Scaling::Fit::speed_up)},
          {"weak_line: the case of one worker, where the slowest axis grows with the workers", &Row::weak_line},
          {"weak_speed_up: of the updates a second over one worker's", scaling(&Row::weak, &Scaling::speed_up)},
          {"weak_efficiency: that over the workers", scaling(&Row::weak, &Scaling::efficiency)},
          {"weak_serial_share: by Gustafson's law, likewise", fitted(&Row::weak, &Scaling::Fit::serial_share)},
          {"weak_fit_residual: likewise", fitted(&Row::weak, &Scaling::Fit::residual)},
          {"weak_fit_speed_up: likewise", fitted(&Row::weak, &Scaling::Fit::speed_up)},
          {"portability: Pennycook's performance portability: harmonic mean of share_of_bound over the devices that "
           "the same model, variant and setting ran this case on, of each the fastest row",
           [](R r) { return if_any(r.portability, &Portability::mean_share); }},
          {"portability_devices: how many devices that is the mean over",
           [](R r) { return if_any(r.portability, &Portability::devices); }},
          {"workers_unit: what its line of scaling has several of: ranks or threads", &Row::workers_unit},
          {"halo_share: of the time in halo exchanges, mean over ranks", &Row::halo_share},
          {"halo_share_most: of the rank that spends most", &Row::halo_share_most}};
}

}  // namespace boltzmark
