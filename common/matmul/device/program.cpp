#include "common/matmul/device/program.hpp"

#include <fmt/core.h>

#include <vector>

#include "common/device/array_program.hpp"
#include "common/device/host_values.hpp"
#include "common/matmul/device/tiling.hpp"

namespace boltzmark::matmul {

using namespace device;

extern const std::string_view element_source, row_source, row_b_local_source, blocked_source, register_tiles_source,
    vector_loads_source, double_buffer_source, warp_blocks_source, packed_source;

namespace {

/// The matrices on a device, and what is done with them but the multiplication.
class DeviceMultiplier : public Multiplier {
 public:
  explicit DeviceMultiplier(const Options& options) : array_(options) {}

  std::string shortage(double bytes) override { return array_.shortage(bytes, bytes / 3); }
  void spoil() override { array_.session().spoil({{&c_, result_.bytes()}}); }
  void collect() override {
    attempt("read C", [&] { array_.session().queue()->read(c_, 0, result_.bytes(), result_.data()); });
  }
  void read(std::int64_t row, std::span<double> values) const override { result_.read(row * sizes_.n, values); }

 protected:
  /// Matrices of these sizes, filled up with zeros, and C with what no product has; and `more` buffers of zeros.
  void allocate(const Shape& shape, const Shape& sizes, const Entries& entries, std::vector<BufferRequest> more = {}) {
    const auto [m, n, k] = sizes_ = sizes;
    HostValues a(array_.precision(), m * k), b(array_.precision(), k * n);
    result_ = HostValues(array_.precision(), m * n, 0.5);
    a.with([&](auto values) { entries.fill(Matrix::a, values.data(), k, 0, shape.m, 0, shape.k); });
    b.with([&](auto values) { entries.fill(Matrix::b, values.data(), n, 0, shape.k, 0, shape.n); });
    more.insert(more.begin(),
                {{&a_, a.bytes(), a.data()}, {&b_, b.bytes(), b.data()}, {&c_, result_.bytes(), result_.data()}});
    array_.session().allocate(more);
  }
  RunFacts facts_of(const Settings& settings, double values_per_element) const {
    RunFacts facts = array_.session().facts(settings);
    facts.bytes_per_update = values_per_element * static_cast<double>(array_.value_bytes());
    facts.write_allocate = array_.is_cpu();
    return facts;
  }

  ArrayProgram array_;
  Shape sizes_;
  Buffer a_, b_, c_;
  HostValues result_;
};

/// By a kernel of opencl/matmul/kernels.
class Rung : public DeviceMultiplier {
 public:
  using Tile = Tiling (*)(const DeviceCase&);
  Rung(const Options& options, std::string_view source, Tile tile)
      : DeviceMultiplier(options), source_(source), tile_(tile) {}

  void init(const Shape& shape, const Entries& entries) override {
    tiling_ = tile_({array_.device(), shape, array_.options()});
    array_.build(source_, kernel_shape());
    allocate(shape, tiling_.padded, entries, more_buffers());
    add_launches();
    array_.run_first();
  }
  void multiply() override { array_.run("multiply"); }

  RunFacts facts() const override {
    Settings settings = tiling_.settings;
    settings["work_group"] = to_string(WorkGroup{tiling_.group.x, tiling_.group.y});
    return facts_of(settings, tiling_.values_per_element);
  }

 protected:
  virtual std::vector<BufferRequest> more_buffers() { return {}; }
  virtual void add_launches() { add_multiplication(a_, b_); }

  void add_multiplication(const Buffer& a, const Buffer& b) {
    const WorkGroup group = tiling_.group;
    const auto whole = [](std::int64_t items, int of_group) { return (items + of_group - 1) / of_group * of_group; };
    array_.add_items({whole(tiling_.columns, group.x), whole(tiling_.rows, group.y), group.z},
                     {group.x, group.y, group.z}, "multiply", size(sizes_.m), size(sizes_.n), size(sizes_.k), a, b, c_);
  }
  static std::int32_t size(std::int64_t value) { return static_cast<std::int32_t>(value); }

  Tiling tiling_;

 private:
  KernelShape kernel_shape() const {
    const Tiling& t = tiling_;
    return {.group = t.group,
            .lanes = t.lanes,
            .defines = fmt::format("-D ROW_AXIS={} -D TILE_ROWS={} -D TILE_COLUMNS={} -D BLOCK_DEPTH={} "
                                   "-D BLOCK_ROWS={} -D BLOCK_COLUMNS={} {}",
                                   t.row_axis, t.tile_rows, t.tile_columns, t.block_depth, t.block_rows,
                                   t.block_columns, t.defines)};
  }

  std::string_view source_;
  Tile tile_;
};

/// A and B are copied first, an item a strip.
class PackedRung final : public Rung {
 public:
  explicit PackedRung(const Options& options) : Rung(options, packed_source, packed_tiling) {}
  std::string shortage(double bytes) override { return array_.shortage(2.0 * bytes, bytes / 3); }
  void spoil() override {
    Rung::spoil();
    array_.session().spoil(more_buffers());
  }

