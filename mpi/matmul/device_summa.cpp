// SUMMA on devices (drawn in main.cpp): each rank's blocks of A, B and C are on its device. A panel goes from its
// owner to a row or a column of the grid of ranks, while the devices add the product of the two panels before it to
// their blocks of C. An owner uses its panel in place; a rank that is alone in its row or column sends nothing there.
//
//     for all panels   broadcast along row and column, once the panel of two steps before is multiplied
//                      launch c_block += a_panel * b_panel, once they are there
#include <mpi.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "common/device/host_values.hpp"
#include "common/device/session.hpp"
#include "common/matmul/device/program.hpp"
#include "common/matmul/traffic.hpp"
#include "cuda/runtime/nccl.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/gathered.hpp"
#include "mpi/matmul/rank_grid.hpp"
#include "mpi/nccl_ranks.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {
using namespace matmul;
namespace {

// Transfer of panels from their owner's device to those of a row or a column of the grid of ranks.
//
//   host   read into pinned memory of the owner's host, MPI_Ibcast, written from there; the host waits for all commands
//   except the products, which continue meanwhile
//   nccl   broadcast by NVIDIA's library from device to device; the host waits for nothing

/// For a panel's memory on the device.
struct Broadcast {
  device::Buffer panel;
  std::size_t rows, row_bytes;
  MPI_Comm ranks;  ///< more than one
  int owner;       ///< among these
  std::size_t bytes() const { return rows * row_bytes; }
  bool is_own() const { return rank_in(ranks) == owner; }
};

class PanelTransfers {
 public:
  virtual ~PanelTransfers() = default;
  /// Begins broadcasts, which overwrite panels of others after `free`, if given. Returns the events of their arrival;
  /// empty: they have arrived on return. Throws Failure.
  virtual device::Event start(const std::vector<Broadcast>& broadcasts, const device::Event& free) = 0;
  /// Returns when this rank's data have been sent. Throws Failure.
  virtual void finish() {}
};

/// Through the memory of the hosts and MPI.
class HostPanels final : public PanelTransfers {
 public:
  /// The session must outlive it. Throws Error (unavailable).
  explicit HostPanels(device::Session& session) : session_(session), copies_(session.another_queue()) {}

