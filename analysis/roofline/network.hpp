// The network's roof: latency and seconds a byte fitted to measured messages, and by them the time of a step of ranks
// that exchange halos. docs/method/peaks.md has the formulas.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/store/peaks.hpp"

namespace boltzmark {

struct Record;

/// Weighted least squares over points of one place, way and number of pairs: each counts by its relative deviation. One
/// line, or two or three that follow one another where the Bayesian information criterion finds that better; at
/// least three points a line, no latency and no seconds a byte below zero. Fewer than three points: none.
std::vector<MessageFit> fit_messages(std::vector<MessagePoint> points);
/// Of all groups of points.
std::vector<MessageFit> fit_all(const std::vector<MessagePoint>& points);

/// By the fit for messages of that size with the most pairs at work; none where there is none.
std::optional<double> message_seconds(const NetworkPeaks& network, const std::string& place, const std::string& way,
                                      double bytes);

/// Messages of 8 bytes that are under way at once where their rate is measured.
inline constexpr int messages_at_once = 64;

/// A point of the message roofline: what a rank sends a second in so many messages between two synchronisations.
struct MessageRoof {
  std::string place, way;
  int pairs = 0, messages = 0;
  std::int64_t bytes = 0;  ///< of a message
  double gb_per_s = 0.0;
};
/// That a rank sends in an exchange; 0 of ways whose seconds are not those of whole messages.
int messages_of(const std::string& way);
/// Of each place and way with the most pairs, from 8 bytes to the longest, by the fits; one way also with more messages
/// between synchronisations, by the rate of short ones.
std::vector<MessageRoof> message_roofs(const NetworkPeaks& network);

/// How a rank exchanges its halo.
struct HaloTraffic {
  std::string place;      ///< of the ranks to one another, the farthest
  std::string method;     ///< "sendrecv", else persistent requests
  double messages = 0.0;  ///< that a rank sends in an exchange
  double bytes = 0.0;     ///< of all of them
  int steps = 1;          ///< from one exchange to the next
};

/// What the record says of it, without the place; none where it says nothing of halos, or has put them (rma), for
/// messages are what was measured.
std::optional<HaloTraffic> halo_settings(const Record& record);
/// The same of several ranks, with the place.
std::optional<HaloTraffic> halo_of(const Record& record, const ProcessorPeaks& processor);

/// Seconds of the messages of one exchange, with nothing beside them.
std::optional<double> exchange_seconds(const HaloTraffic& halo, const NetworkPeaks& network);

/// Seconds of a step of a rank with so many layers (rows, planes), each of which takes layer_seconds.
std::optional<double> step_seconds(const HaloTraffic& halo, double layers, double layer_seconds,
                                   const NetworkPeaks& network);

/// Layers that a rank updates in a step: a deep halo's, too.
inline double layers_done(double layers, int steps) { return layers + steps - 1; }

/// The fits of a network that is known by its latency and bandwidth alone: nothing of the latency costs a processor's
/// time, all bytes do.
NetworkPeaks network_of(double latency_seconds, double bytes_per_second);

}  // namespace boltzmark
