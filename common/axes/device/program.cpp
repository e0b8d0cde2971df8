#include "common/axes/patterns.hpp"
#include "common/base/error.hpp"
#include "common/device/array_program.hpp"

namespace boltzmark::axes {

using namespace device;

extern const std::string_view axes_source, range_sums_source;

namespace {

/// Parameters of kernels/axes.cl, and the work-items that they take.
struct Items {
  const char* define = nullptr;  ///< none: kernels/range_sums.cl
  bool on_all_axes = false;
  bool in_rows = false;  ///< along the last axis: a wavefront a row
};

class DevicePatterns final : public Patterns {
 public:
  DevicePatterns(const Options& options, const Items& items) : array_(options), items_(items) {
    array_.choose_group(items.define ? 128 : 1, 0);
    if (!items.define && !array_.is_cpu())
      throw unavailable("ranges: expected a processor, found {}", array_.device().name);
    if (items.define && array_.group() < wavefront)
      throw unavailable("expected a device with groups of {} work-items, found {} with {}", wavefront,
                        array_.device().name, array_.group());
  }

  std::string shortage(double bytes) override { return array_.shortage(bytes, bytes / 2); }

  void init(std::int64_t n) override {
    const std::int64_t sums = n * n * n;
    if (items_.define)
      array_.build(axes_source, array_.shape(fmt::format("-D {}", items_.define)));
    else
      build_ranges(n);
    values_ = array_.filled_array(n * sums);
    filled_ = array_.array(n * sums);
    sums_ = array_.array(sums);
    if (items_.define)
      add_launches(n);
    else
      add_ranges(n);
    array_.run_first();
  }

  void spoil() override { array_.spoil(); }
  void run(Pass pass) override { array_.run_one(static_cast<std::size_t>(pass), "run a pass"); }

  void read(Pass pass, std::int64_t at, std::span<double> values) override {
    array_.read(pass == Pass::fill ? filled_ : sums_, at, values);
  }

  RunFacts facts() const override {
    RunFacts facts = array_.facts();
    facts.grids = 1;
    return facts;
  }

 private:
  static constexpr int wavefront = 32;

  void add_launches(std::int64_t n) {
    const std::int64_t sums = n * n * n;
    const auto axis = static_cast<std::uint32_t>(n);
    const std::int64_t groups = parts_of(items_.on_all_axes ? sums : n, array_.group());
    array_.add(groups, "fill_ones", filled_, axis);
    for (const Pass pass : {Pass::axis0, Pass::axis1, Pass::axis2, Pass::axis3}) {
      const Strides s = strides_of(pass, n);
      if (items_.in_rows && pass == Pass::axis3)
        array_.add(parts_of(sums * wavefront, array_.group()), "add_up_rows", values_, axis, sums_, array_.local(1));
      else
        array_.add(groups, "add_up", values_, axis, s.reduced, s.outer, s.middle, s.inner, sums_);
    }
  }

  /// For processors: rows of a constant length are summed several at a time.
  void build_ranges(std::int64_t n) {
    const int lanes = array_.vector_lanes();
    const bool are_short = lanes > 1 && n < 8 * lanes;
    array_.build(range_sums_source, array_.shape(are_short ? fmt::format("-D LENGTH={}", n) : "", lanes));
  }
  void add_ranges(std::int64_t n) {
    const std::int64_t items = std::min(n * n * n, items_of_unit * array_.device().units);
    array_.add(items, "fill_range", filled_, n * n * n * n);
    for (const Pass pass : {Pass::axis0, Pass::axis1, Pass::axis2, Pass::axis3})
      array_.add(items, "add_up_range", values_, static_cast<std::uint32_t>(n), strides_of(pass, n).reduced, sums_);
  }

  /// For a processor: enough for a late core to leave its share to others.
  static constexpr std::int64_t items_of_unit = 32;

  ArrayProgram array_;
  Items items_;
  Buffer values_, filled_, sums_;
};

Variant variant(const char* name, const char* summary, Role role, const Items& items) {
  return array_variant<DevicePatterns>(name, summary, items, role, {});
}

}  // namespace

Program device_program() {
  auto program = program_of(workload);
  program.default_variant = [](const Options& options) -> std::string {
    return choose_device(options.text("device")).type == DeviceType::cpu ? "ranges" : "segmented";
  };
  program.variants = {
      variant("outer", "published: one work-item per index of the outermost axis", Role::textbook, {.define = "OUTER"}),
      variant("inner", "published: one work-item per index of the innermost axis", Role::other, {.define = "INNER"}),
      variant("inner3", "published: one work-item per index of three axes, each with a row along the last", Role::other,
              {.define = "INNER3", .on_all_axes = true}),
      variant("segmented", "the same with one wavefront per row along the last axis", Role::like_for_like,
              {.define = "SEGMENTED", .on_all_axes = true, .in_rows = true}),
      variant("ranges", "for processors: many sums per work-item, in vectors", Role::like_for_like, {})};
  return program;
}

}  // namespace boltzmark::axes
