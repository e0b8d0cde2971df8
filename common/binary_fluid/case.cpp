// The binary fluid as the runner sees it: repeated collisions of the same sites, or whole simulations.
#include <bit>
#include <climits>
#include <numeric>

#include "common/base/statistics.hpp"
#include "common/base/text.hpp"
#include "common/binary_fluid/oracle.hpp"
#include "common/cpu/memory.hpp"
#include "common/picture/picture.hpp"
#include "common/run/workload_of.hpp"

namespace boltzmark::binary_fluid {
namespace {

/// Copies that the case `copies` times, each in both directions.
constexpr std::array copies = {Wanted{"all"}, Wanted{"1 %", 0.01}, Wanted{"halo", 0.0, true}, Wanted{"10 %", 0.1},
                               Wanted{"50 %", 0.5}};

/// Default parameters of a scene: Ludwig's public regression of spinodal decomposition; round drops and interfaces of
/// width 2.83, which the lattice resolves.
Parameters usual_parameters(Scene scene) {
  if (scene != Scene::drop && scene != Scene::interface) return {};
  return {.a = -0.02,
          .b = 0.02,
          .kappa = 0.08,
          .shear_viscosity = 1.0 / 6.0,
          .bulk_viscosity = 1.0 / 6.0,
          .mobility = 0.15,
          .points = 27};
}

class BinaryFluid : public WorkloadOf<target::Run> {
 public:
  explicit BinaryFluid(const Program& program) : WorkloadOf(program, "binary_fluid", "fields", {}) {}

  void add_options(WorkloadOptions& options) override {
    options.add("SIZE", size_, "NXxNYxNZ, or N of a cube; default: " + size_).value_name("");
    options
        .add("--case", scene_,
             "collision: the collision alone, with halo sites; spinodal, drop, interface: simulation of spinodal "
             "decomposition, a round drop or two plane interfaces; copies: of all sites and of some between host and "
             "target; default: " +
                 scene_)
        .value_name(join(scene_names, "|"))
        .choices(scene_names);
    options.add("--steps", steps_, "time steps of a simulation, or collisions; default: 10").range(1, INT_MAX);
    options.add("--kappa", kappa_,
                "coefficient of the gradient in the free energy, which sets the interfaces' width and tension");
    options.add("--gradients", points_, "points of the stencil for gradients, 7 or 27; default: 27")
        .choices({"7", "27"});
    options.add("--image", image_, "write phi of the middle layer of a simulation as a PNG file").output();
  }

  void load(const Options&, const Team&) override {
    case_.scene = static_cast<Scene>(std::find(scene_names.begin(), scene_names.end(), scene_) - scene_names.begin());
    case_.parameters = usual_parameters(case_.scene);
    constexpr int longest_side = 4096;
    const auto sides = sides_in(size_, longest_side);
    if (sides.size() != 1 && sides.size() != 3)
      throw bad_input("expected N or NXxNYxNZ with numbers from 1 to {}, found \"{}\"", longest_side, size_);
    case_.nx = static_cast<int>(sides.front());
    case_.ny = static_cast<int>(sides[sides.size() / 2]);
    case_.nz = static_cast<int>(sides.back());
    // Values of a field are numbered with 38 per site, and sites with an int.
    constexpr std::int64_t most_sites = std::int64_t{1} << 30;
    if (case_.sites_with_halo() > most_sites)
      throw bad_input("expected at most {} sites, found \"{}\"", most_sites, size_);
    case_.steps = steps_;
    if (kappa_) {
      if (!(*kappa_ > 0.0 && *kappa_ < 1.0))
        throw bad_input("--kappa: expected a number between 0 and 1, found {:g}", *kappa_);
      case_.parameters.kappa = *kappa_;
    }
    case_.parameters.points = points_;
    if (!image_.empty() && !case_.is_simulation())
      throw bad_input("--image: expected --case spinodal, drop or interface, found {}", scene_);
  }
  std::string default_variant(const Options&) const override { return case_.is_simulation() ? "fused" : "moment"; }
  std::string size() const override { return scene_ + "-" + sizes(); }

