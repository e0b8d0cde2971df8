// Tier: all (a host that stands in for a GPU compiles every kernel anew) The CUDA model's kernels are OpenCL C and must
// also be CUDA C++, which needs a compiler but no GPU. Its programs are tested in Python (cuda_*_test.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <sstream>

#include "common/base/error.hpp"
#include "common/device/array_program.hpp"
#include "common/device/host_values.hpp"
#include "common/lbm/device/block_plans.hpp"
#include "common/matmul/device/device_multiplier.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/compiler.hpp"
#include "cuda/runtime/driver.hpp"
#include "cuda/runtime/nvcc.hpp"
#include "programs.hpp"
#include "tests/h200.hpp"

#define OF_LAYER(workload)                      \
  namespace boltzmark::workload {               \
  extern const std::string_view kernels_source; \
  }
OF_LAYER(galton)
OF_LAYER(lbm_cylinder)
OF_LAYER(magnetic_field)
OF_LAYER(nbody)
OF_LAYER(pi)
OF_LAYER(shallow_water)
OF_LAYER(xray)
#undef OF_LAYER

namespace boltzmark {
namespace cuda {
extern const std::string_view cub_pi_source, cub_reduce_source, cub_scan_source, cub_segments_source;
}
namespace axes {
extern const std::string_view axes_source;
}
namespace binary_fluid {
extern const std::string_view kernels_source, original_source;
}
namespace heat {
extern const std::string_view array_source, cells_source, handwritten_source, strip_source, tile_source,
    time_block_source;
}
namespace lbm {
extern const std::string_view bricks_source, in_place_source, on_chip_source, planes_source, published_source,
    tiles_source, two_grid_source, warp_tiles_source, wavefront_source;
}
namespace matmul {
extern const std::string_view blocked_source, double_buffer_source, element_source, register_tiles_source, row_source,
    row_b_local_source, tensor_source, vector_loads_source, warp_blocks_source, warp_groups_source;
}
namespace peaks {
extern const std::string_view tensor_source;
}
namespace reduce {
extern const std::string_view ladder_source, several_values_source, vectors_source;
}
namespace scan {
extern const std::string_view groups_source, look_back_source, run_ahead_source, sequential_source;
}
namespace segments {
extern const std::string_view piece_sums_source, strategies_source, item_sums_source, tile_sums_source;
}
namespace stream {
extern const std::string_view stream_source;
}
}  // namespace boltzmark

