// The target that is a device: a work-item for every chunk. Members as in common/target/host_target.hpp.
#pragma once

#include <climits>
#include <map>
#include <numeric>
#include <string>

#include "common/device/build.hpp"
#include "common/device/session.hpp"
#include "common/target/kernel.hpp"
#include "common/target/layer.hpp"

namespace boltzmark::device {

/// How kernels of the layer are built and launched.
struct TargetPlan {
  ComputeDevice device;
  BuildOptions options;
  std::string_view source;   ///< that includes kernels/target.h
  std::string defines = "";  ///< more options, "-D TILED"
  int vvl = 1;
  WorkGroup group = {64, 1};
  int row_items = 1;             ///< work-items that share a sum of TARGET_ROWS
  bool is_down_columns = false;  ///< neighbouring work-items are not in the same row

  /// Options of the layer's programs, which of() reads.
  static std::vector<ModelOption> layer_options() { return {work_group_option(), target::order_option()}; }

  /// --vvl and layer_options(), or defaults for the device. Throws Error for groups that it cannot run.
  static TargetPlan of(const ComputeDevice& device, const Options& options, std::string_view source) {
    TargetPlan plan = {.device = device, .options = build_options(options), .source = source};
    const bool is_cpu = device.type == DeviceType::cpu;
    plan.vvl = options.number("vvl").value_or(is_cpu ? device.native_lanes(options.precision) : 1);
    const WorkGroup group = options.shape("work-group").value_or(WorkGroup{is_cpu ? 64 : 128, 1});
    if (group.z != 1) throw bad_input("--work-group: expected XxY, found {}", to_string(group));
    check_work_group(device, group, 0);
    plan.group = group;
    plan.is_down_columns = options.text("order") == "columns";
    return plan;
  }
  /// The same for a rung.
  static TargetPlan of(const target::Rung& rung, const Options& asked, std::string_view source) {
    TargetPlan plan = of(device_for(asked), asked, source);
    if (!rung.has_vvl) plan.vvl = 1;
    plan.defines = rung.defines;
    plan.row_items = rung.row_items;
    return plan;
  }
};

/// A program of the layer for the API in use.
inline Program layer_program(const target::LayerEntry& workload, const target::MakeRun& make) {
  Program program = program_of(workload);
  program.variants = target::variants(workload, make, TargetPlan::layer_options());
  program.default_variant = [&workload](const Options& asked) {
    return workload.usual_variant(device_for(asked).type != DeviceType::cpu);
  };
  return program;
}

template <class T>
class DeviceTarget {
 public:
  using Scalar = T;
  struct Field {
    Buffer buffer;
    int values = 0;
    const Buffer& argument() const { return buffer; }
  };
  using Constants = Field;

  DeviceTarget(const TargetPlan& plan, const target::Lattice& lattice)
      : lattice_(lattice), plan_(plan), session_(plan.device, plan.options) {
    if (plan.group.x % plan.row_items != 0)
      throw bad_input("--work-group: expected X a multiple of {}, the work-items of a row, found {}", plan.row_items,
                      to_string(plan.group));
    module_ = session_.build(
        plan.source, {.group = plan.group,
                      .lanes = std::min(plan.vvl, 16),
                      .defines = fmt::format(
                          "-D VVL={}{}{}{} {}", plan.vvl, plan.device.type == DeviceType::cpu ? " -D KEEP_LOOPS" : "",
                          plan.is_down_columns ? " -D DOWN_COLUMNS" : "",
                          plan.row_items > 1 ? fmt::format(" -D ROW_ITEMS={}", plan.row_items) : "", plan.defines)});
    session_.allocate({{&launches_, sizeof launched_}});
  }

  const target::Lattice& lattice() const { return lattice_; }
  int vvl() const { return plan_.vvl; }
  Session& session() { return session_; }
  RunFacts facts() const {
    RunFacts facts =
        session_.facts({{"work_group", to_string(plan_.group)}, {"order", plan_.is_down_columns ? "columns" : "rows"}});
    facts.write_allocate = plan_.device.type == DeviceType::cpu && plan_.vvl * sizeof(T) < 64;  // see SET_PAST
    return facts;
  }

  template <class Launches>
  void first_launches(Launches&& launches) {
    session_.first_launches(plan_.group, launches);
  }

