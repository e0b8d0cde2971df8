// Prefix sums on a device. A variant is a function that chooses the group, builds kernels and adds their launches.
#include "common/base/error.hpp"
#include "common/device/array_program.hpp"
#include "common/scan/scanner.hpp"

namespace boltzmark::scan {

using namespace device;

extern const std::string_view sequential_source, groups_source, item_tiles_source, look_back_source, run_ahead_source;

namespace {

class DeviceScanner final : public Scanner {
 public:
  using Kernels = std::function<void(DeviceScanner& scan)>;

  DeviceScanner(const Options& options, Kernels kernels) : array(options), kernels_(std::move(kernels)) {}

  std::string shortage(double bytes) override { return array.shortage(bytes, bytes / 2); }
  void init(std::int64_t count) override {
    elements = count;
    kernels_(*this);
    array.run_first();
  }
  void spoil() override { array.spoil(); }
  void scan() override { array.run("scan"); }
  std::int64_t part() const override { return elements; }
  void read(std::int64_t at, std::span<double> into) override { array.read(sums, at, into); }
  RunFacts facts() const override { return array.facts(); }
  Passes passes() const override { return passes_made; }

  /// Builds a source, whose work-items have `each` values, and makes the arrays. Returns the groups that cover all
  /// elements.
  std::int64_t build(std::string_view source, int each, const std::string& defines = "", int lanes = 1,
                     int vectors = 1) {
    array.build(source, array.shape(fmt::format("-D EACH={} {}", each, defines), lanes, vectors));
    array.settings["values_per_item"] = each;
    values = array.filled_array(elements);
    sums = array.array(elements);
    return parts_of(elements, std::int64_t{each} * array.group());
  }

  ArrayProgram array;
  std::int64_t elements = 0;
  Buffer values, sums;
  Passes passes_made;  ///< by its launches