namespace boltzmark::testing {
namespace {

using namespace cuda;
using namespace device;

/// Kernels as the host builds them.
struct Build {
  std::string name;
  std::string_view source;
  KernelShape shape;
  Precision precision = Precision::f32;
};

void PrintTo(const Build& build, std::ostream* out) { *out << build.name; }

std::string options_of(const Build& build) {
  return compiler_options(h200(), {.precision = build.precision}, build.shape);
}

Words defines_of(const Build& build) {
  Words defines;
  std::istringstream options(options_of(build));
  for (std::string word; options >> word;)
    if (word == "-D") {
      options >> word;
      defines.push_back("-D" + word);
    }
  return defines;
}

/// Every kernel that walks along rows, with every number of lanes and every way of adding up.
void add_rows(std::vector<Build>& builds) {
  struct Kind {
    const char *name, *defines;
    Precision precision;
    bool is_half = false;
  };
  const std::string in_3d = "-D LATTICE_D3Q19 -D PITCH=96";
  const auto add = [&](const std::string& name, std::string_view source, const Kind& kind, int lanes,
                       Reduction reduction, WorkGroup group) {
    builds.push_back(
        {.name = name + kind.name + std::to_string(lanes) + to_string(reduction) + std::to_string(group.x),
         .source = source,
         .shape =
             {.group = group, .reduction = reduction, .lanes = lanes, .defines = kind.defines, .native_math = true},
         .precision = kind.precision});
  };
  for (const Kind& kind :
       {Kind{"D2Q9f32", "", Precision::f32}, Kind{"D2Q9f64", "", Precision::f64},
        Kind{"D2Q9f16", "-D HALF_STORAGE", Precision::f32, true}, Kind{"D3Q19f32", in_3d.c_str(), Precision::f32},
        Kind{"D3Q19f64", in_3d.c_str(), Precision::f64},
        Kind{"D3Q19f16", "-D HALF_STORAGE -D LATTICE_D3Q19 -D PITCH=96", Precision::f32, true}})
    for (const int lanes : {1, 2, 4, 8, 16}) {
      if (lanes > 4 && has(kind.defines, "D3Q19")) continue;  // slow to compile, and as in D2Q9
      add("two_grid", lbm::two_grid_source, kind, lanes, Reduction::subgroup, {128, 1});
      if (kind.is_half) add("two_grid", lbm::two_grid_source, kind, lanes, Reduction::subgroup, {20, 4});
      if (!kind.is_half) add("in_place", lbm::in_place_source, kind, lanes, Reduction::subgroup, {128, 1});
    }
  for (const std::string& name : reduction_names())
    for (const Precision precision : {Precision::f32, Precision::f64})
      add("sums", lbm::two_grid_source, {to_string(precision).c_str(), "", precision}, 1, read_reduction(name),
          {64, 2});
}

void add_published(std::vector<Build>& builds) {
  for (const Precision precision : {Precision::f32, Precision::f64})
    for (const char* lattice : {"", "-D LATTICE_D3Q19"})
      builds.push_back({.name = "published" + to_string(precision) + (*lattice ? "D3Q19" : "D2Q9"),
                        .source = lbm::published_source,
                        .shape = {.group = {128, 1}, .reduction = Reduction::tree, .defines = lattice},
                        .precision = precision});
}

/// Several steps in a launch, by the plans for grids of several kinds.
void add_blocks(std::vector<Build>& builds) {
  const auto add = [&](const std::string& name, int nx, int ny, Precision precision, auto planner,
                       const char* more = "") {
    lbm::Parameters grid;
    grid.nx = nx, grid.ny = ny;
    lbm::LbmOptions options;
    options.precision = precision;
    const lbm::BlockPlan plan = planner(h200(), options, grid);
    builds.push_back({.name = name + std::to_string(nx) + "x" + std::to_string(ny) + to_string(precision),
                      .source = plan.source,
                      .shape = {.group = {plan.items, 1},
                                .reduction = Reduction::subgroup,
                                .lanes = plan.source == lbm::wavefront_source ? 2 : 1,
                                .defines = fmt::format("-D NX={} -D NY={} {} {}", nx, ny, plan.defines, more),
                                .most_registers = plan.most_registers,
                                .native_math = true},
                      .precision = precision});
  };
  for (const int n : {128, 97}) {
    for (const Precision p : {Precision::f32, Precision::f64}) add("wavefront", n, 64, p, lbm::plan_wavefront);
    add("sending", n, 64, Precision::f32, lbm::plan_wavefront, "-D SENDS");
    add("halves", n, 64, Precision::f32, lbm::plan_wavefront, "-D HALF_STORAGE");
    add("tiles", n, 64, Precision::f32, lbm::plan_tiles);
    add("halves_in_tiles", n, 64, Precision::f32, lbm::plan_tiles, "-D HALF_STORAGE");
    add("tiles", n, 64, Precision::f64, lbm::plan_tiles);
    add("resident", n, 64, Precision::f32, lbm::plan_resident_tiles);
  }
  for (const int n : {128, 256, 97}) add("warp", n, n, Precision::f32, lbm::plan_warp_tiles);
  add("on_chip", 1024, 1024, Precision::f32, lbm::plan_on_chip);
}

void add_planes(std::vector<Build>& builds) {
  lbm::Parameters grid;
  grid.dimension = 3;
  grid.nx = grid.ny = grid.nz = 128;
  for (const char* stored : {"f32", "f64", "f16"}) {
    const bool is_half = stored == std::string("f16");
    lbm::LbmOptions options;
    options.precision = stored == std::string("f64") ? Precision::f64 : Precision::f32;
    const lbm::PlanePlan plan = lbm::plan_planes(h200(), options, grid, is_half);
    builds.push_back(
        {.name = std::string("planes") + stored,
         .source = lbm::planes_source,
         .shape = {.group = {128, 2},
                   .reduction = Reduction::subgroup,
                   .defines = fmt::format("{}-D LATTICE_D3Q19 -D PITCH=160 -D NX=128 -D NY=128 -D NZ=128 -D WEST=32 {}",
                                          is_half ? "-D HALF_STORAGE " : "", plan.defines()),
                   .native_math = true,
                   .resident_kernel = "plane_steps",
                   .resident_groups = plan.resident_groups},
         .precision = options.precision});
  }
}

void add_bricks(std::vector<Build>& builds) {
  lbm::Parameters grid;
  grid.dimension = 3;
  grid.nx = 61, grid.ny = 47, grid.nz = 39;
  for (const bool is_half : {false, true}) {
    const lbm::BlockPlan plan = lbm::plan_bricks(h200(), grid, is_half);
    builds.push_back(
        {.name = is_half ? "bricks_of_halves" : "bricks",
         .source = plan.source,
         .shape = {.group = {plan.items, 1},
                   .reduction = Reduction::subgroup,
                   .lanes = plan.vvl,
                   .defines = fmt::format("-D LATTICE_D3Q19 -D PITCH=64 -D NX=61 -D NY=47 -D NZ=39 -D WEST=32 {}",
                                          plan.defines),
                   .native_math = true}});
  }
}

/// As by default.
void add_heat(std::vector<Build>& builds) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    const int lanes = precision == Precision::f32 ? 4 : 2;
    const auto add = [&](const char* name, std::string_view source, WorkGroup group, int lanes_of_item,
                         Reduction reduction = Reduction::halves) {
      builds.push_back({.name = std::string("heat") + name + to_string(precision),
                        .source = source,
                        .shape = {.group = group,
                                  .reduction = reduction,
                                  .lanes = lanes_of_item,
                                  .defines = "-D ROW_AXIS=1 -D WIDTH=97 -D HEIGHT=61 -D PITCH=160 -D LEAD=32 "
                                             "-D ROWS=4 -D ROWS_AT_ONCE=4 -D TIME_BLOCK=8 -D SUM_ITEMS=128 "
                                             "-D COUNT_BEGIN=16 -D COUNT_END=45"},
                        .precision = precision});
    };
    add("array", heat::array_source, {32, 4}, 1);
    add("handwritten", heat::handwritten_source, {32, 1}, 1);
    add("cells", heat::cells_source, {64, 4}, 1);
    add("tile", heat::tile_source, {64, 4}, 1);
    add("strip", heat::strip_source, {32, 4}, lanes, Reduction::subgroup);
    add("block", heat::time_block_source, {32, 1}, 2 * lanes, Reduction::subgroup);
  }
}

