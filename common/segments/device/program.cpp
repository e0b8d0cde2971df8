// Segmented sums on a device. A variant is a function that chooses kernels for a length.
#include <bit>
#include <numeric>
#include <optional>

#include "common/base/error.hpp"
#include "common/device/array_program.hpp"
#include "common/segments/reducer.hpp"

namespace boltzmark::segments {

using namespace device;

extern const std::string_view strategies_source, item_sums_source, tile_sums_source, piece_sums_source;

namespace {

/// A launch: sums `parts` of each segment separately, giving as many sums.
struct SegmentTask {
  Buffer values, sums;
  std::int64_t segments, length, parts;
};

/// The kernels of one file, compiled for segments of one length.
struct SegmentKernels {
  std::string_view source;
  KernelShape shape;
  Settings settings = {};                            ///< for the record
  bool takes_parts = false;                          ///< of segments
  bool adds_parts = false;                           ///< up itself
  std::function<void(const SegmentTask&)> add = {};  ///< adds their launch to the program
};

/// For a processor: enough for a late core to leave its share to others.
constexpr std::int64_t items_of_unit = 32;

class DeviceSegments final : public Reducer {
 public:
  using Choose = std::function<SegmentKernels(ArrayProgram& array, std::int64_t length)>;

  DeviceSegments(const Options& options, Choose choose) : array_(options), choose_(std::move(choose)) {
    array_.choose_group(128, 1);
  }

  std::string shortage(double bytes) override { return array_.shortage(bytes, bytes); }
  void init(const Shape& shape) override {
    shape_ = shape;
    const SegmentKernels kernels = choose_(array_, shape.length);
    const std::int64_t parts = kernels.takes_parts ? this->parts() : 1;
    array_.build(kernels.source, kernels.shape);
    array_.settings = kernels.settings;
    array_.settings["parts"] = parts;
    values_ = array_.filled_array(shape.elements());
    sums_ = array_.array(shape.segments);
    if (parts == 1 || kernels.adds_parts) {
      kernels.add({values_, sums_, shape.segments, shape.length, parts});
    } else {
      part_sums_ = array_.array(shape.segments * parts);
      kernels.add({values_, part_sums_, shape.segments, shape.length, parts});
      kernels.add({part_sums_, sums_, shape.segments, parts, 1});
    }
    array_.run_first();
  }
  void spoil() override { array_.spoil(); }
  void reduce() override { array_.run("add up the segments"); }
  std::int64_t part() const override { return shape_.segments; }
  void read(std::int64_t at, std::span<double> sums) override { array_.read(sums_, at, sums); }
  RunFacts facts() const override { return array_.facts(); }

 private:
  /// Parts of a segment, so that every unit has work
  std::int64_t parts() const {
    const std::int64_t least = array_.is_cpu() ? 16384 : 16 * array_.group();  // elements that are worth a part
    const std::int64_t wanted = (array_.is_cpu() ? items_of_unit : 16) * array_.device().units;
    return std::clamp<std::int64_t>(wanted / shape_.segments, 1, std::max<std::int64_t>(1, shape_.length / least));
  }

