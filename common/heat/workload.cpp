// The heat equation as the runner sees it: each run begins with the same plate, and every one's temperatures and deltas
// must be right.
#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/heat/oracle.hpp"
#include "common/heat/solver.hpp"
#include "common/picture/picture.hpp"
#include "common/run/workload_of.hpp"

namespace boltzmark::heat {
namespace {

class HeatWorkload final : public WorkloadOf<Solver> {
 public:
  using WorkloadOf::WorkloadOf;

  std::string name() const override { return "heat"; }
  RepeatRule repeats() const override { return {.usual = 3, .always_warms_up = true}; }

  void add_options(WorkloadOptions& options) override {
    constexpr int most_steps = 100'000'000;
    options.add("SIZE", asked_, "cells inside the border: N of a square, or WIDTHxHEIGHT; default: " + asked_)
        .value_name("");
    options.add("--steps", steps_, fmt::format("time steps, at most; default: {}", steps_))
        .value_name("N")
        .range(1, most_steps);
    options.add("--until", enough_, "stop where the changes of a step add up to no more than this")
        .value_name("DELTA")
        .positive();
    options
        .add("--start", start_name_,
             "border: as published, 0 inside; mode: an eigenmode, whose decay is known; noise: inside "
             "temperatures that look random; default: border")
        .value_name("NAME")
        .choices({"border", "mode", "noise"});
    options.add("--image", image_, "write the final temperatures as a PNG, a pixel for each cell").value_name("FILE");
  }

  void load(const Options&, const Team&) override {
    plate_ = parse_plate(asked_);
    plate_.start = start_named(start_name_);
  }
  std::string size() const override { return to_string(plate_); }

  void prepare(const Options& options, const Team& team) override {
    make_for(options, plate_.bytes(bytes_of(options.precision)), "two grids");
    if (team.is_root()) oracle_.emplace(plate_);
  }
  void init(const Options&, Team&) override { made_->init(plate_, steps_); }
  void expect_output() override {
    if (!image_.empty()) expect_writable(image_);
  }

  std::vector<double> run(Team& team) override {
    return {time_on(team, [this] { deltas_ = made_->run(steps_, enough_); })};
  }

  void check(const Options&, Team& team, bool) override {
    if (!team.is_root()) return;
    const auto steps = static_cast<int>(deltas_.size());
    oracle_->go_to(steps);
    const double field_error =
        oracle_->field_error([this](std::int64_t row, std::span<double> values) { made_->read(row, values); });
    judge({{"temperature", field_error}, {"delta", oracle_->delta_error(deltas_, value_bytes_)}},
          Oracle::tolerance(value_bytes_, steps));
  }

  /// The border is part of the picture, and row -1 its top.
  void write() override {
    if (image_.empty()) return;
    const auto [coldest, hottest] = plate_.start == Start::mode ? std::pair(-1.0, 1.0) : std::pair(cold, hot);
    std::vector<Pixel> pixels;
    pixels.reserve(static_cast<std::size_t>((plate_.width + 2) * (plate_.height + 2)));
    const auto add = [&, low = coldest, high = hottest](double temperature) {
      pixels.push_back(colour_of((temperature - low) / (high - low)));
    };
    std::vector<double> values(static_cast<std::size_t>(plate_.width));
    for (std::int64_t row = -1; row <= plate_.height; ++row) {
      const bool is_border = row < 0 || row == plate_.height;
      if (is_border)
        for (std::int64_t column = 0; column < plate_.width; ++column) values[column] = plate_.at(row, column);
      else
        made_->read(row, values);
      add(plate_.at(row, -1));
      for (const double temperature : values) add(temperature);
      add(plate_.at(row, plate_.width));
    }
    write_picture(image_, plate_.width + 2, plate_.height + 2, pixels);
  }

  void fill(Record& record) const override {
    const bool is_mode = plate_.start == Start::mode;
    record.case_ = {.name = size() + (plate_.start == Start::border ? "" : "-" + start_name_),
                    .digest = fmt::format("heat-{}-{}", size(), start_name_),
                    .extent = {plate_.width, plate_.height},
                    .facts = {{"start", start_name_},
                              {"last_delta", deltas_.back()},
                              {"checked_by", is_mode ? "decay of an eigenmode" : "every cell"}}};
    if (enough_ > 0.0) record.case_.facts["until"] = enough_;
    record.steps = static_cast<std::int64_t>(deltas_.size());
    record.work.update = "update";
    record.work.updates = plate_.cells() * static_cast<double>(record.steps);
    record.work.flops_per_update = flops_per_update;
    record.work.bytes_held = plate_.bytes(value_bytes_);
    record.metrics = {{"mlups", "MLUPS", 1e-6 * record.work.updates / record.compute_seconds}};
    record.check = check_;
  }

  std::string case_lines(const Record& record) const override {
    return fmt::format("plate:\t\t{} cells, {:.4g} MiB in two grids\nsteps:\t\t{}, the last with a delta of {:.8g}\n",
                       size(), record.work.bytes_held / (1 << 20), record.steps, deltas_.back());
  }

 private:
  std::string asked_ = "4096", start_name_ = "border";
  int steps_ = 60;  ///< as published
  double enough_ = 0.0;
  std::filesystem::path image_;
  Plate plate_;
  std::optional<Oracle> oracle_;
  std::vector<double> deltas_;
};

}  // namespace

int run_workload(int argc, char** argv, const ProgramOf<Variant>& program, Team& team) {
  HeatWorkload workload(program);
  return run_main(argc, argv, program.outline(), workload, team);
}

}  // namespace boltzmark::heat
