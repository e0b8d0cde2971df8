#include "mpi/halo_transfers.hpp"

#include "mpi/nccl_ranks.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"

namespace boltzmark::mpi {
ModelOption device_halo_option() {
  const bool has_peers = api().has_peers;
  return {.name = "halo",
          .value = has_peers ? "ipc|nccl|host" : "host",
          .help = has_peers ? "transport of halo rows: ipc, from device to device on one machine; nccl, on one or "
                              "several; host, through the host and MPI; default: ipc if it works on all ranks"
                            : "transport of halo rows: through the host and MPI, the only way with OpenCL",
          .choices = has_peers ? std::vector<std::string>{"ipc", "nccl", "host"} : std::vector<std::string>{"host"}};
}

std::optional<HaloWay> choose_halo(const Options& asked, const ComputeDevice& device, const RankPair& ranks) {
  const std::string method = asked.has("halo") ? asked.text("halo") : "";
  const HaloWay host = {"host", nullptr};
  if (!api().has_peers || method == "host") return host;
  if (method == "nccl") {
    if (!on_all(ranks.comm, [&] { expect_nccl("--halo nccl", device); })) return {};
    return HaloWay{"nccl", nullptr};
  }
  // Contexts on one device are time-sliced; a kernel that polls holds its slice: with three ranks on two H200s, device
  // to device took four to seven times as long as through the host.
  const bool shared = over_ranks(!Neighbours().is_first_with(device.pci_address), MPI_LOR, ranks.comm);
  if (shared && method != "ipc") return host;
  const Peers peers = find_peers(device, ranks);
  if (peers.are_reached) return HaloWay{"ipc", peers.open};
  if (method != "ipc") return HaloWay{"host", peers.open};
  if (!peers.why_not.empty()) throw unavailable("--halo ipc: {}", peers.why_not);
  return {};
}

std::unique_ptr<HaloTransfers> make_transfers(const HaloWay& way, HaloStrip& strip, const RankPair& ranks) {
  if (way.name == "ipc") return make_peer_transfers(strip, ranks);
  if (way.name == "nccl") return make_nccl_transfers(strip, ranks);
  return std::make_unique<HostTransfers>(strip, ranks);
}

}  // namespace boltzmark::mpi