  ArrayProgram array_;
  Choose choose_;
  Shape shape_;
  Buffer values_, part_sums_, sums_;
};

constexpr int wavefront = 32;

/// The published strategies: `span` items share a segment, `unit` items hold as many segments as fit.
SegmentKernels strategy(ArrayProgram& array, int unit, std::int64_t items) {
  const int span = static_cast<int>(std::min<std::int64_t>(unit, items)), of_unit = unit / span,
            of_group = array.group() / unit * of_unit;
  return {.source = strategies_source,
          .shape = array.shape(fmt::format("-D UNIT={} -D SPAN={}", unit, span)),
          .settings = {{"items_per_segment", span},
                       {"segments_per_wavefront", static_cast<double>(of_unit) * wavefront / unit}},
          .add = [&array, of_group](const SegmentTask& task) {
            array.add(parts_of(task.segments, of_group), "sum_segments", task.values, task.segments, task.length,
                      task.sums, array.local(1));
          }};
}

int wavefront_of(const ArrayProgram& array) { return std::min(wavefront, array.group()); }

/// Lanes of a 16-byte vector.
int short_lanes(const ArrayProgram& array) { return 16 / static_cast<int>(array.value_bytes()); }

/// Local memory of tiles: padding to avoid bank conflicts, and one value per item.
std::size_t tile_bytes(const ArrayProgram& array, int vectors) {
  const std::size_t values = static_cast<std::size_t>(vectors) * array.group() * short_lanes(array);
  return (values + values / wavefront + array.group()) * array.value_bytes();
}
constexpr int most_vectors = 16;  // of an item

/// Whether items that read 8 vectors each, or 16, can hold a segment.
std::optional<SegmentKernels> tile_sums(ArrayProgram& array, std::int64_t length) {
  const int lanes = short_lanes(array);
  // For tiles that are not whole cache lines: with 3 and 33 floats on an H200 1.14 and 1.12 times the rate (others were
  // not measured); in OpenCL, where the architecture is unknown, 1.01 and 0.86 times.
  const bool copies =
      array.device().has_asynchronous_copies() && !array.device().architecture.empty() && length % lanes != 0;
  if (copies) array.choose_group(256, 1);
  const int group = array.group();
  const std::int64_t in_step = lanes / std::gcd(length, std::int64_t{lanes});  // begin at vectors' borders
  for (const int vectors : {most_vectors / 2, most_vectors}) {
    const std::int64_t fit = std::int64_t{vectors} * group * lanes / length / in_step * in_step;
    if (fit == 0 || tile_bytes(array, vectors) > array.device().local_bytes) continue;
    const auto segments = static_cast<int>(fit);
    const auto items = static_cast<unsigned>(std::max(1, group / segments));
    const int span = std::min(wavefront, static_cast<int>(std::bit_floor(items)));
    const std::string defines = fmt::format("-D LENGTH={} -D SEGMENTS={} -D SPAN={}{}", length, segments, span,
                                            copies ? " -D ASYNCHRONOUS_COPIES" : "");
    return SegmentKernels{.source = tile_sums_source,
                          .shape = array.shape(defines, lanes, vectors),
                          .settings = {{"items_per_segment", span}, {"segments_per_group", segments}},
                          .add = [&array, segments](const SegmentTask& task) {
                            array.add(parts_of(task.segments, segments), "sum_tiles", task.values, task.segments,
                                      task.sums, array.local(1));
                          }};
  }
  return {};
}

/// One group per segment or part of one. An item reads at most one value before its first whole vector.
SegmentKernels piece_sums(ArrayProgram& array, std::int64_t) {
  const auto most_lanes = static_cast<int>(std::bit_floor(static_cast<unsigned>(array.group()) + 1));
  return {.source = piece_sums_source,
          .shape = array.shape("", std::min(short_lanes(array), most_lanes)),
          .takes_parts = true,
          .add = [&array](const SegmentTask& task) {
            array.add(task.segments * task.parts, "sum_pieces", task.values, task.length,
                      static_cast<std::uint32_t>(task.parts), task.sums, array.local(1));
          }};
}

/// For processors: an item sums many segments, or parts of them, in one launch.
SegmentKernels item_sums(ArrayProgram& array, std::int64_t length) {
  const int lanes = array.vector_lanes();
  const bool are_short = lanes > 1 && length < 8 * lanes;
  return {.source = item_sums_source,
          .shape = array.shape(are_short ? fmt::format("-D LENGTH={}", length) : "", lanes),
          .takes_parts = true,
          .adds_parts = true,
          .add = [&array](const SegmentTask& task) {
            const std::int64_t all_parts = task.segments * task.parts, in_parts = task.parts > 1 ? all_parts : 1,
                               items = std::min(all_parts, items_of_unit * array.device().units);
            array.add(items, "sum_by_items", task.values, task.segments, task.length,
                      static_cast<std::uint32_t>(task.parts), task.sums,
                      array.scratch(static_cast<std::size_t>(in_parts) * array.value_bytes()),
                      array.state(static_cast<std::size_t>(in_parts) * sizeof(std::uint32_t)));
          }};
}

SegmentKernels serial(ArrayProgram& array, std::int64_t) { return strategy(array, 1, 1); }
SegmentKernels packed(ArrayProgram& array, std::int64_t length) { return strategy(array, array.group(), length); }
SegmentKernels compact(ArrayProgram& array, std::int64_t length) {
  return strategy(array, wavefront_of(array), length);
}
SegmentKernels power_of_two(ArrayProgram& array, std::int64_t length) {
  const auto rounded = std::bit_ceil(static_cast<std::uint64_t>(length));
  return strategy(array, wavefront_of(array), static_cast<std::int64_t>(rounded));
}
SegmentKernels group(ArrayProgram& array, std::int64_t) { return strategy(array, array.group(), array.group()); }
SegmentKernels tiles(ArrayProgram& array, std::int64_t length) {
  if (auto kernels = tile_sums(array, length)) return *kernels;
  throw unavailable("tiles: expected segments of which one fits in a group's {} bytes, found {} elements",
                    tile_bytes(array, most_vectors), length);
}
SegmentKernels adaptive(ArrayProgram& array, std::int64_t length) {
  if (array.is_cpu()) {
    array.choose_group(1, 1);
    return item_sums(array, length);
  }
  const auto kernels = tile_sums(array, length);
  return kernels ? *kernels : piece_sums(array, length);
}

Variant variant(const char* name, const char* summary, DeviceSegments::Choose kernels, Role role = Role::other) {
  return array_variant<DeviceSegments>(name, summary, kernels, role);
}

}  // namespace

Program device_program(const MakeLibraryCall& cub) {
  auto program = program_of(workload);
  program.default_variant = "adaptive";
  program.variants = {
      variant("serial", "published: one work-item per segment", serial, Role::textbook),
      variant("packed", "published: as many segments per group as fit, side by side", packed),
      variant("compact", "published: as many segments per wavefront as fit", compact),
      variant("power-of-two", "published: the same, segments padded to a power of two", power_of_two),
      variant("group", "published: one group per segment", group),
      variant("tiles", "each group reads whole segments in vectors, then adds them up in local memory", tiles),
      variant("pieces", "one group per segment, or per part of a long one, in vectors", piece_sums),
      variant("adaptive",
              "tiles or pieces, depending on the segments' length; on processors many segments per work-item", adaptive,
              Role::like_for_like)};
  if (cub)
    program.variants.push_back(library_variant<DeviceSegments>([cub](ArrayProgram& array, std::int64_t length) {
      SegmentKernels kernels = serial(array, length);  // for its values
      kernels.add = [&array, cub](const SegmentTask& task) {
        const std::string type_and_count = library_defines(number_type(array.precision()), task.segments * task.length);
        array.call(cub, {.defines = fmt::format("{} -D BOLTZMARK_LENGTH={}", type_and_count, task.length),
                         .values = task.values,
                         .results = task.sums,
                         .count = task.segments});
      };
      return kernels;
    }));
  return program;
}

Program device_program() { return device_program(MakeLibraryCall()); }

}  // namespace boltzmark::segments
