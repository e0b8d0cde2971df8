// The variants on tensor cores: opencl/matmul/kernels/tensor.cl and warp_groups.cl, and the shapes of their launches.
#include <fmt/core.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/matmul/device/device_multiplier.hpp"

namespace boltzmark::matmul {

using namespace device;

extern const std::string_view tensor_source, warp_groups_source;

ModelOption arithmetic_option() {
  return {.name = "arithmetic",
          .value = "NAME",
          .help =
              "for f32 on tensor cores: format to which A and B are rounded (sums and C stay f32); default: tf32; a "
              "library does not round",
          .choices = {"tf32", "f16", "bf16"},
          .is_users = true};
}

Rounding rounding_of(const Options& options) {
  const std::string name = options.text("arithmetic");
  if (name.empty()) return Rounding::as_they_are;
  if (options.precision == Precision::f64)
    throw bad_input("--arithmetic: expected it only with --precision f32, found f64 and {}", name);
  return name == "tf32" ? Rounding::tf32 : name == "f16" ? Rounding::f16 : Rounding::bf16;
}

namespace {

constexpr int warp_items = 32;

/// "128x128/32x64": rows x columns of C of a group, and of each of its warps.
struct TensorTiling {
  const char* name;
  int rows, columns, tile_rows, tile_columns;
  /// Relative time, estimated from the bytes per element that the group reads from global and local memory.
  double seconds_of_element;

  int items() const { return rows / tile_rows * (columns / tile_columns) * warp_items; }
};
constexpr TensorTiling tensor_tilings[] = {
    {"128x256/64x64", 128, 256, 64, 64, 1.0},  {"256x128/64x64", 256, 128, 64, 64, 1.0},
    {"128x128/64x64", 128, 128, 64, 64, 1.1},  {"128x128/32x64", 128, 128, 32, 64, 1.15},
    {"128x128/64x32", 128, 128, 64, 32, 1.15}, {"128x128/32x32", 128, 128, 32, 32, 1.25},
    {"64x128/32x32", 64, 128, 32, 32, 1.35},   {"64x64/32x32", 64, 64, 32, 32, 1.5}};

/// Format that tensor cores multiply. Floats are always rounded.
struct Format {
  const char *name, *define;
  int bytes;
};
Format format_of(const Options& options) {
  if (options.precision == Precision::f64) return {"f64", "TENSOR_F64", 8};
  const Rounding rounding = rounding_of(options);
  if (rounding == Rounding::f16) return {"f16", "TENSOR_F16", 2};
  if (rounding == Rounding::bf16) return {"bf16", "TENSOR_BF16", 2};
  return {"tf32", "TENSOR_TF32", 4};
}
Rounding rounding_to(const Format& format, const Options& options) {
  return format.bytes == 4 ? Rounding::tf32 : rounding_of(options);
}

/// Depth of an instruction.
int step_depth_of(const Options& options, const Format& format) {
  if (format.bytes == 8) return options.number("step-depth").value_or(8);
  if (options.has("step-depth"))
    throw bad_input("--step-depth: expected it only with --precision f64, found {}", format.name);
  return 32 / format.bytes;
}

/// Whether an item's sums and the words of two steps leave enough registers for addresses.
bool fits_registers(const TensorTiling& tiling, const Format& format, int step_depth) {
  constexpr int of_unit = 65536, most = 255, of_addresses = 24, word = 4;
  const int sums = tiling.tile_rows * tiling.tile_columns * std::max(format.bytes, word),
            words = 2 * (tiling.tile_rows + tiling.tile_columns) * step_depth * format.bytes;
  return (sums + words) / (warp_items * word) <= std::min(most, of_unit / tiling.items()) - of_addresses;
}

/// The shape for which the rounds of groups over the device's units take the least time, as for warp-items tiles.
const TensorTiling& tiling_of(const ComputeDevice& device, const Shape& shape, const Options& options,
                              const Format& format, int step_depth) {
  const std::string asked = options.text("tiling");
  const auto seconds = [&](const TensorTiling& tiling) {
    const std::int64_t groups = parts_of(shape.m, tiling.rows) * parts_of(shape.n, tiling.columns);
    return static_cast<double>(parts_of(groups, device.units) * tiling.rows * tiling.columns) *
           tiling.seconds_of_element;
  };
  const TensorTiling* best = nullptr;
  for (const TensorTiling& tiling : tensor_tilings)
    if (asked.empty() ? fits_registers(tiling, format, step_depth) && (!best || seconds(tiling) < seconds(*best))
                      : asked == tiling.name)
      best = &tiling;
  if (!best || !fits_registers(*best, format, step_depth))
    throw bad_input("--tiling: expected sums and words that fit the registers, found {} in {} with steps of {}", asked,
                    format.name, step_depth);
  return *best;
}

class Tensor final : public DeviceMultiplier {
 public:
  explicit Tensor(const Options& options)
      : DeviceMultiplier(options), format_(format_of(options)), step_depth_(step_depth_of(options, format_)) {
    const ComputeDevice& device = array_.device();
    if (const int least = format_.bytes == 8 ? capability_for_doubles : 80; device.capability < least)
      throw unavailable("tensor: expected an NVIDIA device of compute capability {}.0 for {}, found {}", least / 10,
                        format_.name, device.name);
  }

