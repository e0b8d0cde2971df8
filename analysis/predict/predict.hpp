// Predictions for more nodes than are available here, by the halo-exchange model, and for more cores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/rows.hpp"

namespace boltzmark {

/// A single node, as measured.
struct NodeRate {
  double layers = 0.0;  ///< rows or planes of the case
  double layer_cells = 0.0;
  double layer_seconds = 0.0;  ///< of a layer in a step
  int workers = 1;             ///< of the node: a deep halo is at most a sixteenth of each one's layers
  HaloTraffic halo;            ///< of one rank with all of the node's layers
};

/// From a row of one node; empty if it does not state the exchanges of its ranks, or divides more than layers.
std::optional<NodeRate> node_rate(const Row& row);

/// Seconds of a step on this many nodes with this many layers each; empty if a node has no layer.
std::optional<double> step_on_nodes(const NodeRate& node, int nodes, double layers, const NetworkPeaks& network);

/// A time on a number of cores, and Amdahl's law fitted to several: `serial` seconds, and `parallel` seconds that cores
/// divide among them.
struct CoreTime {
  int cores;
  double seconds;
};
struct AmdahlFit {
  double serial, parallel;
  double seconds_on(int cores) const { return serial + parallel / cores; }
};
/// Least squares of the relative deviations, neither below zero; from a single time all is parallel.
AmdahlFit amdahl_fit(const std::vector<CoreTime>& measured);

/// "1.5,12": latency in microseconds and bandwidth in GB/s of one message, both above zero. Throws Error (bad_input).
NetworkPeaks parse_network(const std::string& text);

}  // namespace boltzmark
