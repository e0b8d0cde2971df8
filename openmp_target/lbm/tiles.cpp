// Persistent on an NVIDIA GPU that holds the whole grid in its registers: many steps per region, and a step neither
// reads the grid from memory nor writes it. A team has a tile and `depth` layers of cells around it. It advances all of
// these by `depth` steps, each of which invalidates a layer, and then fetches the layers again from neighbouring teams.
// The layout is that drawn in opencl/lbm/kernels/warp_tiles.cl, with one row per warp: a lane has a cell of the region.
// Populations moving along a row come from the next lane through registers, those moving between rows through team
// memory.
//
// Layers travel in words that carry their own tag, with neither flag nor fence (opencl/lbm/kernels/mailbox.h). Rounds
// are counted through all regions of a run, so the next region expects the words that the previous one left.
#include <string>
#include <vector>

#include "common/lbm/warp_tiles.hpp"
#include "openmp_target/lbm/cells.hpp"
#include "openmp_target/lbm/solver.hpp"

#if defined(__NVPTX__)
#pragma omp begin declare target
#include "common/lbm/rebound.h"
#pragma omp end declare target
#endif

namespace boltzmark::openmp_target {
namespace {

using lbm::D2Q9;
using lbm::Parameters;
using lbm::WarpTiles;

/// Data of the problem and its tiles for a region, on the device.
struct TileSetup {
  enum : int {
    most_warps = 30,  ///< of a team: limited by the 48 KiB of team memory of a region
    most_depth = 8,
    max_polls = 1 << 21,  ///< of a message, before a wait times out
    head_start = 400      ///< clock ticks from posting to the first look for an answer
  };

  Setup<float, D2Q9> grid;
  int tiles_x, tiles_y, depth, box_pitch;
  std::uint32_t box_cells;
  const std::uint32_t* solid;
  std::uint32_t* mailbox;
  std::int32_t* timed_out;
};

enum : int { populations = D2Q9::directions };
using Real = Pack<float, 1>;
using Cell = Populations<Real, D2Q9>;
static_assert(sizeof(Cell) == populations * sizeof(float));  // first named here: in a declare target clang would warn

/// The steps of a region.
struct TileSteps {
  int count;
  int undriven;  ///< without the body force of the next; -1: none
  int round;     ///< rounds of earlier regions that posted their layers
};

/// Contents of team memory: populations in transit between warps, in two alternating boxes, and the warps' sums of |u|
/// for each step of a round.
struct TileMemory {
  enum : int {
    lanes = WarpTiles::warp,
    of_warp = WarpTiles::crossings * lanes,
    box = TileSetup::most_warps * of_warp,
    speeds = 2 * box,
    values = speeds + TileSetup::most_depth * lanes
  };
};

#pragma omp begin declare target
#if defined(__NVPTX__)

#define TEAM_MEMORY __attribute__((address_space(3)))
using TeamValues = TEAM_MEMORY float*;

/// Address of team memory, hidden from the compiler, which would otherwise keep values that other warps change.
KERNEL_FN TeamValues team_memory(float* values) {
  auto address = (TeamValues)values;
  asm volatile("" : "+l"(address)::"memory");
  return address;
}
/// The barrier of the team, which its warps may reach at different places in the program.
KERNEL_FN void team_barrier() { __nvvm_bar_sync(0); }
KERNEL_FN std::uint32_t ticks() {
  std::uint32_t now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
  return now;
}

/// A cell in transit: populations 1 to 4, 5 to 8, and 0.
struct Message {
  std::uint32_t axes[4], diagonals[4], rest;
};

KERNEL_FN void store_four(std::uint32_t* to, const std::uint32_t* words) {
  asm volatile("st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(words[0]), "r"(words[1]),
               "r"(words[2]), "r"(words[3])
               : "memory");
}
KERNEL_FN void load_four(const std::uint32_t* from, std::uint32_t* words) {
  asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "l"(from)
               : "memory");
}
KERNEL_FN void store_one(std::uint32_t* to, std::uint32_t word) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(word) : "memory");
}
KERNEL_FN void load_one(const std::uint32_t* from, std::uint32_t* word) {
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(*word) : "l"(from) : "memory");
}

