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
#include "common/run/runner.hpp"
#include "common/run/workload.hpp"

namespace boltzmark::heat {
namespace {

class HeatWorkload : public Workload {
 public:
  explicit HeatWorkload(const Program& program) : program_(program) {}

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
    options.add("--image", image_, "write the final temperatures as a PNG, a pixel for each cell")
        .value_name("FILE");
  }

  void load(const Options& options, const Team&) override {
    plate_ = parse_plate(asked_);
    plate_.start = start_named(start_name_);
    value_bytes_ = bytes_of(options.precision);
  }
  std::string default_variant(const Options& options) const override {
    return program_.default_variant(options);
  }
  std::string size() const override { return to_string(plate_); }

  void prepare(const Options& options, const Team& team) override {
    solver_ = program_.make(options);
    const std::string shortage = solver_->shortage(plate_.bytes(value_bytes_));
    if (!shortage.empty())
      throw unavailable("expected two grids that fit the memory, found {} for {:.3g} GiB", shortage,
                        plate_.bytes(value_bytes_) / gib);
    if (team.is_root()) oracle_.emplace(plate_);
  }
  void init(const Options&, Team&) override { solver_->init(plate_, steps_); }
  void expect_output() override {
    if (!image_.empty()) expect_writable(image_);
  }

  std::vector<double> run(Team& team) override {
    return {time_on(team, [this] { deltas_ = solver_->run(steps_, enough_); })};
  }
  void confirm() override { solver_->confirm(); }
  void collect(Team&) override { solver_->collect(); }

  void check(const Options&, Team& team, bool) override {
    if (!team.is_root()) return;
    const auto steps = static_cast<int>(deltas_.size());
    oracle_->go_to(steps);
    const auto found = [](double error) {
      return std::isfinite(error) ? std::optional(error) : std::nullopt;
    };
    check_.against = "oracle";
    check_.tolerance = Oracle::tolerance(value_bytes_, steps);
    check_.take(
        {{"temperature", found(oracle_->field_error([this](std::int64_t row, std::span<double> values) {
            solver_->read(row, values);
          }))},
         {"delta", found(oracle_->delta_error(deltas_))}});
  }

  RunFacts facts() const override { return solver_->facts(); }

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
        for (std::int64_t column = 0; column < plate_.width; ++column)
          values[column] = plate_.at(row, column);
      else
        solver_->read(row, values);
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
    return fmt::format(
        "plate:\t\t{} cells, {:.4g} MiB in two grids\nsteps:\t\t{}, the last with a delta of {:.8g}\n",
        size(), record.work.bytes_held / (1 << 20), record.steps, deltas_.back());
  }

 private:
  static constexpr double gib = 1 << 30;

  const Program& program_;
  std::string asked_ = "4096", start_name_ = "border";
  int steps_ = 60;  ///< as published
  double enough_ = 0.0;
  std::filesystem::path image_;
  Plate plate_;
  int value_bytes_ = 4;
  std::unique_ptr<Solver> solver_;
  std::optional<Oracle> oracle_;
  std::vector<double> deltas_;
  Check check_;
};

}  // namespace

int run_program(int argc, char** argv, const Program& program, Team& team) {
  HeatWorkload workload(program);
  return run_main(argc, argv, program, workload, team);
}

int run_program(int argc, char** argv, const Program& program) {
  Team alone;
  return run_program(argc, argv, program, alone);
}

}  // namespace boltzmark::heat
