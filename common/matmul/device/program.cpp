#include "common/matmul/device/program.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "common/base/error.hpp"
#include "common/matmul/device/device_multiplier.hpp"

namespace boltzmark::matmul {

using namespace device;

extern const std::string_view element_source, row_source, row_b_local_source, blocked_source, register_tiles_source,
    vector_loads_source, double_buffer_source, warp_blocks_source, packed_source;

namespace {

// Plans of the multiplication: the shape of a launch, and the padded sizes of the matrices. These throw Error
// (bad_input) for options that do not fit together, Error (unavailable) for features that the device lacks.

/// The run and its device.
struct DeviceCase {
  const ComputeDevice& device;
  const Shape& shape;
  const Options& options;
};

struct Tiling {
  WorkGroup group;   ///< z: slices of a block's depth
  Shape padded;      ///< sizes on the device
  int row_axis = 0;  ///< of work-items: the axis that counts rows, for elements
  int vvl = 1;
  int tile_rows = 1, tile_columns = 1;    ///< of an item
  int block_rows = 1, block_columns = 1;  ///< packed: strips of a group
  int block_depth = 1;
  std::int64_t columns = 1, rows = 1;  ///< work-items in the launch, before rounding up to whole groups
  BlockSizes of_group = {};            ///< of C, if a group reads all rows of A and columns of B only for it
  double values_per_element = 0.0;     ///< of C, that go to and from global memory by the loops of the kernel
  std::string defines = "";            ///< more of them
  Settings settings = {};              ///< for the record
};

bool divides(int part, int whole) { return whole % part == 0; }
int value_bytes(const DeviceCase& of) { return bytes_of(of.options.precision); }
double real(std::int64_t size) { return static_cast<double>(size); }

WorkGroup square_group(const ComputeDevice& device) {
  int edge = 16;
  while (edge > 1 && static_cast<std::size_t>(edge) * edge > device.max_work_group) edge /= 2;
  return {edge, edge};
}

/// One item per element of C, in these groups or those of --work-group, on unpadded matrices.
Tiling in_groups(const DeviceCase& of, WorkGroup usual) {
  Tiling tiling = {.group = of.options.shape("work-group").value_or(usual), .padded = of.shape};
  if (tiling.group.z != 1) throw bad_input("--work-group: expected XxY, found {}", to_string(tiling.group));
  check_work_group(of.device, tiling.group, 0);
  tiling.columns = of.shape.n;
  tiling.rows = of.shape.m;
  return tiling;
}

void expect_local(std::size_t bytes, const DeviceCase& of) {
  if (bytes > of.device.local_bytes)
    throw unavailable("{}: expected {} bytes of local memory, {} has {}", of.options.variant, bytes, of.device.name,
                      of.device.local_bytes);
}

/// Traffic of a group with blocks of this depth in local memory.
void set_group(Tiling& tiling, const Shape& shape, int depth) {
  const int rows = tiling.group.y * tiling.tile_rows, columns = tiling.group.x * tiling.tile_columns;
  tiling.of_group = {rows, columns, depth};
  tiling.values_per_element = real(shape.k) / columns + real(shape.k) / rows + 1.0;
}

void set_tile_facts(Tiling& tiling) {
  tiling.settings["tile"] = fmt::format("{}x{}", tiling.tile_rows, tiling.tile_columns);
  tiling.settings["block_depth"] = tiling.block_depth;
  tiling.settings["vvl"] = tiling.vvl;
}

/// Items by rows of C. keeps_row: an item keeps its row of A in private memory.
Tiling rows_of(const DeviceCase& of, bool keeps_row, bool keeps_column) {
  constexpr std::int64_t longest = 65536;
  Tiling tiling = in_groups(of, {of.device.type == DeviceType::cpu ? 16 : 64, 1});
  if (tiling.group.y != 1) throw bad_input("--work-group: expected Nx1 for rows, found {}", to_string(tiling.group));
  const std::int64_t row_bytes = of.shape.k * value_bytes(of);
  if (keeps_row && row_bytes > longest)
    throw unavailable("{}: expected rows of A of at most {} bytes, for private memory, found {}", of.options.variant,
                      longest, row_bytes);
  if (keeps_column) expect_local(static_cast<std::size_t>(row_bytes), of);
  tiling.columns = of.shape.m;
  tiling.rows = 1;
  const double k = real(of.shape.k);
  tiling.values_per_element = (keeps_row ? k / real(of.shape.n) : k) + (keeps_column ? k / tiling.group.x : k) + 1.0;
  if (keeps_row) tiling.defines = fmt::format("-D DEPTH={}", of.shape.k);
  return tiling;
}

/// --tile and --block-depth, in groups that are set already. buffers: blocks of A and of B that a group has in local
/// memory.
void set_tiles(Tiling& tiling, const DeviceCase& of, int buffers, bool has_vectors) {
  constexpr int least_of_slice = 8;
  const int bytes = value_bytes(of), slices = tiling.group.z;
  tiling.row_axis = 1;
  tiling.tile_rows = tiling.tile_columns = 8;
  if (of.options.has("tile")) {
    const WorkGroup tile = parse_work_group("--tile", of.options.text("tile"));
    tiling.tile_rows = tile.x, tiling.tile_columns = tile.y;
  }
  tiling.block_depth =
      of.options.number("block-depth").value_or(std::max(bytes == 8 ? 8 : 16, least_of_slice * slices));
  tiling.vvl = has_vectors ? 16 / bytes : 1;
  const int items = tiling.group.x * tiling.group.y * slices, rows = tiling.group.y * tiling.tile_rows,
            columns = tiling.group.x * tiling.tile_columns;
  const int vectors_of_a = rows * tiling.block_depth / tiling.vvl,
            vectors_of_b = columns * tiling.block_depth / tiling.vvl;
  if (has_vectors && (!divides(items, vectors_of_a) || !divides(items, vectors_of_b)))
    throw bad_input(
        "--work-group: expected a share of each block for every item, found {} items for blocks of {} and {} vectors",
        items, vectors_of_a, vectors_of_b);
  const int pad = has_vectors ? tiling.vvl : 0;
  const int of_blocks = buffers * tiling.block_depth * (rows + pad + columns), of_slices = slices / 2 * rows * columns;
  expect_local(static_cast<std::size_t>(std::max(of_blocks, of_slices)) * bytes, of);
  tiling.padded = {padded(of.shape.m, rows), padded(of.shape.n, columns), padded(of.shape.k, tiling.block_depth)};
  tiling.rows = tiling.padded.m / tiling.tile_rows;
  tiling.columns = tiling.padded.n / tiling.tile_columns;
  set_group(tiling, of.shape, tiling.block_depth);
  set_tile_facts(tiling);
}

Tiling tiles_of(const DeviceCase& of, int buffers, bool has_vectors) {
  Tiling tiling = in_groups(of, square_group(of.device));
  set_tiles(tiling, of, buffers, has_vectors);
  return tiling;
}

/// The shape of 8 x 8 tiles, with z slices, for which the rounds of groups over the device's units take the least time.
/// Large groups read less; small ones leave fewer units idle, and slices provide them with many items.
WorkGroup group_by_size(const DeviceCase& of) {
  struct Choice {
    WorkGroup group;
    double seconds_of_element;  ///< relative, on an H200
  };
  const Choice choices[] = {{{16, 16}, 1.0}, {{8, 8, value_bytes(of) == 8 ? 2 : 4}, 1.1}};
  const auto seconds = [&](const Choice& choice) {
    const std::int64_t rows = 8 * choice.group.y, columns = 8 * choice.group.x;
    const std::int64_t groups = parts_of(of.shape.m, rows) * parts_of(of.shape.n, columns);
    return real(parts_of(groups, of.device.units) * rows * columns) * choice.seconds_of_element;
  };
  return std::ranges::min(choices, {}, seconds).group;
}

/// Further conditions of the kernel with slices on shapes. Throws Error (bad_input).
void check_warps(const Tiling& tiling) {
  const int items = tiling.group.x * tiling.group.y * tiling.group.z;
  if (!divides(8, tiling.group.x) || !divides(4, tiling.group.y))
    throw bad_input("--work-group: expected multiples of 8x4, found {}x{}", tiling.group.x, tiling.group.y);
  if (!divides(8, tiling.block_depth))
    throw bad_input("--block-depth: expected a multiple of 8, found {}", tiling.block_depth);
  const int rows_of_a = 4 * tiling.block_depth, row_of_b = tiling.group.x * tiling.tile_columns / tiling.vvl;
  if (!divides(rows_of_a, items) || !divides(row_of_b, items))
    throw bad_input("--work-group: expected a multiple of {} and of {} items, for whole rows of blocks, found {}",
                    rows_of_a, row_of_b, items);
}

Tiling coalesced_tiling(const DeviceCase& of) {
  Tiling tiling = in_groups(of, square_group(of.device));
  tiling.row_axis = 1;
  tiling.values_per_element = 2.0 * real(of.shape.k) + 1.0;
  return tiling;
}

Tiling element_tiling(const DeviceCase& of) {
  Tiling tiling = coalesced_tiling(of);
  tiling.row_axis = 0;
  std::swap(tiling.columns, tiling.rows);
  return tiling;
}

Tiling global_sum_tiling(const DeviceCase& of) {
  Tiling tiling = element_tiling(of);
  tiling.values_per_element += 2.0 * real(of.shape.k);
  tiling.defines = "-D GLOBAL_SUM";
  return tiling;
}

Tiling row_tiling(const DeviceCase& of) { return rows_of(of, false, false); }
Tiling private_row_tiling(const DeviceCase& of) {
  Tiling tiling = rows_of(of, true, false);
  tiling.defines += " -D PRIVATE_A";
  return tiling;
}
Tiling local_column_tiling(const DeviceCase& of) { return rows_of(of, true, true); }

Tiling blocked_tiling(const DeviceCase& of) {
  Tiling tiling = in_groups(of, square_group(of.device));
  if (tiling.group.x != tiling.group.y)
    throw bad_input("--work-group: expected NxN for square blocks, found {}", to_string(tiling.group));
  expect_local(2ul * tiling.group.x * tiling.group.x * value_bytes(of), of);
  tiling.row_axis = 1;
  set_group(tiling, of.shape, tiling.group.x);
  return tiling;
}

Tiling register_tiling(const DeviceCase& of) { return tiles_of(of, 1, false); }
Tiling vector_tiling(const DeviceCase& of) { return tiles_of(of, 1, true); }
Tiling double_buffer_tiling(const DeviceCase& of) { return tiles_of(of, 2, true); }

Tiling warp_tiling(const DeviceCase& of) {
  constexpr std::size_t largest_by_size = 256;
  const auto& given = of.options;
  Tiling tiling = in_groups(of, square_group(of.device));
  if (of.device.type == DeviceType::gpu && of.device.max_work_group >= largest_by_size &&
      std::ranges::none_of(std::array{"work-group", "tile", "block-depth", "slices"},
                           [&](const char* name) { return given.has(name); }))
    tiling.group = group_by_size(of);
  else
    tiling.group.z = given.number("slices").value_or(1);
  check_work_group(of.device, tiling.group, 0);
  set_tiles(tiling, of, 2, true);
  check_warps(tiling);
  if (of.device.has_asynchronous_copies()) tiling.defines = "-D ASYNCHRONOUS_COPIES";
  tiling.settings["slices"] = tiling.group.z;
  return tiling;
}

/// As in common/matmul/cpu: as many sums as there are registers, a strip of B in the first-level cache, a block of A in
/// the second-level one.
Tiling packed_tiling(const DeviceCase& of) {
  constexpr int strip_bytes = 24576, depth_multiple = 16;
  const int bytes = value_bytes(of);
  Tiling tiling = in_groups(of, {1, 1});
  tiling.vvl = std::max(2, of.device.native_lanes(of.options.precision));
  tiling.tile_rows = tiling.vvl * bytes >= 64 ? 14 : 6;
  tiling.tile_columns = 2 * tiling.vvl;
  tiling.block_depth = strip_bytes / (tiling.tile_columns * bytes) / depth_multiple * depth_multiple;
  tiling.padded = {padded(of.shape.m, tiling.tile_rows), padded(of.shape.n, tiling.tile_columns),
                   padded(of.shape.k, depth_multiple)};
  // Equal groups, at least one for each of the device's units.
  const std::int64_t row_strips = tiling.padded.m / tiling.tile_rows,
                     column_strips = tiling.padded.n / tiling.tile_columns;
  const std::int64_t down = parts_of(row_strips, 224 / tiling.tile_rows),
                     across = std::max(parts_of(column_strips, 8), parts_of(of.device.units, down));
  tiling.block_rows = static_cast<int>(parts_of(row_strips, down));
  tiling.block_columns = static_cast<int>(parts_of(column_strips, across));
  const int rows = tiling.block_rows * tiling.tile_rows, columns = tiling.block_columns * tiling.tile_columns;
  tiling.rows = parts_of(tiling.padded.m, rows);
  tiling.columns = parts_of(tiling.padded.n, columns);
  tiling.of_group = {rows, columns, tiling.block_depth};
  const double m = real(of.shape.m), n = real(of.shape.n), k = real(of.shape.k);
  const double copies = 2.0 * (k / m + k / n);
  tiling.values_per_element =
      copies + k / columns + k / rows + 2.0 * real(parts_of(of.shape.k, tiling.block_depth)) - 1.0;
  set_tile_facts(tiling);
  return tiling;
}

/// By a kernel of opencl/matmul/kernels.
class KernelMultiplier : public DeviceMultiplier {
 public:
  using Tile = Tiling (*)(const DeviceCase&);
  KernelMultiplier(const Options& options, std::string_view source, Tile tile)
      : DeviceMultiplier(options), source_(source), tile_(tile) {}

