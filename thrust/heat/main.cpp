// heat-thrust: the heat equation in Thrust.
#include "thrust/on_system.hpp"

#include <array>

#include "common/heat/solver.hpp"

namespace boltzmark::by_thrust {
namespace {
using namespace heat;

/// Where cell number i of the plate is in a grid with its border.
struct Layout {
  std::int64_t width = 0, height = 0;
  KERNEL_FN std::int64_t pitch() const { return width + 2; }
  KERNEL_FN std::int64_t row(std::int64_t y) const { return (y + 1) * pitch() + 1; }
  KERNEL_FN std::int64_t at(std::int64_t i) const { return row(i / width) + i % width; }
};

/// Two grids with their borders; row 0 and column 0 are border.
template <class T>
class Grids : public OnSystem<Solver> {
 public:
  using OnSystem<Solver>::OnSystem;

  void init(const Plate& plate, int) override {
    layout_ = {plate.width, plate.height};
    now_ = 0;
    std::vector<T> host(static_cast<std::size_t>(layout_.pitch() * (plate.height + 2)));
    for (std::int64_t row = -1; row <= plate.height; ++row) plate.fill(row, host.data() + layout_.row(row) - 1);
    for (auto& grid : grids_) {
      grid = Values<T>(host.size());
      fill_with(grid, T(0));
      thrust::copy(host.begin(), host.end(), grid.begin());
    }
  }
  void collect() override { host_ = on_host(grids_[now_]); }
  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(host_.data() + layout_.row(row), values.size(), values.begin());
  }

 protected:
  Layout layout_;
  std::size_t now_ = 0;  ///< the grid that holds the temperatures of now
  std::array<Values<T>, 2> grids_;

 private:
  std::vector<T> host_;
};

/// Textbook: the two loops of a step, each over all cells, the second a transform_reduce.
///
///     work = 0.2 (centre + north + south + west + east)
///     delta += |work - centre|;   centre = work
template <class T>
class Textbook : public Grids<T> {
 public:
  using Grids<T>::Grids;

  struct ToWork {
    Layout layout;
    const T* plate;
    T* work;
    KERNEL_FN void operator()(std::int64_t i) const {
      const std::int64_t at = layout.at(i), pitch = layout.pitch();
      work[at] = T(0.2) * (plate[at] + plate[at - pitch] + plate[at + pitch] + plate[at - 1] + plate[at + 1]);
    }
  };
  struct ToPlate {
    Layout layout;
    const T* work;
    T* plate;
    KERNEL_FN double operator()(std::int64_t i) const {
      const std::int64_t at = layout.at(i);
      const T change = absolute(work[at] - plate[at]);
      plate[at] = work[at];
      return static_cast<double>(change);
    }
  };

  void advance(std::span<double> deltas) override {
    T *const plate = data_of(this->grids_[0]), *const work = data_of(this->grids_[1]);
    const thrust::counting_iterator<std::int64_t> first(0), last(this->layout_.width * this->layout_.height);
    for (double& delta : deltas) {
      thrust::for_each(on_system(), first, last, ToWork{this->layout_, plate, work});
      delta = thrust::transform_reduce(on_system(), first, last, ToPlate{this->layout_, work, plate}, 0.0,
                                       thrust::plus<double>());
    }
  }

  /// The work array is written and read, the plate read twice and written.
  RunFacts facts() const override { return this->on_system_of({.bytes_per_update = 5.0 * sizeof(T)}); }
};

/// Cells from `from` on, as many as Real has values, to `to`, in rows of `pitch` values: returns the sum of their changes.
template <class Real, class T>
KERNEL_FN double update_cells(const T* from, T* to, std::int64_t pitch) {
  const Real centre = load<Real>(from), sides = load<Real>(from - 1) + load<Real>(from + 1);
  const Real next = (centre + (load<Real>(from - pitch) + load<Real>(from + pitch)) + sides) * T(0.2);
  store(next, to);
  return sum_of_lanes(absolute(next - centre));
}

/// Rows: one transform to sums a step, over rows that a processor takes in vectors, or over a GPU's cells; the grids
/// change places.
template <class T>
class Rows : public Grids<T> {
 public:
  using Grids<T>::Grids;

  struct Update {
    Layout layout;
    const T* from;
    T* to;
    KERNEL_FN double operator()(std::int64_t number) const {
      const std::int64_t pitch = layout.pitch();
      if constexpr (is_gpu) {
        const std::int64_t at = layout.at(number);
        return update_cells<T>(from + at, to + at, pitch);
      }
      const std::int64_t row = layout.row(number), in_vectors = layout.width / lanes_of<T> * lanes_of<T>;
      double delta = 0.0;
      for (std::int64_t x = 0; x < in_vectors; x += lanes_of<T>)
        delta += update_cells<Lanes<T>>(from + row + x, to + row + x, pitch);
      for (std::int64_t x = in_vectors; x < layout.width; ++x)
        delta += update_cells<T>(from + row + x, to + row + x, pitch);
      return delta;
    }
  };

  void advance(std::span<double> deltas) override {
    const std::int64_t count = is_gpu ? this->layout_.width * this->layout_.height : this->layout_.height;
    for (double& delta : deltas) {
      auto &from = this->grids_[this->now_], &to = this->grids_[1 - this->now_];
      delta = joined<double>(count, Update{this->layout_, data_of(from), data_of(to)}, thrust::plus<double>());
      this->now_ = 1 - this->now_;
    }
  }

  RunFacts facts() const override {
    return this->on_system_of({.bytes_per_update = 2.0 * sizeof(T), .settings = {{"vvl", lanes_of<T>}}});
  }
};

const Variant textbook =
    textbook_of<Solver, Textbook>("a for_each and a transform_reduce over all cells, to a work array and back");
const Variant rows = like_for_like_of<Solver, Rows>(
    "rows", "one transform to sums a step, over rows in vectors, or a GPU's cells; the grids change places");

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, {textbook, rows}, "rows");
}
