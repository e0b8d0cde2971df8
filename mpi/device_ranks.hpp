// Ranks that each compute with a device of OpenCL or CUDA: --local, the device of each rank, and workloads of which
// each rank computes a part on its device.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/cpu/range.hpp"
#include "common/device/device.hpp"
#include "common/run/stages.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"

namespace boltzmark::mpi {

/// --local of the command line, by default cpu. It determines the other options, so it is read before them; an unknown
/// value is reported later.
std::string local_in(int argc, char** argv);

/// Chooses the API of --local for this process; false if ranks compute with processors. Throws Error (unavailable) for
/// opencl if the program was built without it.
bool use_device_api(const std::string& local);

ModelOption local_option();

/// The devices that --device names, assigned in turn to the ranks of this machine; this is number `local_rank`. Throws
/// Error as device_for().
device::ComputeDevice device_of_rank(const Options& asked, int local_rank);

/// One line if several of this machine's ranks must share a device, else "".
std::string crowded_devices(const Options& asked, int local_ranks);

/// Machine, number and name of every rank's device, on rank 0. Collective.
std::vector<std::string> names_of_devices(const device::ComputeDevice& mine);

/// The main of a program whose ranks compute with --local: `on_processors` makes the program for cpu, `on_devices` that
/// for the API in use. Both are collective.
int run_on_local(int argc, char** argv, const char* name, const std::function<Program()>& on_processors,
                 const std::function<Program()>& on_devices);

/// A workload of which each rank has a part on its device; a `Made`, which knows nothing of ranks, computes it.
template <class Made>
class OnRankDevices : public Made {
 public:
  using OfDevice = Made;

  /// own: made from the options `asked`, for this device.
  OnRankDevices(std::unique_ptr<Made> own, Options asked, device::ComputeDevice device, int devices)
      : own_(std::move(own)), asked_(std::move(asked)), device_(std::move(device)), devices_(devices) {}

  /// The largest part of `bytes`, over all ranks, on one device. Collective.
  std::string shortage(double bytes) override {
    const int sharing = (Neighbours().count() + devices_ - 1) / devices_;
    return words_of_first(own_->shortage(bytes * sharing / ranks_));
  }
  void spoil() override { own_->spoil(); }
  void confirm() override { own_->confirm(); }
  RunFacts facts() const override {
    RunFacts facts = own_->facts();
    facts.ranks = ranks_;
    facts.driver += ", " + library_version();
    facts.settings["local"] = device::api().model;
    facts.settings["devices"] = names_;
    return facts;
  }

 protected:
  /// This rank's part of this many elements. Collective. Throws Error (bad_input) if a rank has none.
  boltzmark::Range part_of_rank(std::int64_t elements) {
    if (elements < ranks_) throw bad_input("expected an element for each of {} ranks, found {}", ranks_, elements);
    names_ = names_of_devices(device_);
    return part_of(elements, rank_, ranks_);
  }

  std::unique_ptr<Made> own_;
  Options asked_;
  device::ComputeDevice device_;
  int devices_;  ///< that the ranks of this machine take in turn
  int rank_ = rank_in(MPI_COMM_WORLD), ranks_ = size_of(MPI_COMM_WORLD);

 private:
  std::vector<std::string> names_;
};

/// A program of devices for ranks: each variant becomes an OnRank (derived from OnRankDevices) of the object that it
/// makes for the rank's device. Collective.
template <class OnRank>
Program on_each_device(Program program) {
  const Neighbours neighbours;
  program.variants = changed(program.variants, [local_rank = neighbours.rank()](Variant& variant) {
    variant.make = [make = variant.make, local_rank](const AnyCase& of, const Options& asked) {
      const device::ComputeDevice device = device_of_rank(asked, local_rank);
      const auto devices = static_cast<int>(device::choose_devices(asked.text("device")).size());
      Options of_rank = asked;
      of_rank.of_model["device"] = std::to_string(device.number);
      return std::make_unique<OnRank>(as_made<typename OnRank::OfDevice>(make(of, of_rank)), asked, device, devices);
    };
  });
  program.warning = [ranks = neighbours.count()](const Options& asked) { return crowded_devices(asked, ranks); };
  return program;
}

}  // namespace boltzmark::mpi