enum : std::uint32_t { tag_bit = 0x40000000u };

KERNEL_FN std::uint32_t tag_of(int round) { return round & 2 ? tag_bit : 0u; }
KERNEL_FN std::uint32_t word_of(Real value, std::uint32_t tag) {
  std::uint32_t word;
  __builtin_memcpy(&word, &value, sizeof word);
  return (word & ~tag_bit) | tag;
}
KERNEL_FN Real value_in(std::uint32_t word) {
  word &= ~tag_bit;
  Real value;
  __builtin_memcpy(&value, &word, sizeof word);
  return value;
}

/// Place of a cell in box `number`.
KERNEL_FN std::uint32_t* box_of(const TileSetup& s, int number) {
  return s.mailbox + std::int64_t{number} * 9 * s.box_cells;
}
KERNEL_FN void post_cell(const Cell& a, std::uint32_t* box, std::uint32_t box_cells, std::uint32_t slot,
                         std::uint32_t tag) {
  const std::uint32_t axes[] = {word_of(a.f[1], tag), word_of(a.f[2], tag), word_of(a.f[3], tag), word_of(a.f[4], tag)};
  const std::uint32_t diagonals[] = {word_of(a.f[5], tag), word_of(a.f[6], tag), word_of(a.f[7], tag),
                                     word_of(a.f[8], tag)};
  store_four(box + 4 * slot, axes);
  store_four(box + 4 * (box_cells + slot), diagonals);
  store_one(box + 8 * box_cells + slot, word_of(a.f[0], tag));
}
KERNEL_FN Message load_message(const std::uint32_t* box, std::uint32_t box_cells, std::uint32_t slot) {
  Message m;
  load_four(box + 4 * slot, m.axes);
  load_four(box + 4 * (box_cells + slot), m.diagonals);
  load_one(box + 8 * box_cells + slot, &m.rest);
  return m;
}
KERNEL_FN bool has_arrived(const Message& m, std::uint32_t tag) {
  std::uint32_t wrong = m.rest ^ tag;
  UNROLL for (int i = 0; i < 4; ++i) wrong |= (m.axes[i] ^ tag) | (m.diagonals[i] ^ tag);
  return !(wrong & tag_bit);
}

/// Facts about a lane's cell.
struct Lane {
  enum : std::uint32_t {
    solid = 1,
    counted = 2,   ///< a fluid cell of the tile
    own = 4,       ///< a cell of the tile
    seen = 8,      ///< the same, and also in a layer of another tile
    foreign = 16,  ///< of this tile's layers
    driven = 32    ///< fluid, and pushed by the body force
  };
  std::uint32_t bits = 0;
  std::uint32_t slot = 0;  ///< in a box
  int steps = 0;           ///< of a round in which the warp's row is updated

  KERNEL_FN bool is(std::uint32_t what) const { return (bits & what) != 0; }
  KERNEL_FN void set(std::uint32_t what, bool truth) { bits |= truth ? what : 0u; }
};

KERNEL_FN int remainder_of(int at, int n) {
  const int rest = at % n;
  return rest < 0 ? rest + n : rest;
}
/// Start of piece number i of n along an axis of the grid.
KERNEL_FN int begin_of(int i, int cells, int n) { return int(std::int64_t{i} * cells / n); }

/// The region of this team, a tile of width x height cells with its layers, and this lane's cell (x, y) of it.
struct Region {
  int x, y, width, height;

