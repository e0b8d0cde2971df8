// What the model of ranks that exchange halos says of more nodes than there are here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/rows.hpp"

namespace boltzmark {

/// A node at work by itself, as it was measured.
struct NodeRate {
  double layers = 0.0;  ///< rows or planes of the case
  double layer_cells = 0.0;
  double layer_seconds = 0.0;  ///< of a layer in a step
  int workers = 1;             ///< of the node: a deep halo is no deeper than a sixteenth of each one's layers
  HaloTraffic halo;            ///< of one rank with all of the node's layers
};

/// Of a row of one node; none where it does not say what its ranks would exchange, or divides more than layers.
std::optional<NodeRate> node_rate(const Row& row);

/// Seconds of a step on so many nodes with so many layers each; none where a node has no layer.
std::optional<double> step_on_nodes(const NodeRate& node, int nodes, double layers, const NetworkPeaks& network);

/// "1.5,12": latency in microseconds and bandwidth in GB/s of one message, both above zero. Throws Error (bad_input).
NetworkPeaks parse_network(const std::string& text);

/// 1, 2, 4 ... and `most`.
std::vector<int> node_counts(int most);

}  // namespace boltzmark
