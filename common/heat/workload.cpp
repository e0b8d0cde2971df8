// The heat equation as the runner sees it: runs start from the same plate; temperatures and deltas must be right.
#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/heat/oracle.hpp"
#include "common/heat/solver.hpp"
#include "common/picture/picture.hpp"
#include "common/run/workload_of.hpp"

namespace boltzmark::heat {
namespace {

/// In the order of Start.
const std::vector<std::string> start_names = {"border", "mode", "noise"};

class HeatWorkload final : public WorkloadOf<Solver> {
 public:
  explicit HeatWorkload(const Program& program)
      : WorkloadOf(program, "heat", "two grids", {.usual = 3, .always_warms_up = true}) {}

  void add_options(WorkloadOptions& options) override {
    constexpr int most_steps = 100'000'000;
    options.add("SIZE", asked_, "cells inside the border: N for a square, or WIDTHxHEIGHT; default: " + asked_)
        .value_name("");
    options.add("--steps", steps_, fmt::format("largest number of time steps; default: {}", steps_))
        .value_name("N")
        .range(1, most_steps);
    options.add("--until", enough_, "stop when the changes of a step add up to no more than this")
        .value_name("DELTA")
        .positive();
    options
        .add("--start", start_name_,
             "border (default): as published, 0 inside; mode: an eigenmode, whose decay is known; noise: pseudo-random "
             "temperatures inside")
        .value_name("NAME")
        .choices(start_names);
    options.add("--image", image_, "write the final temperatures as a PNG file, one pixel per cell")
        .value_name("FILE")
        .output();
  }

  void load(const Options&, const Team&) override {
    constexpr std::int64_t longest_side = std::int64_t{1} << 24;
    const auto sides = sides_in(asked_, longest_side);
    if (sides.size() != 1 && sides.size() != 2)
      throw bad_input("expected N or WIDTHxHEIGHT with numbers from 1 to {}, found \"{}\"", longest_side, asked_);
    const auto start = std::find(start_names.begin(), start_names.end(), start_name_) - start_names.begin();
    plate_ = {.width = sides.front(), .height = sides.back(), .start = static_cast<Start>(start)};
  }
  std::string size() const override { return fmt::format("{}x{}", plate_.width, plate_.height); }

  void prepare(const Options& options, const Team& team) override {
    WorkloadOf::prepare(options, team);
    if (team.is_root()) oracle_.emplace(plate_);
  }
  void init(const Options&, Team&) override { made_->init(plate_, steps_); }
  void expect_output() override {
    if (!image_.empty()) expect_writable(image_);
  }

  void check(const Options&, Team& team, bool) override {
    if (!team.is_root()) return;
    const auto steps = static_cast<int>(deltas_.size());
    oracle_->go_to(steps);
    const double field_error =
        oracle_->field_error([this](std::int64_t row, std::span<double> values) { made_->read(row, values); });
    judge({{"temperature", field_error}, {"delta", oracle_->delta_error(deltas_, value_bytes_)}},
          Oracle::tolerance(value_bytes_, steps), Extent::all_of(plate_.width * plate_.height));
  }

  /// The border is part of the picture, and row -1 its top.
  void write() override {
    if (image_.empty()) return;
    const auto [coldest, hottest] = plate_.start == Start::mode ? std::pair(-1.0, 1.0) : std::pair(cold, hot);
    std::vector<double> values(static_cast<std::size_t>(plate_.width));
    write_field(image_, plate_.width + 2, plate_.height + 2, coldest, hottest, [&](std::int64_t x, std::int64_t y) {
      const std::int64_t column = x - 1, row = y - 1;
      const bool is_inside = row >= 0 && row < plate_.height && column >= 0 && column < plate_.width;
      if (is_inside && column == 0) made_->read(row, values);
      return is_inside ? values[column] : plate_.at(row, column);
    });
  }

  void fill(Record& record) const override {
    WorkloadOf::fill(record);
    if (plate_.start != Start::border) record.case_.name += "-" + start_name_;
    record.case_.digest += "-" + start_name_;
    record.case_.extent = {plate_.width, plate_.height};
    record.case_.facts = {{"start", start_name_},
                          {"last_delta", deltas_.back()},
                          {"checked_by", plate_.start == Start::mode ? "decay of an eigenmode" : "every cell"}};
    if (enough_ > 0.0) record.case_.facts["until"] = enough_;
    record.steps = static_cast<std::int64_t>(deltas_.size());
    record.work.update = "update";
    record.work.updates = plate_.cells() * static_cast<double>(record.steps);
    record.work.flops_per_update = flops_per_update;
    record.metrics = {{"mlups", "MLUPS", 1e-6 * record.work.updates / record.compute_seconds}};
  }

  std::string case_lines(const Record& record) const override {
    return fmt::format("plate:\t\t{} cells, {:.4g} MiB in two grids\nsteps:\t\t{}, the last with a delta of {:.8g}\n",
                       size(), record.work.bytes_held / (1 << 20), record.steps, deltas_.back());
  }

 private:
  double bytes_held() const override { return plate_.bytes(value_bytes_); }
  void compute() override { deltas_ = made_->run(steps_, enough_); }

  std::string asked_ = "4096", start_name_ = "border";
  int steps_ = 60;  ///< as published
  double enough_ = 0.0;
  std::filesystem::path image_;
  Plate plate_;
  std::optional<Oracle> oracle_;
  std::vector<double> deltas_;
};

}  // namespace

const WorkloadEntry workload = {"The heat equation", workload_for<HeatWorkload>};

}  // namespace boltzmark::heat