  KERNEL_FN explicit Region(const TileSetup& s) {
    const int tile_x = omp_get_team_num() % s.tiles_x, tile_y = omp_get_team_num() / s.tiles_x;
    const int x0 = begin_of(tile_x, s.grid.nx, s.tiles_x), y0 = begin_of(tile_y, s.grid.ny, s.tiles_y);
    x = remainder_of(x0 - s.depth + lane_number(), s.grid.nx);
    y = remainder_of(y0 - s.depth + group_number(), s.grid.ny);
    width = begin_of(tile_x + 1, s.grid.nx, s.tiles_x) - x0;
    height = begin_of(tile_y + 1, s.grid.ny, s.tiles_y) - y0;
  }
};

/// Index in the grid of population 0 of this lane's cell.
KERNEL_FN std::int64_t cell_place(const TileSetup& s) {
  const Region region(s);
  return row_start(s.grid, region.y) + region.x;
}

KERNEL_FN Lane describe(const TileSetup& s) {
  const Region region(s);
  const int nx = s.grid.nx, depth = s.depth, lane = lane_number(), row = group_number();
  int owner = int(std::int64_t{region.x} * s.tiles_x / nx);
  while (begin_of(owner + 1, nx, s.tiles_x) <= region.x) ++owner;
  const int to_right = region.width + 2 * depth - 1 - lane, from_sides = lane < to_right ? lane : to_right;
  const int to_top = region.height + 2 * depth - 1 - row, from_ends = row < to_top ? row : to_top;
  const int distance = from_sides < from_ends ? from_sides : from_ends;
  const bool is_solid = solid_bits(s.grid, s.solid, region.x, region.y, 1) != 0;
  Lane at;
  at.set(Lane::solid, is_solid);
  at.set(Lane::counted, distance >= depth && !is_solid);
  at.set(Lane::own, distance >= depth);
  at.set(Lane::seen, distance >= depth && distance < 2 * depth);
  at.set(Lane::foreign, distance >= 0 && distance < depth);
  at.set(Lane::driven, region.y == s.grid.driven_row && !is_solid);
  at.slot = std::uint32_t((region.y * s.tiles_x + owner) * s.box_pitch + region.x - begin_of(owner, nx, s.tiles_x));
  at.steps = from_ends;
  return at;
}

/// Stores the populations crossing into the warps above and below. `edges`: this lane's first place among its warp's
/// edges.
KERNEL_FN void leave_edges(const Cell& a, TeamValues edges) {
  const Real crossing[] = {a.f[2], a.f[5], a.f[6], a.f[4], a.f[7], a.f[8]};
  UNROLL for (int i = 0; i < WarpTiles::crossings; ++i) edges[i * TileMemory::lanes] = crossing[i].raw[0];
}

/// This lane's first places among the edges: of its own warp, and of those below and above.
struct Edges {
  TeamValues own, below, above;
};

/// From the populations leaving cells to those arriving in this one. Values beyond the ends of a warp are arbitrary.
KERNEL_FN Cell arriving(const Cell& f, TeamValues below, TeamValues above) {
  enum : int { lanes = TileMemory::lanes };
  Cell a;
  a.f[0] = f.f[0];
  a.f[1] = from_below(f.f[1], 1);
  a.f[3] = from_above(f.f[3], 1);
  a.f[2].raw[0] = below[0];
  a.f[5].raw[0] = below[lanes - 1];
  a.f[6].raw[0] = below[2 * lanes + 1];
  a.f[4].raw[0] = above[3 * lanes];
  a.f[7].raw[0] = above[4 * lanes + 1];
  a.f[8].raw[0] = above[5 * lanes - 1];
  return a;
}

