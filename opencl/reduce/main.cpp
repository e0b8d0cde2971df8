// reduce-opencl and reduce-cuda: an array reduced on a device, by the rungs of the published ladder and by ways of our own.
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "common/base/error.hpp"
#include "common/reduce/reducer.hpp"
#include "opencl/runtime/array_work.hpp"
#include "opencl/runtime/describe.hpp"
#include "opencl/runtime/library_call.hpp"
#include "opencl/runtime/pinned_memory.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace reduce;

extern const std::string_view ladder_source, several_values_source, vectors_source, cub_reduce_source;

namespace {

/// A way to reduce.
struct Way {
  const char* name;
  const char* summary;
  const char* rung = "";       ///< its function in kernels/ladder.cl
  int hybrid = 1;              ///< of a rung
  int each = 1;                ///< values that an item takes first; rungs have one
  bool takes_vectors = false;  ///< kernels/vectors.cl
  bool is_library = false;     ///< library_call.hpp
  Reduction reduction = Reduction::halves;
  bool needs_wavefronts = false;  ///< items of a wavefront wait for each other without a barrier
  Role role = Role::other;

  bool is_rung() const { return *rung; }
};

const std::vector<Way> ways = [] {
  std::vector<Way> all = {
      Way{.name = "naive",
          .summary = "published rung: binary tree of neighbours, a barrier per round",
          .rung = "naive",
          .role = Role::textbook},
      Way{.name = "naive-fewest-barriers",
          .summary = "published rung: the same, rounds within a wavefront first and without barriers",
          .rung = "naive_fewest_barriers",
          .needs_wavefronts = true},
      Way{.name = "compact",
          .summary = "published rung: the upper half is folded onto the lower, a barrier per round",
          .rung = "compact"},
      Way{.name = "compact-fewest-barriers",
          .summary = "published rung: the same, no barrier once one wavefront is left",
          .rung = "compact_fewest_barriers",
          .needs_wavefronts = true},
      Way{.name = "hybrid2",
          .summary = "published rung: a wavefront folds the values of 2, until one is left",
          .rung = "hybrid",
          .hybrid = 2,
          .needs_wavefronts = true},
      Way{.name = "hybrid4",
          .summary = "published rung: a wavefront folds the values of 4, until one is left",
          .rung = "hybrid",
          .hybrid = 4,
          .needs_wavefronts = true},
      Way{.name = "hybrid8",
          .summary = "published rung: a wavefront folds the values of 8, until one is left",
          .rung = "hybrid",
          .hybrid = 8,
          .needs_wavefronts = true},
      Way{.name = "linear",
          .summary = "one work-item of a group takes all its values",
          .reduction = Reduction::linear},
      Way{.name = "two-values", .summary = "2 values per work-item, then halves are folded", .each = 2},
      Way{.name = "four-values", .summary = "4 values per work-item, then halves are folded", .each = 4},
      Way{.name = "eight-values", .summary = "8 values per work-item, then halves are folded", .each = 8},
      Way{.name = "sub-group",
          .summary = "sub-groups reduce in registers",
          .reduction = Reduction::subgroup,
          .needs_wavefronts = true},
      Way{.name = "sub-group-eight-values",
          .summary = "8 values per work-item, then sub-groups reduce in registers",
          .each = 8,
          .reduction = Reduction::subgroup,
          .needs_wavefronts = true},
      Way{.name = "vectors",
          .summary = "vectors of values, as many groups as fill the device once, one launch",
          .takes_vectors = true,
          .role = Role::like_for_like},
  };
  if (has_cub)
    all.push_back({.name = "cub",
                   .summary = "the library CUB, compiled by the toolkit's nvcc: the peer",
                   .is_library = true,
                   .role = Role::peer});
  return all;
}();

/// The numbers of the published tables of index arithmetic, of rungs alone.
ModelOption ids_option() {
  return {.name = "ids",
          .value = "WAY",
          .help = "how a rung numbers its items: 1d, the default, or flat3d: made of three axes",
          .choices = {"1d", "flat3d"}};
}
ModelOption local_size_option() {
  return {.name = "local-size",
          .value = "SOURCE",
          .help = "where a rung has its group's size from: literal, the default, argument or query",
          .choices = {"literal", "argument", "query"}};
}

class DeviceReducer final : public Reducer {
 public:
  /// Throws Error (unavailable) where the device lacks what the way needs, Error (bad_input) for a work-group that does
  /// not fit.
  DeviceReducer(const Way& way, const ComputeDevice& device, const Options& options)
      : way_(way),
        device_(device),
        options_(build_options(options)),
        ids_(options.text("ids")),
        local_size_(options.text("local-size")),
        value_bytes_(static_cast<std::size_t>(bytes_of(options.precision))) {
    if (way_.needs_wavefronts && device_.sub_groups == SubGroups::none)
      throw unavailable("{}: {} has no sub-groups that kernels can use", way_.name, device_.name);
    group_ = row_group(device_, options, usual_items(), value_bytes_ * local_values());
  }

