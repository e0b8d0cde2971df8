#include "analysis/roofline/network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "analysis/support/json.hpp"
#include "common/base/ranges.hpp"
#include "common/run/record.hpp"

namespace boltzmark {
namespace {

constexpr std::size_t least_of_line = 3, most_lines = 3;
constexpr std::int64_t least_roof_bytes = 8;

/// A line through points [begin, end), and the sum of the squares of its relative deviations.
struct Line {
  std::size_t begin = 0, end = 0;
  double latency = 0.0, a_byte = 0.0, squares = std::numeric_limits<double>::infinity();
};

Line line_through(const std::vector<MessagePoint>& points, std::size_t begin, std::size_t end) {
  double w = 0.0, wx = 0.0, wy = 0.0, wxx = 0.0, wxy = 0.0;
  for (std::size_t i = begin; i < end; ++i) {
    const double x = static_cast<double>(points[i].bytes), y = points[i].least, weight = 1.0 / (y * y);
    w += weight, wx += weight * x, wy += weight * y, wxx += weight * x * x, wxy += weight * x * y;
  }
  Line line = {begin, end, 0.0, 0.0, 0.0};
  const double spread = w * wxx - wx * wx;
  line.a_byte = spread > 0.0 ? std::max(0.0, (w * wxy - wx * wy) / spread) : 0.0;
  line.latency = (wy - line.a_byte * wx) / w;
  if (line.latency < 0.0) line.latency = 0.0, line.a_byte = wxy / wxx;
  for (std::size_t i = begin; i < end; ++i) {
    const double fitted = line.latency + line.a_byte * static_cast<double>(points[i].bytes);
    line.squares += std::pow(fitted / points[i].least - 1.0, 2);
  }
  return line;
}

double squares_of(const std::vector<Line>& lines) {
  return std::accumulate(lines.begin(), lines.end(), 0.0, [](double sum, const Line& l) { return sum + l.squares; });
}

/// This many best lines through the points from `begin` on.
std::vector<Line> best_lines(const std::vector<MessagePoint>& points, std::size_t begin, std::size_t lines) {
  if (lines == 1) return {line_through(points, begin, points.size())};
  std::vector<Line> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t end = begin + least_of_line; end + (lines - 1) * least_of_line <= points.size(); ++end) {
    std::vector<Line> rest = best_lines(points, end, lines - 1);
    rest.insert(rest.begin(), line_through(points, begin, end));
    if (const double squares = squares_of(rest); squares < least) least = squares, best = std::move(rest);
  }
  return best;
}

/// For messages of that size with the most pairs at work, or nullptr.
const MessageFit* find_fit(const NetworkPeaks& network, const std::string& place, const std::string& way,
                           double bytes) {
  // The longest messages begin the line that they are on, and those that are shorter than all are on the first.
  return find_highest(
      network.fits, [&](const MessageFit& fit) { return fit.place == place && fit.way == way; },
      [bytes](const MessageFit& fit) {
        return std::pair(fit.pairs, static_cast<double>(fit.from_bytes) <= bytes ? fit.from_bytes : -1);
      });
}

/// From one of many short messages to the next: without the first one's time, and the answer's, of messages_at_once.
std::optional<double> seconds_between(const NetworkPeaks& network, const std::string& place, int pairs) {
  const MessageFit* const fit = find_fit(network, place, "one", 8.0);
  for (const MessageRate& rate : network.rates)
    if (fit && rate.place == place && rate.pairs == pairs && rate.per_second.maximum > 0.0)
      return std::max(0.0, messages_at_once / rate.per_second.maximum - 2.0 * fit->seconds(8.0)) /
             (messages_at_once - 1);
  return std::nullopt;
}

}  // namespace

std::vector<MessageFit> fit_messages(std::vector<MessagePoint> points) {
  std::erase_if(points, [](const MessagePoint& point) { return !(point.least > 0.0); });
  std::ranges::sort(points, [](const MessagePoint& a, const MessagePoint& b) { return a.bytes < b.bytes; });
  if (points.size() < least_of_line) return {};
  const double n = static_cast<double>(points.size());
  std::vector<Line> chosen;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t lines = 1; lines <= most_lines && lines * least_of_line <= points.size(); ++lines) {
    const std::vector<Line> found = best_lines(points, 0, lines);
    // Two values a line, and a place where the next one begins. No measurement is more accurate than 1 in 1000.
    const double values = 3.0 * static_cast<double>(lines) - 1.0,
                 criterion = n * std::log(std::max(squares_of(found) / n, 1e-6)) + values * std::log(n);
    if (criterion < least) least = criterion, chosen = found;
  }
  std::vector<MessageFit> fits;
  for (const Line& line : chosen) {
    const MessagePoint& first = points[line.begin];
    fits.push_back({first.place, first.way, first.pairs, first.bytes, points[line.end - 1].bytes, line.latency,
                    line.a_byte, std::sqrt(line.squares / static_cast<double>(line.end - line.begin))});
  }
  return fits;
}

std::vector<MessageFit> fit_all(const std::vector<MessagePoint>& points) {
  std::map<std::tuple<std::string, std::string, int>, std::vector<MessagePoint>> groups;
  for (const MessagePoint& point : points) groups[{point.place, point.way, point.pairs}].push_back(point);
  std::vector<MessageFit> fits;
  for (const auto& [key, group] : groups)
    for (MessageFit& fit : fit_messages(group)) fits.push_back(std::move(fit));
  return fits;
}

