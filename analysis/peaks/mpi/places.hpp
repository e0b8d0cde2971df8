// Relative places of ranks, and their pairs: within a socket, across the sockets of a node, across nodes.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace boltzmark {

enum class Place { socket, sockets, nodes };
inline constexpr std::array every_place = {Place::socket, Place::sockets, Place::nodes};
inline std::string name_of_place(Place place) {
  constexpr const char* names[] = {"socket", "sockets", "nodes"};
  return names[static_cast<std::size_t>(place)];
}
inline std::string described(Place place) {
  constexpr const char* words[] = {"in a socket", "across sockets", "across nodes"};
  return words[static_cast<std::size_t>(place)];
}

/// Numbers of a rank's node and of its socket there.
struct Seat {
  int node = 0, socket = 0;
  auto operator<=>(const Seat&) const = default;
};

/// Pairs of ranks: within a socket one rank and the next; across sockets the first of one socket and the first of the
/// next, and so on; across nodes likewise.
inline std::vector<std::pair<int, int>> pairs_at(Place place, const std::vector<Seat>& seats) {
  std::map<Seat, std::vector<int>> groups;  // whose ranks are paired within, or with those of the next group
  std::vector<std::size_t> order(seats.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t rank) { return seats[rank]; });
  for (const std::size_t rank : order)
    groups[{seats[rank].node, place == Place::nodes ? 0 : seats[rank].socket}].push_back(static_cast<int>(rank));
  std::vector<std::pair<int, int>> pairs;
  for (auto at = groups.begin(); at != groups.end(); ++at) {
    const auto& [seat, group] = *at;
    for (std::size_t i = 0; place == Place::socket && i + 1 < group.size(); i += 2)
      pairs.emplace_back(group[i], group[i + 1]);
    const auto next = std::next(at);
    if (place == Place::socket || next == groups.end()) continue;
    if (place == Place::sockets && next->first.node != seat.node) continue;
    for (std::size_t i = 0; i < std::min(group.size(), next->second.size()); ++i)
      pairs.emplace_back(group[i], next->second[i]);
    at = next;
  }
  return pairs;
}

}  // namespace boltzmark
