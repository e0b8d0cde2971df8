// reduce-opencl and reduce-cuda: the sum of an array on a device, by the rungs of the published ladder and by ways of our own.
#include <array>
#include <optional>
#include <utility>

#include "common/base/error.hpp"
#include "common/cpu/memory.hpp"
#include "common/reduce/reducer.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/session.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace reduce;

extern const std::string_view ladder_source, several_values_source;

namespace {

/// A way to add up.
struct Way {
  const char* name;
  const char* summary;
  const char* sum_group = "";  ///< a rung: its function in kernels/ladder.cl
  int hybrid = 1;              ///< of a rung
  int each = 1;                ///< values that an item adds first; rungs have one
  Reduction reduction = Reduction::halves;
  bool needs_wavefronts = false;  ///< items of a wavefront wait for each other without a barrier
  Role role = Role::other;

  bool is_rung() const { return *sum_group; }
};

constexpr std::array ways = {
    Way{.name = "naive",
        .summary = "published rung: binary tree of neighbours, a barrier per round",
        .sum_group = "sum_naive",
        .role = Role::textbook},
    Way{.name = "naive-fewest-barriers",
        .summary = "published rung: the same, rounds within a wavefront first and without barriers",
        .sum_group = "sum_naive_fewest_barriers",
        .needs_wavefronts = true},
    Way{.name = "compact",
        .summary = "published rung: the upper half is folded onto the lower, a barrier per round",
        .sum_group = "sum_compact"},
    Way{.name = "compact-fewest-barriers",
        .summary = "published rung: the same, no barrier once one wavefront is left",
        .sum_group = "sum_compact_fewest_barriers",
        .needs_wavefronts = true},
    Way{.name = "hybrid2",
        .summary = "published rung: a wavefront folds the values of 2, until one is left",
        .sum_group = "sum_hybrid",
        .hybrid = 2,
        .needs_wavefronts = true},
    Way{.name = "hybrid4",
        .summary = "published rung: a wavefront folds the values of 4, until one is left",
        .sum_group = "sum_hybrid",
        .hybrid = 4,
        .needs_wavefronts = true},
    Way{.name = "hybrid8",
        .summary = "published rung: a wavefront folds the values of 8, until one is left",
        .sum_group = "sum_hybrid",
        .hybrid = 8,
        .needs_wavefronts = true},
    Way{.name = "linear",
        .summary = "one work-item of a group adds up its values",
        .reduction = Reduction::linear},
    Way{.name = "two-values", .summary = "2 values per work-item, then halves are folded", .each = 2},
    Way{.name = "four-values", .summary = "4 values per work-item, then halves are folded", .each = 4},
    Way{.name = "eight-values",
        .summary = "8 values per work-item, then halves are folded",
        .each = 8,
        .role = Role::like_for_like},
    Way{.name = "sub-group",
        .summary = "sub-groups add up in registers",
        .reduction = Reduction::subgroup,
        .needs_wavefronts = true},
    Way{.name = "sub-group-eight-values",
        .summary = "8 values per work-item, then sub-groups add up in registers",
        .each = 8,
        .reduction = Reduction::subgroup,
        .needs_wavefronts = true},
};

const Way& way_named(const std::string& name) {
  return *std::find_if(ways.begin(), ways.end(), [&](const Way& way) { return way.name == name; });
}

template <class T>
class DeviceReducer final : public Reducer {
 public:
  /// Throws Error (unavailable) where the device lacks what the way needs, Error (bad_input) for a work-group that does
  /// not fit.
  DeviceReducer(const Way& way, const ComputeDevice& device, const Options& options)
      : way_(way), device_(device), options_(build_options(options)) {
    if (way_.needs_wavefronts && device_.sub_groups == SubGroups::none)
      throw unavailable("{}: {} has no sub-groups that kernels can use", way_.name, device_.name);
    group_ = options.shape("work-group").value_or(usual_group());
    if (group_.y != 1 || group_.z != 1 || (group_.x & (group_.x - 1)) != 0)
      throw bad_input("--work-group: expected Nx1 with N a power of two, found {}", to_string(group_));
    check_work_group(device_, group_, sizeof(T));
  }

  std::string shortage(std::int64_t elements) override {
    constexpr double gib = 1 << 30;
    const auto bytes = static_cast<std::uint64_t>(elements) * sizeof(T);
    if (bytes > device_.largest_buffer_bytes || bytes > device_.global_bytes / 20 * 19)
      return fmt::format("{:.1f} GiB, and {:.1f} GiB in one buffer, on {}", device_.global_bytes / gib,
                         device_.largest_buffer_bytes / gib, device_.name);
    return device_.has_own_memory() ? "" : memory_shortage(bytes);
  }

