// Device strips: each rank's strip is on its device, with halo rows of the ranks above and below, which travel while
// the rows inside are updated (mpi/strip_run.hpp). An exchange fills the halo; as many steps follow, each of which
// leaves one valid halo row fewer.
//
//     every `halo` steps   my outermost rows -> halos of the ranks above and below; meanwhile the rows inside
//                          the rows next to the halos; deltas of my own rows;   at the end MPI_Allreduce
#include "common/heat/device/program.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/gathered.hpp"
#include "mpi/nccl_ranks.hpp"
#include "mpi/strip_run.hpp"

namespace boltzmark::mpi {
using namespace heat;
namespace {

constexpr int usual_halo = 16;  ///< rows, if they do not follow from a launch

ModelOption halo_rows_option() {
  return {.name = "halo-rows",
          .value = "N",
          .help =
              "rows of a halo and steps between two exchanges, rounded to whole launches; at most the rows of the "
              "smallest strip; no effect with one rank; default: 16, with ipc and nccl the steps of one launch",
          .range = {{1, 4096}},
          .worth_trying = {"8", "16", "32", "64"}};
}

class DeviceStrips final : public OnRankDevices<Solver> {
 public:
  using OnRankDevices::OnRankDevices;

  void init(const Plate& plate, int steps) override {
    plate_ = plate;
    waited_ = 0.0;
    run_.reset();
    const boltzmark::Range mine = part_of_rank(plate.height);
    if (ranks_ == 1) return own_->init(plate, steps);
    const bool has_above = rank_ > 0, has_below = rank_ + 1 < ranks_;
    const RankPair neighbours = {MPI_COMM_WORLD, has_above ? rank_ - 1 : MPI_PROC_NULL,
                                 has_below ? rank_ + 1 : MPI_PROC_NULL};
    way_ = choose_halo(asked_, device_, neighbours);
    int at_once = 0;
    if (!way_ || !on_all(neighbours.comm, [&] { at_once = strip().launch_steps(plate); })) return;
    const auto [launches, launch_steps] = choose_launches(over_ranks(at_once, MPI_MIN));
    plan_ = HaloPlan(static_cast<int>(mine.size()), launches, launch_steps, has_above, has_below);
    const bool all_can = on_all(neighbours.comm, [&] {
      strip().init_strip(plate, mine, plan_, steps);
      run_.emplace(strip(), plan_);
    });
    if (all_can) run_->connect(*way_, neighbours);
  }
  int steps_per_look() const override { return own_->steps_per_look(); }

  void advance(std::span<double> deltas) override {
    const auto steps = static_cast<int>(deltas.size());
    if (!run_) return own_->advance(deltas);
    waited_ += run_->run(strip().state(), steps, deltas);
    MPI_Allreduce(MPI_IN_PLACE, deltas.data(), steps, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    halo_seconds_ = over_ranks(waited_, MPI_SUM) / ranks_;
    most_halo_seconds_ = over_ranks(waited_, MPI_MAX);
  }

  void collect() override {
    own_->collect();
    std::vector<double> values(static_cast<std::size_t>(plate_.width));
    gather_blocks(
        [this](int rank) {
          return Block{part_of(plate_.height, rank, ranks_), {0, plate_.width}};
        },
        [&](std::int64_t row) {
          own_->read(plan_.south_halo + row, values);
          return values.data();
        },
        whole_);
  }
  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(whole_.begin() + row * plate_.width, values.size(), values.begin());
  }
  RunFacts facts() const override {
    RunFacts facts = OnRankDevices::facts();
    if (!run_) return facts;
    if (way_->name == "nccl") facts.driver += ", " + nccl_version("--halo nccl");
    facts.settings.update({{"halo", way_->name},
                           {"halo_rows", plan_.halo},
                           {"halo_seconds", halo_seconds_},
                           {"halo_seconds_most", most_halo_seconds_}});
    return facts;
  }

 private:
  DeviceStrip& strip() const { return dynamic_cast<DeviceStrip&>(*own_); }

  /// Launches between two exchanges, and the steps of each launch, at most `at_once`.
  std::pair<int, int> choose_launches(int at_once) const {
    const auto fewest_rows = static_cast<int>(std::min<std::int64_t>(plate_.height / ranks_, INT_MAX));
    const int usual = at_once > 1 && way_->name != "host" ? at_once : usual_halo;
    const int rows = std::min(asked_.number("halo-rows").value_or(usual), fewest_rows), steps = std::min(at_once, rows);
    return {rows / steps, steps};
  }

  Plate plate_;
  std::optional<HaloWay> way_;
  HaloPlan plan_;
  std::optional<StripRun> run_;
  double waited_ = 0.0, halo_seconds_ = 0.0, most_halo_seconds_ = 0.0;  ///< of this rank, on average, of the slowest
  std::vector<double> whole_;
};

}  // namespace

Program device_strips() {
  Program program = on_each_device<DeviceStrips>(device_strip_program());
  program.variants = changed(program.variants, [](Variant& variant) { variant.options.push_back(halo_rows_option()); });
  program.options.push_back(device_halo_option());
  return program;
}

}  // namespace boltzmark::mpi
