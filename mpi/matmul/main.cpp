// matmul-mpi: the product of matrices in blocks over ranks, each with its processors or its device.
#include <array>

#include "common/matmul/cpu/packed.hpp"
#include "common/matmul/multiplier.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/matmul/rank_grid.hpp"
#include "mpi/matmul/rank_multiplier.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
extern const matmul::Variant textbook;
Program device_summa();
namespace {
using namespace matmul;

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
// While a panel is multiplied, the next one is transferred. Any number of ranks is allowed: the grid is as square as
// possible, and a panel ends where the part of an owner of A's columns or B's rows ends.
/// If MPI was built with threads, the barrier of a rank's own threads.
inline void wait_for_threads() {
#ifdef _OPENMP
#pragma omp barrier
#endif
}

template <class T, int lanes>
class Panels {
 public:
  explicit Panels(const Workers& workers) : rank_(workers.rank), grid_(workers.rank, workers.ranks) {}

  Block block_of_c(const Shape& shape, int rank) const { return grid_.block_of(shape, rank); }
  Block block_of_a(const Shape& shape) const {
    return {block_of_c(shape, rank_).rows, part_of(shape.k, grid_.column_of(rank_), grid_.columns())};
  }
  Block block_of_b(const Shape& shape) const {
    return {part_of(shape.k, grid_.row_of(rank_), grid_.rows()), block_of_c(shape, rank_).columns};
  }
  void init(const Matrices<T>& of, const Workers& workers) {
    const std::int64_t m = of.block_of_c.rows.size(), n = of.block_of_c.columns.size();
    panels_ = grid_.panels(of.shape.k, panel_depth);
    for (int half = 0; half < 2; ++half) {
      a_panels_[half] = AlignedArray<T>(static_cast<std::size_t>(m * panel_depth));
      b_panels_[half] = AlignedArray<T>(static_cast<std::size_t>(panel_depth * n));
    }
    packed_.emplace(Shape{m, n, std::min(panel_depth, of.shape.k)}, workers.count);
  }

  void multiply(Matrices<T>& of, const Workers& workers) {
    const std::int64_t m = of.block_of_c.rows.size(), n = of.block_of_c.columns.size();
    if (!panels_.empty()) send(of, 0);
    for (std::size_t number = 0; number < panels_.size(); ++number) {
      MPI_Waitall(2, requests_[number % 2].data(), MPI_STATUSES_IGNORE);
      if (number + 1 < panels_.size()) send(of, number + 1);
      const std::int64_t k = panels_[number].depth.size();
      const Operands<T> operands = {
          {m, n, k}, a_panels_[number % 2].data(), k, b_panels_[number % 2].data(), n, of.c.data(), n};
      on_threads(workers.count, [&](int me) { packed_->multiply(operands, number > 0, me, wait_for_threads); });
    }
  }

  RunFacts facts(const Matrices<T>& of, const Workers& workers) const {
    Settings settings = packed_->settings();
    settings["ranks_grid"] = fmt::format("{}x{}", grid_.rows(), grid_.columns());
    const std::int64_t m = std::max<std::int64_t>(1, of.block_of_c.rows.size()),
                       n = std::max<std::int64_t>(1, of.block_of_c.columns.size());
    ProductTraffic traffic = of.traffic(workers);
    packed_->add_traffic(traffic, workers.ranks * workers.count, workers.ranks);
    return {.bytes_per_update = packed_->bytes_per_element({m, n, of.shape.k}, packed_->blocks()),
            .traffic = traffic.sets(),
            .settings = settings};
  }

 private:
  static constexpr std::int64_t panel_depth = 384;

  /// Begins the broadcasts of a panel.
  void send(const Matrices<T>& of, std::size_t number) {
    const Panel& panel = panels_[number];
    const std::int64_t m = of.block_of_c.rows.size(), n = of.block_of_c.columns.size(), k = panel.depth.size();
    const Range my_a = block_of_a(of.shape).columns, my_b = block_of_b(of.shape).rows;
    T *const a = a_panels_[number % 2].data(), *const b = b_panels_[number % 2].data();
    if (grid_.column_of(rank_) == panel.owner_of_a)
      for (std::int64_t row = 0; row < m; ++row)
        std::copy_n(of.a.data() + row * my_a.size() + panel.depth.begin - my_a.begin, k, a + row * k);
    if (grid_.row_of(rank_) == panel.owner_of_b)
      std::copy_n(of.b.data() + (panel.depth.begin - my_b.begin) * n, k * n, b);
    broadcast(a, m, k, panel.owner_of_a, grid_.of_row(), &requests_[number % 2][0]);
    broadcast(b, k, n, panel.owner_of_b, grid_.of_column(), &requests_[number % 2][1]);
  }

  /// Whole rows of `columns` values, as a separate type, so that counts fit in an int.
  static void broadcast(T* values, std::int64_t rows, std::int64_t columns, int root, MPI_Comm ranks,
                        MPI_Request* request) {
    *request = MPI_REQUEST_NULL;
    if (rows == 0 || columns == 0) return;  // of none of these ranks: the matrices are smaller than the grid
    const OwnedType row(static_cast<int>(columns), value_type<T>());
    MPI_Ibcast(values, static_cast<int>(rows), row.type(), root, ranks, request);
  }

  int rank_;
  RankGrid grid_;
  std::vector<Panel> panels_;
  std::array<AlignedArray<T>, 2> a_panels_, b_panels_;
  std::array<std::array<MPI_Request, 2>, 2> requests_ = {};
  std::optional<Packed<T, lanes>> packed_;
};

template <class T, int lanes>
using Summa = RankMultiplier<T, Panels<T, lanes>>;

const Variant summa = {.name = "summa",
                       .summary = "SUMMA: blocks over a grid of ranks, panels broadcast along its rows and columns",
                       .role = Role::like_for_like,
                       .options = {threads_option("1"), vector_length_option()},
                       .make = made_of_vvl<Multiplier, Summa>};

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_local(
      argc, argv, "matmul-mpi",
      [] {
        return cpu_ranks(matmul::workload, {&textbook, &summa}, "summa");
      },
      device_summa);
}