void add_others(std::vector<Build>& builds) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    const std::string of = to_string(precision);
    for (const int vectors : {1, 32})
      builds.push_back({"stream" + of + std::to_string(vectors),
                        stream::stream_source,
                        {.group = {256, 1}, .lanes = precision == Precision::f32 ? 4 : 2, .vectors = vectors},
                        precision});
    for (const char* rung : {"naive", "naive_fewest_barriers", "compact", "compact_fewest_barriers", "hybrid"})
      builds.push_back({"ladder" + of + rung,
                        reduce::ladder_source,
                        {.group = {256, 1},
                         .reduction = Reduction::subgroup,
                         .defines = fmt::format("-D HYBRID=4 -D OP_SUM -D REDUCE_GROUP={} -D LOCAL_SIZE=size_argument "
                                                "-D IDS_FLAT3D",
                                                rung)},
                        precision});
    for (const char* reduction : {"linear", "halves", "subgroup"})
      builds.push_back({"several" + of + reduction,
                        reduce::several_values_source,
                        {.group = {256, 1}, .reduction = read_reduction(reduction), .defines = "-D EACH=8 -D OP_MIN"},
                        precision});
    for (const char* op : {"SUM", "PRODUCT", "MAX", "AND", "OR", "XOR"})
      builds.push_back({"vectors" + of + op,
                        reduce::vectors_source,
                        {.group = {256, 1},
                         .reduction = Reduction::subgroup,
                         .lanes = precision == Precision::f32 ? 4 : 2,
                         .defines = std::string("-D OP_") + op},
                        precision});
  }
}