  std::string shortage(double bytes) override { return device_shortage(device_, bytes, bytes); }

  void init(const Task& task) override {
    task_ = task;
    library_.reset();  // before the session that it was made for
    landing_.reset();
    session_.emplace(device_, options_);
    program_ = session_->build(source(), shape());
    const std::size_t results = static_cast<std::size_t>(groups_for(task.elements)) * value_bytes_;
    values_ = session_->array(static_cast<std::size_t>(task.elements) * value_bytes_);
    session_->allocate({{&results_[0], results}, {&results_[1], results}, {&done_, sizeof(cl_uint)}});
    if (!kernels_write_to_host && device_.has_own_memory()) landing_.emplace(*session_, value_bytes_);
    if constexpr (kernels_write_to_host)
      if (way_.takes_vectors)
        attempt("allocate memory of the host", [&] {
          results_[1] =
              cl::Buffer(session_->context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, value_bytes_);
        });
    attempt("set up the kernels", [&] {
      fill_array(*session_, program_, values_, task.elements);
      if (!way_.is_library) set_up_launches();
    });
    if constexpr (has_cub)
      if (way_.is_library) call_library();
    session_->first_launches(group_, [&] { enqueue(); });
  }

  Result reduce() override {
    return with_operator(task_, [&]<class Op, class T>(Op, T value) {
      attempt("reduce", [&] {
        enqueue();
        fetch(&value, sizeof value);
      });
      return result_of(value);
    });
  }

  RunFacts facts() const override {
    Settings settings = {{"work_group", fmt::format("{}x1", group_.x)}, {"launches", launches_.size()}};
    if (library_) {
      settings = library_->settings();
    } else if (way_.takes_vectors) {
      settings["vector_lanes"] = lanes();
      settings["groups"] = groups_for(task_.elements);
    } else {
      settings["values_per_item"] = way_.each;
    }
    RunFacts facts = session_->facts(settings);
    facts.write_allocate = device_.type == DeviceType::cpu;
    return facts;
  }

 private:
  bool is_cpu() const { return device_.type == DeviceType::cpu; }
  /// Values in local memory for each item.
  std::size_t local_values() const { return way_.takes_vectors ? 2 : 1; }

  /// On processors, vectors are taken by groups of one item.
  int usual_items() const { return way_.takes_vectors && is_cpu() ? 1 : 256; }

  int lanes() const {
    if (!way_.takes_vectors) return 1;
    return is_cpu() ? device_.native_lanes(options_.precision) : 16 / static_cast<int>(value_bytes_);
  }

  std::string_view source() const {
    return way_.is_rung() ? ladder_source : way_.takes_vectors ? vectors_source : several_values_source;
  }

  std::string operator_define() const {
    constexpr std::array names = {"SUM", "PRODUCT", "MIN", "MAX", "AND", "OR", "XOR"};
    return fmt::format("-D OP_{}", names[static_cast<std::size_t>(task_.op)]);
  }

  KernelShape shape() const {
    KernelShape shape = {.group = group_, .reduction = way_.reduction, .lanes = lanes()};
    const bool has_wavefronts = device_.sub_groups != SubGroups::none;
    if (way_.needs_wavefronts || (way_.takes_vectors && has_wavefronts))
      shape.reduction = Reduction::subgroup;  // the host then names what there is
    shape.defines = fmt::format("-D EACH={} -D HYBRID={} {}{}", way_.each, way_.hybrid, operator_define(),
                                task_.is_ramp ? " -D RAMP" : "");
    if (!way_.is_rung()) return shape;
    shape.defines += fmt::format(" -D REDUCE_GROUP={}", way_.rung);
    if (ids_ == "flat3d") shape.defines += " -D IDS_FLAT3D";
    shape.defines += local_size_ == "argument" ? " -D LOCAL_SIZE=size_argument"
                     : local_size_ == "query"  ? " -D LOCAL_SIZE=((int)get_local_size(0))"
                                               : " -D LOCAL_SIZE=GROUP_X -D LOCAL_SIZE_IS_KNOWN";
    return shape;
  }

  std::int64_t groups_for(std::int64_t count) const {
    const std::int64_t of_group = std::int64_t{way_.each} * group_.x * lanes();
    const auto parts = [count](std::int64_t part) { return (count + part - 1) / part; };
    if (!way_.takes_vectors) return parts(of_group);
    // A device has room for so many items at once. Processors get stretches of some pages, for their runtimes share
    // groups out by the dozen.
    constexpr int items_of_unit = 2048, vectors_of_stretch = 1024, vectors_at_once = 8;
    if (is_cpu()) return std::clamp<std::int64_t>(count / (of_group * vectors_of_stretch), 1, 8192);
    return std::min(parts(of_group * vectors_at_once),
                    std::int64_t{device_.units} * std::max(1, items_of_unit / group_.x));
  }