 private:
  Kernels kernels_;
};

void sequential(DeviceScanner& scan) {
  scan.array.choose_group(1, 0);
  scan.build(sequential_source, 1);
  scan.array.add(1, "scan_all", scan.values, scan.elements, scan.sums);
}

/// Groups scan their values, then the sums of all groups are scanned and added.
void add_level(ArrayProgram& array, const Buffer& values, std::int64_t count, const Buffer& sums) {
  const std::int64_t groups = parts_of(count, 2 * array.group());
  const auto bytes = static_cast<std::size_t>(groups) * array.value_bytes();
  const Buffer& group_sums = array.scratch(bytes);
  array.add(groups, "scan_groups", values, count, sums, group_sums, array.local(2));
  if (groups == 1) return;
  const Buffer& scanned = array.scratch(bytes);
  add_level(array, group_sums, groups, scanned);
  array.add(groups - 1, "add_before", sums, count, scanned);
}

/// By a function of kernels/groups.cl.
void levels(DeviceScanner& scan, const char* function) {
  scan.array.choose_group(256, 2);
  scan.build(groups_source, 2, fmt::format("-D SCAN_GROUP={}", function));
  add_level(scan.array, scan.values, scan.elements, scan.sums);
  if (scan.elements > 2 * scan.array.group()) scan.passes_made = adds_after;
}

/// Tells a kernel, before each run of it, the run's number.
void count_runs(ArrayProgram& array) {
  array.before_each([run = std::uint32_t{0}](const Kernel& kernel) mutable { kernel.rebind(++run); });
}
/// The same, and the first of its tickets, of which a run takes as many.
void count_tickets(ArrayProgram& array, std::int64_t of_run) {
  array.before_each(
      [of_run = static_cast<std::uint32_t>(of_run), run = std::uint32_t{0}](const Kernel& kernel) mutable {
        const std::uint32_t first_ticket = run * of_run;
        kernel.rebind(++run, first_ticket);
      });
}

/// For processors: an item for each core takes tiles that a second-level cache holds twice.
void item_tiles(DeviceScanner& scan) {
  ArrayProgram& array = scan.array;
  if (!array.is_cpu()) throw unavailable("items: expected a processor, found {}", array.device().name);
  array.choose_group(1, 0);
  constexpr int tile_bytes = 128 << 10;
  const int each = tile_bytes / static_cast<int>(array.value_bytes());
  const auto tiles = static_cast<std::uint32_t>(scan.build(item_tiles_source, each, "", array.vector_lanes()));
  const std::int64_t items = std::min<std::int64_t>(tiles, array.device().units);
  const Buffer &flags = array.state(tiles * sizeof(std::uint32_t)),
               &prefixes = array.scratch(tiles * array.value_bytes()), &tickets = array.state(sizeof(std::uint32_t));
  array.add(items, "scan_tiles", std::uint32_t{0}, std::uint32_t{0}, scan.values, scan.elements, scan.sums, tiles,
            flags, prefixes, tickets);
  count_tickets(array, tiles + items);
  scan.passes_made.tile_bytes = double(tile_bytes) * static_cast<double>(items);
}

/// On a processor a group that looks back is one item with a tile of its own.
void look_back(DeviceScanner& scan) {
  ArrayProgram& array = scan.array;
  array.choose_group(array.is_cpu() ? 1 : 256, 2);
  const std::int64_t tiles = scan.build(look_back_source, array.is_cpu() ? 4096 : 16, "", array.vector_lanes());
  const auto words = static_cast<std::size_t>(tiles);
  const Buffer &states = array.state(words * sizeof(std::uint32_t)),
               &tile_sums = array.scratch(words * array.value_bytes()),
               &sums_up_to = array.scratch(words * array.value_bytes()), &tickets = array.state(sizeof(std::uint32_t));
  array.add(tiles, "scan_tiles", std::uint32_t{0}, scan.values, scan.elements, scan.sums, states, tile_sums, sums_up_to,
            tickets, array.local(1));
  count_runs(array);
}

void run_ahead(DeviceScanner& scan) {
  constexpr int warp = 32, slots = 3;  // tiles that a group has in local memory
  constexpr int longest_vector = 16;   // bytes
  constexpr int most_of_group = 4096;  // vectors that fit the registers
  constexpr int registers = 128;
  ArrayProgram& array = scan.array;
  const ComputeDevice& device = array.device();
  if (!array.has_warps())
    throw unavailable("run-ahead: expected an NVIDIA device, whose groups are made of warps, found {}", device.name);
  const int lanes = array.vector_lanes();
  array.choose_group(512, slots * lanes);
  if (array.group() < warp)
    throw bad_input("--work-group: expected at least {}x1 for run-ahead, found {}x1", warp, array.group());
  int vectors = 8;  // of an item
  const auto group_bytes = [&] { return static_cast<std::size_t>(slots) * vectors * longest_vector * array.group(); };
  const auto tiles_of = [&](int each) { return parts_of(scan.elements, std::int64_t{each} * array.group()); };
  const auto is_at_once = [&] { return tiles_of(vectors * lanes) <= device.units; };  // a tile for each unit at most
  // As small as a wave of groups allows.
  while (vectors > 1 && (vectors * array.group() > most_of_group || tiles_of(vectors / 2 * lanes) <= device.units ||
                         (!is_at_once() && group_bytes() > device.group_local_bytes())))
    vectors /= 2;
  const std::int64_t tiles = scan.build(run_ahead_source, vectors * lanes,
                                        is_at_once()                       ? "-D AT_ONCE"
                                        : device.has_asynchronous_copies() ? "-D ASYNCHRONOUS_COPIES"
                                                                           : "",
                                        lanes, vectors);
  const Buffer& words = array.state(static_cast<std::size_t>(tiles) * 2 * array.value_bytes());
  if (is_at_once()) {
    array.add(tiles, "scan_at_once", std::uint32_t{0}, scan.values, scan.elements, scan.sums, words);
    count_runs(array);
    return;
  }
  const int resident = device.resident_groups(group_bytes(), array.group(), registers);
  const std::int64_t groups = std::min<std::int64_t>(tiles, std::int64_t{resident} * device.units);
  const Buffer& tickets = array.state(sizeof(std::uint32_t));
  array.add(groups, "scan_ahead", std::uint32_t{0}, std::uint32_t{0}, scan.values, scan.elements, scan.sums, words,
            static_cast<std::uint32_t>(tiles), tickets);
  count_tickets(array, tiles + (slots + 1) * groups);
}

Variant variant(const char* name, const char* summary, DeviceScanner::Kernels kernels, Role role = Role::other) {
  return array_variant<DeviceScanner>(name, summary, kernels, role);
}
Variant one_item_variant(const char* name, const char* summary, DeviceScanner::Kernels kernels, Role role) {
  return array_variant<DeviceScanner>(name, summary, kernels, role, {});
}

}  // namespace

Program device_program(const MakeLibraryCall& cub) {
  const auto by = [](const char* function) { return [function](DeviceScanner& scan) { levels(scan, function); }; };
  auto program = program_of(workload);
  program.default_variant = [](const Options& options) -> std::string {
    const ComputeDevice device = choose_device(options.text("device"));
    return device.has_asynchronous_copies() ? "run-ahead" : device.type == DeviceType::cpu ? "items" : "look-back";
  };
  program.variants = {
      one_item_variant("sequential", "a loop in one work-item", sequential, Role::textbook),
      variant("hillis-steele", "each group in log2(n) rounds of n additions, then a scan of the groups' sums",
              by("hillis_steele")),
      variant("blelloch", "each group by an up-sweep and a down-sweep, then a scan of the groups' sums",
              by("blelloch")),
      variant("look-back", "one launch that reads every value once; groups look back at the sums of preceding groups",
              look_back, Role::like_for_like),
      variant("run-ahead", "for NVIDIA: the same by resident groups, which sum tiles ahead of scanning them",
              run_ahead),
      one_item_variant("items", "for processors: one launch with one work-item per core, which take tiles in turn",
                       item_tiles, Role::like_for_like),
  };
  if (cub)
    program.variants.push_back(library_variant<DeviceScanner>([cub](DeviceScanner& scan) {
      scan.build(sequential_source, 1);  // for its values
      scan.array.call(cub, {.defines = library_defines(number_type(scan.array.precision()), scan.elements),
                            .values = scan.values,
                            .results = scan.sums,
                            .count = scan.elements});
    }));
  return program;
}

Program device_program() { return device_program(MakeLibraryCall()); }

}  // namespace boltzmark::scan