/// Prefix sums and segmented sums.
void add_sums(std::vector<Build>& builds) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    const std::string of = to_string(precision);
    const int lanes = precision == Precision::f32 ? 4 : 2;
    const auto add = [&](const std::string& name, std::string_view source, int items, const std::string& defines,
                         int vectors = 1) {
      builds.push_back({name + of,
                        source,
                        {.group = {items, 1},
                         .reduction = Reduction::subgroup,
                         .lanes = lanes,
                         .vectors = vectors,
                         .defines = defines},
                        precision});
    };
    for (const char* way : {"hillis_steele", "blelloch"})
      add(way, scan::groups_source, 256, std::string("-D EACH=2 -D SCAN_GROUP=") + way);
    add("look_back", scan::look_back_source, 256, "-D EACH=16");
    add("run_ahead", scan::run_ahead_source, 512, "-D EACH=32 -D ASYNCHRONOUS_COPIES", 8);
    add("at_once", scan::run_ahead_source, 512, "-D EACH=8 -D AT_ONCE", 2);
    for (const auto& [length, segments, span] : {std::tuple{1, 4096, 1}, {3, 1364, 1}, {80, 51, 2}, {1024, 4, 32}})
      add(fmt::format("tiles{}of{}x", segments, length), segments::tile_sums_source, 128,
          fmt::format("-D LENGTH={} -D SEGMENTS={} -D SPAN={}", length, segments, span), 8);
    add("pieces", segments::piece_sums_source, 128, "");
    add("sequential", scan::sequential_source, 1, "-D EACH=1");
    for (const auto& [unit, span] : {std::pair{1, 1}, {128, 80}, {32, 3}, {32, 4}, {128, 128}})
      add(fmt::format("segments{}of{}x", span, unit), segments::strategies_source, 128,
          fmt::format("-D UNIT={} -D SPAN={}", unit, span));
    for (const char* way : {"OUTER", "INNER", "SEGMENTED"})
      add(std::string("axes") + way, axes::axes_source, 128, std::string("-D ") + way);
    add("item_sums", segments::item_sums_source, 1, "-D UNIT=1 -D SPAN=0");
  }
}

/// Matrix multiplication, in shapes as by default: of warp tiles both, and without asynchronous copies.
void add_matmul(std::vector<Build>& builds) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    const bool is_double = precision == Precision::f64;
    const auto add = [&](const std::string& name, std::string_view source, WorkGroup group, int lanes, int depth,
                         const char* more) {
      builds.push_back({.name = "matmul" + name + to_string(precision),
                        .source = source,
                        .shape = {.group = group,
                                  .lanes = lanes,
                                  .defines = fmt::format("-D ROW_AXIS=1 -D DEPTH=61 -D TILE_ROWS=8 -D "
                                                         "TILE_COLUMNS=8 -D BLOCK_DEPTH={} {}",
                                                         depth, more)},
                        .precision = precision});
    };
    const int lanes = is_double ? 2 : 4, depth = is_double ? 8 : 16, slices = is_double ? 2 : 4;
    add("element", matmul::element_source, {16, 16}, 1, 1, "-D GLOBAL_SUM");
    add("row", matmul::row_source, {64, 1}, 1, 1, "-D PRIVATE_A");
    add("row_b_local", matmul::row_b_local_source, {64, 1}, 1, 1, "");
    add("blocked", matmul::blocked_source, {16, 16}, 1, 1, "");
    add("register_tiles", matmul::register_tiles_source, {16, 16}, 1, depth, "");
    add("vector_loads", matmul::vector_loads_source, {16, 16}, lanes, depth, "");
    add("double_buffer", matmul::double_buffer_source, {16, 16}, lanes, depth, "");
    add("warp_blocks_plain", matmul::warp_blocks_source, {16, 16}, lanes, depth, "");
    add("warp_blocks", matmul::warp_blocks_source, {16, 16}, lanes, depth, "-D ASYNCHRONOUS_COPIES");
    add("warp_blocks_slices", matmul::warp_blocks_source, {8, 8, slices}, lanes, 8 * slices, "-D ASYNCHRONOUS_COPIES");
  }
}