  Field make(int values) {
    Field field = {{}, values};
    session_.allocate({{&field.buffer, static_cast<std::size_t>(values * lattice_.stride()) * sizeof(T)}});
    return field;
  }
  Constants constants(const std::vector<T>& numbers) {
    Field field = {{}, 1};
    const std::size_t bytes = numbers.size() * sizeof(T);
    session_.allocate({{&field.buffer, (bytes + 3) / 4 * 4}});
    write(field.buffer, numbers.data(), 0, bytes);
    return field;
  }

  void copy_to(Field& field, const T* host, int first, int count) {
    write(field.buffer, host, bytes_of_values(first), bytes_of_values(count));
  }
  void copy_from(const Field& field, T* host, int first, int count) {
    read(field.buffer, host, bytes_of_values(first), bytes_of_values(count));
  }

  std::vector<T> gather(const Field& field, const std::vector<std::int32_t>& wanted) {
    if (wanted.empty()) return {};
    std::vector<T> values(wanted.size() * static_cast<std::size_t>(field.values));
    Scratch scratch(*this, wanted, values.size());
    run_wanted("gather", wanted.size(), scratch.wanted, field, scratch.values);
    read(scratch.values, values.data(), 0, values.size() * sizeof(T));
    return values;
  }
  void scatter(Field& field, const std::vector<std::int32_t>& wanted, const std::vector<T>& values) {
    if (wanted.empty()) return;
    Scratch scratch(*this, wanted, values.size());
    write(scratch.values, values.data(), 0, values.size() * sizeof(T));
    run_wanted("scatter", wanted.size(), scratch.wanted, field, scratch.values);
    wait();
  }

  bool is_site_by_site() const { return plan_.device.type != DeviceType::cpu && plan_.vvl == 1; }

  template <int lanes = 0, class Function, class... Arguments>
  void launch(const target::Kernel<Function>& kernel, const target::Sites& box, const Arguments&... arguments) {
    launch_groups(groups_of(divide_up(box.length, plan_.vvl), box.rows * box.layers, 1), kernel.name, box,
                  target::argument_of(arguments)...);
  }
  template <class Function, class... Arguments>
  void launch_rows(const target::Kernel<Function>& kernel, const target::Sites& box, const Arguments&... arguments) {
    launch_groups(groups_of(box.length, box.rows * box.layers, plan_.row_items), kernel.name, box,
                  target::argument_of(arguments)...);
  }

  /// Sum over a box of the values of a TARGET_SUM: each group leaves a partial sum.
  template <class Function, class... Arguments>
  double sum(const target::Kernel<Function>& kernel, const target::Sites& box, const Arguments&... arguments) {
    const int lanes = std::min(plan_.vvl, 16);
    const std::int64_t chunks = (std::int64_t{box.length} + lanes - 1) / lanes * box.rows * box.layers;
    if (chunks == 0) return 0.0;
    const bool is_cpu = plan_.device.type == DeviceType::cpu;
    const std::int64_t most = is_cpu ? 4 * plan_.device.units : 16 * plan_.device.units;
    const std::int64_t items = in_a_row().x;
    const auto groups = static_cast<std::size_t>(std::min(most, (chunks + items - 1) / items));
    const std::size_t bytes = plan_.device.has_doubles ? sizeof(double) : sizeof(float);
    if (!parts_) session_.allocate({{&parts_, static_cast<std::size_t>(most) * bytes}});
    ++launched_;
    enqueue(kernel.name, groups, in_a_row(), box, launches_, parts_, target::argument_of(arguments)...);
    const auto added_up = [&](auto parts) {
      read(parts_, parts.data(), 0, groups * bytes);
      return std::accumulate(parts.begin(), parts.end(), 0.0);
    };
    return plan_.device.has_doubles ? added_up(std::vector<double>(groups)) : added_up(std::vector<float>(groups));
  }

  double reduce(target::Reduce reduce, const Field& field, int value, const target::Sites& box,
                const target::Mask* mask = nullptr) {
    constexpr std::size_t items = 1 << 12;  // for any group size that is a power of two
    const double start = target::start_of(reduce);
    std::vector<T> parts(items, static_cast<T>(start));
    const target::Mask none(4);
    const target::Mask& bytes = mask ? *mask : none;
    Buffer of_parts, of_mask;
    session_.allocate({{&of_parts, items * sizeof(T)}, {&of_mask, (bytes.size() + 3) / 4 * 4}});
    write(of_parts, parts.data(), 0, items * sizeof(T));
    write(of_mask, bytes.data(), 0, bytes.size());
    Kernel& kernel = kernel_named("reduce_sites");
    attempt("reduce", [&] {
      kernel.rebind(box, field.buffer, value, static_cast<std::int32_t>(reduce),
                    static_cast<std::int32_t>(mask != nullptr), of_mask, of_parts);
      session_.queue()->launch(kernel, Range(items), Range(64));
    });
    read(of_parts, parts.data(), 0, items * sizeof(T));
    return target::joined(reduce, parts);
  }

