// Where ranks are to one another, and their pairs: within a socket, across the sockets of a node, across nodes.
#pragma once

#include <algorithm>
#include <array>
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
  std::vector<std::vector<int>> groups;  // whose ranks are paired within, or with those of the group behind
  std::vector<Seat> of_groups;
  std::vector<int> order(seats.size());
  for (std::size_t rank = 0; rank < seats.size(); ++rank) order[rank] = static_cast<int>(rank);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return seats[a] < seats[b]; });
  for (const int rank : order) {
    Seat seat = seats[static_cast<std::size_t>(rank)];
    if (place == Place::nodes) seat.socket = 0;
    if (of_groups.empty() || of_groups.back() != seat) of_groups.push_back(seat), groups.emplace_back();
    groups.back().push_back(rank);
  }
  std::vector<std::pair<int, int>> pairs;
  if (place == Place::socket) {
    for (const auto& group : groups)
      for (std::size_t i = 0; i + 1 < group.size(); i += 2) pairs.emplace_back(group[i], group[i + 1]);
    return pairs;
  }
  for (std::size_t g = 0; g + 1 < groups.size();) {
    if (place == Place::sockets && of_groups[g].node != of_groups[g + 1].node) {
      ++g;
      continue;
    }
    for (std::size_t i = 0; i < std::min(groups[g].size(), groups[g + 1].size()); ++i)
      pairs.emplace_back(groups[g][i], groups[g + 1][i]);
    g += 2;
  }
  return pairs;
}

/// Those of MPI_COMM_WORLD.
class PlacesOfRanks {
 public:
  PlacesOfRanks();  ///< collective

  int rank() const { return rank_; }
  int ranks() const { return static_cast<int>(seats_.size()); }
  int hosts() const;
  int pairs(Place place) const { return static_cast<int>(pairs_[static_cast<std::size_t>(place)].size()); }
  /// This rank's partner and the number of their pair; -1 where it has none.
  std::pair<int, int> partner(Place place) const;

 private:
  int rank_;
  std::vector<Seat> seats_;
  std::array<std::vector<std::pair<int, int>>, 3> pairs_;
};

}  // namespace boltzmark
