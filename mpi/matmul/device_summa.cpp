// SUMMA on devices (summa.cpp has the picture): each rank's blocks of A, B and C are on its device. A panel goes from
// its owners through the hosts to a row and a column of the grid of ranks, while the device adds the product of the two
// panels before it to its block of C.
//
//     for all panels   owner: device -> host;   MPI_Ibcast along row and column
//                      host -> device, once the panel of two steps before is multiplied
//                      launch c_block += a_panel * b_panel
#include "common/device/host_values.hpp"
#include "common/matmul/device/program.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/gathered.hpp"
#include "mpi/matmul/rank_grid.hpp"

namespace boltzmark::mpi {
using namespace matmul;
namespace {

class DeviceSumma final : public OnRankDevices<Multiplier> {
 public:
  using OnRankDevices::OnRankDevices;

  void init(const Shape& shape, const Entries& entries) override {
    constexpr std::int64_t panel_depth = 512;
    shape_ = shape;
    part_of_rank(std::min({shape.m, shape.n, shape.k}));  // a row and a column for each
    panels_ = grid_.panels(shape.k, panel_depth);
    const Block mine = grid_.block_of(shape, rank_);
    const auto largest = [](std::int64_t whole, int parts) { return (whole + parts - 1) / parts; };
    a_ = b_ = {};
    copies_ = {};
    // The same on every rank: the padding follows from it, and a panel's bytes from that.
    block().init_panels(
        {largest(shape.m, grid_.rows()), largest(shape.n, grid_.columns()), std::min(panel_depth, shape.k)});
    copies_ = session().another_queue();
    const Shape& padded = block().padded();
    open(a_, Matrix::a, padded.m, padded.k, grid_.of_row());
    open(b_, Matrix::b, padded.k, padded.n, grid_.of_column());
    for (const Panel& panel : panels_) {
      if (panel.owner_of_a == grid_.column_of(rank_)) keep(a_, entries, mine.rows, panel.depth);
      if (panel.owner_of_b == grid_.row_of(rank_)) keep(b_, entries, panel.depth, mine.columns);
    }
  }

  void multiply() override {
    device::attempt("multiply", [this] {
      block().clear();
      std::array<device::Event, 2> done;
      std::size_t next_a = 0, next_b = 0;  // of the panels that this rank has
      for (std::size_t number = 0; number < panels_.size(); ++number) {
        const std::size_t half = number % 2;
        std::array<MPI_Request, 2> requests = {send(a_, panels_[number].owner_of_a, next_a),
                                               send(b_, panels_[number].owner_of_b, next_b)};
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        if (done[half]) done[half]->wait();
        for (const Operand* operand : {&a_, &b_})
          copies_->write(block().panel(operand->matrix, half), 0, operand->bytes, operand->passing.host());
        block().add_product(half, &done[half]);
        session().queue()->flush();
      }
      session().queue()->finish();
    });
  }

  void collect() override {
    own_->collect();
    std::vector<double> values(static_cast<std::size_t>(grid_.block_of(shape_, rank_).columns.size()));
    gather_blocks([this](int rank) { return grid_.block_of(shape_, rank); },
                  [&](std::int64_t row) {
                    own_->read(row, values);
                    return values.data();
                  },
                  whole_);
  }
  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(whole_.begin() + row * shape_.n, values.size(), values.begin());
  }
  RunFacts facts() const override {
    RunFacts facts = OnRankDevices::facts();
    facts.bytes_per_update =
        (facts.bytes_per_update + bytes_of(asked_.precision)) * static_cast<double>(panels_.size());
    facts.settings["ranks_grid"] = fmt::format("{}x{}", grid_.rows(), grid_.columns());
    return facts;
  }

 private:
  /// A or B: the panels that this rank has, and the way of those that come.
  struct Operand {
    Matrix matrix = Matrix::a;
    std::int64_t rows = 0, columns = 0;  ///< of a panel, padding included
    std::size_t bytes = 0;
    MPI_Comm ranks = MPI_COMM_NULL;
    std::vector<device::Buffer> own;
    device::Buffer passing;  ///< in pinned memory of the host
  };

  PanelProducts& block() const { return dynamic_cast<PanelProducts&>(*own_); }
  device::Session& session() const { return block().session(); }

  /// Throws Error (unavailable) where the devices of ranks that share panels want them in different sizes.
  void open(Operand& operand, Matrix matrix, std::int64_t rows, std::int64_t columns, MPI_Comm ranks) {
    const auto bytes = static_cast<std::size_t>(rows * columns) * static_cast<std::size_t>(bytes_of(asked_.precision));
    if (over_ranks<std::uint64_t>(bytes, MPI_MAX, ranks) != over_ranks<std::uint64_t>(bytes, MPI_MIN, ranks))
      throw unavailable("SUMMA: expected devices of one kind, found some that want other tiles; give --work-group");
    operand = {matrix, rows, columns, bytes, ranks, {}, session().pinned(bytes)};
  }
  /// Makes a panel of these rows and columns on the device.
  void keep(Operand& operand, const Entries& entries, Range rows, Range columns) {
    device::HostValues values(asked_.precision, operand.rows * operand.columns);
    values.with([&](auto all) {
      entries.fill(operand.matrix, all.data(), operand.columns, rows.begin, rows.end, columns.begin, columns.size());
    });
    session().allocate({{&operand.own.emplace_back(), operand.bytes, values.data()}});
  }
  /// Begins the broadcast of a panel by this rank of the grid's row or column; of one's own the next.
  MPI_Request send(const Operand& operand, int owner, std::size_t& next) {
    if (rank_in(operand.ranks) == owner) copies_->read(operand.own[next++], 0, operand.bytes, operand.passing.host());
    const OwnedType row(static_cast<int>(operand.columns), asked_.precision == Precision::f64 ? MPI_DOUBLE : MPI_FLOAT);
    MPI_Request request;
    MPI_Ibcast(operand.passing.host(), static_cast<int>(operand.rows), row.type(), owner, operand.ranks, &request);
    return request;
  }

  RankGrid grid_{rank_, ranks_};
  Shape shape_;
  std::vector<Panel> panels_;
  device::Queue copies_;
  Operand a_, b_;
  std::vector<double> whole_;
};

}  // namespace

ProgramOf<Variant> device_summa() { return on_each_device<DeviceSumma>(panel_program()); }

}  // namespace boltzmark::mpi
