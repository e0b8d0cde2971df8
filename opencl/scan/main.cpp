// scan-opencl and scan-cuda: prefix sums on a device.
#include <optional>

#include "common/base/error.hpp"
#include "common/scan/scanner.hpp"
#include "opencl/runtime/array_work.hpp"
#include "opencl/runtime/describe.hpp"
#include "opencl/runtime/library_call.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

extern const std::string_view sequential_source, groups_source, look_back_source, run_ahead_source,
    cub_scan_source;

namespace {

enum class Form {
  sequential,
  groups,     ///< a launch a level, of a function of kernels/groups.cl
  look_back,  ///< one launch
  run_ahead,  ///< one launch of groups that stay
  library,    ///< library_call.hpp
};

struct Way {
  const char* name;
  const char* summary;
  Form form;
  const char* of_group = "";
  Role role = Role::other;
};

/// Tiles that a group of kernels/run_ahead.cl has in local memory.
constexpr int slots = 3;

const std::vector<Way> ways = [] {
  std::vector<Way> all = {
      Way{.name = "sequential", .summary = "one work-item", .form = Form::sequential, .role = Role::textbook},
      Way{.name = "hillis-steele",
          .summary = "groups in log2(n) rounds of n additions, then a scan of their sums",
          .form = Form::groups,
          .of_group = "hillis_steele"},
      Way{.name = "blelloch",
          .summary = "groups by an up-sweep and a down-sweep, then a scan of their sums",
          .form = Form::groups,
          .of_group = "blelloch"},
      Way{.name = "look-back",
          .summary = "one launch that reads every value once: groups look back at the groups before",
          .form = Form::look_back,
          .role = Role::like_for_like},
      Way{.name = "run-ahead",
          .summary = "the same by groups that stay and add up tiles before they scan them (NVIDIA)",
          .form = Form::run_ahead},
  };
  if (has_cub)
    all.push_back({.name = "cub",
                   .summary = "the library CUB, compiled by the toolkit's nvcc: the peer",
                   .form = Form::library,
                   .role = Role::peer});
  return all;
}();

/// Throws Error (unavailable).
void expect_warps(const ComputeDevice& device) {
  if (device.sub_groups != SubGroups::warps)
    throw unavailable("run-ahead: expected an NVIDIA device, whose groups are made of warps, found {}",
                      device.name);
}

template <class T>
class DeviceScanner final : public scan::Scanner {
 public:
  /// Throws Error (bad_input) for a work-group that does not fit.
  DeviceScanner(const Way& way, const ComputeDevice& device, const Options& options)
      : way_(way), device_(device), options_(build_options(options)) {
    if (way_.form == Form::run_ahead) expect_warps(device_);
    group_ = row_group(device_, options, usual_items(),
                       way_.form == Form::run_ahead ? slots * longest_vector : 2 * sizeof(T));
    if (way_.form == Form::run_ahead && group_.x < warp)
      throw bad_input("--work-group: expected at least {}x1 for {}, found {}", warp, way_.name,
                      to_string(group_));
  }

  std::string shortage(double bytes) override { return device_shortage(device_, bytes, bytes / 2); }