 private:
  std::vector<BufferRequest> more_buffers() override {
    const auto [m, n, k] = tiling_.padded;
    return {{&packed_a_, static_cast<std::size_t>(m * k) * array_.value_bytes()},
            {&packed_b_, static_cast<std::size_t>(k * n) * array_.value_bytes()}};
  }
  void add_launches() override {
    array_.add_items(Range(sizes_.m / tiling_.tile_rows), Range(1), "pack_a", size(sizes_.k), a_, packed_a_);
    array_.add_items(Range(sizes_.n / tiling_.tile_columns), Range(1), "pack_b", size(sizes_.n), size(sizes_.k), b_,
                     packed_b_);
    add_multiplication(packed_a_, packed_b_);
  }

  Buffer packed_a_, packed_b_;
};

class PeerMultiplier final : public DeviceMultiplier {
 public:
  PeerMultiplier(const Options& options, const Peer& peer) : DeviceMultiplier(options), peer_(peer) {
    for (const char* const name : {api().compiler_option, "no-kernel-cache"}) refuse_for_library(options, name);
  }

  /// The library's first call is not to be timed: it loads or builds its kernels.
  void init(const Shape& shape, const Entries& entries) override {
    library_.reset();  // before the session that it was opened for
    array_.open();
    library_ = peer_.open(array_.session(), array_.precision());
    allocate(shape, shape, entries);
    multiply();
  }
  void multiply() override {
    attempt("multiply", [&] {
      library_->enqueue(sizes_, a_, b_, c_);
      array_.session().queue()->finish();
    });
  }
  /// What it moves is not known: each matrix once.
  RunFacts facts() const override {
    return facts_of({{"library", library_->name()}},
                    sizes_.values() / (static_cast<double>(sizes_.m) * static_cast<double>(sizes_.n)));
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
          .help =
              "depth of the blocks in local memory; default: 16, in double precision 8, and at least 8 a "
              "slice",
          .choices = {"4", "8", "16", "32"}};
}
ModelOption slices_option() {
  return {.name = "slices",
          .value = "N",
          .help =
              "work-groups of N times as many items, which share the depth of each block; default: by the "
              "size of C",
          .choices = {"1", "2", "4"}};
}

Variant rung(const char* name, const char* summary, std::string_view source, Rung::Tile tile,
             std::vector<ModelOption> more = {}, Role role = Role::other) {
  more.insert(more.begin(), work_group_option());
  return {
      .name = name, .summary = summary, .role = role, .options = std::move(more), .make = [=](const Options& asked) {
        return std::make_unique<Rung>(asked, source, tile);
      }};
}

}  // namespace

ProgramOf<Variant> device_program(const BuildInfo& build, const Peer& peer) {
  const ModelOption tile = tile_option(), depth = block_depth_option();
  auto program = program_of<Variant>("Matrix multiplication", build);
  program.default_variant = [](const Options& options) -> std::string {
    const ComputeDevice device = choose_device(options.text("device"));
    if (device.type == DeviceType::cpu) return "packed";
    return device.has_asynchronous_copies() ? "warp-tiles" : "double-buffer";
  };
  program.variants = {
      rung("element-global-sum", "published step: an element per item, the sum in global memory", element_source,
           global_sum_tiling),
      rung("element", "published step: an element per item, the sum in a register", element_source, element_tiling, {},
           Role::textbook),
      rung("row", "published step: a row per item", row_source, row_tiling),
      rung("row-a-private", "published step: a row per item, that of A copied to private memory", row_source,
           private_row_tiling),
      rung("row-b-local", "published step: the same, and the column of B copied to local memory", row_b_local_source,
           local_column_tiling),
      rung("blocked", "published step: blocks of A and B in local memory", blocked_source, blocked_tiling, {},
           Role::like_for_like),
      rung("coalesced", "element with its two axes exchanged", element_source, coalesced_tiling),
      rung("register-tiles", "blocked, several elements per item in registers", register_tiles_source, register_tiling,
           {tile, depth}),
      rung("vector-loads", "the same, memory read and written 16 bytes at a time", vector_loads_source, vector_tiling,
           {tile, depth}),
      rung("double-buffer", "the same, the next blocks on their way while these are multiplied", double_buffer_source,
           double_buffer_tiling, {tile, depth}),
      rung("warp-tiles", "the same, a warp's tiles side by side, asynchronous copies, groups by C's size",
           warp_blocks_source, warp_tiling, {tile, depth, slices_option()}),
      {.name = "packed",
       .summary = "for processors: strips of A and B copied in order, tiles of C in vector registers",
       .make = [](const Options& asked) { return std::make_unique<PackedRung>(asked); }},
      {.name = peer.name, .summary = peer.summary, .role = Role::peer, .make = [peer](const Options& asked) {
         return std::make_unique<PeerMultiplier>(asked, peer);
       }}};
  return program;
}

}  // namespace boltzmark::matmul
