// SUMMA (van de Geijn and Watts 1997): the ranks are a grid, each has a block of A, B and C. For each panel along k,
// the ranks that have it broadcast their part of A's columns along rows of the grid, and of B's rows along columns of
// it; then each rank adds the product of the two panels to its block of C, with packed panels
// (common/matmul/cpu/packed.hpp).
//
//                      B  ------ panel rows go down ------
//     A  |panel|       C  c c | c c      for all panels
//        |cols |          c c | c c        c_block += a_panel * b_panel
//        |go   |          ----+----
//        |right|          c c | c c
//
// While a panel is multiplied, the next one is on its way. Any number of ranks: the grid is as square as that number
// allows, and a panel ends where an owner of A's columns or B's rows does.
#include "common/matmul/cpu/packed.hpp"

#include <array>

#include "common/run/vector_lengths.hpp"
#include "mpi/matmul/rank_grid.hpp"
#include "mpi/matmul/rank_multiplier.hpp"

namespace boltzmark::mpi {
using namespace matmul;
namespace {

/// Where MPI was built with threads, the barrier of a rank's own.
inline void wait_for_threads() {
#ifdef _OPENMP
#pragma omp barrier
#endif
}

template <class T, int lanes>
class Summa : public RankMultiplier<T> {
 public:
  using RankMultiplier<T>::RankMultiplier;

  void init(const Shape& shape, const Entries& entries) override {
    shape_ = shape;
    panels_ = grid_.panels(shape.k, panel_depth);
    const Block mine = block_of(rank_);
    my_a_ = part_of(shape.k, grid_.column_of(rank_), grid_.columns());
    my_b_ = part_of(shape.k, grid_.row_of(rank_), grid_.rows());
    this->make_blocks(shape, entries, {mine.rows, my_a_}, {my_b_, mine.columns}, mine);
    for (int half = 0; half < 2; ++half) {
      a_panels_[half] = AlignedArray<T>(static_cast<std::size_t>(mine.rows.size() * panel_depth));
      b_panels_[half] = AlignedArray<T>(static_cast<std::size_t>(panel_depth * mine.columns.size()));
    }
    packed_.emplace(Shape{mine.rows.size(), mine.columns.size(), std::min(panel_depth, shape.k)}, threads_);
  }

  void multiply() override {
    if (!panels_.empty()) send(0);
    for (std::size_t number = 0; number < panels_.size(); ++number) {
      MPI_Waitall(2, requests_[number % 2].data(), MPI_STATUSES_IGNORE);
      if (number + 1 < panels_.size()) send(number + 1);
      const std::int64_t m = rows(), n = columns(), k = panels_[number].depth.size();
      const Operands<T> operands = {
          {m, n, k}, a_panels_[number % 2].data(), k, b_panels_[number % 2].data(), n, this->c_.data(), n};
      on_threads(threads_, [&](int me) { packed_->multiply(operands, number > 0, me, wait_for_threads); });
    }
  }

  RunFacts facts() const override {
    Settings settings = packed_->settings();
    settings["ranks_grid"] = fmt::format("{}x{}", grid_.rows(), grid_.columns());
    const std::int64_t m = std::max<std::int64_t>(1, rows()), n = std::max<std::int64_t>(1, columns());
    ProductTraffic traffic = this->traffic();
    return this->on_machine({.bytes_per_update = packed_->bytes_per_element({m, n, shape_.k}, packed_->blocks()),
                             .traffic = packed_->add_traffic(traffic, ranks_ * threads_, ranks_).sets(),
                             .settings = settings});
  }

 private:
  using RankMultiplier<T>::rank_, RankMultiplier<T>::ranks_, RankMultiplier<T>::shape_, RankMultiplier<T>::threads_;
  static constexpr std::int64_t panel_depth = 384;

  Block block_of(int rank) const override { return grid_.block_of(shape_, rank); }
  /// Of this rank's block of C.
  std::int64_t rows() const { return this->block_of_c_.rows.size(); }
  std::int64_t columns() const { return this->block_of_c_.columns.size(); }

  /// Begins the broadcasts of a panel.
  void send(std::size_t number) {
    const Panel& panel = panels_[number];
    const std::int64_t m = rows(), n = columns(), k = panel.depth.size();
    T *const a = a_panels_[number % 2].data(), *const b = b_panels_[number % 2].data();
    if (grid_.column_of(rank_) == panel.owner_of_a)
      for (std::int64_t row = 0; row < m; ++row)
        std::copy_n(this->a_.data() + row * my_a_.size() + panel.depth.begin - my_a_.begin, k, a + row * k);
    if (grid_.row_of(rank_) == panel.owner_of_b)
      std::copy_n(this->b_.data() + (panel.depth.begin - my_b_.begin) * n, k * n, b);
    broadcast(a, m, k, panel.owner_of_a, grid_.of_row(), &requests_[number % 2][0]);
    broadcast(b, k, n, panel.owner_of_b, grid_.of_column(), &requests_[number % 2][1]);
  }

  /// Whole rows of `columns` values, as a type of their own, so that no count is beyond an int.
  static void broadcast(T* values, std::int64_t rows, std::int64_t columns, int root, MPI_Comm ranks,
                        MPI_Request* request) {
    *request = MPI_REQUEST_NULL;
    if (rows == 0 || columns == 0) return;  // of none of these ranks: the matrices are smaller than the grid
    const OwnedType row(static_cast<int>(columns), value_type<T>());
    MPI_Ibcast(values, static_cast<int>(rows), row.type(), root, ranks, request);
  }

  RankGrid grid_{rank_, ranks_};
  Range my_a_, my_b_;  ///< columns of A and rows of B that this rank has
  std::vector<Panel> panels_;
  std::array<AlignedArray<T>, 2> a_panels_, b_panels_;
  std::array<std::array<MPI_Request, 2>, 2> requests_ = {};
  std::optional<Packed<T, lanes>> packed_;
};

}  // namespace

extern const Variant summa = {.name = "summa",
                              .summary = "blocks over a grid of ranks, panels broadcast along its rows and columns",
                              .role = Role::like_for_like,
                              .options = {threads_option("1"), vector_length_option()},
                              .make = made_of_vvl<Multiplier, Summa>};

}  // namespace boltzmark::mpi