  void prepare(const Options& options, const Team& team) override {
    expect_scene(options.variant);
    if (case_.is_simulation() && team.size() > case_.nz)
      throw bad_input("expected at least as many layers as ranks, found {} for {}", case_.nz,
                      counted(team.size(), "rank"));
    WorkloadOf::prepare(options, team);
    // A check of all steps takes minutes for a large simulation: only by --check oracle.
    const double updates = static_cast<double>(case_.sites()) * case_.steps;
    with_oracle_ = !case_.is_simulation() || options.check == "oracle" || updates <= 1 << 17;
  }
  void init(const Options&, Team&) override {
    made_->init(case_);
    if (case_.is_simulation() && !start_) start_ = fluid().statistics();
  }
  std::vector<double> run(Team& team) override {
    if (case_.scene != Scene::copies) return WorkloadOf::run(team);
    std::vector<double> seconds;
    for (const Wanted& wanted : copies) {
      fluid().want(wanted);
      for (const bool to_target : {true, false}) seconds.push_back(time_on(team, [&] { fluid().copy(to_target); }));
      copy_error_ = std::fmax(copy_error_, fluid().copy_error());
    }
    return seconds;
  }

  void check(const Options&, Team& team, bool) override {
    if (case_.scene == Scene::copies)
      return judge({{"copies", copy_error_}}, 0.0, Extent::all_of(case_.sites_with_halo()));
    if (const auto lost = made_->lost_launches()) compare({{"launches", lost}});
    if (!case_.is_simulation()) return check_collision(team);
    statistics_ = fluid().statistics();
    // Conserved quantities are conserved even in a fluid before its first step.
    if (statistics_ == *start_ && start_->least_phi < start_->greatest_phi) compare({{"steps", 1.0}});
    if (case_.scene != Scene::spinodal || with_oracle_ || !image_.empty()) {
      if (team.is_root()) require_memory("the results", 3.0 * sizeof(Seen) * static_cast<double>(case_.sites()));
      keep(fluid().results_of(sites_from(0, case_.sites())));
    }
    if (!team.is_root()) return;
    compare(conservation_errors(*start_, statistics_));
    if (!with_oracle_) return;
    if (right_.empty()) right_ = Oracle(case_).simulated();
    compare(simulation_errors(case_, right_, seen_));
  }

  /// phi of the middle layer, y upwards.
  void write() override {
    if (image_.empty()) return;
    const std::int64_t layer = std::int64_t{case_.nx} * case_.ny;
    const auto middle = std::span(seen_).subspan(static_cast<std::size_t>(layer * (case_.nz / 2)), layer);
    const auto [least, greatest] = std::ranges::minmax_element(middle, {}, &Seen::phi);
    write_field(image_, case_.nx, case_.ny, least->phi, greatest->phi,
                [&](std::int64_t x, std::int64_t y) { return middle[(case_.ny - 1 - y) * case_.nx + x].phi; });
  }

  void fill(Record& record) const override {
    const Parameters& p = case_.parameters;
    WorkloadOf::fill(record);
    record.case_.digest += fmt::format("-{}-{:g}-{}", case_.steps, p.kappa, p.points);
    record.case_.extent = {case_.nx, case_.ny, case_.nz};
    record.case_.facts = {{"scene", scene_},
                          {"a", p.a},
                          {"b", p.b},
                          {"kappa", p.kappa},
                          {"shear_viscosity", p.shear_viscosity},
                          {"mobility", p.mobility},
                          {"gradient_points", p.points},
                          {"checked_by", with_oracle_ ? "every site" : "conservation"}};
    record.steps = case_.steps;
    record.work.update = "update";
    record.work.updates = static_cast<double>(updates_per_step()) * case_.steps;
    record.metrics = {{"mlups", "MLUPS", 1e-6 * record.work.updates / record.compute_seconds}};
    if (case_.is_simulation())
      for (const Metric& one : scene_metrics(case_, *start_, statistics_, seen_)) record.metrics.push_back(one);
    if (case_.scene == Scene::copies) fill_copies(record);
  }