  void init(const Shape& shape, const Entries& entries) override {
    tiling_ = tile_({array_.device(), shape, array_.options()});
    array_.build(source_, kernel_shape());
    allocate(shape, tiling_.padded, entries, Rounding::as_they_are, more_buffers());
    add_launches();
    array_.run_first();
  }

  RunFacts facts() const override {
    Settings settings = tiling_.settings;
    settings["work_group"] = to_string(WorkGroup{tiling_.group.x, tiling_.group.y});
    ProductTraffic traffic = this->traffic();
    if (tiling_.of_group.depth > 0) traffic.groups(tiling_.of_group, array_.device().units);
    add_traffic(traffic);
    return facts_of(settings, tiling_.values_per_element, traffic);
  }

 protected:
  virtual void add_traffic(ProductTraffic&) const {}
  virtual std::vector<BufferRequest> more_buffers() { return {}; }
  virtual void add_launches() { add_multiplication(a_, b_); }

  Tiling tiling_;

  KernelShape kernel_shape(const char* more = "") const {
    const Tiling& t = tiling_;
    return {.group = t.group,
            .lanes = t.vvl,
            .defines = fmt::format("-D ROW_AXIS={} -D TILE_ROWS={} -D TILE_COLUMNS={} -D BLOCK_DEPTH={} "
                                   "-D BLOCK_ROWS={} -D BLOCK_COLUMNS={} {} {}",
                                   t.row_axis, t.tile_rows, t.tile_columns, t.block_depth, t.block_rows,
                                   t.block_columns, t.defines, more)};
  }
  void add_multiplication(const Buffer& a, const Buffer& b) {
    const auto [items, group] = launch_shape();
    DeviceMultiplier::add_multiplication(items, group, a, b);
  }
  std::pair<Range, Range> launch_shape() const {
    const WorkGroup group = tiling_.group;
    return {{padded(tiling_.columns, group.x), padded(tiling_.rows, group.y), group.z}, {group.x, group.y, group.z}};
  }