std::optional<double> message_seconds(const NetworkPeaks& network, const std::string& place, const std::string& way,
                                      double bytes) {
  const MessageFit* const fit = find_fit(network, place, way, bytes);
  return fit ? std::optional(fit->seconds(bytes)) : std::nullopt;
}

int messages_of(const std::string& way) { return way == "halo" ? 2 : way == "one" || way == "both" ? 1 : 0; }

std::vector<MessageRoof> message_roofs(const NetworkPeaks& network) {
  std::map<std::pair<std::string, std::string>, std::pair<int, std::int64_t>> longest;
  for (const MessageFit& fit : network.fits)
    if (messages_of(fit.way) > 0) {
      auto& most = longest[{fit.place, fit.way}];
      most = std::max(most, {fit.pairs, fit.to_bytes});
    }
  std::vector<MessageRoof> roofs;
  for (const auto& [where, most] : longest) {
    const auto& [place, way] = where;
    const auto& [pairs, most_bytes] = most;
    const auto gap = way == "one" ? seconds_between(network, place, pairs) : std::nullopt;
    for (const int more : {1, 4, 16, messages_at_once}) {
      if (more > 1 && !gap) break;
      const int messages = more * messages_of(way);
      for (std::int64_t bytes = least_roof_bytes; bytes <= most_bytes; bytes *= 2) {
        const auto size = static_cast<double>(bytes);
        const MessageFit& fit = *find_fit(network, place, way, size);
        const double seconds = fit.seconds(size) + (more - 1) * std::max(gap.value_or(0.0), size * fit.seconds_a_byte);
        if (seconds > 0.0) roofs.push_back({place, way, pairs, messages, bytes, 1e-9 * messages * size / seconds});
      }
    }
  }
  return roofs;
}

std::optional<HaloTraffic> halo_settings(const Record& record) {
  if (!record.settings.is_object()) return std::nullopt;
  HaloTraffic halo = {.place = "",
                      .method = record.settings.value("halo", ""),
                      .messages = number_in(record.settings, "halo_messages").value_or(0.0),
                      .bytes = number_in(record.settings, "halo_bytes").value_or(0.0)};
  if (halo.messages <= 0.0) return std::nullopt;
  if (halo.method == "rma") return std::nullopt;  // puts were not measured
  halo.steps = static_cast<int>(std::max<std::int64_t>(1, record.work.steps_per_launch));
  return halo;
}

std::optional<HaloTraffic> halo_of(const Record& record, const ProcessorPeaks& processor) {
  auto halo = halo_settings(record);
  if (!halo || record.ranks < 2) return std::nullopt;
  halo->place = "socket";
  if (number_in(record.settings, "hosts").value_or(0.0) > 1.0)
    halo->place = "nodes";
  else if (processor.sockets > 1 && record.ranks * record.threads > processor.cores_of_socket)
    halo->place = "sockets";
  return halo;
}

std::optional<double> exchange_seconds(const HaloTraffic& halo, const NetworkPeaks& network) {
  const double bytes = halo.bytes / halo.messages;
  const bool is_one_by_one = halo.method == "sendrecv";
  const auto seconds = message_seconds(network, halo.place, is_one_by_one ? "both" : "halo", bytes);
  if (!seconds) return std::nullopt;
  return *seconds * halo.messages / (is_one_by_one ? 1.0 : 2.0);
}

std::optional<double> step_seconds(const HaloTraffic& halo, double layers, double layer_seconds,
                                   const NetworkPeaks& network) {
  const auto exchange = exchange_seconds(halo, network);
  if (!exchange) return std::nullopt;
  const double steps = halo.steps, work = steps * layers_done(layers, halo.steps) * layer_seconds;
  // All rows except those at the ends; with a deep halo the rows that do not need it, one fewer at either end with each
  // step.
  const bool is_deep = halo.steps > 1;
  const double inside = is_deep ? layers - 2.0 * (steps + 1.0) : layers - 2.0;
  if (halo.method == "sendrecv" || inside < (is_deep ? 2.0 * steps : 1.0)) return (work + *exchange) / steps;
  const double rounds = 0.5 * halo.messages;
  const auto visible = message_seconds(network, halo.place, is_deep ? "polled" : "behind", halo.bytes / halo.messages);
  const double hidden_by = steps * (inside - (steps - 1.0)) * layer_seconds;
  const double beside = work + rounds * visible.value_or(0.0);
  return std::max(beside, work - hidden_by + *exchange) / steps;
}

NetworkPeaks network_of(double latency_seconds, double bytes_per_second) {
  NetworkPeaks network;
  network.ranks = network.hosts = 2;
  for (const auto& [way, messages, latency] : {std::tuple("one", 1.0, latency_seconds),
                                               {"both", 1.0, latency_seconds},
                                               {"halo", 2.0, latency_seconds},
                                               {"behind", 2.0, 0.0},
                                               {"polled", 2.0, 0.0}})
    network.fits.push_back(
        {"nodes", way, 1, 0, std::numeric_limits<std::int64_t>::max(), latency, messages / bytes_per_second, 0.0});
  return network;
}

}  // namespace boltzmark
