// Lattice Boltzmann as the runner sees it: a problem of two files, its time steps, the oracle, the result files.
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <optional>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/cpu/memory.hpp"
#include "common/lbm/check.hpp"
#include "common/lbm/output.hpp"
#include "common/lbm/problem_files.hpp"
#include "common/lbm/solver.hpp"
#include "common/run/workload.hpp"
#include "common/run/workload_of.hpp"

namespace boltzmark::lbm {
namespace {

class LatticeBoltzmann : public Workload {
 public:
  explicit LatticeBoltzmann(const Program& program) : program_(program) {}

  std::string name() const override { return "lbm"; }

  CheckRule checks() const override {
    return {.always = false,
            .prefix = "PREFIX.final_state.dat and PREFIX.av_vels.dat, or both files in a folder PREFIX"};
  }

  void add_options(WorkloadOptions& options) override {
    options.add("PARAMS", params_,
                "problem of inputs/ by its name, such as 128x128, or a parameter file; the file has nx, ny (then nz in "
                "three dimensions), iterations, reynolds_dim, density, accel and omega");
    options.add("OBSTACLES", obstacles_,
                "obstacle file, lines \"x y 1\" or \"x y z 1\"; the word none for a grid without");
    options.add("--depth", depth_, "planes in z over which a problem in two dimensions is repeated: D3Q19")
        .range(1, INT_MAX);
    options.add("--steps", asked_steps_, "time steps instead of the parameter file's iterations").range(1, INT_MAX);
    options.add("--out", out_, "folder for final_state.dat and av_vels.dat; default: here").output();
    options.add_flag("--no-output", no_output_, "write neither of them").excludes("--out").output();
    options.add("--image", image_, "write the final speed field as a PNG file, in three dimensions of the plane nz/2")
        .output();
    options.add("--vtk", vtk_, "write the final velocity and pressure as VTK XML image data (.vti)").output();
  }

  void load(const Options& options, const Team&) override {
    against_ = options.check;
    if (obstacles_.empty()) {
      const ProblemFiles files = standard_problem(params_);
      params_ = files.params;
      obstacles_ = files.obstacles;
    }
    problem_ = load_problem(params_, obstacles_, depth_);
    steps_ = asked_steps_.value_or(problem_.parameters.iterations);
  }

  std::string default_variant(const Options& options) const override {
    return program_.usual(options, AnyCase(problem_));
  }
  std::string size() const override { return fmt::format("{}", fmt::join(problem_.extent(), "x")); }

  void prepare(const Options& options, const Team& team) override {
    check_lattice(options.variant);
    expect_physical_range(options.precision);
    require_memory("the average velocities", sizeof(double) * static_cast<double>(steps_));
    solver_ = program_.make<Solver>(options, AnyCase(problem_));
    if (!team.is_root()) return;
    if (against_ == "oracle")
      require_memory("the reference", reference_bytes(problem_));
    else if (!against_.empty())
      answer_ = read_answer(against_, problem_, steps_);
  }

  void init(const Options& options, Team&) override {
    if (!av_vels_.empty()) {  // a repeat
      solver_.reset();        // free the memory that the next one takes
      solver_ = program_.make<Solver>(options, AnyCase(problem_));
    }
    av_vels_.assign(static_cast<std::size_t>(steps_), std::numeric_limits<double>::quiet_NaN());
    solver_->init(problem_);
  }

  void expect_output() override {
    if (needs_state()) require_memory("the final state", State::bytes(problem_));
    if (!no_output_) prepare_folder(out_);
    for (const auto& file : {image_, vtk_})
      if (!file.empty()) expect_writable(file);
  }

  std::vector<double> run(Team& team) override {
    return {time_on(team, [this] { solver_->run(steps_, av_vels_); })};
  }
  void confirm() override { solver_->confirm(); }

  void collect(Team& team) override {
    if (!needs_state()) return;
    if (team.is_root()) state_.resize(problem_.cells(), problem_.parameters.dimension);
    solver_->collect(state_);
    if (team.is_root()) set_solid_cells(problem_, state_);
  }

  void check(const Options& options, Team& team, bool) override {
    if (against_.empty() || !team.is_root()) return;
    if (!answer_) answer_ = solve_reference(problem_, steps_);
    check_.against = against_;
    check_.tolerance = solver_->facts().tolerance.value_or(tolerance(options.precision));
    check_.extent = Extent::all_of(static_cast<std::int64_t>(problem_.cells()));
    check_.take(compare(av_vels_, state_, problem_, *answer_));
  }

  RunFacts facts() const override { return solver_->facts(); }