/// Collision of the populations that arrived in a cell, or their rebound if `solid` is not zero.
KERNEL_FN Cell collide_or_bounce(Cell a, const lbm::Moments<Real, D2Q9>& m, std::uint32_t solid,
                                 const Relaxation<float, D2Q9>& c) {
  const Cell to = relaxed_equilibrium(m, c);
  float f[populations];
  UNROLL for (int i = 0; i < populations; ++i) f[i] = a.f[i].raw[0];
  lbm::relax_or_keep(&f[0], to.f[0].raw[0], solid, c.keep);
  lbm::relax_or_bounce(&f[1], &f[3], to.f[1].raw[0], to.f[3].raw[0], solid, c.keep);
  lbm::relax_or_bounce(&f[2], &f[4], to.f[2].raw[0], to.f[4].raw[0], solid, c.keep);
  lbm::relax_or_bounce(&f[5], &f[7], to.f[5].raw[0], to.f[7].raw[0], solid, c.keep);
  lbm::relax_or_bounce(&f[6], &f[8], to.f[6].raw[0], to.f[8].raw[0], solid, c.keep);
  UNROLL for (int i = 0; i < populations; ++i) a.f[i].raw[0] = f[i];
  return a;
}

/// Contents of a warp's rows, which determine the work of its steps.
enum Kind : int { only_fluid, some_solid, some_driven };

/// One step: from the edges in box `From`, 0 or 1, to those in the other; with body force where `is_driven`. Leaves the
/// sum of |u| over the warp's own fluid cells, in units of speed_unit.
template <int Kind, int From>
KERNEL_FN void advance(Cell& f, const Lane& at, const Edges& edges, TeamValues speed, bool is_driven,
                       const Relaxation<float, D2Q9>& c) {
  const Cell arrived = arriving(f, edges.below + From * TileMemory::box, edges.above + From * TileMemory::box);
  const auto m = moments_of(arrived, c);
  f = Kind == only_fluid ? collide(arrived, m, c) : collide_or_bounce(arrived, m, at.bits & Lane::solid, c);
  if (Kind == some_driven) f = accelerate(f, Real::mask_from_bits(is_driven && at.is(Lane::driven)), c);
  leave_edges(f, edges.own + (1 - From) * TileMemory::box);
  const Real of_cell = choose(Real::mask_from_bits(at.is(Lane::counted)), scaled_speed_of(m), Real::zero());
  const Real of_warp = sum_over_group(of_cell);
  if (lane_number() == 0) *speed = of_warp.raw[0];
}

/// This lane's cell of the layers around the tile, as posted by another team. True once a wait has timed out.
KERNEL_FN bool fetch(Cell& f, const std::uint32_t* box, std::uint32_t box_cells, std::uint32_t slot, std::uint32_t tag,
                     bool timed_out) {
  Message message = load_message(box, box_cells, slot);
  for (int polls = 0; !has_arrived(message, tag) && !timed_out; ++polls) {
    timed_out = polls >= TileSetup::max_polls;
    message = load_message(box, box_cells, slot);
  }
  f.f[0] = value_in(message.rest);
  UNROLL for (int i = 0; i < 4; ++i) {
    f.f[1 + i] = value_in(message.axes[i]);
    f.f[5 + i] = value_in(message.diagonals[i]);
  }
  return timed_out;
}

