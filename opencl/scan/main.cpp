// scan-opencl and scan-cuda: prefix sums on a device.
#include <array>
#include <optional>

#include "common/base/error.hpp"
#include "common/cpu/memory.hpp"
#include "common/scan/scanner.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/library_call.hpp"
#include "opencl/runtime/session.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

extern const std::string_view sequential_source, groups_source, look_back_source, cub_scan_source;

namespace {

/// A way to scan: the function of kernels/groups.cl, or one of the others by name.
struct Way {
  const char* name;
  const char* summary;
  const char* of_group = "";
  bool is_library = false;  ///< library_call.hpp
  Role role = Role::other;

  bool is_by_groups() const { return *of_group; }
  bool is_sequential() const { return std::string_view(name) == "sequential"; }
};

const std::vector<Way> ways = [] {
  std::vector<Way> all = {
      Way{.name = "sequential", .summary = "one work-item", .role = Role::textbook},
      Way{.name = "hillis-steele",
          .summary = "groups in log2(n) rounds of n additions, then a scan of their sums",
          .of_group = "hillis_steele"},
      Way{.name = "blelloch",
          .summary = "groups by an up-sweep and a down-sweep, then a scan of their sums",
          .of_group = "blelloch"},
      Way{.name = "look-back",
          .summary = "one launch that reads every value once: groups look back at the groups before",
          .role = Role::like_for_like},
  };
  if (has_cub)
    all.push_back({.name = "cub",
                   .summary = "the library CUB, compiled by the toolkit's nvcc: the peer",
                   .is_library = true,
                   .role = Role::peer});
  return all;
}();

template <class T>
class DeviceScanner final : public scan::Scanner {
 public:
  /// Throws Error (bad_input) for a work-group that does not fit.
  DeviceScanner(const Way& way, const ComputeDevice& device, const Options& options)
      : way_(way), device_(device), options_(build_options(options)) {
    group_ = options.shape("work-group").value_or(usual_group());
    if (group_.y != 1 || group_.z != 1 || (group_.x & (group_.x - 1)) != 0)
      throw bad_input("--work-group: expected Nx1 with N a power of two, found {}", to_string(group_));
    check_work_group(device_, group_, 2 * sizeof(T));
  }

  std::string shortage(double bytes) override {
    constexpr double gib = 1 << 30;
    const auto needed = static_cast<std::uint64_t>(bytes);
    if (needed / 2 > device_.largest_buffer_bytes || needed > device_.global_bytes / 20 * 19)
      return fmt::format("{:.1f} GiB, and {:.1f} GiB in one buffer, on {}", device_.global_bytes / gib,
                         device_.largest_buffer_bytes / gib, device_.name);
    return device_.has_own_memory() ? "" : memory_shortage(needed);
  }

  void init(std::int64_t elements) override {
    elements_ = elements;
    library_.reset();  // before the session that it was made for
    session_.emplace(device_, options_);
    program_ = session_->build(is_look_back()        ? look_back_source
                               : way_.is_by_groups() ? groups_source
                                                     : sequential_source,
                               shape());
    values_ = session_->array(static_cast<std::size_t>(elements) * sizeof(T));
    sums_ = session_->array(static_cast<std::size_t>(elements) * sizeof(T));
    attempt("set up the kernels", [&] {
      const cl::Kernel fill = call_of(program_, "fill", values_, static_cast<cl_ulong>(elements));
      session_->upload(
          [&] { session_->queue().enqueueNDRangeKernel(fill, cl::NullRange, cl::NDRange(1 << 16)); });
      if (!way_.is_library) set_up_launches();
    });
    if constexpr (has_cub)
      if (way_.is_library)
        library_ = make_library_call(
            *session_, options_,
            {.source = cub_scan_source,
             .defines = library_defines(options_.precision == Precision::f64 ? "double" : "float", elements),
             .values = values_,
             .results = sums_,
             .count = elements});
    session_->first_launches(group_, [&] { enqueue(); });
  }

  void scan() override {
    attempt("scan", [&] {
      enqueue();
      session_->queue().finish();
    });
  }

  std::int64_t part() const override { return elements_; }
  void read(std::int64_t at, std::span<double> sums) override {
    std::vector<T> read(sums.size());
    attempt("read the sums", [&] {
      session_->queue().enqueueReadBuffer(sums_, CL_TRUE, static_cast<std::size_t>(at) * sizeof(T),
                                          read.size() * sizeof(T), read.data());
    });
    std::copy(read.begin(), read.end(), sums.begin());
  }

  RunFacts facts() const override {
    RunFacts facts = session_->facts(library_ ? library_->settings()
                                              : nlohmann::json{{"work_group", fmt::format("{}x1", group_.x)},
                                                               {"values_per_item", each()},
                                                               {"launches", launches_.size()}});
    facts.write_allocate = is_cpu();
    return facts;
  }

 private:
  struct Launch {
    cl::Kernel kernel;
    std::int64_t groups;
  };

  bool is_cpu() const { return device_.type == DeviceType::cpu; }
  bool is_look_back() const { return !way_.is_sequential() && !way_.is_by_groups() && !way_.is_library; }

  /// On a processor a group that looks back is one item with a tile of its own.
  WorkGroup usual_group() const {
    int items = way_.is_sequential() || (is_look_back() && is_cpu()) ? 1 : 256;
    while (static_cast<std::size_t>(items) > std::min(device_.max_work_group, device_.max_work_group_x))
      items /= 2;
    return {items, 1};
  }
  /// Values of an item.
  int each() const {
    constexpr int of_processor = 4096, of_gpu = 16;
    if (way_.is_sequential()) return 1;
    return way_.is_by_groups() ? 2 : is_cpu() ? of_processor : of_gpu;
  }