  cl::LocalSpaceArg scratch() const {
    return cl::Local(value_bytes_ * local_values() * static_cast<std::size_t>(group_.x));
  }
  void add_launch(cl::Kernel kernel, std::int64_t groups, const cl::Buffer& result) {
    launches_.add(std::move(kernel), groups);
    result_ = &result;
  }

  /// A rung has two launches, the second of one group; vectors have one; other ways go on until one value is left.
  void set_up_launches() {
    const auto of = [](std::int64_t count) { return static_cast<cl_ulong>(count); };
    std::int64_t count = groups_for(task_.elements);
    launches_.clear();
    if (way_.takes_vectors)
      return add_launch(call_of(program_, "reduce_vectors", values_, of(task_.elements), results_[0], done_,
                                results_[1], scratch()),
                        count, results_[1]);
    if (way_.is_rung()) {
      const cl_int size = group_.x;
      add_launch(
          call_of(program_, "reduce_values", values_, of(task_.elements), results_[0], scratch(), size),
          count, results_[0]);
      return add_launch(
          call_of(program_, "reduce_rows", results_[0], of(count), results_[1], scratch(), size), 1,
          results_[1]);
    }
    add_launch(call_of(program_, "reduce_values", values_, of(task_.elements), results_[0], scratch()), count,
               results_[0]);
    for (int from = 0; count > 1; from = 1 - from) {
      const std::int64_t groups = groups_for(count);
      add_launch(call_of(program_, "reduce_values", results_[from], of(count), results_[1 - from], scratch()),
                 groups, results_[1 - from]);
      count = groups;
    }
  }

  void call_library() {
    const bool is_word = task_.op >= Operator::bit_and;
    const std::string type =
        is_word ? (task_.is_wide ? "unsigned long long" : "unsigned") : (task_.is_wide ? "double" : "float");
    library_ = make_library_call(
        *session_, options_,
        {.source = cub_reduce_source,
         .defines = fmt::format("{} {}", operator_define(), library_defines(type, task_.elements)),
         .values = values_,
         .results = results_[0],
         .count = task_.elements});
    result_ = &results_[0];
  }

  /// The result, when it is there. A read that waits, or of memory that is not pinned, takes some microseconds longer.
  void fetch(void* value, std::size_t bytes) {
    if (!landing_) {
      session_->queue().enqueueReadBuffer(*result_, CL_TRUE, 0, bytes, value);
      return;
    }
    session_->queue().enqueueReadBuffer(*result_, CL_FALSE, 0, bytes, landing_->data());
    session_->queue().finish();
    std::memcpy(value, landing_->data(), bytes);
  }

  void enqueue() {
    if (library_) return library_->enqueue();
    launches_.enqueue(*session_, group_);
  }

  const Way& way_;
  ComputeDevice device_;
  BuildOptions options_;
  std::string ids_, local_size_;
  std::size_t value_bytes_;
  WorkGroup group_;
  Task task_;
  std::optional<Session> session_;
  std::unique_ptr<LibraryCall> library_;
  std::optional<PinnedMemory> landing_;  ///< of the result, on devices with memory of their own
  cl::Program program_;
  cl::Buffer values_, done_;
  std::array<cl::Buffer, 2> results_;
  RowLaunches launches_;
  const cl::Buffer* result_ = nullptr;
};

std::vector<Variant> variants() {
  std::vector<Variant> variants;
  for (const Way& way : ways) {
    std::vector<std::string> options;
    if (!way.is_library) options.emplace_back("work-group");
    if (way.is_rung()) options.insert(options.end(), {"ids", "local-size"});
    variants.push_back({.name = way.name, .summary = way.summary, .options = options, .role = way.role});
  }
  return variants;
}

std::unique_ptr<Reducer> make(const Options& options) {
  const Way& way = way_named(ways, options.variant);
  if (way.is_library) refuse_for_library(options, compiler_option_name);
  return std::make_unique<DeviceReducer>(way, device_for(options), options);
}

}  // namespace
}  // namespace boltzmark::BOLTZMARK_DEVICE_API

int main(int argc, char** argv) {
  using namespace boltzmark;
  reduce::Program program;
  namespace model = BOLTZMARK_DEVICE_API;
  model::describe(program, "Reduction of an array");
  program.variants = model::variants();
  program.options =
      model::device_options({work_group_option(), model::ids_option(), model::local_size_option()});
  program.default_variant = [](const Options&) { return "vectors"; };
  program.make = model::make;
  return reduce::run_program(argc, argv, program);
}
