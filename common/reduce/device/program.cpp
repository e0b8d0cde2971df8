// Reduction on a device. A variant is a function that chooses the group, builds kernels and adds their launches.
#include <array>
#include <cstring>

#include "common/base/error.hpp"
#include "common/device/array_program.hpp"
#include "common/reduce/reducer.hpp"

namespace boltzmark::reduce {

using namespace device;

extern const std::string_view ladder_source, several_values_source, vectors_source;

namespace {

class DeviceReducer final : public Reducer {
 public:
  using Kernels = std::function<void(DeviceReducer& reducer)>;

  DeviceReducer(const Options& options, Kernels kernels) : array(options), kernels_(std::move(kernels)) {}

  std::string shortage(double bytes) override { return array.shortage(bytes, bytes); }
  void init(const Task& task_of_run) override {
    task = task_of_run;
    kernels_(*this);
    const std::size_t bytes = static_cast<std::size_t>(left) * array.value_bytes();
    landing_ = array.device().has_own_memory() && !result->host() ? array.session().pinned(bytes) : Buffer();
    array.run_first();
  }
  void spoil() override {
    array.spoil();
    for (const Buffer& one : {landing_, *result})
      if (one && one.host()) std::memset(one.host(), 0xff, static_cast<std::size_t>(left) * array.value_bytes());
  }
  Result reduce() override {
    return with_operator(task, [&]<class Op, class T>(Op, T) {
      std::vector<T> of_groups(static_cast<std::size_t>(left));
      attempt("reduce", [&] {
        array.enqueue();
        fetch(of_groups.data(), of_groups.size() * sizeof(T));
      });
      Total<Op, T> total;
      for (const T one : of_groups) total.take(one);
      return total.result();
    });
  }
  RunFacts facts() const override { return array.facts(); }

  /// Builds a source for the task's operator and values; makes the array, and room for the results of this many groups.
  void build(std::string_view source, KernelShape shape, std::int64_t groups) {
    shape.defines += fmt::format(" {}{}", operator_define(), task.is_ramp ? " -D RAMP" : "");
    array.build(source, shape);
    values = array.filled_array(task.elements, task.first);
    for (Buffer& one : results) one = array.scratch(static_cast<std::size_t>(groups) * array.value_bytes());
  }
  /// "-D OP_SUM".
  std::string operator_define() const {
    constexpr std::array names = {"SUM", "PRODUCT", "MIN", "MAX", "AND", "OR", "XOR"};
    return fmt::format("-D OP_{}", names[static_cast<std::size_t>(task.op)]);
  }

  ArrayProgram array;
  Task task;
  Buffer values;
  std::array<Buffer, 2> results;       ///< of groups
  const Buffer* result = &results[0];  ///< where the last launch leaves it,
  std::int64_t left = 1;               ///< or so many values, of which the host makes it

 private:
  /// The result of the last launch, once it has arrived. A read that waits, or of memory that is not pinned, takes some
  /// microseconds longer.
  void fetch(void* to, std::size_t bytes) {
    const Queue& queue = array.session().queue();
    if (!landing_) return queue->read(*result, 0, bytes, to);
    queue->start_read(*result, {0, bytes}, landing_.host());
    queue->finish();
    std::memcpy(to, landing_.host(), bytes);
  }

