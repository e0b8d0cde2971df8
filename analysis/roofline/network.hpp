// The network's roof: latency and seconds per byte fitted to measured messages, and the resulting time of a step of
// ranks that exchange halos. docs/method/peaks.md has the formulas.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/store/peaks.hpp"

namespace boltzmark {

struct Record;

/// Weighted least squares over points of one place, way and number of pairs: each counts by its relative deviation. One
/// line, or two or three consecutive ones if the Bayesian information criterion prefers them; at least three points per
/// line, and no latency or seconds per byte below zero. Empty for fewer than three points.
std::vector<MessageFit> fit_messages(std::vector<MessagePoint> points);
/// For all groups of points.
std::vector<MessageFit> fit_all(const std::vector<MessagePoint>& points);

/// By the fit for messages of that size with the most pairs at work; empty without one.
std::optional<double> message_seconds(const NetworkPeaks& network, const std::string& place, const std::string& way,
                                      double bytes);

/// Messages of 8 bytes in flight at once in the measurement of their rate.
inline constexpr int messages_at_once = 64;

/// A point of the message roofline: bytes per second that a rank sends in this many messages between two
/// synchronisations.
struct MessageRoof {
  std::string place, way;
  int pairs = 0, messages = 0;
  std::int64_t bytes = 0;  ///< of a message
  double gb_per_s = 0.0;
};
/// Messages that a rank sends in an exchange; 0 for patterns whose seconds are not those of whole messages.
int messages_of(const std::string& way);
/// Points for each place and pattern with the most pairs, from 8 bytes to the longest, by the fits; in one direction
/// also with more messages between synchronisations, by the rate of short ones.
std::vector<MessageRoof> message_roofs(const NetworkPeaks& network);

/// Exchange of a rank's halo.
struct HaloTraffic {
  std::string place;      ///< of the ranks to one another, the farthest
  std::string method;     ///< "sendrecv", else persistent requests
  double messages = 0.0;  ///< that a rank sends in an exchange
  double bytes = 0.0;     ///< of all of them
  int steps = 1;          ///< from one exchange to the next
};

/// The exchange in the record, without the place; empty if it has no halos, or one-sided ones (rma), because only
/// messages were measured.
std::optional<HaloTraffic> halo_settings(const Record& record);
/// The same for several ranks, with the place.
std::optional<HaloTraffic> halo_of(const Record& record, const ProcessorPeaks& processor);

/// Seconds of the messages of one exchange, without other work.
std::optional<double> exchange_seconds(const HaloTraffic& halo, const NetworkPeaks& network);

/// Seconds of a step of a rank with this many layers (rows, planes), each of which takes layer_seconds.
std::optional<double> step_seconds(const HaloTraffic& halo, double layers, double layer_seconds,
                                   const NetworkPeaks& network);

/// Layers that a rank updates in a step: a deep halo's, too.
inline double layers_done(double layers, int steps) { return layers + steps - 1; }

/// The fits of a network with only a known latency and bandwidth: bytes cost a processor's time, the latency does not.
NetworkPeaks network_of(double latency_seconds, double bytes_per_second);

}  // namespace boltzmark