  device::Event start(const std::vector<Broadcast>& broadcasts, const device::Event& free) override {
    std::vector<MPI_Request> requests;
    passing_.resize(broadcasts.size());
    for (std::size_t i = 0; i < broadcasts.size(); ++i) {
      const Broadcast& one = broadcasts[i];
      if (!passing_[i]) passing_[i] = session_.pinned(one.bytes());
      if (one.is_own()) copies_->read(one.panel, 0, one.bytes(), passing_[i].host());
      const OwnedType row(static_cast<int>(one.row_bytes), MPI_BYTE);
      MPI_Ibcast(passing_[i].host(), static_cast<int>(one.rows), row.type(), one.owner, one.ranks,
                 &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    if (free) free->wait();
    for (std::size_t i = 0; i < broadcasts.size(); ++i)
      if (!broadcasts[i].is_own()) copies_->write(broadcasts[i].panel, 0, broadcasts[i].bytes(), passing_[i].host());
    return nullptr;
  }

 private:
  device::Session& session_;
  device::Queue copies_;
  std::vector<device::Buffer> passing_;  ///< in pinned memory of the host, for each broadcast of a step
};

// Panels from device to device by NCCL. All ranks enqueue the broadcasts of all panels in one
// order, so those of rows and of columns of the grid cannot wait for one another in a circle. As with halo rows
// (mpi/nccl_transfers.cpp) the queue is one between devices, whose kernels have priority over those of products.
constexpr const char* user = "--panels nccl";

class NcclPanels final : public PanelTransfers {
 public:
  explicit NcclPanels(device::Session& session)
      : session_(session), queue_(session.another_queue(device::QueueKind::between_devices)) {}

  /// Collective.
  void connect(MPI_Comm ranks) { comms_.emplace_back(ranks, connect_by_nccl(user, ranks)); }

  /// A broadcast of a word from each group's first rank: NCCL connects ranks when they first exchange something.
  void try_out() {
    for (const auto& [ranks, comm] : comms_) {
      device::Buffer word;
      session_.allocate({{&word, sizeof(std::uint32_t)}});
      queue_->fill(word, word_of(rank_in(ranks)), 0, sizeof(std::uint32_t));
      start({{word, 1, sizeof(std::uint32_t), ranks, 0}}, nullptr);
      finish();
      std::uint32_t came = 0;
      session_.queue()->read(word, 0, sizeof came, &came);
      if (came != word_of(0))
        throw unavailable("{}: data broadcast to the device of rank {} did not arrive", user, rank_in(MPI_COMM_WORLD));
    }
  }

  /// An owner also waits until the product two panels before is done, because its kernel would only occupy units until
  /// then.
  device::Event start(const std::vector<Broadcast>& broadcasts, const device::Event& free) override {
    if (free) queue_->wait_for(device::Events(&free, 1));
    const auto stream = static_cast<cuda::CUstream>(queue_->native());
    NCCL(GroupStart);
    for (const Broadcast& one : broadcasts)
      NCCL(Broadcast, one.panel.native(), one.panel.native(), one.bytes(), cuda::nccl_bytes, one.owner, of(one.ranks),
           stream);
    NCCL(GroupEnd);
    return queue_->marker();
  }
  void finish() override { queue_->finish(); }

 private:
  using Group = std::pair<MPI_Comm, std::shared_ptr<cuda::ncclComm>>;
  cuda::NcclComm of(MPI_Comm ranks) const { return std::ranges::find(comms_, ranks, &Group::first)->second.get(); }

  device::Session& session_;
  device::Queue queue_;
  std::vector<Group> comms_;  ///< in the same order on all ranks
};

/// The transfers by NCCL between the ranks of each of these communicators, which they outlive; empty if another rank
/// fails. Collective. The session must outlive it. Throws Error (unavailable).
std::unique_ptr<PanelTransfers> make_nccl_panels(device::Session& session, const std::vector<MPI_Comm>& groups) {
  std::unique_ptr<NcclPanels> panels;
  const auto on_each = [](auto&& work) { return on_all_by_nccl(user, MPI_COMM_WORLD, work); };
  if (!on_each([&] { panels = std::make_unique<NcclPanels>(session); })) return nullptr;
  for (const MPI_Comm ranks : groups)
    if (!on_each([&] { panels->connect(ranks); })) return nullptr;
  if (!on_each([&] { panels->try_out(); })) return nullptr;
  return panels;
}

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
    transfers_.reset();
    // The same on every rank: the padding follows from it, and a panel's bytes from that.
    const auto build = [&] {
      block().init_panels(
          {largest(shape.m, grid_.rows()), largest(shape.n, grid_.columns()), std::min(panel_depth, shape.k)});
    };
    if (!on_all(MPI_COMM_WORLD, build)) return;
    const Shape& padded = block().padded();
    a_ = operand(Matrix::a, padded.m, padded.k, grid_.of_row());
    b_ = operand(Matrix::b, padded.k, padded.n, grid_.of_column());
    const bool agrees_on_a = is_same_on_all(a_), agrees_on_b = is_same_on_all(b_);
    const auto fill = [&] {
      if (!agrees_on_a || !agrees_on_b)
        throw unavailable("SUMMA: expected devices of one kind, found some that need other tiles; give --work-group");
      make_room(a_);
      make_room(b_);
      for (const Panel& panel : panels_) {
        if (panel.owner_of_a == grid_.column_of(rank_)) keep(a_, entries, mine.rows, panel.depth);
        if (panel.owner_of_b == grid_.row_of(rank_)) keep(b_, entries, panel.depth, mine.columns);
      }
      block().run_first(a_.own.front(), b_.own.front());
    };
    if (on_all(MPI_COMM_WORLD, fill)) make_transfers();
  }