  void init(std::int64_t elements) override {
    elements_ = elements;
    session_.emplace(device_, options_);
    program_ = session_->build(way_.is_rung() ? ladder_source : several_values_source, shape());
    const auto sums = static_cast<std::size_t>(groups_for(elements)) * sizeof(T);
    session_->allocate(
        {{&values_, static_cast<std::size_t>(elements) * sizeof(T)}, {&sums_[0], sums}, {&sums_[1], sums}});
    attempt("set up the kernels", [&] {
      const cl::Kernel fill = call_of(program_, "fill", values_, static_cast<cl_ulong>(elements));
      session_->upload(
          [&] { session_->queue().enqueueNDRangeKernel(fill, cl::NullRange, cl::NDRange(1 << 16)); });
      set_up_launches();
    });
    session_->first_launches(group_, [&] { enqueue(); });
  }

  double sum() override {
    T sum = 0;
    attempt("add up", [&] {
      enqueue();
      session_->queue().enqueueReadBuffer(*result_, CL_TRUE, 0, sizeof sum, &sum);
    });
    return static_cast<double>(sum);
  }

  RunFacts facts() const override {
    RunFacts facts = session_->facts({{"work_group", fmt::format("{}x1", group_.x)},
                                      {"values_per_item", way_.each},
                                      {"launches", launches_.size()}});
    facts.write_allocate = device_.type == DeviceType::cpu;
    return facts;
  }

 private:
  struct Launch {
    cl::Kernel kernel;
    cl::NDRange global;
  };

  WorkGroup usual_group() const {
    int items = 256;
    while (static_cast<std::size_t>(items) > std::min(device_.max_work_group, device_.max_work_group_x))
      items /= 2;
    return {items, 1};
  }

  KernelShape shape() const {
    KernelShape shape = {.group = group_, .reduction = way_.reduction};
    if (way_.needs_wavefronts) shape.reduction = Reduction::subgroup;  // the host then names what there is
    shape.defines = fmt::format("-D EACH={} -D HYBRID={}", way_.each, way_.hybrid);
    if (way_.is_rung()) shape.defines += fmt::format(" -D SUM_GROUP={}", way_.sum_group);
    return shape;
  }

  std::int64_t groups_for(std::int64_t count) const {
    const std::int64_t of_group = std::int64_t{way_.each} * group_.x;
    return (count + of_group - 1) / of_group;
  }

  void add_launch(const char* kernel, const cl::Buffer& from, std::int64_t count, const cl::Buffer& to,
                  std::int64_t groups) {
    const auto items = static_cast<std::size_t>(group_.x);
    launches_.push_back(
        {call_of(program_, kernel, from, static_cast<cl_ulong>(count), to, cl::Local(sizeof(T) * items)),
         cl::NDRange(static_cast<std::size_t>(groups) * items)});
    result_ = &to;
  }

  /// A rung has two launches, the second of one group; other ways go on until one value is left.
  void set_up_launches() {
    std::int64_t count = groups_for(elements_);
    launches_.clear();
    add_launch("sum_values", values_, elements_, sums_[0], count);
    if (way_.is_rung()) return add_launch("sum_rows", sums_[0], count, sums_[1], 1);
    for (int from = 0; count > 1; from = 1 - from) {
      const std::int64_t groups = groups_for(count);
      add_launch("sum_values", sums_[from], count, sums_[1 - from], groups);
      count = groups;
    }
  }

  void enqueue() {
    for (const Launch& launch : launches_)
      session_->queue().enqueueNDRangeKernel(launch.kernel, cl::NullRange, launch.global,
                                             cl::NDRange(static_cast<std::size_t>(group_.x)));
  }

  const Way& way_;
  ComputeDevice device_;
  BuildOptions options_;
  WorkGroup group_;
  std::int64_t elements_ = 0;
  std::optional<Session> session_;
  cl::Program program_;
  cl::Buffer values_;
  std::array<cl::Buffer, 2> sums_;
  std::vector<Launch> launches_;
  const cl::Buffer* result_ = nullptr;
};

std::vector<Variant> variants() {
  std::vector<Variant> variants;
  for (const Way& way : ways)
    variants.push_back(
        {.name = way.name, .summary = way.summary, .options = {"work-group"}, .role = way.role});
  return variants;
}

std::string default_variant(const Options& options) {
  const bool has_sub_groups = choose_device(options.text("device")).sub_groups != SubGroups::none;
  return has_sub_groups ? "sub-group-eight-values" : "eight-values";
}

std::unique_ptr<Reducer> make(const Options& options) {
  const ComputeDevice device = device_for(options);
  const Way& way = way_named(options.variant);
  if (options.precision == Precision::f64)
    return std::make_unique<DeviceReducer<double>>(way, device, options);
  return std::make_unique<DeviceReducer<float>>(way, device, options);
}

}  // namespace
}  // namespace boltzmark::BOLTZMARK_DEVICE_API

int main(int argc, char** argv) {
  using namespace boltzmark;
  reduce::Program program;
  namespace model = BOLTZMARK_DEVICE_API;
  program.model = model::model_name;
  program.summary = fmt::format("The sum of an array on a device of {}", model::api_name);
  program.compiles_kernels = true;
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = model::variants();
  program.options = {device_option(), work_group_option(), model::compiler_option(),
                     model::no_cache_option()};
  program.devices = model::list_devices;
  program.device_limits = model::device_limits;
  program.default_variant = model::default_variant;
  program.make = model::make;
  return reduce::run_program(argc, argv, program);
}
