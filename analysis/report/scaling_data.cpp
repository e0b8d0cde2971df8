#include "analysis/report/scaling_data.hpp"

#include <fmt/format.h>

#include "analysis/report/plot_words.hpp"
#include "analysis/report/scaling_lines.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

json optional(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

json series_of(const ScalingGroup& group) {
  json series = json::array();
  for (const ScalingLine& line : group.lines) {
    json points = json::array();
    for (const auto& [workers, row] : line.points)
      points.push_back({{"workers", workers},
                        {"mlups", row->mlups},
                        {"min", row->mlups * row->median / row->maximum},
                        {"max", row->mlups * row->median / row->minimum},
                        {"halo_share", optional(row->halo_share)},
                        {"halo_share_most", optional(row->halo_share_most)}});
    series.push_back(
        {{"model", line.model}, {"variant", line.variant}, {"unit", line.unit()}, {"points", points}});
  }
  return series;
}

}  // namespace

json scaling_data(const Comparison& comparison) {
  json list = json::array();
  for (const ScalingGroup& group : scaling_groups(comparison)) {
    const char* const weak = group.is_weak ? "weak-" : "";
    list.push_back(
        {{"id",
          file_name(fmt::format("scaling-{}{}-{}-{}", weak, group.problem, group.steps, group.precision))},
         {"title", fmt::format("{}{}, {} steps, {}", group.problem, group.is_weak ? " for each worker" : "",
                               group.steps, precision_words(group.precision))},
         {"problem", group.problem},
         {"precision", group.precision},
         {"kind", group.is_weak ? "weak" : "strong"},
         {"series", series_of(group)}});
  }
  return list;
}

}  // namespace boltzmark