  void write() override {
    if (!no_output_) {
      AtomicFile final_state(out_ / state_file), av_vels(out_ / averages_file);
      write_final_state(final_state, problem_, state_);
      write_av_vels(av_vels, av_vels_);
      final_state.finish();  // both are complete before either gets its name
      av_vels.finish();
      final_state.commit();
      av_vels.commit();
    }
    if (!image_.empty()) write_speed_image(image_, problem_, state_);
    if (!vtk_.empty()) write_vtk(vtk_, problem_, state_);
  }

  void fill(Record& record) const override {
    fill_case(problem_, steps_, solver_->facts().grids, av_vels_.back(), record);
    record.check = check_;
  }

  std::string case_lines(const Record&) const override {
    const std::string files =
        no_output_ ? ""
                   : fmt::format("files:\t\t{}, {}\n", (out_ / state_file).string(), (out_ / averages_file).string());
    return fmt::format("problem:\t{}, {} cells, {} steps\n{}", problem_.name, fmt::join(problem_.extent(), " x "),
                       steps_, files);
  }

  /// The closing lines of the coursework's program, for scripts that read them.
  std::string closing_lines(const Record& record) const override {
    const Timing t = record.median_timing();
    return fmt::format(
        "==done==\n"
        "Reynolds number:\t\t{:.12E}\n"
        "Elapsed Init time:\t\t\t{:.6f} (s)\n"
        "Elapsed Compute time:\t\t\t{:.6f} (s)\n"
        "Elapsed Collate time:\t\t\t{:.6f} (s)\n"
        "Elapsed Total time:\t\t\t{:.6f} (s)\n",
        problem_.reynolds(av_vels_.back()), t.init_seconds, t.compute_seconds, t.collate_seconds, t.total());
  }

  std::string complaint() const override {
    const auto step = std::find_if_not(av_vels_.begin(), av_vels_.end(), [](double one) { return std::isfinite(one); });
    if (step == av_vels_.end()) return "";
    return fmt::format("the run is unstable: the average velocity after step {} is not a number",
                       step - av_vels_.begin());
  }

 private:
  /// Throws Error if the variant cannot run the problem's lattice: (bad_input) if another one can, else (unavailable).
  void check_lattice(const std::string& variant) const {
    const std::string lattice = problem_.lattice();
    if (lattice == D2Q9::name) return;  // every variant can
    std::vector<std::string> able;
    for (const VariantPointer& one : program_.variants) {
      if (!contains(one->kinds, lattice)) continue;
      if (one->name == variant) return;
      able.push_back(one->name);
    }
    if (able.empty())
      throw unavailable(
          "{}: expected a problem in two dimensions, which is all that {} can run, found one in three ({})",
          params_.string(), program_.model, lattice);
    throw bad_input("--variant: expected one that can run {} ({}), found {}, which can run D2Q9 alone", lattice,
                    join(able, ", "), variant);
  }

  /// Whether the final state is used. It has 24 or 32 bytes per cell on one host, too many for the largest grids of
  /// several devices.
  bool needs_state() const { return !no_output_ || !against_.empty() || !image_.empty() || !vtk_.empty(); }

  /// Throws Error (bad_input) for a problem that this precision cannot compute within its tolerance.
  void expect_physical_range(Precision precision) const {
    const PhysicalRange range = physical_range(precision);
    const Parameters& p = problem_.parameters;
    const std::string why = fmt::format("where {} computes to {:.0e}", to_string(precision), tolerance(precision));
    if (p.density < range.least_density || p.density > range.most_density)
      throw bad_input("{}: density: expected {:g} to {:g}, {}, found {:g}", params_.string(), range.least_density,
                      range.most_density, why, p.density);
    if (p.omega < range.least_omega)
      throw bad_input("{}: omega: expected at least {:g}, {}, found {:g}", params_.string(), range.least_omega, why,
                      p.omega);
  }

  const Program& program_;
  // The command line.
  std::filesystem::path params_, obstacles_, out_ = ".", image_, vtk_;
  std::optional<int> asked_steps_, depth_;
  std::string against_;  ///< --check
  bool no_output_ = false;
  // The case and the reference.
  Problem problem_;
  int steps_ = 0;
  std::optional<Answer> answer_;
  Check check_;
  // The last run.
  std::unique_ptr<Solver> solver_;
  std::vector<double> av_vels_;
  State state_;  ///< on the root rank
};

}  // namespace

ModelOption storage_option() {
  return {.name = "storage",
          .value = "f32|f16",
          .help = "how populations are stored in single precision; f16: half the bytes, three digits",
          .choices = {"f32", "f16"},
          .is_users = true};
}

bool wants_halves(const Options& asked) {
  const bool wants = asked.text("storage") == "f16";
  if (wants && asked.precision == Precision::f64)
    throw bad_input("--storage: f16 goes with single precision, found f64");
  return wants;
}

const WorkloadEntry workload = {"D2Q9 and D3Q19 BGK lattice Boltzmann", workload_for<LatticeBoltzmann>};

}  // namespace boltzmark::lbm
