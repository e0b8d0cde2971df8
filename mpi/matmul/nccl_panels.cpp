// Panels from device to device by NCCL (panel_transfers.hpp). All ranks enqueue the broadcasts of all panels in one
// order, so those of rows and of columns of the grid cannot wait for one another in a circle. As with halo rows
// (mpi/nccl_transfers.cpp) the queue is one between devices, whose kernels have priority over those of products.
#include <algorithm>
#include <utility>

#include "cuda/runtime/nccl.hpp"
#include "mpi/matmul/panel_transfers.hpp"
#include "mpi/nccl_ranks.hpp"

namespace boltzmark::mpi {

namespace {

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

}  // namespace

std::unique_ptr<PanelTransfers> make_nccl_panels(device::Session& session, const std::vector<MPI_Comm>& groups) {
  std::unique_ptr<NcclPanels> panels;
  const auto on_each = [](auto&& work) { return on_all_by_nccl(user, MPI_COMM_WORLD, work); };
  if (!on_each([&] { panels = std::make_unique<NcclPanels>(session); })) return nullptr;
  for (const MPI_Comm ranks : groups)
    if (!on_each([&] { panels->connect(ranks); })) return nullptr;
  if (!on_each([&] { panels->try_out(); })) return nullptr;
  return panels;
}

}  // namespace boltzmark::mpi