  /// Matrices are padded to whole blocks.
  void init(const Shape& shape, const Entries& entries) override {
    const Options& options = array_.options();
    tiling_ = tiling_of(array_.device(), shape, options, format_, step_depth_);
    // Rows of 128 bytes; steps come in pairs.
    depth_ = std::max(128 / format_.bytes, 2 * step_depth_);
    stages_ = stages();
    const Shape sizes = {padded(shape.m, tiling_.rows), padded(shape.n, tiling_.columns), padded(shape.k, depth_)};
    const int warps = tiling_.items() / warp_items;
    array_.build(tensor_source,
                 {.group = {warp_items, warps},
                  .lanes = 16 / static_cast<int>(array_.value_bytes()),
                  .defines = fmt::format("-D {} -D STEP_DEPTH={} -D STAGES={} -D BLOCK_ROWS={} -D BLOCK_COLUMNS={} "
                                         "-D TILE_ROWS={} -D TILE_COLUMNS={} -D BLOCK_DEPTH={} -D ASYNCHRONOUS_COPIES",
                                         format_.define, step_depth_, stages_, tiling_.rows, tiling_.columns,
                                         tiling_.tile_rows, tiling_.tile_columns, depth_)});
    allocate(shape, sizes, entries, rounding_to(format_, options));
    add_multiplication({sizes.n / tiling_.columns * warp_items, sizes.m / tiling_.rows * warps}, {warp_items, warps},
                       a_, b_);
    array_.run_first();
  }

  RunFacts facts() const override {
    const double k = static_cast<double>(sizes_.k), share = static_cast<double>(format_.bytes) / array_.value_bytes();
    ProductTraffic traffic = this->traffic(format_.bytes);
    traffic.groups({tiling_.rows, tiling_.columns, depth_}, array_.device().units);
    return facts_of({{"tensor_cores", format_.name},
                     {"tiling", tiling_.name},
                     {"block_depth", depth_},
                     {"step_depth", step_depth_},
                     {"stages", stages_}},
                    share * (k / tiling_.rows + k / tiling_.columns) + 1.0, traffic);
  }

 private:
  /// As many as fit in a unit's local memory with as many groups as its registers allow; rows are padded as in the
  /// kernel.
  int stages() const {
    constexpr int most = 4, items_of_unit = 256;
    const std::uint64_t unit = array_.device().group_local_bytes();
    const int a_pad = format_.bytes == 8 ? 32 : 16, b_pad = format_.bytes == 2 ? 16 : 32;
    const auto bytes = static_cast<std::uint64_t>(tiling_.rows * (depth_ * format_.bytes + a_pad) +
                                                  depth_ * (tiling_.columns * format_.bytes + b_pad));
    const std::uint64_t groups = std::max(1, items_of_unit / tiling_.items());
    const std::uint64_t stages = std::max(unit / groups, std::min<std::uint64_t>(unit, 2 * bytes)) / bytes;
    if (stages < 2)
      throw unavailable("tensor: expected {} bytes of local memory, {} has {}", 2 * bytes, array_.device().name, unit);
    return static_cast<int>(std::min<std::uint64_t>(stages, most));
  }