  std::string_view source_;
  Tile tile_;
};

class PanelMultiplier final : public KernelMultiplier, public PanelProducts {
 public:
  using KernelMultiplier::KernelMultiplier;

  void init_panels(const Shape& block) override {
    tiling_ = tile_({array_.device(), block, array_.options()});
    sizes_ = tiling_.padded;
    array_.build(source_, kernel_shape("-D ADDS_TO_C"));
    result_ = HostValues(array_.precision(), sizes_.m * sizes_.n);
    array_.session().allocate({{&c_, result_.bytes()}});
  }
  const Shape& padded() const override { return sizes_; }
  Session& session() override { return array_.session(); }
  void run_first(const Buffer& a, const Buffer& b) override {
    attempt("set up the kernels", [&] {
      product_ = device::Kernel(array_.module(), "multiply", size(sizes_.m), size(sizes_.n), size(sizes_.k), a, b, c_);
    });
    session().first_launches(tiling_.group, [&] { add_product(a, b, {}, nullptr); });
  }
  void clear() override { session().zero(c_, result_.bytes()); }
  void add_product(const Buffer& a, const Buffer& b, Events there, Event* done) override {
    const auto [items, group] = launch_shape();
    product_.rebind(size(sizes_.m), size(sizes_.n), size(sizes_.k), a, b);
    session().queue()->launch(product_, items, group, there, done);
  }

