#include "mpi/lbm/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/lbm/cpu/row_costs.hpp"

namespace boltzmark::mpi {
namespace {

Extents cells_of(const lbm::Parameters& p) { return {p.nx, p.ny, p.nz}; }

/// MPI's order of dimensions: the last varies fastest from rank to rank, which is x here.
Extents reversed(const Extents& of_axes) { return {of_axes[2], of_axes[1], of_axes[0]}; }

/// A box of doubles in a larger one.
OwnedType box_type(const Extents& whole, const Extents& box, const Extents& begin) {
  const auto sizes = reversed(whole), parts = reversed(box), starts = reversed(begin);
  MPI_Datatype type;
  MPI_Type_create_subarray(3, sizes.data(), parts.data(), starts.data(), MPI_ORDER_C, MPI_DOUBLE, &type);
  return OwnedType(type);
}

Extents parse_ranks_shape(const std::string& text, const lbm::Parameters& parameters, int ranks) {
  const int dimension = parameters.dimension;
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  Extents shape = {1, 1, 1};
  std::int64_t product = 1;
  const auto sides = sides_in(text, most);
  for (std::size_t axis = 0; axis < std::min(sides.size(), shape.size()); ++axis) {
    shape[axis] = static_cast<int>(sides[axis]);
    product = std::min(product * sides[axis], most);
  }
  if (static_cast<int>(sides.size()) != dimension)
    throw bad_input("--ranks-grid: expected {}, ranks along each axis, found \"{}\"", dimension == 2 ? "AxB" : "AxBxC",
                    text);
  if (product != ranks)
    throw bad_input("--ranks-grid: expected a product of {}, the number of ranks, found \"{}\"", ranks, text);
  const auto cells = cells_of(parameters);
  for (int axis = 0; axis < dimension; ++axis)
    if (shape[axis] > cells[axis])
      throw bad_input("--ranks-grid: expected at most {} ranks along {}, one per cell, found \"{}\"", cells[axis],
                      "xyz"[axis], text);
  return shape;
}

Extents least_halo(const lbm::Parameters& parameters, int ranks) {
  const auto cells = cells_of(parameters);
  Extents best = {1, 1, 1};
  best[parameters.dimension - 1] = ranks;
  if (ranks > parameters.layers()) return best;
  // For a block: the cache lines of both its faces perpendicular to each divided axis, for each population that
  // crosses. Values of a row are contiguous; each value of a face along x takes a line.
  constexpr double values_in_line = 16.0;
  const auto halo_of = [&](const Extents& shape) {
    double halo = 0.0;
    for (int axis = 0; axis < 3; ++axis)
      if (shape[axis] > 1)
        halo += 2.0 * static_cast<double>(parameters.cells()) / ranks * shape[axis] / cells[axis] /
                (axis == 0 ? 1.0 : values_in_line);
    return halo;
  };
  for (int a = 1; a <= ranks; ++a)
    for (int b = 1; ranks % a == 0 && b <= ranks / a; ++b) {
      const Extents shape = {a, b, ranks / a / b};
      if (shape[0] * shape[1] * shape[2] != ranks) continue;
      if (a > cells[0] || b > cells[1] || shape[2] > cells[2]) continue;
      if (halo_of(shape) < halo_of(best) * (1.0 - 1e-9)) best = shape;
    }
  return best;
}

}  // namespace

void add_up_ranks(std::span<double> sums) {
  MPI_Reduce(rank_in(MPI_COMM_WORLD) == 0 ? MPI_IN_PLACE : sums.data(), sums.data(), static_cast<int>(sums.size()),
             MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

void expect_layers(const lbm::Parameters& parameters, int ranks) {
  if (ranks > parameters.layers())
    throw bad_input("expected at most one rank per {0}, found {1} ranks for {2} {0}s",
                    parameters.dimension == 2 ? "row" : "plane", ranks, parameters.layers());
}

Extents strips_of_ranks(int dimension) {
  Extents shape = {1, 1, 1};
  shape[dimension - 1] = size_of(MPI_COMM_WORLD);
  return shape;
}

std::string to_string(const Extents& shape, int dimension) {
  return fmt::format("{}", fmt::join(shape.begin(), shape.begin() + dimension, "x"));
}

ModelOption ranks_grid_option() {
  return {.name = "ranks-grid",
          .value = "AxBxC",
          .help = "ranks along x, y and z, in two dimensions AxB; default: the least halo, in cache lines"};
}

Extents asked_shape(const lbm::Parameters& parameters, const Options& asked) {
  const int ranks = size_of(MPI_COMM_WORLD);
  return asked.has("ranks-grid") ? parse_ranks_shape(asked.text("ranks-grid"), parameters, ranks)
                                 : least_halo(parameters, ranks);
}

Ranks::Ranks(const lbm::Parameters& parameters, const Extents& shape, std::span<const std::int64_t> costs)
    : cells_(cells_of(parameters)), shape_(shape), layer_axis_(parameters.dimension - 1) {
  expect_layers(parameters, shape_[layer_axis_]);
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<std::int64_t> equal(static_cast<std::size_t>(cells_[axis]), 1);
    starts_[axis] = lbm::partition_rows(axis == layer_axis_ ? costs : equal, shape_[axis]);
  }
  const auto dimensions = reversed(shape);
  const std::array<int, 3> periodic = {1, 1, 1};
  MPI_Cart_create(MPI_COMM_WORLD, 3, dimensions.data(), periodic.data(), 0, &comm_);
  rank_ = rank_in(comm_);
  MPI_Cart_coords(comm_, rank_, 3, place_.data());
  place_ = reversed(place_);
  fewest_layers_ = cells_[layer_axis_];
  for (int place = 0; place < shape_[layer_axis_]; ++place) {
    fewest_layers_ = std::min(fewest_layers_, count(layer_axis_, place));
    most_layers_ = std::max(most_layers_, count(layer_axis_, place));
  }
}

RankPair Ranks::along(int axis) const {
  RankPair pair = {comm_, 0, 0};
  MPI_Cart_shift(comm_, 2 - axis, 1, &pair.south, &pair.north);
  return pair;
}

Extents Ranks::frame() const {
  Extents frame = {};
  for (int axis = 0; axis < layer_axis_; ++axis) frame[axis] = is_divided(axis);
  return frame;
}

void Ranks::gather_field(const double* block, double* whole) const {
  const bool is_there = is_root() && block == whole;
  const Extents framed = {framed_count(0), framed_count(1), framed_count(2)};
  MPI_Request sent = MPI_REQUEST_NULL;
  const OwnedType mine = box_type(framed, {count(0), count(1), count(2)}, frame());
  if (!is_there) MPI_Isend(block, 1, mine.type(), 0, 0, comm_, &sent);
  for (int rank = is_there ? 1 : 0; is_root() && rank < size(); ++rank) {
    Extents place, from, cells;
    MPI_Cart_coords(comm_, rank, 3, place.data());
    place = reversed(place);
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = starts_[axis][place[axis]];
      cells[axis] = count(axis, place[axis]);
    }
    MPI_Recv(whole, 1, box_type(cells_, cells, from).type(), rank, 0, comm_, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

}  // namespace boltzmark::mpi
