// Columns of figures.csv about the network, and about a row among others with more or fewer workers.
#include <cmath>
#include <tuple>
#include <utility>

#include "analysis/roofline/figures.hpp"

namespace boltzmark {
namespace {

using R = const Row&;

/// Columns of a row whose ranks exchange halos.
template <class Of>
auto of_halo(Of of) {
  return [of](R r) { return if_any(r.halo, [&](const HaloTraffic& halo) { return of(r, halo); }); };
}
/// Per update, over all ranks and steps.
double exchanges(R r, const HaloTraffic& halo) {
  return r.ranks * static_cast<double>(r.steps()) / halo.steps / r.work.updates;
}

}  // namespace

void predict(Row& row, const Peaks& peaks, const std::vector<Row>& rows) {
  if (!row.has_figures() || !row.part.empty()) return;
  row.halo = halo_of(*row.record, peaks.processor);
  if (!row.halo) return;
  const auto steps = static_cast<double>(row.steps());
  if (const auto seconds = exchange_seconds(*row.halo, peaks.network))
    row.network_seconds = *seconds * steps / row.halo->steps;
  const double layers = layers_of(row) / row.workers();
  const Row* const one = strip_row(row, layers, 1, 1, rows);
  if (!one || !row.network_seconds) return;
  if (const auto step = step_seconds(*row.halo, layers, layer_seconds(*one), peaks.network))
    row.predicted_seconds = *step * steps;
}

double layers_of(const Row& row) { return static_cast<double>(row.record->case_.extent.back()); }

double layer_seconds(const Row& row) {
  const auto halo = halo_settings(*row.record);
  return row.time.median / static_cast<double>(row.steps()) / layers_done(layers_of(row), halo ? halo->steps : 1);
}

const Row* strip_row(const Row& row, double layers, int ranks, int threads, const std::vector<Row>& rows) {
  const auto code_and_layer = [](const Row& one) {
    auto extent = one.record->case_.extent;
    extent.pop_back();
    return std::tuple(one.source, one.key.workload, one.key.model, one.variant, one.key.precision, one.part, extent);
  };
  const Row* found = nullptr;
  std::pair<double, bool> nearest;
  for (const Row& other : rows) {
    const bool is_elsewhere = other.halo && other.halo->place == "nodes";
    if (!other.is_done() || other.ranks != ranks || other.threads != threads || is_elsewhere) continue;
    if (other.record->case_.extent.empty() || code_and_layer(other) != code_and_layer(row)) continue;
    const std::pair distance(std::abs(std::log(layers_of(other) / layers)), case_of(other) != case_of(row));
    if (!found || distance < nearest) found = &other, nearest = distance;
  }
  return found;
}

FigureColumns<Row> network_columns() {
  return {{"halo_messages_per_update: messages between ranks per update",
           of_halo([](R r, const HaloTraffic& halo) { return halo.messages * exchanges(r, halo); })},
          {"halo_bytes_per_update (bytes): bytes of these messages per update",
           of_halo([](R r, const HaloTraffic& halo) { return halo.bytes * exchanges(r, halo); })},
          {"halo_messages: messages that a rank sends per exchange",
           of_halo([](R, const HaloTraffic& halo) { return halo.messages; })},
          {"halo_bytes (bytes): bytes of all these messages",
           of_halo([](R, const HaloTraffic& halo) { return halo.bytes; })},
          {"halo_steps: steps from one exchange to the next",
           of_halo([](R, const HaloTraffic& halo) { return 1.0 * halo.steps; })},
          {"network_seconds (s): time of a repeat's messages alone, by the network's latency and bandwidth",
           &Row::network_seconds},
          {"share_of_network: network_seconds over seconds_median: the network's roof",
           [](R r) { return if_any(r.network_seconds, [&](double seconds) { return seconds / r.time.median; }); }},
          {"predicted_seconds (s): predicted time of a repeat, from one worker's time for such a strip and the "
           "network's fits",
           &Row::predicted_seconds},
          {"prediction_error: predicted_seconds over seconds_median, less one", [](R r) {
             return if_any(r.predicted_seconds, [&](double seconds) { return seconds / r.time.median - 1.0; });
           }}};
}

FigureColumns<Row> scaling_columns() {
  const auto scaling = [](std::optional<Scaling> Row::*line, double Scaling::*figure) {
    return [=](R r) { return if_any(r.*line, figure); };
  };
  const auto fitted = [](std::optional<Scaling> Row::*line, double Scaling::Fit::*figure) {
    return [=](R r) { return r.*line ? if_any((r.*line)->fit, figure) : std::nullopt; };
  };
  return {
      {"strong_speed_up: speed-up over one worker, same case; for the fastest row of each number of workers",
       scaling(&Row::strong, &Scaling::speed_up)},
      {"strong_efficiency: that speed-up over the number of workers", scaling(&Row::strong, &Scaling::efficiency)},
      {"strong_serial_share: serial share by Amdahl's law, fitted if the line has three points or more, including "
       "one worker",
       fitted(&Row::strong, &Scaling::Fit::serial_share)},
      {"strong_fit_residual: root mean square of the fit's relative deviations",
       fitted(&Row::strong, &Scaling::Fit::residual)},
      {"strong_fit_speed_up: speed-up by that fit", fitted(&Row::strong, &Scaling::Fit::speed_up)},
      {"weak_line: the line's case for one worker; the slowest axis grows with the workers", &Row::weak_line},
      {"weak_speed_up: updates per second over those of one worker", scaling(&Row::weak, &Scaling::speed_up)},
      {"weak_efficiency: that speed-up over the number of workers", scaling(&Row::weak, &Scaling::efficiency)},
      {"weak_serial_share: serial share by Gustafson's law, likewise", fitted(&Row::weak, &Scaling::Fit::serial_share)},
      {"weak_fit_residual: likewise", fitted(&Row::weak, &Scaling::Fit::residual)},
      {"weak_fit_speed_up: likewise", fitted(&Row::weak, &Scaling::Fit::speed_up)},
      {"portability: Pennycook's performance portability: harmonic mean of share_of_bound over the devices on "
       "which the same model, variant and setting ran this case (the fastest row of each)",
       [](R r) { return if_any(r.portability, &Portability::mean_share); }},
      {"portability_devices: number of devices in that mean",
       [](R r) { return if_any(r.portability, &Portability::devices); }},
      {"workers_unit: unit of workers in its line of scaling: ranks or threads", &Row::workers_unit},
      {"halo_share: share of the time in halo exchanges, mean over ranks", &Row::halo_share},
      {"halo_share_most: share of the rank with the most", &Row::halo_share_most}};
}

}  // namespace boltzmark