  Kernels kernels_;
  Buffer landing_;  ///< of the result, on devices with memory of their own
};

/// In registers of sub-groups. Throws Error (unavailable) where the device has none.
KernelShape subgroup_shape(const ArrayProgram& array) {
  const ComputeDevice& device = array.device();
  if (device.sub_groups == SubGroups::none)
    throw unavailable("{}: {} has no sub-groups that kernels can use", array.options().variant, device.name);
  KernelShape shape = array.shape();
  shape.reduction = Reduction::subgroup;
  return shape;
}

/// A published rung: two launches, the second of one group. wavefronts: those of `hybrid` that one folds, 0 where
/// work-items do not wait for their wavefront alone.
void rung(DeviceReducer& reducer, const char* function, int wavefronts) {
  ArrayProgram& array = reducer.array;
  array.choose_group(256, 1);
  KernelShape shape = wavefronts > 0 ? subgroup_shape(array) : KernelShape{.group = {array.group(), 1}};
  const std::string size = array.options().text("local-size");
  shape.defines = fmt::format("-D REDUCE_GROUP={} -D HYBRID={}{} {}", function, std::max(1, wavefronts),
                              array.options().text("ids") == "flat3d" ? " -D IDS_FLAT3D" : "",
                              size == "argument" ? "-D LOCAL_SIZE=size_argument"
                              : size == "query"  ? "-D LOCAL_SIZE=((int)get_local_size(0))"
                                                 : "-D LOCAL_SIZE=GROUP_X -D LOCAL_SIZE_IS_KNOWN");
  const std::int64_t elements = reducer.task.elements, groups = parts_of(elements, array.group());
  reducer.build(ladder_source, shape, groups);
  array.settings = {{"values_per_item", 1}};
  auto& [first, second] = reducer.results;
  const std::int32_t items = array.group();
  array.add(groups, "reduce_values", reducer.values, elements, first, array.local(1), items);
  array.add(1, "reduce_rows", first, groups, second, array.local(1), items);
  reducer.result = &second;
}

/// `each` values a work-item, launch after launch, until one value is left.
void several_values(DeviceReducer& reducer, int each, Reduction reduction) {
  ArrayProgram& array = reducer.array;
  array.choose_group(256, 1);
  if (each * array.group() == 1)
    throw bad_input("--work-group: expected at least 2x1 for {}, whose launches would not come to one value, found 1x1",
                    array.options().variant);
  KernelShape shape = reduction == Reduction::subgroup ? subgroup_shape(array) : array.shape();
  shape.reduction = reduction;
  shape.defines = fmt::format("-D EACH={}", each);
  const auto groups_for = [&](std::int64_t count) { return parts_of(count, std::int64_t{each} * array.group()); };
  std::int64_t count = reducer.task.elements;
  reducer.build(several_values_source, shape, groups_for(count));
  array.settings = {{"values_per_item", each}};
  const Buffer* from = &reducer.values;
  for (int to = 0; from == &reducer.values || count > 1; to = 1 - to) {
    array.add(groups_for(count), "reduce_values", *from, count, reducer.results[to], array.local(1));
    from = &reducer.results[to];
    count = groups_for(count);
  }
  reducer.result = from;
}

/// One launch of as many groups as fill the device, whose results go to the host. On processors a group is one item.
void vectors(DeviceReducer& reducer) {
  constexpr int items_of_unit = 2048, vectors_at_once = 8;  // room of a device; of an item
  constexpr int groups_of_core = 32;  // of processors: enough for a core that comes late to leave its share to others
  ArrayProgram& array = reducer.array;
  array.choose_group(array.is_cpu() ? 1 : 256, 1);
  const std::int64_t elements = reducer.task.elements, at_once = std::int64_t{array.group()} * array.vector_lanes();
  const std::int64_t groups =
      array.is_cpu() ? std::clamp<std::int64_t>(elements / (at_once * vectors_at_once), 1,
                                                std::int64_t{groups_of_core} * array.device().units)
                     : std::min(parts_of(elements, at_once * vectors_at_once),
                                std::int64_t{array.device().units} * std::max(1, items_of_unit / array.group()));
  const bool has_sub_groups = array.device().sub_groups != SubGroups::none;
  KernelShape shape = has_sub_groups ? subgroup_shape(array) : array.shape();
  shape.lanes = array.vector_lanes();
  reducer.build(vectors_source, shape, groups);
  array.settings = {{"vvl", shape.lanes}, {"groups", groups}};
  Buffer& results = reducer.results[0];
  if (api().kernels_write_to_host)
    results = array.session().pinned(static_cast<std::size_t>(groups) * array.value_bytes());
  array.add(groups, "reduce_vectors", reducer.values, elements, results, array.local(1));
  reducer.left = groups;
}

void library(DeviceReducer& reducer, const MakeLibraryCall& make) {
  const Task& task = reducer.task;
  const bool is_word = task.op >= Operator::bit_and;
  const char* const type = !is_word       ? number_type(reducer.array.precision())
                           : task.is_wide ? "unsigned long long"
                                          : "unsigned";
  reducer.build(several_values_source, reducer.array.shape("-D EACH=1"), 1);  // for its values
  reducer.array.call(make,
                     {.defines = fmt::format("{} {}", reducer.operator_define(), library_defines(type, task.elements)),
                      .values = reducer.values,
                      .results = *reducer.result,
                      .count = task.elements});
}

// The numbers of the published tables of index arithmetic.
ModelOption ids_option() {
  return {.name = "ids",
          .value = "FORM",
          .help = "numbering of work-items: 1d (default), or flat3d, computed from three axes",
          .choices = {"1d", "flat3d"}};
}
ModelOption local_size_option() {
  return {.name = "local-size",
          .value = "SOURCE",
          .help = "how the kernel gets its work-group size: literal (default), argument or query",
          .choices = {"literal", "argument", "query"}};
}

Variant variant(const char* name, const char* summary, DeviceReducer::Kernels kernels, Role role = Role::other) {
  return array_variant<DeviceReducer>(name, summary, kernels, role);
}
Variant rung_variant(const char* name, const char* summary, const char* function, int wavefronts,
                     Role role = Role::other) {
  Variant one = variant(
      name, summary, [=](DeviceReducer& reducer) { rung(reducer, function, wavefronts); }, role);
  one.options.insert(one.options.end(), {ids_option(), local_size_option()});
  return one;
}

}  // namespace

Program device_program(const MakeLibraryCall& cub) {
  const auto values = [](int each, Reduction reduction) {
    return [=](DeviceReducer& reducer) { several_values(reducer, each, reduction); };
  };
  auto program = program_of(workload);
  program.default_variant = "vectors";
  program.variants = {
      rung_variant("naive", "published rung: binary tree of neighbours, a barrier per round", "naive", 0,
                   Role::textbook),
      rung_variant("naive-fewest-barriers",
                   "published rung: the same, first rounds within a wavefront, without barriers",
                   "naive_fewest_barriers", 1),
      rung_variant("compact", "published rung: the upper half is folded onto the lower, a barrier per round", "compact",
                   0),
      rung_variant("compact-fewest-barriers", "published rung: the same, no barriers within the last wavefront",
                   "compact_fewest_barriers", 1),
      rung_variant("hybrid2", "published rung: each wavefront folds the values of 2, until one value is left", "hybrid",
                   2),
      rung_variant("hybrid4", "published rung: each wavefront folds the values of 4, until one value is left", "hybrid",
                   4),
      rung_variant("hybrid8", "published rung: each wavefront folds the values of 8, until one value is left", "hybrid",
                   8),
      variant("linear", "one work-item per group adds up all its values", values(1, Reduction::linear)),
      variant("two-values", "2 values per work-item, then halves are folded", values(2, Reduction::halves)),
      variant("four-values", "4 values per work-item, then halves are folded", values(4, Reduction::halves)),
      variant("eight-values", "8 values per work-item, then halves are folded", values(8, Reduction::halves)),
      variant("sub-group", "sub-groups reduce in registers", values(1, Reduction::subgroup)),
      variant("sub-group-eight-values", "8 values per work-item, then sub-groups reduce in registers",
              values(8, Reduction::subgroup)),
      variant("vectors",
              "vectors of values, one launch of as many groups as fill the device; the host joins what they leave",
              vectors, Role::like_for_like)};
  if (cub)
    program.variants.push_back(
        library_variant<DeviceReducer>([cub](DeviceReducer& reducer) { library(reducer, cub); }));
  return program;
}

Program device_program() { return device_program(MakeLibraryCall()); }

}  // namespace boltzmark::reduce
