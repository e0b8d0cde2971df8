// axes-opencl and axes-cuda: access patterns on a device.
#include <algorithm>
#include <array>
#include <optional>

#include "common/axes/patterns.hpp"
#include "common/base/error.hpp"
#include "opencl/runtime/array_work.hpp"
#include "opencl/runtime/describe.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace axes;

extern const std::string_view axes_source;

namespace {

struct Way {
  const char* name;
  const char* summary;
  const char* define;  ///< of kernels/axes.cl
  Role role = Role::other;

  bool has_all_axes() const { return std::string_view(define).starts_with("INNER3") || is_segmented(); }
  bool is_segmented() const { return std::string_view(define) == "SEGMENTED"; }
};

constexpr std::array ways = {
    Way{"outer", "published: an item for each index of the outermost axis", "OUTER", Role::textbook},
    Way{"inner", "published: an item for each index of the innermost axis", "INNER"},
    Way{"inner3", "published: an item for each index of three axes, an item a row along the last", "INNER3"},
    Way{"segmented", "the same, a wavefront a row along the last axis", "SEGMENTED", Role::like_for_like},
};

template <class T>
class DevicePatterns final : public Patterns {
 public:
  DevicePatterns(const Way& way, const ComputeDevice& device, const Options& options)
      : way_(way), device_(device), options_(build_options(options)) {
    while (static_cast<std::size_t>(group_.x) > std::min(device_.max_work_group, device_.max_work_group_x))
      group_.x /= 2;
    if (group_.x < wavefront)
      throw unavailable("expected a device with groups of {} work-items, found {} with {}", wavefront,
                        device_.name, group_.x);
  }

  std::string shortage(double bytes) override { return device_shortage(device_, bytes, bytes / 2); }

  void init(std::int64_t n) override {
    n_ = n;
    session_.emplace(device_, options_);
    program_ = session_->build(axes_source, shape());
    const auto bytes = static_cast<std::size_t>(n * n * n * n) * sizeof(T);
    values_ = session_->array(bytes);
    filled_ = session_->array(bytes);
    sums_ = session_->array(bytes / static_cast<std::size_t>(n));
    attempt("set up the kernels", [&] {
      fill_array(*session_, program_, values_, n * n * n * n);
      set_up_launches();
    });
    session_->first_launches(group_, [&] { launches_.enqueue(*session_, group_); });
  }

  void run(Pass pass) override {
    attempt("run a pass", [&] {
      launches_.enqueue_one(static_cast<std::size_t>(pass), *session_, group_);
      session_->queue().finish();
    });
  }

  void read(Pass pass, std::int64_t at, std::span<double> values) override {
    read_array<T>(*session_, pass == Pass::fill ? filled_ : sums_, at, values);
  }

  RunFacts facts() const override {
    RunFacts facts = session_->facts({{"work_group", fmt::format("{}x1", group_.x)}});
    facts.grids = 1;
    facts.write_allocate = device_.type == DeviceType::cpu;
    return facts;
  }

 private:
  static constexpr int wavefront = 32;

  KernelShape shape() const {
    KernelShape shape = {.group = group_};
    if (device_.sub_groups == SubGroups::warps)
      shape.reduction = Reduction::subgroup;  // so that it names warps
    shape.defines = fmt::format("-D {}", way_.define);
    return shape;
  }

  void set_up_launches() {
    const auto n = static_cast<cl_uint>(n_);
    const std::int64_t all = n_ * n_ * n_, items = way_.has_all_axes() ? all : n_;
    const auto groups_of = [&](std::int64_t number) { return (number + group_.x - 1) / group_.x; };
    launches_.clear();
    launches_.add(call_of(program_, "fill_ones", filled_, n), groups_of(items));
    for (const Pass pass : {Pass::axis0, Pass::axis1, Pass::axis2, Pass::axis3}) {
      const Strides s = strides_of(pass, n_);
      const auto word = [](std::int64_t stride) { return static_cast<cl_ulong>(stride); };
      if (way_.is_segmented() && pass == Pass::axis3)
        launches_.add(call_of(program_, "add_up_rows", values_, n, sums_, cl::Local(sizeof(T) * group_.x)),
                      groups_of(all * wavefront));
      else
        launches_.add(call_of(program_, "add_up", values_, n, word(s.reduced), word(s.outer), word(s.middle),
                              word(s.inner), sums_),
                      groups_of(items));
    }
  }

  const Way& way_;
  ComputeDevice device_;
  BuildOptions options_;
  WorkGroup group_ = {128, 1};
  std::int64_t n_ = 0;
  std::optional<Session> session_;
  cl::Program program_;
  cl::Buffer values_, filled_, sums_;
  RowLaunches launches_;
};

std::unique_ptr<Patterns> make(const Options& options) {
  const Way& way = way_named(ways, options.variant);
  const ComputeDevice device = device_for(options);
  if (options.precision == Precision::f64)
    return std::make_unique<DevicePatterns<double>>(way, device, options);
  return std::make_unique<DevicePatterns<float>>(way, device, options);
}

}  // namespace
}  // namespace boltzmark::BOLTZMARK_DEVICE_API

int main(int argc, char** argv) {
  using namespace boltzmark;
  namespace model = BOLTZMARK_DEVICE_API;
  axes::Program program;
  model::describe(program, "Access patterns, an array of four axes filled and added up,");
  for (const auto& way : model::ways)
    program.variants.push_back({.name = way.name, .summary = way.summary, .role = way.role});
  program.options = model::device_options();
  program.default_variant = [](const Options&) { return "segmented"; };
  program.make = model::make;
  return axes::run_program(argc, argv, program);
}