  KernelShape shape() const {
    const bool is_nvidia = device_.sub_groups == SubGroups::warps;
    KernelShape shape = {.group = group_};
    if (is_look_back()) shape.lanes = is_cpu() ? device_.native_lanes(options_.precision) : 16 / sizeof(T);
    if (is_nvidia) shape.reduction = Reduction::subgroup;  // the host then says that there are warps
    shape.defines = fmt::format("-D EACH={}", each());
    if (way_.is_by_groups()) shape.defines += fmt::format(" -D SCAN_GROUP={}", way_.of_group);
    return shape;
  }

  std::int64_t groups_for(std::int64_t count) const {
    const std::int64_t of_group = std::int64_t{each()} * group_.x;
    return (count + of_group - 1) / of_group;
  }

  void set_up_launches() {
    launches_.clear();
    const auto elements = static_cast<cl_ulong>(elements_);
    if (way_.is_sequential()) {
      launches_.push_back({call_of(program_, "scan_all", values_, elements, sums_), 1});
    } else if (way_.is_by_groups()) {
      levels_.reserve(64);  // launches refer to what is in it
      add_level(values_, elements_, sums_);
    } else {
      const std::int64_t tiles = groups_for(elements_);
      const auto of_tiles = static_cast<std::size_t>(tiles);
      levels_.resize(4);
      session_->allocate({{&levels_[0], of_tiles * sizeof(cl_uint)},
                          {&levels_[1], of_tiles * sizeof(T)},
                          {&levels_[2], of_tiles * sizeof(T)},
                          {&levels_[3], sizeof(cl_uint)}});
      launches_.push_back({call_of(program_, "scan_tiles", values_, elements, sums_, levels_[0], levels_[1],
                                   levels_[2], levels_[3], cl::Local(sizeof(T) * group_.x), cl_uint{1}),
                           tiles});
    }
  }

  /// The scan of `count` values, and of the sums of the groups in that.
  void add_level(const cl::Buffer& values, std::int64_t count, const cl::Buffer& sums) {
    const std::int64_t groups = groups_for(count);
    const auto of_groups = static_cast<std::size_t>(groups) * sizeof(T);
    cl::Buffer& group_sums = levels_.emplace_back();
    session_->allocate({{&group_sums, of_groups}});
    launches_.push_back({call_of(program_, "scan_groups", values, static_cast<cl_ulong>(count), sums,
                                 group_sums, cl::Local(2 * sizeof(T) * group_.x)),
                         groups});
    if (groups == 1) return;
    cl::Buffer& scanned = levels_.emplace_back();
    session_->allocate({{&scanned, of_groups}});
    add_level(group_sums, groups, scanned);
    launches_.push_back(
        {call_of(program_, "add_before", sums, static_cast<cl_ulong>(count), scanned), groups - 1});
  }

  void enqueue() {
    if (library_) return library_->enqueue();
    constexpr cl_uint run_argument = 8;
    if (is_look_back()) launches_[0].kernel.setArg(run_argument, cl_uint{++runs_});
    const auto items = static_cast<std::size_t>(group_.x);
    for (const Launch& launch : launches_)
      session_->queue().enqueueNDRangeKernel(launch.kernel, cl::NullRange,
                                             cl::NDRange(static_cast<std::size_t>(launch.groups) * items),
                                             cl::NDRange(items));
  }

  const Way& way_;
  ComputeDevice device_;
  BuildOptions options_;
  WorkGroup group_;
  std::int64_t elements_ = 0;
  std::optional<Session> session_;
  std::unique_ptr<LibraryCall> library_;
  cl::Program program_;
  cl::Buffer values_, sums_;
  std::vector<cl::Buffer> levels_;  ///< sums of groups and what is made of them; of look-back its states
  std::vector<Launch> launches_;
  cl_uint runs_ = 0;
};

std::vector<Variant> variants() {
  std::vector<Variant> variants;
  for (const Way& way : ways) {
    Variant variant = {.name = way.name, .summary = way.summary, .role = way.role};
    if (!way.is_sequential() && !way.is_library) variant.options = {"work-group"};
    variants.push_back(variant);
  }
  return variants;
}

std::unique_ptr<scan::Scanner> make(const Options& options) {
  const auto& way =
      *std::find_if(ways.begin(), ways.end(), [&](const Way& one) { return one.name == options.variant; });
  if (way.is_library) refuse_for_library(options, compiler_option_name);
  const ComputeDevice device = device_for(options);
  if (options.precision == Precision::f64)
    return std::make_unique<DeviceScanner<double>>(way, device, options);
  return std::make_unique<DeviceScanner<float>>(way, device, options);
}

}  // namespace
}  // namespace boltzmark::BOLTZMARK_DEVICE_API

int main(int argc, char** argv) {
  using namespace boltzmark;
  namespace model = BOLTZMARK_DEVICE_API;
  scan::Program program;
  program.model = model::model_name;
  program.summary = fmt::format("Prefix sums on a device of {}", model::api_name);
  program.compiles_kernels = true;
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = model::variants();
  program.options = {device_option(), work_group_option(), model::compiler_option(),
                     model::no_cache_option()};
  program.devices = model::list_devices;
  program.device_limits = model::device_limits;
  program.default_variant = [](const Options&) { return "look-back"; };
  program.make = model::make;
  return scan::run_program(argc, argv, program);
}
