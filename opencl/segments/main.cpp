// segments-opencl and segments-cuda: segmented sums on a device.
#include <bit>
#include <numeric>
#include <optional>

#include "common/base/error.hpp"
#include "common/segments/reducer.hpp"
#include "opencl/runtime/array_work.hpp"
#include "opencl/runtime/describe.hpp"
#include "opencl/runtime/library_call.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

extern const std::string_view strategies_source, stretches_source, tile_sums_source, piece_sums_source,
    cub_segments_source;

namespace {

enum class Strategy { serial, packed, compact, power_of_two, group, tiles, pieces, adaptive, library };

struct Way {
  const char* name;
  const char* summary;
  Strategy strategy;
  Role role = Role::other;
};

const std::vector<Way> ways = [] {
  std::vector<Way> all = {
      Way{"serial", "published: an item walks along a segment", Strategy::serial, Role::textbook},
      Way{"packed", "published: a group holds as many segments as fit, side by side", Strategy::packed},
      Way{"compact", "published: a wavefront holds as many segments as fit", Strategy::compact},
      Way{"power-of-two", "published: the same, segments rounded up to a power of two",
          Strategy::power_of_two},
      Way{"group", "published: a whole group on each segment", Strategy::group},
      Way{"tiles", "a group reads whole segments in vectors, then adds them up in local memory",
          Strategy::tiles},
      Way{"pieces", "a group on each segment, or on parts of few long ones, in vectors", Strategy::pieces},
      Way{"adaptive", "tiles or pieces, whichever is for the length; on processors stretches",
          Strategy::adaptive, Role::like_for_like},
  };
  if (has_cub)
    all.push_back(
        {"cub", "the library CUB, compiled by the toolkit's nvcc: the peer", Strategy::library, Role::peer});
  return all;
}();

/// The file of kernels/ that does the work: the published strategies are one.
enum class Form { strategies, stretches, tiles, pieces };

/// How a launch is cut out: the numbers of the kernel. `segments` and `vectors` are of tiles.
struct Layout {
  Form form = Form::strategies;
  int unit = 1, span = 1, segments = 1, vectors = 1;
  std::int64_t parts = 1;
};

constexpr int wavefront = 32;

template <class T>
class DeviceSegments final : public segments::Reducer {
 public:
  /// Throws Error (bad_input) for a work-group that does not fit.
  DeviceSegments(const Way& way, const ComputeDevice& device, const Options& options)
      : way_(way), device_(device), options_(build_options(options)) {
    group_ = row_group(device_, options, usual_items(), sizeof(T));
  }

  std::string shortage(double bytes) override { return device_shortage(device_, bytes, bytes); }

  void init(const segments::Shape& shape) override {
    shape_ = shape;
    layout_ = layout(shape.length);
    layout_.parts = parts();
    library_.reset();  // before the session that it was made for
    session_.emplace(device_, options_);
    program_ = session_->build(source(), kernel_shape());
    values_ = session_->array(static_cast<std::size_t>(shape.elements()) * sizeof(T));
    sums_ = session_->array(static_cast<std::size_t>(shape.segments) * sizeof(T));
    if (layout_.parts > 1) parts_ = session_->array(static_cast<std::size_t>(pieces()) * sizeof(T));
    attempt("set up the kernels", [&] {
      fill_array(*session_, program_, values_, shape.elements());
      if (!is_library()) set_up_launches();
    });
    if constexpr (has_cub)
      if (is_library())
        library_ = make_library_call(
            *session_, options_,
            {.source = cub_segments_source,
             .defines = fmt::format(
                 "{} -D BOLTZMARK_LENGTH={}",
                 library_defines(options_.precision == Precision::f64 ? "double" : "float", shape.elements()),
                 shape.length),
             .values = values_,
             .results = sums_,
             .count = shape.segments});
    session_->first_launches(group_, [&] { enqueue(); });
  }

  void reduce() override {
    attempt("add up the segments", [&] {
      enqueue();
      session_->queue().finish();
    });
  }

  std::int64_t part() const override { return shape_.segments; }
  void read(std::int64_t at, std::span<double> sums) override { read_array<T>(*session_, sums_, at, sums); }