/// All rounds; true if a wait timed out. Warps of each kind run a separate copy of the code, without branches in a
/// step, and meet at the barriers, because all others wait for the slowest warp of the grid.
template <int Kind>
KERNEL_FN bool do_rounds(Cell& f, const Lane& at, const TileSetup& s, const TileSteps& steps, TeamValues memory,
                         double* sums) {
  const int lane = lane_number(), warp = group_number(), warps = omp_get_num_threads() / TileMemory::lanes;
  const Relaxation<float, D2Q9> c = s.grid.relaxation;
  Edges edges;
  edges.own = memory + warp * TileMemory::of_warp + lane;
  edges.below = warp == 0 ? edges.own : edges.own - TileMemory::of_warp;
  edges.above = warp == warps - 1 ? edges.own : edges.own + TileMemory::of_warp;
  const TeamValues speeds = memory + TileMemory::speeds;
  bool timed_out = false;
  for (int done = 0, round = steps.round;; ++round) {
    const int depth = s.depth;
    const int left = steps.count - done, count = left < depth ? left : depth;
    const int active = count < at.steps ? count : at.steps;
    leave_edges(f, edges.own);
    TeamValues of_step = speeds + warp;
#pragma unroll 1
    for (int step = 0; step < count; step += 2, of_step += 2 * TileMemory::lanes) {
      team_barrier();
      if (step < active) advance<Kind, 0>(f, at, edges, of_step, done + step != steps.undriven, c);
      if (step + 1 == count) break;
      team_barrier();
      if (step + 1 < active)
        advance<Kind, 1>(f, at, edges, of_step + TileMemory::lanes, done + step + 1 != steps.undriven, c);
    }
    std::uint32_t* const box = box_of(s, round % 2);
    const bool is_last = done + depth >= steps.count;
    if (!is_last && at.is(Lane::seen)) post_cell(f, box, s.box_cells, at.slot, tag_of(round));
    const std::uint32_t posted = ticks();
    team_barrier();
    for (int step = warp; step < count; step += warps) {
      const float of_team = sum_over_group(lane < warps ? float(speeds[step * TileMemory::lanes + lane]) : 0.0f);
      if (lane == 0)
        sums[std::int64_t{done + step} * omp_get_num_teams() + omp_get_team_num()] =
            double(of_team) * s.grid.relaxation.speed_unit;
    }
    if (is_last) return timed_out;
    done += depth;
    // Polling too early only occupies the bus.
    while (ticks() - posted < TileSetup::head_start) {
    }
    if (at.is(Lane::foreign)) timed_out = fetch(f, box, s.box_cells, at.slot, tag_of(round), timed_out);
  }
}

/// The common work of all threads of a region.
KERNEL_FN void run_tile(const TileSetup& s, const float* from, float* to, double* sums, const TileSteps& steps,
                        float* values) {
  const TeamValues memory = team_memory(values);
  const Lane at = describe(s);
  Cell f;
  const float* const first = from + cell_place(s);
  UNROLL for (int i = 0; i < populations; ++i) f.f[i].raw[0] = first[std::int64_t{i} * s.grid.pitch];
  for (int i = omp_get_thread_num(); i < TileMemory::values - TileMemory::speeds; i += omp_get_num_threads())
    memory[TileMemory::speeds + i] = 0.0f;
  const bool timed_out = lanes_where(at.is(Lane::driven))  ? do_rounds<some_driven>(f, at, s, steps, memory, sums)
                         : lanes_where(at.is(Lane::solid)) ? do_rounds<some_solid>(f, at, s, steps, memory, sums)
                                                           : do_rounds<only_fluid>(f, at, s, steps, memory, sums);
  float* const last = to + cell_place(s);
  if (at.is(Lane::own))
    UNROLL for (int i = 0; i < populations; ++i) last[std::int64_t{i} * s.grid.pitch] = f.f[i].raw[0];
  if (timed_out) *s.timed_out = 1;
}

#else

/// Devices without warps never get here.
KERNEL_FN void run_tile(const TileSetup&, const float*, float*, double*, const TileSteps&, float*) {}

#endif
#pragma omp end declare target

class TilesInRegisters : public GridSolver<float, D2Q9, PlainLayout> {
 public:
  TilesInRegisters(const Options& options, const WarpTiles& cut) : Base(options, 2), cut_(cut) {}

  RunFacts facts() const override {
    RunFacts facts = Base::facts();
    facts.settings["pieces"] = fmt::format("{}x{} tiles in registers", cut_.tiles.x, cut_.tiles.y);
    facts.settings["time_block"] = cut_.tiles.depth;
    const int launch_steps = std::min(sums_.steps(), steps_done());
    const double exchanges = sweeps_a_step(steps_done(), cut_.tiles.depth) - sweeps_a_step(steps_done(), launch_steps);
    facts.traffic =
        lbm::resident_steps(grid_bytes(), steps_done(), launch_steps, 4.0 * static_cast<double>(mailbox_.size()),
                            4.0 * 9.0 * cut_.tiles.crossing(problem_->parameters) * exchanges);
    return facts;
  }