/// Tensor cores, by every instruction; the smallest groups and the largest.
void add_tensor(std::vector<Build>& builds) {
  struct Kind {
    const char* format;
    int step_depth, block_depth;
  };
  for (const auto& [format, step, depth] : {Kind{"F64", 4, 16}, Kind{"F64", 8, 16}, Kind{"F64", 16, 32},
                                            Kind{"TF32", 8, 32}, Kind{"F16", 16, 64}, Kind{"BF16", 16, 64}})
    for (const bool is_large : {false, true}) {
      const bool is_double = format == std::string("F64");
      const Precision precision = is_double ? Precision::f64 : Precision::f32;
      const int edge = is_large ? 128 : 64, rows = is_large && !is_double ? 64 : 32, columns = is_large ? 64 : 32;
      const std::string defines = fmt::format("-D TENSOR_{} -D STEP_DEPTH={}", format, step);
      const std::string name = fmt::format("tensor{}x{}", format, step);
      builds.push_back(
          {.name = name + (is_large ? "large" : ""),
           .source = matmul::tensor_source,
           .shape = {.group = {32, edge / rows * (edge / columns)},
                     .lanes = is_double ? 2 : 4,
                     .defines = fmt::format("{} -D STAGES=3 -D BLOCK_ROWS={} -D BLOCK_COLUMNS={} -D TILE_ROWS={} "
                                            "-D TILE_COLUMNS={} -D BLOCK_DEPTH={} -D ASYNCHRONOUS_COPIES",
                                            defines, edge, edge, rows, columns, depth)},
           .precision = precision});
      if (is_large && !is_double)
        builds.push_back({.name = name + "groups",
                          .source = matmul::warp_groups_source,
                          .shape = {.group = {32, 8},
                                    .lanes = 4,
                                    .defines = fmt::format("{} -D STAGES=4 -D BLOCK_ROWS=256 -D BLOCK_COLUMNS=128 "
                                                           "-D BLOCK_DEPTH={} -D ASYNCHRONOUS_COPIES",
                                                           defines, depth),
                                    .is_for_architecture = true}});
      if (!is_large)
        builds.push_back({.name = name + "peak",
                          .source = peaks::tensor_source,
                          .shape = {.group = {256, 1}, .defines = defines + " -D CHAINS=8"},
                          .precision = precision});
    }
}

/// Kernels written once in the layer.
void add_layer(std::vector<Build>& builds) {
  const std::pair<std::string, std::string_view> sources[] = {{"galton", galton::kernels_source},
                                                              {"lbm_cylinder", lbm_cylinder::kernels_source},
                                                              {"magnetic_field", magnetic_field::kernels_source},
                                                              {"nbody", nbody::kernels_source},
                                                              {"pi", pi::kernels_source},
                                                              {"shallow_water", shallow_water::kernels_source},
                                                              {"xray", xray::kernels_source}};
  for (const auto& [name, source] : sources)
    for (const Precision precision : {Precision::f32, Precision::f64})
      for (const int vvl : {1, 2})
        builds.push_back({name + to_string(precision) + std::to_string(vvl),
                          source,
                          {.group = {128, 1}, .lanes = vvl, .defines = fmt::format("-D VVL={}", vvl)},
                          precision});
}

/// The binary fluid, and with it the layer that it is written in.
void add_fluid(std::vector<Build>& builds) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    const std::string of = to_string(precision);
    builds.push_back({"original" + of, binary_fluid::original_source, {.group = {128, 1}}, precision});
    for (const int vvl : {1, 2, 4})  // the compiler takes long over vectors of vectors
      builds.push_back({"fluid" + of + std::to_string(vvl),
                        binary_fluid::kernels_source,
                        {.group = {128, 1}, .lanes = std::min(vvl, 16), .defines = "-D VVL=" + std::to_string(vvl)},
                        precision});
  }
}

/// The layer's words in other shapes: tiles, sums of rows, tiled groups, either order.
void add_layer_shapes(std::vector<Build>& builds) {
  for (const int vvl : {1, 2}) {
    const auto add = [&](const char* name, std::string_view source, WorkGroup group, const char* defines) {
      builds.push_back({fmt::format("{}{}", name, vvl),
                        source,
                        {.group = group, .lanes = vvl, .defines = fmt::format("-D VVL={} {}", vvl, defines)},
                        Precision::f64});
    };
    add("row_sums", magnetic_field::kernels_source, {128, 1}, "");
    add("row_sums_segmented", magnetic_field::kernels_source, {128, 1}, "-D ROW_ITEMS=8");
    add("row_sums_tiles", magnetic_field::kernels_source, {16, 4}, "-D ROW_ITEMS=8 -D DOWN_COLUMNS");
    add("bodies", nbody::kernels_source, {128, 1}, "-D TILED -D DOWN_COLUMNS");
    add("bodies_tiles", nbody::kernels_source, {32, 4}, "-D TILED -D ROW_ITEMS=32");
  }
}