  std::string case_lines(const Record& record) const override {
    if (case_.scene == Scene::copies)
      return fmt::format("case:\t\tcopies of {} numbers for each of {} sites\n", populations, case_.sites_with_halo());
    return fmt::format("case:\t\t{} of {} sites, {} steps; {:.4g} bytes and {:.4g} FLOPs per site\n", scene_, sizes(),
                       case_.steps, record.work.bytes_per_update, record.work.flops_per_update);
  }
  std::string closing_lines(const Record& record) const override {
    std::string lines;
    for (const Part& part : record.parts)
      lines += fmt::format("{}:\t{:.6f} s, {:.4g} GB/s\n", part.name, median(part.seconds),
                           1e-9 * part.bytes / median(part.seconds));
    for (std::size_t i = 1; i < record.metrics.size(); ++i) {
      const Metric& one = record.metrics[i];
      const std::string unit = one.unit.empty() ? "" : ' ' + one.unit;
      lines += fmt::format("{}:\t{:.6g}{}\n", one.name, one.value.value_or(NAN), unit);
    }
    return lines;
  }
  std::string complaint() const override {
    return !case_.is_simulation() || std::isfinite(statistics_.free_energy)
               ? ""
               : "the run is unstable: the free energy is not a number";
  }

 private:
  Fluid& fluid() const { return dynamic_cast<Fluid&>(*made_); }

  /// Throws Error (bad_input) if the variant cannot run this scene.
  void expect_scene(const std::string& name) const {
    std::vector<std::string> able;
    for (const VariantPointer& one : program_.variants) {
      if (!contains(one->kinds, scene_)) continue;
      if (one->name == name) return;
      able.push_back(one->name);
    }
    throw bad_input("--variant: expected one that can run the case {} ({}), found {}", scene_, join(able, ", "), name);
  }

  std::string sizes() const { return fmt::format("{}x{}x{}", case_.nx, case_.ny, case_.nz); }
  std::int64_t updates_per_step() const { return case_.is_simulation() ? case_.sites() : case_.sites_with_halo(); }

  static std::vector<std::int64_t> sites_from(std::int64_t first, std::int64_t count) {
    std::vector<std::int64_t> sites(static_cast<std::size_t>(count));
    std::iota(sites.begin(), sites.end(), first);
    return sites;
  }

  void compare(const Errors& errors) {
    const std::int64_t sites = case_.is_simulation() ? case_.sites() : case_.sites_with_halo();
    judge(errors, value_bytes_ == 8 ? 1e-10 : 1e-5, {with_oracle_ ? sites : 0, sites});
    if (!with_oracle_) check_.against = "conservation";
  }