 private:
  device::Kernel product_;
};

/// A and B are copied first, one item per strip.
class PackedMultiplier final : public KernelMultiplier {
 public:
  explicit PackedMultiplier(const Options& options) : KernelMultiplier(options, packed_source, packed_tiling) {}
  std::string shortage(double bytes) override { return array_.shortage(2.0 * bytes, bytes / 3); }
  void spoil() override {
    KernelMultiplier::spoil();
    array_.session().spoil(more_buffers());
  }

 private:
  std::vector<BufferRequest> more_buffers() override {
    const auto [m, n, k] = tiling_.padded;
    return {{&packed_a_, static_cast<std::size_t>(m * k) * array_.value_bytes()},
            {&packed_b_, static_cast<std::size_t>(k * n) * array_.value_bytes()}};
  }
  void add_traffic(ProductTraffic& traffic) const override {
    traffic.copied(tiling_.of_group, tiling_.tile_rows, tiling_.tile_columns, array_.device().units);
  }
  void add_launches() override {
    array_.add_items(Range(sizes_.m / tiling_.tile_rows + sizes_.n / tiling_.tile_columns), Range(1), "pack",
                     size(sizes_.m), size(sizes_.n), size(sizes_.k), a_, packed_a_, b_, packed_b_);
    add_multiplication(packed_a_, packed_b_);
  }