  RunFacts facts() const override {
    Settings settings = {{"work_group", fmt::format("{}x1", group_.x)},
                         {"launches", launches_.size()},
                         {"parts", layout_.parts}};
    if (layout_.form == Form::strategies) {
      settings["items_per_segment"] = layout_.span;
      const int at_once = layout_.unit / layout_.span;
      settings["segments_per_wavefront"] = static_cast<double>(at_once) * wavefront / layout_.unit;
    } else if (layout_.form == Form::tiles) {
      settings["items_per_segment"] = layout_.span;
      settings["segments_per_group"] = layout_.segments;
    }
    RunFacts facts = session_->facts(library_ ? library_->settings() : settings);
    facts.write_allocate = is_cpu();
    return facts;
  }

 private:
  bool is_cpu() const { return device_.type == DeviceType::cpu; }
  bool is_library() const { return way_.strategy == Strategy::library; }
  std::int64_t pieces() const { return shape_.segments * layout_.parts; }
  bool takes_stretches() const { return way_.strategy == Strategy::adaptive && is_cpu(); }
  int lanes() const {
    return takes_stretches() ? device_.native_lanes(options_.precision) : 16 / int{sizeof(T)};
  }

  std::string_view source() const {
    switch (layout_.form) {
      case Form::stretches:
        return stretches_source;
      case Form::tiles:
        return tile_sums_source;
      case Form::pieces:
        return piece_sums_source;
      case Form::strategies:
        break;
    }
    return strategies_source;
  }

  /// That of the published figures. On processors an item takes a stretch of segments.
  int usual_items() const { return takes_stretches() ? 1 : 128; }

  /// Where items that read 8 vectors each, or 16, can hold a segment.
  std::optional<Layout> tiles_layout(std::int64_t length) const {
    const std::int64_t in_step =
        lanes() / std::gcd(length, std::int64_t{lanes()});  // begin at vectors' borders
    for (const int vectors : {8, 16}) {
      const std::int64_t fit = std::int64_t{vectors} * group_.x * lanes() / length / in_step * in_step;
      if (fit == 0 || tile_bytes(vectors) > device_.local_bytes) continue;
      const auto segments = static_cast<int>(fit);
      const int items = std::max(1, group_.x / segments);
      return Layout{
          .form = Form::tiles,
          .span = std::min(wavefront, static_cast<int>(std::bit_floor(static_cast<unsigned>(items)))),
          .segments = segments,
          .vectors = vectors};
    }
    return {};
  }
  /// Of local memory: a tile with room to keep items out of each other's banks, and a value an item.
  std::size_t tile_bytes(int vectors) const {
    const std::size_t values = static_cast<std::size_t>(vectors) * group_.x * lanes();
    return (values + values / wavefront + group_.x) * sizeof(T);
  }