  void wait() {
    attempt("wait for the device", [&] { session_.queue()->finish(); });
  }
  void confirm() const {}
  std::uint32_t lost_launches() {
    std::uint32_t ran = 0;
    read(launches_, &ran, 0, sizeof ran);
    return launched_ - ran;
  }

 private:
  /// Memory that gather and scatter need on the device.
  struct Scratch {
    Buffer wanted, values;
    Scratch(DeviceTarget& target, const std::vector<std::int32_t>& sites, std::size_t count) {
      const std::size_t bytes = sites.size() * sizeof(std::int32_t);
      target.session_.allocate({{&wanted, bytes}, {&values, count * sizeof(T)}});
      target.write(wanted, sites.data(), 0, bytes);
    }
  };

  std::size_t bytes_of_values(int values) const {
    return static_cast<std::size_t>(values * lattice_.stride()) * sizeof(T);
  }
  void write(const Buffer& to, const void* from, std::size_t first, std::size_t bytes) {
    attempt("write a field", [&] { session_.queue()->write(to, first, bytes, from); });
  }
  void read(const Buffer& from, void* to, std::size_t first, std::size_t bytes) {
    attempt("read a field", [&] { session_.queue()->read(from, first, bytes, to); });
  }

  Kernel& kernel_named(const char* name) {
    auto at = kernels_.find(name);
    if (at == kernels_.end())
      at = attempt("make a kernel", [&] { return kernels_.emplace(name, Kernel(module_, name)).first; });
    return at->second;
  }

  /// The group's work-items, for kernels without rows.
  WorkGroup in_a_row() const { return {plan_.group.x * plan_.group.y, 1}; }

  /// Work-items to which chunk_of_item (target.h) deals this many chunks of this many rows, each chunk to `sharing`
  /// work-items.
  std::size_t groups_of(int in_row, int rows, int sharing) const {
    const std::int64_t chunks = std::int64_t{in_row} * rows, along = plan_.is_down_columns ? rows : in_row;
    const std::int64_t all = in_a_row().x / sharing;
    if (chunks == 0) return 0;
    if (plan_.group.y == 1 || along == 1 || along == chunks) return static_cast<std::size_t>((chunks + all - 1) / all);
    const std::int64_t x = plan_.group.x / sharing, y = plan_.group.y, across = chunks / along;
    return static_cast<std::size_t>((along + x - 1) / x * ((across + y - 1) / y));
  }

  template <class... Arguments>
  void launch_groups(std::size_t groups, const char* name, const target::Sites& box, const Arguments&... arguments) {
    if (groups == 0) return;
    if (groups > static_cast<std::size_t>(INT_MAX / in_a_row().x))  // kernels number them with ints
      throw unavailable("{}: expected at most {} work-items, found {} groups of {}", name, INT_MAX, groups,
                        to_string(plan_.group));
    ++launched_;
    enqueue(name, groups, plan_.group, box, launches_, arguments...);
  }
  template <class... Arguments>
  void enqueue(const char* name, std::size_t groups, WorkGroup group, const Arguments&... arguments) {
    Kernel& kernel = kernel_named(name);
    const auto x = static_cast<std::size_t>(group.x), y = static_cast<std::size_t>(group.y);
    attempt("run a kernel", [&] {
      kernel.rebind(arguments...);
      if (y == 1)
        session_.queue()->launch(kernel, Range(groups * x), Range(x));
      else
        session_.queue()->launch(kernel, Range(groups * x, y), Range(x, y));
    });
  }
  void run_wanted(const char* name, std::size_t count, const Buffer& wanted, const Field& field, const Buffer& values) {
    const auto items = static_cast<std::size_t>(in_a_row().x);
    enqueue(name, (count + items - 1) / items, in_a_row(), static_cast<std::int32_t>(count), wanted, field.buffer,
            static_cast<std::int32_t>(lattice_.stride()), static_cast<std::int32_t>(field.values), values);
  }

  target::Lattice lattice_;
  TargetPlan plan_;
  Session session_;
  Module module_;
  std::map<std::string, Kernel> kernels_;
  Buffer parts_;                ///< sums of groups
  Buffer launches_;             ///< as kernels count them
  std::uint32_t launched_ = 0;  ///< as the host does
};

}  // namespace boltzmark::device