const std::vector<Build>& all_builds() {
  static const auto all = [] {
    std::vector<Build> builds;
    add_rows(builds);
    add_published(builds);
    add_blocks(builds);
    add_planes(builds);
    add_bricks(builds);
    add_heat(builds);
    add_others(builds);
    add_layer(builds);
    add_fluid(builds);
    add_layer_shapes(builds);
    add_matmul(builds);
    add_tensor(builds);
    add_sums(builds);
    return builds;
  }();
  return all;
}

class CudaKernels : public ::testing::TestWithParam<Build> {};

/// Why there is no NVRTC here, "" where there is.
const std::string& lacks_nvrtc() {
  static const std::string why = [] {
    try {
      nvrtc();
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  }();
  return why;
}

/// By clang's CUDA front end, for which the language header needs none of CUDA's. A left operand of a comma without
/// effect would be a vector of OpenCL C that has lost its first number.
TEST_P(CudaKernels, AreCudaForClang) {
  const std::string clang = BOLTZMARK_CUDA_CLANG;
  if (clang.empty()) GTEST_SKIP() << "no clang++ with a CUDA front end (clang-16)";
  const TemporaryFolder folder;
  const std::string file = folder / "kernels.cu", code = folder / "kernels.ll";
  write_text(file, std::string(language_source) + std::string(GetParam().source));
  Words command = {clang,
                   "-x",
                   "cuda",
                   "--cuda-device-only",
                   "-nocudainc",
                   "-nocudalib",
                   "--cuda-gpu-arch=sm_80",
                   "-std=c++20",
                   "-Wno-unknown-cuda-version",
                   "-Werror=unused-value"};
  // Only as far as LLVM's code: later stages say nothing about the source.
  command = command + Words{"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", code} +
            defines_of(GetParam()) + Words{file};
  const Outcome outcome = run_command(command);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const std::string text = read_text(code);
  EXPECT_TRUE(has(text, "!\"kernel\"") || has(text, "ptx_kernel"));
}

/// OpenCL C 1.2 as in other drivers, without extensions of clang and PoCL such as variadic macros.
TEST_P(CudaKernels, AreOpenClWithoutExtensions) {
  const std::string clang = BOLTZMARK_CUDA_CLANG;
  if (clang.empty()) GTEST_SKIP() << "no clang++ (clang-16)";
  const TemporaryFolder folder;
  const std::string file = folder / "kernels.cl";
  write_text(file, std::string(GetParam().source));
  Words command = {clang,
                   "-x",
                   "cl",
                   "-cl-std=CL1.2",
                   "--target=nvptx64",
                   "-Dasm=__asm__",
                   "-fsyntax-only",
                   "-pedantic-errors",
                   "-Xclang",
                   "-finclude-default-header"};
  command = command + defines_of(GetParam()) + Words{file};
  const Outcome outcome = run_command(command);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
}

INSTANTIATE_TEST_SUITE_P(Builds, CudaKernels, ::testing::ValuesIn(all_builds()),
                         [](const auto& build) { return build.param.name; });

/// Kernels along rows with long vectors, which take half of NVRTC's time, are compiled in one source alone. Clang has
/// them all.
std::vector<Build> builds_for_nvrtc() {
  std::vector<Build> builds;
  if (!lacks_nvrtc().empty()) return builds;
  std::copy_if(all_builds().begin(), all_builds().end(), std::back_inserter(builds), [](const Build& build) {
    const bool is_of_rows = build.source == lbm::in_place_source || build.source == lbm::two_grid_source;
    return !is_of_rows || build.shape.lanes <= 4 ||
           (build.source == lbm::two_grid_source && build.shape.group.x == 128);
  });
  return builds;
}

/// Only where NVRTC is; else one test says that it is missing.
class CudaKernelsOfNvrtc : public CudaKernels {};

TEST_P(CudaKernelsOfNvrtc, AreCuda) {
  int major = 0, minor = 0;
  nvrtc().nvrtcVersion(&major, &minor);
  const char* const at_once = major < 13 ? "" : " --Ofast-compile=max";  // how fast the code would be does not matter
  EXPECT_FALSE(compile(h200(), GetParam().source, options_of(GetParam()) + at_once).empty());
}

INSTANTIATE_TEST_SUITE_P(Builds, CudaKernelsOfNvrtc, ::testing::ValuesIn(builds_for_nvrtc()),
                         [](const auto& build) { return build.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CudaKernelsOfNvrtc);

TEST(Cuda, KernelsAreCompiledByNvrtc) {
  if (!lacks_nvrtc().empty()) GTEST_SKIP() << lacks_nvrtc();
  const auto* const tests = ::testing::UnitTest::GetInstance();
  int families = 0;
  for (int i = 0; i < tests->total_test_suite_count(); ++i)
    families += tests->GetTestSuite(i)->name() == std::string("Builds/CudaKernelsOfNvrtc");
  EXPECT_EQ(families, 1);
}

TEST(CudaHalves, AreThoseOfTheDevice) {
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    const auto half = static_cast<HalfBits>(bits);
    const float value = half_to_float(half);
    if (value == value) {
      EXPECT_EQ(half_from_float(value), half) << value;
    }
  }
  EXPECT_EQ(half_from_float(1.0f + 0x1p-11f), 0x3c00);  // a tie goes to the even one
  EXPECT_EQ(half_from_float(1.0f + 3 * 0x1p-11f), 0x3c02);
  EXPECT_EQ(half_from_float(65519.0f), 0x7bff);
  EXPECT_EQ(half_from_float(65520.0f), 0x7c00);
}

/// By the formats' digits: 11 of TF32 and f16, 8 of bf16.
TEST(Rounding, IsToNearest) {
  const auto rounded = [](matmul::Rounding rounding, float value) {
    HostValues values(Precision::f32, 3, static_cast<double>(value));
    const std::size_t bytes = matmul::round_operands(values, rounding);
    EXPECT_EQ(bytes, rounding == matmul::Rounding::tf32 ? 12u : 8u);
    std::array<std::uint16_t, 4> halves{};
    std::memcpy(halves.data(), values.data(), bytes == 8 ? sizeof halves : 0);
    if (rounding == matmul::Rounding::tf32) return static_cast<float>(values[2]);
    return rounding == matmul::Rounding::f16 ? half_to_float(halves[2])
                                             : std::bit_cast<float>(std::uint32_t{halves[2]} << 16);
  };
  for (const auto& [rounding, unit] :
       {std::pair(matmul::Rounding::tf32, 0x1p-10f), std::pair(matmul::Rounding::f16, 0x1p-10f),
        std::pair(matmul::Rounding::bf16, 0x1p-7f)}) {
    EXPECT_EQ(rounded(rounding, 1 + 0.49f * unit), 1);
    EXPECT_EQ(rounded(rounding, 1 + 0.51f * unit), 1 + unit);
    EXPECT_EQ(rounded(rounding, -3 - 1.49f * unit), -3 - 2 * unit);
    EXPECT_EQ(rounded(rounding, -4), -4);
  }
}

/// Run by cuda_peers_test.py, on a device that is none.
TEST(CudaMemory, DISABLED_OfTwoContexts) {
  Buffer buffer;
  for (const unsigned number : {7u, 8u}) {
    const Context context = cuda::api().open({});
    const Queue queue = context->queue();
    buffer = context->allocate(sizeof number);
    unsigned read = 0;
    queue->write(buffer, 0, sizeof number, &number);
    queue->read(buffer, 0, sizeof read, &read);
    EXPECT_EQ(read, number);
  }
}

/// Needs no device: the compiled code is loaded, and not called.
TEST(Cub, IsCompiledWhereNvccIs) {
  struct Source {
    std::string_view text;
    const char *op, *type;
    std::int64_t count;
  };
  for (const Source& source :
       {Source{cub_reduce_source, "-D OP_XOR", "unsigned long long", 1}, Source{cub_pi_source, "", "float", 1},
        Source{cub_scan_source, "", "float", std::int64_t{1} << 32},
        Source{cub_segments_source, "-D BOLTZMARK_LENGTH=33", "double", 1}})
    try {
      const NvccLibrary library("cub", source.text,
                                fmt::format("{} {}", source.op, library_defines(source.type, source.count)), h200(),
                                false);
      EXPECT_EQ(library.cache_use(), "off");
      EXPECT_GE(library.function<int()>("version")(), 100000);
    } catch (const Error& error) {
      if (has(error.what(), "found none")) GTEST_SKIP() << error.what();
      ADD_FAILURE() << error.what();
    }
}

}  // namespace
}  // namespace boltzmark::testing