  /// Every site. The oracle takes seconds for millions of them, so later runs pass with the digest of compared results.
  void check_collision(Team& team) {
    constexpr std::int64_t at_once = 1 << 16;
    const auto look = [&](CollisionCheck* check) {
      std::uint64_t digest = 0;
      for (std::int64_t first = 0; first < case_.sites_with_halo(); first += at_once) {
        const auto sites = sites_from(first, std::min(at_once, case_.sites_with_halo() - first));
        const auto found = fluid().results_of(sites);
        for (const double value : found) digest = (digest ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3u + 1;
        if (check && team.is_root()) check->add(sites, found);
      }
      return digest;
    };
    if (compared_ && team.largest(look(nullptr) != *compared_) == 0.0) return;
    CollisionCheck check(case_, value_bytes_);
    compared_ = look(&check);
    compare(check.errors());
  }

  /// A part for each copy, by the bytes of the selected sites.
  void fill_copies(Record& record) const {
    const auto sites = static_cast<double>(case_.sites_with_halo());
    const double of_all = sites * populations * value_bytes_, halo = 1.0 - static_cast<double>(case_.sites()) / sites;
    record.steps = 1;
    record.work.updates = sites;
    record.work.bytes_per_update = 0.0;
    record.work.flops_per_update = 0.0;
    std::size_t number = 0;
    for (const Wanted& wanted : copies)
      for (const char* way : {"to", "from"}) {
        Part& part = record.parts[number++];
        part.name = fmt::format("{} {}", wanted.name, way);
        part.bytes = part.bytes_moved = of_all * (wanted.is_halo ? halo : wanted.share);
        record.work.bytes_per_update += part.bytes / sites;
      }
    record.metrics = {{"copy_gb_per_s", "GB/s of all to the target", 1e-9 * of_all / median(record.parts[0].seconds)}};
  }

  void keep(const std::vector<double>& found) {
    seen_.clear();
    for (std::size_t at = 0; at < found.size(); at += seen_values)
      seen_.push_back({found[at], found[at + 1], found[at + 2], found[at + 3], found[at + 4]});
  }

  double bytes_held() const override {
    return fluid().bytes_held_per_site() * static_cast<double>(case_.sites_with_halo());
  }
  /// With padding, and per site five numbers for results and six for statistics.
  double bytes_needed() const override {
    if (!case_.is_simulation()) return bytes_held();
    const double looked_at = (seen_values + 6.0) * value_bytes_;
    return (fluid().bytes_held_per_site() + looked_at) *
           static_cast<double>(target::Lattice(case_.nx, case_.ny, case_.nz).stride());
  }
  void compute() override { made_->run(); }

  // The command line.
  std::string size_ = "128", scene_ = "collision";
  int steps_ = 10, points_ = 27;
  std::optional<double> kappa_;
  std::filesystem::path image_;
  // The case and the reference.
  Case case_;
  bool with_oracle_ = true;
  std::vector<Seen> right_;
  std::optional<std::uint64_t> compared_;  ///< digest of a collision's results that were
  double copy_error_ = 0.0;
  // The last run.
  std::optional<Statistics> start_;
  Statistics statistics_;
  std::vector<Seen> seen_;  ///< interior sites of a simulation, on the root, if needed
};

}  // namespace

Variant original_variant(const OfCase<std::unique_ptr<Runnable>>& make, const std::vector<ModelOption>& options) {
  return {.name = "original",
          .summary = "the collision with matrices, loops over 19 and 3 within a site, array of structures",
          .role = Role::textbook,
          .kinds = {"collision"},
          .options = options,
          .make = make};
}

namespace {
using namespace target;

/// The case `copies` has no variants; the like-for-like variant runs it.
const std::vector<std::string> simulations = {"spinodal", "drop", "interface"},
                               every_scene = {"collision", "spinodal", "drop", "interface"};
const std::vector<Rung> rungs = {{.name = "soa",
                                  .summary = "the same in the layer: structure of arrays, one site at a time",
                                  .form = Form::matrices,
                                  .methods = every_scene,
                                  .has_vvl = false},
                                 {.name = "vvl",
                                  .summary = "the same, as many sites at a time as a vector holds",
                                  .form = Form::matrices,
                                  .methods = every_scene},
                                 {.name = "moment",
                                  .summary = "the same by moments, without matrices",
                                  .form = Form::moments,
                                  .role = Role::like_for_like,
                                  .methods = scene_names},
                                 {.name = "fused",
                                  .summary = "only for simulations: propagation, gradients and collision in one kernel",
                                  .form = Form::fused,
                                  .methods = simulations}};

Work work_of(const Problem& problem, int form, int value_bytes) {
  const auto& one = static_cast<const Case&>(problem);
  if (!one.is_simulation())
    return {.bytes = collision_traffic * value_bytes,
            .flops = flops_of_collision(form),
            .fetched = 1.0 * collision_values * value_bytes};
  return {.bytes = traffic_of_step(form) * value_bytes,
          .flops = flops_of_step(form, one.parameters.points),
          .passes = passes_of_step(form, static_cast<double>(one.sites()), value_bytes)};
}

}  // namespace

extern const LayerEntry workload = {{"A binary fluid", workload_for<BinaryFluid>, true}, rungs, work_of};

}  // namespace boltzmark::binary_fluid