  Layout layout(std::int64_t length) const {
    const int of_wavefront = std::min(wavefront, group_.x);
    const auto up_to = [&](int most, std::int64_t items) {
      return static_cast<int>(std::min<std::int64_t>(most, items));
    };
    const auto rounded = [](std::int64_t items) {
      return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(items)));
    };
    switch (way_.strategy) {
      case Strategy::library:  // for its values
      case Strategy::serial:
        return {.unit = 1, .span = 1};
      case Strategy::packed:
        return {.unit = group_.x, .span = up_to(group_.x, length)};
      case Strategy::compact:
        return {.unit = of_wavefront, .span = up_to(of_wavefront, length)};
      case Strategy::power_of_two:
        return {.unit = of_wavefront, .span = up_to(of_wavefront, rounded(length))};
      case Strategy::group:
        return {.unit = group_.x, .span = group_.x};
      case Strategy::pieces:
        return {.form = Form::pieces};
      case Strategy::tiles:
      case Strategy::adaptive:
        break;
    }
    if (takes_stretches()) return {.form = Form::stretches};
    const auto tiles = tiles_layout(length);
    if (!tiles && way_.strategy == Strategy::tiles)
      throw unavailable("tiles: expected segments of which one fits in a group's {} bytes, found {} elements",
                        tile_bytes(16), length);
    return tiles.value_or(Layout{.form = Form::pieces});
  }

  /// Few segments are cut, so that every unit has work.
  std::int64_t parts() const {
    if (layout_.form != Form::stretches && layout_.form != Form::pieces) return 1;
    const std::int64_t least = is_cpu() ? 16384 : 16 * group_.x;  // elements that are worth a piece
    const std::int64_t wanted = is_cpu() ? 4096 : 16 * device_.units;
    const std::int64_t most = std::max<std::int64_t>(1, shape_.length / least);
    return std::clamp<std::int64_t>(wanted / shape_.segments, 1, most);
  }

  KernelShape kernel_shape() const {
    KernelShape shape = {.group = group_};
    if (layout_.form != Form::strategies) shape.lanes = lanes();
    if (device_.sub_groups == SubGroups::warps)
      shape.reduction = Reduction::subgroup;  // so that it names warps
    if (layout_.form == Form::tiles) {
      shape.vectors = layout_.vectors;
      shape.defines = fmt::format("-D LENGTH={} -D SEGMENTS={} -D SPAN={}", shape_.length, layout_.segments,
                                  layout_.span);
    } else if (layout_.form == Form::strategies) {
      shape.defines = fmt::format("-D UNIT={} -D SPAN={}", layout_.unit, layout_.span);
    }
    return shape;
  }

  void set_up_launches() {
    launches_.clear();
    add_launch(values_, shape_.segments, shape_.length, layout_.parts, layout_.parts > 1 ? parts_ : sums_);
    if (layout_.parts > 1) add_launch(parts_, shape_.segments, layout_.parts, 1, sums_);
  }

  void add_launch(const cl::Buffer& values, std::int64_t segments, std::int64_t length, std::int64_t parts,
                  const cl::Buffer& sums) {
    const auto segments_word = static_cast<cl_ulong>(segments), length_word = static_cast<cl_ulong>(length);
    const auto parts_word = static_cast<cl_uint>(parts);
    const std::int64_t number = segments * parts;
    const auto scratch = cl::Local(sizeof(T) * group_.x);
    switch (layout_.form) {
      case Form::stretches: {
        constexpr std::int64_t elements_of_item = 16384, most_items = 8192;
        const std::int64_t items =
            std::clamp<std::int64_t>(segments * length / elements_of_item, 1, std::min(most_items, number));
        launches_.add(
            call_of(program_, "sum_stretches", values, segments_word, length_word, parts_word, sums),
            (items + group_.x - 1) / group_.x);
        break;
      }
      case Form::tiles:
        launches_.add(call_of(program_, "sum_tiles", values, segments_word, sums, scratch),
                      (segments + layout_.segments - 1) / layout_.segments);
        break;
      case Form::pieces:
        launches_.add(call_of(program_, "sum_pieces", values, length_word, parts_word, sums, scratch),
                      number);
        break;
      case Form::strategies: {
        const std::int64_t of_group = std::int64_t{group_.x / layout_.unit} * (layout_.unit / layout_.span);
        launches_.add(call_of(program_, "sum_segments", values, segments_word, length_word, sums, scratch),
                      (number + of_group - 1) / of_group);
        break;
      }
    }
  }

  void enqueue() {
    if (library_) return library_->enqueue();
    launches_.enqueue(*session_, group_);
  }

  const Way& way_;
  ComputeDevice device_;
  BuildOptions options_;
  WorkGroup group_;
  segments::Shape shape_;
  Layout layout_;
  std::optional<Session> session_;
  std::unique_ptr<LibraryCall> library_;
  cl::Program program_;
  cl::Buffer values_, sums_, parts_;
  RowLaunches launches_;
};

std::vector<Variant> variants() {
  std::vector<Variant> variants;
  for (const Way& way : ways) {
    Variant variant = {.name = way.name, .summary = way.summary, .role = way.role};
    if (way.strategy != Strategy::library) variant.options = {"work-group"};
    variants.push_back(variant);
  }
  return variants;
}

std::unique_ptr<segments::Reducer> make(const Options& options) {
  const Way& way = way_named(ways, options.variant);
  if (way.strategy == Strategy::library) refuse_for_library(options, compiler_option_name);
  const ComputeDevice device = device_for(options);
  if (options.precision == Precision::f64)
    return std::make_unique<DeviceSegments<double>>(way, device, options);
  return std::make_unique<DeviceSegments<float>>(way, device, options);
}

}  // namespace
}  // namespace boltzmark::BOLTZMARK_DEVICE_API

int main(int argc, char** argv) {
  using namespace boltzmark;
  namespace model = BOLTZMARK_DEVICE_API;
  segments::Program program;
  model::describe(program, "Segmented sums");
  program.variants = model::variants();
  program.options = model::device_options({work_group_option()});
  program.default_variant = [](const Options&) { return "adaptive"; };
  program.make = model::make;
  return segments::run_program(argc, argv, program);
}