  Buffer packed_a_, packed_b_;
};

class PeerMultiplier final : public DeviceMultiplier {
 public:
  PeerMultiplier(const Options& options, const Peer& peer) : DeviceMultiplier(options), peer_(peer) {
    for (const char* const name : {api().compiler_option, "no-kernel-cache"}) refuse_for_library(options, name);
  }

  /// The library's first call loads or builds its kernels and must not be timed.
  void init(const Shape& shape, const Entries& entries) override {
    library_.reset();  // closed before its session
    array_.open();
    library_ = peer_.open(array_.session(), array_.options());
    allocate(shape, shape, entries, rounding_of(array_.options()));
    multiply();
  }
  void multiply() override {
    attempt("multiply", [&] {
      library_->enqueue(sizes_, a_, b_, c_);
      array_.session().queue()->finish();
    });
  }
  /// Its traffic is not known; counted as each matrix once.
  RunFacts facts() const override {
    Settings settings = {{"library", library_->name()}};
    if (const std::string format = library_->tensor_cores(); !format.empty()) settings["tensor_cores"] = format;
    const Rounding rounding = rounding_of(array_.options());
    const bool of_16_bits = rounding == Rounding::f16 || rounding == Rounding::bf16;
    return facts_of(settings, sizes_.values() / (static_cast<double>(sizes_.m) * static_cast<double>(sizes_.n)),
                    traffic(of_16_bits ? 2.0 : 0.0));
  }