  void init(std::int64_t elements) override {
    elements_ = elements;
    library_.reset();  // before the session that it was made for
    session_.emplace(device_, options_);
    program_ = session_->build(source(), shape());
    values_ = session_->array(static_cast<std::size_t>(elements) * sizeof(T));
    sums_ = session_->array(static_cast<std::size_t>(elements) * sizeof(T));
    attempt("set up the kernels", [&] {
      fill_array(*session_, program_, values_, elements);
      if (way_.form != Form::library) set_up_launches();
    });
    if constexpr (has_cub)
      if (way_.form == Form::library)
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
  void read(std::int64_t at, std::span<double> sums) override { read_array<T>(*session_, sums_, at, sums); }

  RunFacts facts() const override {
    RunFacts facts = session_->facts(library_ ? library_->settings()
                                              : Settings{{"work_group", fmt::format("{}x1", group_.x)},
                                                         {"values_per_item", each()},
                                                         {"launches", launches_.size()}});
    facts.write_allocate = is_cpu();
    return facts;
  }

 private:
  bool is_cpu() const { return device_.type == DeviceType::cpu; }
  static constexpr int warp = 32, longest_vector = 16;  // bytes of the latter

  std::string_view source() const {
    switch (way_.form) {
      case Form::groups:
        return groups_source;
      case Form::look_back:
        return look_back_source;
      case Form::run_ahead:
        return run_ahead_source;
      case Form::sequential:
      case Form::library:  // for its values
        break;
    }
    return sequential_source;
  }

  /// On a processor a group that looks back is one item with a tile of its own.
  int usual_items() const {
    if (way_.form == Form::run_ahead) return 512;
    return way_.form == Form::sequential || (way_.form == Form::look_back && is_cpu()) ? 1 : 256;
  }
  /// Vectors of an item of run-ahead: as many as fit, up to where there are no more registers.
  int vectors() const {
    constexpr int most = 8, most_of_group = 4096;
    int vectors = most;
    while (vectors > 1 &&
           (group_bytes(vectors) > device_.group_local_bytes() || vectors * group_.x > most_of_group))
      vectors /= 2;
    return vectors;
  }
  std::size_t group_bytes(int vectors) const {
    return static_cast<std::size_t>(slots) * vectors * longest_vector * group_.x;
  }
  /// Values of an item.
  int each() const {
    constexpr int of_processor = 4096, of_gpu = 16;
    switch (way_.form) {
      case Form::groups:
        return 2;
      case Form::look_back:
        return is_cpu() ? of_processor : of_gpu;
      case Form::run_ahead:
        return vectors() * longest_vector / static_cast<int>(sizeof(T));
      case Form::sequential:
      case Form::library:
        break;
    }
    return 1;
  }

  KernelShape shape() const {
    const bool is_nvidia = device_.sub_groups == SubGroups::warps;
    KernelShape shape = {.group = group_};
    if (way_.form == Form::look_back || way_.form == Form::run_ahead)
      shape.lanes = is_cpu() ? device_.native_lanes(options_.precision) : longest_vector / sizeof(T);
    if (is_nvidia) shape.reduction = Reduction::subgroup;  // the host then says that there are warps
    shape.defines = fmt::format("-D EACH={}", each());
    if (way_.form == Form::groups) shape.defines += fmt::format(" -D SCAN_GROUP={}", way_.of_group);
    if (way_.form == Form::run_ahead) {
      shape.vectors = vectors();
      if (device_.has_asynchronous_copies()) shape.defines += " -D ASYNCHRONOUS_COPIES";
    }
    return shape;
  }

  std::int64_t groups_for(std::int64_t count) const {
    const std::int64_t of_group = std::int64_t{each()} * group_.x;
    return (count + of_group - 1) / of_group;
  }

  void set_up_launches() {
    launches_.clear();
    const auto elements = static_cast<cl_ulong>(elements_);
    const std::int64_t tiles = groups_for(elements_);
    const auto of_tiles = static_cast<std::size_t>(tiles);
    switch (way_.form) {
      case Form::sequential:
        launches_.add(call_of(program_, "scan_all", values_, elements, sums_), 1);
        break;
      case Form::groups:
        levels_.reserve(64);  // launches refer to what is in it
        add_level(values_, elements_, sums_);
        break;
      case Form::look_back:
        levels_.resize(4);
        session_->allocate({{&levels_[0], of_tiles * sizeof(cl_uint)},
                            {&levels_[1], of_tiles * sizeof(T)},
                            {&levels_[2], of_tiles * sizeof(T)},
                            {&levels_[3], sizeof(cl_uint)}});
        launches_.add(call_of(program_, "scan_tiles", values_, elements, sums_, levels_[0], levels_[1],
                              levels_[2], levels_[3], cl::Local(sizeof(T) * group_.x), cl_uint{1}),
                      tiles);
        break;
      case Form::run_ahead: {
        constexpr int registers = 128;
        const int resident = device_.resident_groups(group_bytes(vectors()), group_.x, registers);
        const std::int64_t groups = std::min<std::int64_t>(tiles, std::int64_t{resident} * device_.units);
        levels_.resize(2);
        session_->allocate({{&levels_[0], of_tiles * 2 * sizeof(T)}, {&levels_[1], sizeof(cl_uint)}});
        launches_.add(call_of(program_, "scan_ahead", values_, elements, sums_, levels_[0],
                              static_cast<cl_uint>(tiles), levels_[1], cl_uint{0}, cl_uint{1}),
                      groups);
        tickets_of_run_ = static_cast<cl_uint>(tiles + (slots + 1) * groups);
        break;
      }
      case Form::library:
        break;
    }
  }

  /// The scan of `count` values, and of the sums of the groups in that.
  void add_level(const cl::Buffer& values, std::int64_t count, const cl::Buffer& sums) {
    const std::int64_t groups = groups_for(count);
    const auto of_groups = static_cast<std::size_t>(groups) * sizeof(T);
    cl::Buffer& group_sums = levels_.emplace_back();
    session_->allocate({{&group_sums, of_groups}});
    launches_.add(call_of(program_, "scan_groups", values, static_cast<cl_ulong>(count), sums, group_sums,
                          cl::Local(2 * sizeof(T) * group_.x)),
                  groups);
    if (groups == 1) return;
    cl::Buffer& scanned = levels_.emplace_back();
    session_->allocate({{&scanned, of_groups}});
    add_level(group_sums, groups, scanned);
    launches_.add(call_of(program_, "add_before", sums, static_cast<cl_ulong>(count), scanned), groups - 1);
  }

  void enqueue() {
    if (library_) return library_->enqueue();
    if (way_.form == Form::look_back) {
      constexpr cl_uint run_argument = 8;
      launches_.kernel(0).setArg(run_argument, cl_uint{++runs_});
    } else if (way_.form == Form::run_ahead) {
      constexpr cl_uint ticket_argument = 6, run_argument = 7;
      launches_.kernel(0).setArg(ticket_argument, cl_uint{runs_ * tickets_of_run_});
      launches_.kernel(0).setArg(run_argument, cl_uint{++runs_});
    }
    launches_.enqueue(*session_, group_);
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
  RowLaunches launches_;
  cl_uint runs_ = 0, tickets_of_run_ = 0;
};

std::vector<Variant> variants() {
  std::vector<Variant> variants;
  for (const Way& way : ways) {
    Variant variant = {.name = way.name, .summary = way.summary, .role = way.role};
    if (way.form != Form::sequential && way.form != Form::library) variant.options = {"work-group"};
    variants.push_back(variant);
  }
  return variants;
}

std::unique_ptr<scan::Scanner> make(const Options& options) {
  const Way& way = way_named(ways, options.variant);
  if (way.form == Form::library) refuse_for_library(options, compiler_option_name);
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
  model::describe(program, "Prefix sums");
  program.variants = model::variants();
  program.options = model::device_options({work_group_option()});
  program.default_variant = [](const Options& options) {
    const auto device = model::choose_device(options.text("device"));
    return device.has_asynchronous_copies() ? "run-ahead" : "look-back";
  };
  program.make = model::make;
  return scan::run_program(argc, argv, program);
}