  void multiply() override {
    device::attempt("multiply", [this] {
      block().clear();
      std::array<device::Event, 2> done;
      std::size_t next_a = 0, next_b = 0;  // of the panels that this rank has
      for (std::size_t number = 0; number < panels_.size(); ++number) {
        const std::size_t half = number % 2;
        std::vector<Broadcast> broadcasts;
        const device::Buffer& a = take(a_, panels_[number].owner_of_a, next_a, half, broadcasts);
        const device::Buffer& b = take(b_, panels_[number].owner_of_b, next_b, half, broadcasts);
        const device::Event there = broadcasts.empty() ? nullptr : transfers_->start(broadcasts, done[half]);
        block().add_product(a, b, device::Events(&there, there ? 1 : 0), &done[half]);
        session().queue()->flush();
      }
      session().queue()->finish();
      if (transfers_) transfers_->finish();
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
    facts.traffic = ProductTraffic(shape_, bytes_of(asked_.precision), facts.write_allocate)
                        .add_to_c(static_cast<double>(panels_.size()))
                        .sets();
    if (way_ == "nccl") facts.driver += ", " + nccl_version("--panels nccl");
    facts.settings["panels"] = way_;
    facts.settings["ranks_grid"] = fmt::format("{}x{}", grid_.rows(), grid_.columns());
    return facts;
  }

 private:
  /// A or B: this rank's panels, and memory for two received ones.
  struct Operand {
    Matrix matrix = Matrix::a;
    std::int64_t rows = 0, columns = 0;  ///< of a panel, padding included
    std::size_t bytes = 0;
    MPI_Comm ranks = MPI_COMM_NULL;
    std::vector<device::Buffer> own;
    std::array<device::Buffer, 2> coming;  ///< none for a rank that is alone
  };

  PanelProducts& block() const { return dynamic_cast<PanelProducts&>(*own_); }
  device::Session& session() const { return block().session(); }

  Operand operand(Matrix matrix, std::int64_t rows, std::int64_t columns, MPI_Comm ranks) const {
    const std::int64_t bytes = rows * columns * bytes_of(asked_.precision);
    return {matrix, rows, columns, static_cast<std::size_t>(bytes), ranks, {}, {}};
  }
  /// Whether the devices of ranks that share panels need them in the same size. Collective.
  static bool is_same_on_all(const Operand& of) {
    const std::uint64_t bytes = of.bytes;
    return over_ranks(bytes, MPI_MAX, of.ranks) == over_ranks(bytes, MPI_MIN, of.ranks);
  }
  void make_room(Operand& of) const {
    if (size_of(of.ranks) > 1) session().allocate({{&of.coming[0], of.bytes}, {&of.coming[1], of.bytes}});
  }
  /// Makes a panel of these rows and columns on the device.
  void keep(Operand& operand, const Entries& entries, Range rows, Range columns) {
    device::HostValues values(asked_.precision, operand.rows * operand.columns);
    values.with([&](auto all) {
      entries.fill(operand.matrix, all.data(), operand.columns, rows.begin, rows.end, columns.begin, columns.size());
    });
    session().allocate({{&operand.own.emplace_back(), operand.bytes, values.data()}});
  }
  /// The memory of a panel: the next of this rank's own, or a receive buffer; and its broadcast, if others need it.
  const device::Buffer& take(const Operand& operand, int owner, std::size_t& next, std::size_t half,
                             std::vector<Broadcast>& broadcasts) const {
    const device::Buffer& panel = rank_in(operand.ranks) == owner ? operand.own[next++] : operand.coming[half];
    const auto rows = static_cast<std::size_t>(operand.rows);
    if (size_of(operand.ranks) > 1) broadcasts.push_back({panel, rows, operand.bytes / rows, operand.ranks, owner});
    return panel;
  }

  /// As requested, else bypassing the hosts if each rank has a device and that works.
  void make_transfers() {
    const std::string asked = asked_.has("panels") ? asked_.text("panels") : "";
    std::vector<MPI_Comm> groups;
    for (const MPI_Comm ranks : {grid_.of_row(), grid_.of_column()})
      if (size_of(ranks) > 1) groups.push_back(ranks);
    way_ = groups.empty() ? "none" : "host";
    if (groups.empty()) return;
    if (device::api().has_peers && asked != "host") try {
        const bool all_can = on_all(MPI_COMM_WORLD, [this] { expect_nccl("--panels nccl", device_); });
        if (all_can) transfers_ = make_nccl_panels(session(), groups);
      } catch (const Error&) {
        if (asked == "nccl") throw;
      }
    if (transfers_)
      way_ = "nccl";
    else if (asked != "nccl")  // otherwise another rank reports the reason
      transfers_ = std::make_unique<HostPanels>(session());
  }

  RankGrid grid_{rank_, ranks_};
  Shape shape_;
  std::vector<Panel> panels_;
  std::string way_ = "none";  ///< method of transferring panels
  Operand a_, b_;
  std::unique_ptr<PanelTransfers> transfers_;
  std::vector<double> whole_;
};

ModelOption panels_option() {
  const bool has_peers = device::api().has_peers;
  return {.name = "panels",
          .value = has_peers ? "nccl|host" : "host",
          .help = has_peers ? "transport of panels: from device to device by NCCL, or through the host and MPI; "
                              "default: nccl if it works on all ranks"
                            : "transport of panels: through the host and MPI, the only way with OpenCL",
          .choices = has_peers ? std::vector<std::string>{"nccl", "host"} : std::vector<std::string>{"host"}};
}

}  // namespace

Program device_summa() {
  Program program = on_each_device<DeviceSumma>(panel_program());
  program.options.push_back(panels_option());
  return program;
}

}  // namespace boltzmark::mpi