 private:
  using Base = GridSolver<float, D2Q9, PlainLayout>;

  RegionLaunch plan_launch() const override { return {device_.number, cut_.tiles.groups(), cut_.items()}; }
  int most_steps() const override { return 4096; }
  bool is_one_region() const override { return true; }

  void prepare(const std::vector<std::uint8_t>&) override {
    sums_ = StepSums(launch_, launch_.threads, most_steps());  // a part for each team
    const auto words = static_cast<std::int64_t>(cut_.mailbox_words(problem_->parameters.ny));
    mailbox_ = DeviceArray<std::uint32_t>(words, device_.number);
    std::uint32_t* const mailbox = mailbox_.data();
    each_number(words, [=](std::int64_t i) { mailbox[i] = 0x40000000; });  // a tag that the first round does not have
    timed_out_ = on_device(std::vector<std::int32_t>(1), device_.number);
    setup_ = on_device<TileSetup>({{.grid = {layout_, driven_row(), relaxation_, nullptr},
                                    .tiles_x = cut_.tiles.groups_x,
                                    .tiles_y = cut_.tiles.groups_y,
                                    .depth = cut_.tiles.depth,
                                    .box_pitch = cut_.box_pitch(),
                                    .box_cells = static_cast<std::uint32_t>(words / (2 * D2Q9::directions)),
                                    .solid = solid_.data(),
                                    .mailbox = mailbox,
                                    .timed_out = timed_out_.data()}},
                                  device_.number);
    round_ = 0;
  }

  void advance(int first, int end, bool last) override {
    const TileSteps steps = {end - first, last ? end - 1 - first : -1, round_};
    do_steps(steps);
    now_ = 1 - now_;
    round_ = (round_ + (steps.count - 1) / cut_.tiles.depth) % 4;
    std::int32_t timed_out = 0;
    timed_out_.read(0, 1, &timed_out);
    if (timed_out) throw teams_timed_out(device_, launch_);
  }

  void do_steps(const TileSteps& steps) {
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    const int count = steps.count, undriven = steps.undriven, round = steps.round;
    const TileSetup* const setup = setup_.data();
    const float* const from = grid(now_);
    float* const to = grid(1 - now_);
    double* const sums = sums_.parts(0);
    LaunchRecord* const record = record_.data();
#pragma omp target teams is_device_ptr(setup, from, to, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
    {
      static float values[TileMemory::values];
#pragma omp allocate(values) allocator(omp_pteam_mem_alloc)
#pragma omp parallel num_threads(threads)
      {
        record_launch(record, teams, threads);
        run_tile(*setup, from, to, sums, {count, undriven, round}, values);
      }
    }
    ++regions_;
  }

  WarpTiles cut_;
  int round_ = 0;  ///< start of the next region modulo 4, so that boxes and tags are as in the first
  DeviceArray<TileSetup> setup_;
  DeviceArray<std::uint32_t> mailbox_;
  DeviceArray<std::int32_t> timed_out_;
};

}  // namespace

std::unique_ptr<lbm::Solver> make_tiles(const lbm::Problem& problem, const Options& asked) {
  const Parameters& p = problem.parameters;
  if (p.dimension != 2 || asked.precision != Precision::f32 || lbm::wants_halves(asked) || asked.number("threads"))
    return nullptr;
  const OffloadDevice device = choose_device(asked.text("device"));
  if (device.multiprocessors == 0) return nullptr;
  const auto cut = lbm::best_warp_tiles(p, device.multiprocessors, TileSetup::most_warps, {2, 3, 4, 5, 6, 7, 8},
                                        [](const WarpTiles& tiles) { return tiles.fit_registers(1); });
  if (!cut) return nullptr;
  return std::make_unique<TilesInRegisters>(asked, *cut);
}

}  // namespace boltzmark::openmp_target