 private:
  Peer peer_;
  std::unique_ptr<PeerLibrary> library_;
};

ModelOption tile_option() {
  return {.name = "tile",
          .value = "RxC",
          .help = "elements of C per work-item, rows x columns; default: 8x8",
          .choices = {"4x4", "4x8", "8x4", "8x8"}};
}
ModelOption block_depth_option() {
  return {.name = "block-depth",
          .value = "N",
          .help = "depth of the blocks in local memory; default: 16 (double precision: 8), and at least 8 per slice",
          .choices = {"4", "8", "16", "32"}};
}
ModelOption slices_option() {
  return {.name = "slices",
          .value = "N",
          .help =
              "slices of each block's depth, for work-groups of N times as many work-items; default: chosen by the "
              "size of C",
          .choices = {"1", "2", "4"}};
}

template <class Made = KernelMultiplier>
Variant rung(const char* name, const char* summary, std::string_view source, KernelMultiplier::Tile tile,
             std::vector<ModelOption> more = {}, Role role = Role::other) {
  more.insert(more.begin(), work_group_option());
  return {
      .name = name, .summary = summary, .role = role, .options = std::move(more), .make = [=](const Options& asked) {
        return std::make_unique<Made>(asked, source, tile);
      }};
}

}  // namespace

Program panel_program() {
  auto program = program_of(workload);
  program.variants = {
      rung<PanelMultiplier>("warp-tiles", "SUMMA, panels through the hosts, multiplied as by warp-tiles on one device",
                            warp_blocks_source, warp_tiling, {tile_option(), block_depth_option(), slices_option()}),
      rung<PanelMultiplier>("blocked", "SUMMA with blocks of A and B in local memory", blocked_source, blocked_tiling,
                            {}, Role::like_for_like)};
  return program;
}

Program device_program() { return device_program(Peer()); }

Program device_program(const Peer& peer) {
  const ModelOption tile = tile_option(), depth = block_depth_option();
  auto program = program_of(workload);
  program.default_variant = [](const Options& options) -> std::string {
    const ComputeDevice device = choose_device(options.text("device"));
    if (device.type == DeviceType::cpu) return "packed";
    constexpr std::array of_tiles = {"work-group", "tile", "block-depth", "slices"};
    const bool has_tiles = std::ranges::any_of(of_tiles, [&](const char* name) { return options.has(name); });
    if (options.precision == Precision::f64 && device.capability == capability_for_doubles && !has_tiles)
      return "tensor";
    return device.has_asynchronous_copies() ? "warp-tiles" : "double-buffer";
  };
  program.variants = {
      rung("element-global-sum", "published step: one element per work-item, the sum in global memory", element_source,
           global_sum_tiling),
      rung("element", "published step: one element per work-item, the sum in a register", element_source,
           element_tiling, {}, Role::textbook),
      rung("row", "published step: one row per work-item", row_source, row_tiling),
      rung("row-a-private", "published step: one row per work-item, the row of A copied to private memory", row_source,
           private_row_tiling),
      rung("row-b-local", "published step: the same, and the column of B copied to local memory", row_b_local_source,
           local_column_tiling),
      rung("blocked", "published step: blocks of A and B in local memory", blocked_source, blocked_tiling, {},
           Role::like_for_like),
      rung("coalesced", "as element, with its two axes swapped", element_source, coalesced_tiling),
      rung("register-tiles", "as blocked, several elements per work-item in registers", register_tiles_source,
           register_tiling, {tile, depth}),
      rung("vector-loads", "the same with loads and stores of 16 bytes", vector_loads_source, vector_tiling,
           {tile, depth}),
      rung("double-buffer", "the same, the next blocks loaded while these are multiplied", double_buffer_source,
           double_buffer_tiling, {tile, depth}),
      rung("warp-tiles",
           "the same, a warp's tiles side by side, asynchronous copies, work-groups chosen by the size of C",
           warp_blocks_source, warp_tiling, {tile, depth, slices_option()}),
      tensor_variant(),
      Variant{.name = "packed",
              .summary = "for processors: strips of A and B packed, tiles of C in vector registers",
              .make = [](const Options& asked) { return std::make_unique<PackedMultiplier>(asked); }}};
  if (peer.open)
    program.variants.push_back(
        Variant{.name = peer.name,
                .summary = peer.summary,
                .role = Role::peer,
                .options = peer.options,
                .make = [peer](const Options& asked) { return std::make_unique<PeerMultiplier>(asked, peer); }});
  return program;
}

}  // namespace boltzmark::matmul