  Format format_;
  int step_depth_;
  TensorTiling tiling_ = tensor_tilings[0];
  int depth_ = 0, stages_ = 0;
};

/// Launch by warp groups. Blocks of the kernel have a single shape, which takes most of the registers and of the local
/// memory.
class WarpGroups final : public DeviceMultiplier {
 public:
  explicit WarpGroups(const Options& options) : DeviceMultiplier(options), format_(format_of(options)) {
    const ComputeDevice& device = array_.device();
    if (device.architecture != "sm_90" || device.group_local_bytes() < local_bytes)
      throw unavailable(
          "tensor-groups: expected an NVIDIA device of compute capability 9.0 with {} bytes of local memory, found {}",
          local_bytes, device.name);
  }

  /// Blocks of depth come in pairs.
  void init(const Shape& shape, const Entries& entries) override {
    const int depth = row_bytes / format_.bytes;
    const Shape sizes = {padded(shape.m, rows), padded(shape.n, columns), padded(shape.k, 2 * depth)};
    array_.build(warp_groups_source,
                 {.group = {warp_items, warps},
                  .lanes = 4,
                  .defines = fmt::format("-D {} -D STEP_DEPTH={} -D STAGES={} -D BLOCK_ROWS={} -D BLOCK_COLUMNS={} "
                                         "-D BLOCK_DEPTH={} -D ASYNCHRONOUS_COPIES",
                                         format_.define, 32 / format_.bytes, stages, rows, columns, depth),
                  .is_for_architecture = true});
    allocate(shape, sizes, entries, rounding_to(format_, array_.options()));
    add_multiplication({sizes.n / columns * warp_items, sizes.m / rows * warps}, {warp_items, warps}, a_, b_);
    array_.run_first();
  }

  RunFacts facts() const override {
    const double k = static_cast<double>(sizes_.k), share = static_cast<double>(format_.bytes) / array_.value_bytes();
    ProductTraffic traffic = this->traffic(format_.bytes);
    traffic.groups({rows, columns, row_bytes / format_.bytes}, array_.device().units);
    return facts_of({{"tensor_cores", format_.name}, {"stages", stages}}, share * (k / rows + k / columns) + 1.0,
                    traffic);
  }

 private:
  static constexpr int rows = 256, columns = 128, warps = 8, stages = 4, row_bytes = 128;
  /// With rows of B of 17 vectors for 8 halves of the depth, or of 34 for 4 floats, and alignment.
  static constexpr std::uint64_t local_bytes = 1024 + stages * (rows * row_bytes + 64 * 17 * 16);

  Format format_;
};

std::vector<ModelOption> tensor_options() {
  return {arithmetic_option(),
          {.name = "tiling",
           .value = "RxC/RxC",
           .help = "elements of C per work-group / per warp; default: chosen by the size of C",
           .choices = each(tensor_tilings, [](const TensorTiling& tiling) { return std::string(tiling.name); })},
          {.name = "step-depth",
           .value = "N",
           .help = "depth of one instruction in double precision; default: 8",
           .choices = {"4", "8", "16"}}};
}

}  // namespace

Variant tensor_variant() {
  return {.name = "tensor",
          .summary = "NVIDIA's tensor cores: floats rounded by --arithmetic, doubles exact",
          .options = tensor_options(),
          .make = [](const Options& asked) { return std::make_unique<Tensor>(asked); }};
}

Variant warp_groups_variant() {
  return {
      .name = "tensor-groups",
      .summary = "the same by Hopper's warp groups, for floats only: asynchronous products of matrices in local memory",
      .precisions = {Precision::f32},
      .options = {arithmetic_option()},
      .make = [](const Options& asked) { return std::make_unique<WarpGroups>(asked); }};
}

}  // namespace boltzmark::matmul
