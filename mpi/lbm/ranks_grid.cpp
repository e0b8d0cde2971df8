#include "mpi/lbm/ranks_grid.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "mpi/lbm/ranks.hpp"

namespace boltzmark::mpi {
namespace {

std::array<int, 3> cells_of(const lbm::Parameters& p) { return {p.nx, p.ny, p.nz}; }

/// MPI's order of dimensions: the last varies fastest from rank to rank, which is x here.
std::array<int, 3> reversed(const std::array<int, 3>& of_axes) {
  return {of_axes[2], of_axes[1], of_axes[0]};
}

/// A box of doubles in a larger one.
class BoxType {
 public:
  BoxType(const std::array<int, 3>& whole, const std::array<int, 3>& box, const std::array<int, 3>& begin) {
    const auto sizes = reversed(whole), parts = reversed(box), starts = reversed(begin);
    MPI_Type_create_subarray(3, sizes.data(), parts.data(), starts.data(), MPI_ORDER_C, MPI_DOUBLE, &type_);
    MPI_Type_commit(&type_);
  }
  BoxType(const BoxType&) = delete;
  BoxType& operator=(const BoxType&) = delete;
  ~BoxType() { MPI_Type_free(&type_); }
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

std::string to_string(const RanksShape& shape, int dimension) {
  return dimension == 2 ? fmt::format("{}x{}", shape[0], shape[1])
                        : fmt::format("{}x{}x{}", shape[0], shape[1], shape[2]);
}

RanksShape parse_ranks_shape(const std::string& text, const lbm::Parameters& parameters, int ranks) {
  const int dimension = parameters.dimension;
  RanksShape shape = {1, 1, 1};
  std::int64_t product = 1;
  const auto numbers = split(text, 'x');
  bool is_shape = static_cast<int>(numbers.size()) == dimension;
  for (int axis = 0; is_shape && axis < dimension; ++axis) {
    shape[axis] = parse_number<int>(numbers[axis]).value_or(0);
    is_shape = shape[axis] > 0;
    product = std::min<std::int64_t>(product * shape[axis], 1 << 30);
  }
  if (!is_shape)
    throw bad_input("--ranks-grid: expected {}, ranks along each axis, found \"{}\"",
                    dimension == 2 ? "AxB" : "AxBxC", text);
  if (product != ranks)
    throw bad_input("--ranks-grid: expected a product of {}, the number of ranks, found \"{}\"", ranks, text);
  const auto cells = cells_of(parameters);
  for (int axis = 0; axis < dimension; ++axis)
    if (shape[axis] > cells[axis])
      throw bad_input("--ranks-grid: expected at most {} ranks along {}, one per cell, found \"{}\"",
                      cells[axis], "xyz"[axis], text);
  return shape;
}

RanksShape least_halo(const lbm::Parameters& parameters, int ranks) {
  const auto cells = cells_of(parameters);
  RanksShape best = {1, 1, 1};
  best[parameters.dimension - 1] = ranks;
  if (ranks > parameters.layers()) return best;
  // Of a block: the cache lines of both its faces at right angles to each axis that is divided, for each population
  // that crosses. Those of a row lie together, those of a face along x each in a line of their own.
  constexpr double values_in_line = 16.0;
  const auto halo_of = [&](const RanksShape& shape) {
    double halo = 0.0;
    for (int axis = 0; axis < 3; ++axis)
      if (shape[axis] > 1)
        halo += 2.0 * static_cast<double>(parameters.cells()) / ranks * shape[axis] / cells[axis] /
                (axis == 0 ? 1.0 : values_in_line);
    return halo;
  };
  for (int a = 1; a <= ranks; ++a)
    for (int b = 1; ranks % a == 0 && b <= ranks / a; ++b) {
      const RanksShape shape = {a, b, ranks / a / b};
      if (shape[0] * shape[1] * shape[2] != ranks) continue;
      if (a > cells[0] || b > cells[1] || shape[2] > cells[2]) continue;
      if (halo_of(shape) < halo_of(best) * (1.0 - 1e-9)) best = shape;
    }
  return best;
}

bool is_strips(const RanksShape& shape, int dimension) {
  return shape[0] == 1 && (dimension == 2 || shape[1] == 1);
}

RanksGrid::RanksGrid(const lbm::Parameters& parameters, const RanksShape& shape)
    : cells_(cells_of(parameters)), shape_(shape) {
  const auto dimensions = reversed(shape);
  const std::array<int, 3> periodic = {1, 1, 1};
  MPI_Cart_create(MPI_COMM_WORLD, 3, dimensions.data(), periodic.data(), 0, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Cart_coords(comm_, rank_, 3, place_.data());
  place_ = reversed(place_);
}

RankPair RanksGrid::along(int axis) const {
  RankPair pair = {comm_, 0, 0};
  MPI_Cart_shift(comm_, 2 - axis, 1, &pair.south, &pair.north);
  return pair;
}

void RanksGrid::add_up(std::span<double> sums) const { add_up_ranks(sums, comm_); }

void RanksGrid::gather_field(const std::vector<double>& block, const std::array<int, 3>& frame,
                             std::vector<double>& whole) const {
  std::array<int, 3> own, framed;
  for (int axis = 0; axis < 3; ++axis) {
    own[axis] = count(axis);
    framed[axis] = own[axis] + 2 * frame[axis];
  }
  const BoxType mine(framed, own, frame);
  MPI_Request sent;
  MPI_Isend(block.data(), 1, mine.type(), 0, 0, comm_, &sent);
  for (int rank = 0; is_root() && rank < size(); ++rank) {
    std::array<int, 3> place, from, cells;
    MPI_Cart_coords(comm_, rank, 3, place.data());
    place = reversed(place);
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = begin(axis, place[axis]);
      cells[axis] = begin(axis, place[axis] + 1) - from[axis];
    }
    const BoxType its(cells_, cells, from);
    MPI_Recv(whole.data(), 1, its.type(), rank, 0, comm_, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

}  // namespace boltzmark::mpi
