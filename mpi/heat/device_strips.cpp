// Device strips: each rank's strip is on its device, with a halo of rows of the ranks above and below. An exchange goes
// through the hosts and fills the halo; as many steps follow, of each of which one row less of the halo is right.
//
//     every `halo` steps   device -> host   my outermost rows;   MPI_Isend, MPI_Irecv;   host -> device   the halo
//                          launches of the strip's kernel; deltas of my own rows;      at the end MPI_Allreduce
#include "common/heat/device/program.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/gathered.hpp"

namespace boltzmark::mpi {
using namespace heat;
namespace {

ModelOption halo_rows_option() {
  return {
      .name = "halo-rows",
      .value = "N",
      .help =
          "rows of a halo, and steps between two exchanges; at most the rows of the smallest strip, none for one rank; "
          "default: 16",
      .range = {{1, 4096}},
      .worth_trying = {"8", "16", "32", "64"}};
}

class DeviceStrips final : public OnRankDevices<Solver> {
 public:
  using OnRankDevices::OnRankDevices;

  void init(const Plate& plate, int steps) override {
    plate_ = plate;
    const Range mine = part_of_rank(plate.height);
    constexpr int usual = 16;
    halo_ = ranks_ == 1 ? 0 : std::min<std::int64_t>(asked_.number("halo-rows").value_or(usual), plate.height / ranks_);
    const std::int64_t above = rank_ > 0 ? halo_ : 0, below = rank_ + 1 < ranks_ ? halo_ : 0;
    own_rows_ = {above, above + mine.size()};
    edges_.clear();
    strip().init_strip(plate, {mine.begin - above, mine.end + below}, mine, steps);
    if (above > 0) open(rank_ - 1, own_rows_.begin, 0);
    if (below > 0) open(rank_ + 1, own_rows_.end - halo_, own_rows_.end);
  }
  int steps_per_look() const override { return own_->steps_per_look(); }

  void advance(std::span<double> deltas) override {
    const auto steps = static_cast<int>(deltas.size()), most = halo_ > 0 ? static_cast<int>(halo_) : steps;
    for (int first = 0; first < steps; first += most) {
      device::attempt("exchange rows", [&] { exchange(); });
      own_->advance(deltas.subspan(first, std::min(most, steps - first)));
    }
    MPI_Allreduce(MPI_IN_PLACE, deltas.data(), steps, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }

  void collect() override {
    own_->collect();
    std::vector<double> values(static_cast<std::size_t>(plate_.width));
    gather_blocks(
        [this](int rank) {
          return Block{part_of(plate_.height, rank, ranks_), {0, plate_.width}};
        },
        [&](std::int64_t row) {
          own_->read(own_rows_.begin + row, values);
          return values.data();
        },
        whole_);
  }
  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(whole_.begin() + row * plate_.width, values.size(), values.begin());
  }
  RunFacts facts() const override {
    RunFacts facts = OnRankDevices::facts();
    if (halo_ > 0) facts.settings["halo_rows"] = halo_;
    return facts;
  }

 private:
  /// The way to a neighbour: rows that go there and rows that come.
  struct Edge {
    int neighbour = MPI_PROC_NULL;
    std::int64_t going = 0, coming = 0;  ///< the first of each
    device::Buffer to_send, received;
  };

  DeviceStrip& strip() const { return dynamic_cast<DeviceStrip&>(*own_); }
  std::size_t halo_bytes() const {
    return static_cast<std::size_t>(halo_ * strip().pitch()) * bytes_of(asked_.precision);
  }

  void open(int neighbour, std::int64_t going, std::int64_t coming) {
    device::Session& session = strip().session();
    edges_.push_back({neighbour, going, coming, session.pinned(halo_bytes()), session.pinned(halo_bytes())});
  }

  void exchange() {
    std::vector<MPI_Request> requests;
    const OwnedType row(static_cast<int>(strip().pitch()), asked_.precision == Precision::f64 ? MPI_DOUBLE : MPI_FLOAT);
    const auto rows = static_cast<int>(halo_);
    for (const Edge& edge : edges_)
      MPI_Irecv(edge.received.host(), rows, row.type(), edge.neighbour, 0, MPI_COMM_WORLD, &requests.emplace_back());
    for (const Edge& edge : edges_) {
      strip().read_rows(edge.going, halo_, edge.to_send.host());
      MPI_Isend(edge.to_send.host(), rows, row.type(), edge.neighbour, 0, MPI_COMM_WORLD, &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (const Edge& edge : edges_) strip().write_rows(edge.coming, halo_, edge.received.host());
  }

  Plate plate_;
  std::int64_t halo_ = 0;  ///< rows
  Range own_rows_;         ///< in the strip
  std::vector<Edge> edges_;
  std::vector<double> whole_;
};

}  // namespace

ProgramOf<Variant> device_strips() {
  ProgramOf<Variant> program = on_each_device<DeviceStrips>(device_strip_program({}));
  for (Variant& variant : program.variants) variant.options.push_back(halo_rows_option());
  return program;
}

}  // namespace boltzmark::mpi
