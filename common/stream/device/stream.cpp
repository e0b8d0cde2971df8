// STREAM on a device: the arrays stay on it, each kernel is one launch, and only the dot product's partial sums, one
// per work-group, come to the host.
#include <algorithm>
#include <array>

#include "common/base/compensated_sum.hpp"
#include "common/device/array_program.hpp"
#include "common/device/host_values.hpp"
#include "common/stream/kernels.hpp"

namespace boltzmark::stream {

using namespace device;

extern const std::string_view stream_source;

namespace {

/// Division of the vectors of the arrays among the work-groups of a launch.
struct Partition {
  int vectors_per_item = 1;
  std::int64_t groups = 1;
};

class DeviceStream final : public Kernels {
 public:
  /// On a GPU 16 bytes per item without a loop; on a CPU a work-group is one item, which walks along its part.
  explicit DeviceStream(const Options& options) : program_(options), lanes_(program_.vector_lanes()) {
    program_.choose_group(program_.is_cpu() ? 1 : 256, 1);
  }

  Memory memory() override {
    const std::uint64_t own = program_.device().cache_bytes;
    if (program_.device().has_own_memory()) return {.of_device = true, .cache_bytes = own};
    Memory memory = machine_memory();
    memory.cache_bytes = std::max(own, memory.cache_bytes);
    return memory;
  }

  std::string shortage(double bytes) override { return program_.shortage(bytes, bytes / 3.0); }

  void init(std::int64_t elements) override {
    elements_ = elements;
    vectors_ = parts_of(elements, lanes_);
    split();
    program_.build(stream_source, shape(partition_));
    for (Buffer& array : arrays_) array = program_.session().array(bytes_of_vectors(vectors_));
    const auto& [a, b, c] = arrays_;
    const auto vectors = static_cast<std::uint64_t>(vectors_);
    program_.add(partition_.groups, "stream_init", a, b, c, vectors, static_cast<std::uint64_t>(elements_));
    program_.session().first_launches({program_.group(), 1}, [&] { program_.enqueue(0, 1); });
    program_.add(partition_.groups, "stream_copy", a, c, vectors);
    program_.add(partition_.groups, "stream_mul", b, c, vectors);
    program_.add(partition_.groups, "stream_add", a, b, c, vectors);
    program_.add(partition_.groups, "stream_triad", a, b, c, vectors);
    program_.build_more(stream_source, shape(dot_partition_));
    sums_ = HostValues(program_.precision(), dot_partition_.groups);
    partial_sums_ = program_.scratch(sums_.bytes());
    program_.add(dot_partition_.groups, "stream_dot", a, b, partial_sums_, vectors, program_.local(1));
  }

  void copy() override { program_.run_one(1, "run STREAM copy"); }
  void mul() override { program_.run_one(2, "run STREAM mul"); }
  void add() override { program_.run_one(3, "run STREAM add"); }
  void triad() override { program_.run_one(4, "run STREAM triad"); }

  double dot() override {
    attempt("run STREAM dot", [&] {
      program_.enqueue(5, 1);
      program_.session().queue()->read(partial_sums_, 0, sums_.bytes(), sums_.data());
    });
    CompensatedSum sum;
    sums_.with([&](auto partial_sums) {
      for (const auto partial : partial_sums) sum.add(static_cast<double>(partial));
    });
    return sum.value();
  }

  std::int64_t part() const override { return elements_; }

  void read(Array array, std::int64_t first, std::span<double> values) override {
    program_.read(arrays_[static_cast<std::size_t>(array)], first, values);
  }

  RunFacts facts() const override {
    RunFacts facts = program_.session().facts({{"work_group", fmt::format("{}x1", program_.group())},
                                               {"vvl", lanes_},
                                               {"vectors_per_item", partition_.vectors_per_item},
                                               {"vectors_per_item_dot", dot_partition_.vectors_per_item}});
    facts.write_allocate = program_.is_cpu();
    return facts;
  }

 private:
  static constexpr int dot_chain = 32;  ///< CHAIN of kernels/stream.cl

  std::uint64_t bytes_of_vectors(std::int64_t vectors) const {
    return static_cast<std::uint64_t>(vectors) * static_cast<std::uint64_t>(lanes_) * program_.value_bytes();
  }

  Partition partition(int vectors_per_item) const {
    return {vectors_per_item, parts_of(vectors_, std::int64_t{program_.group()} * vectors_per_item)};
  }
  /// A CPU's group has enough vectors to hide the cost of starting it, and there are enough groups to give every unit
  /// work to the end.
  void split() {
    constexpr int most = 1024, groups_of_unit = 16;
    int vectors = 1;
    if (program_.is_cpu())
      while (vectors < most && vectors_ / (2 * vectors) >= groups_of_unit * program_.device().units) vectors *= 2;
    partition_ = partition(vectors);
    dot_partition_ = partition(std::max(vectors, dot_chain));
  }

  KernelShape shape(const Partition& partition) const {
    return {.group = {program_.group(), 1}, .lanes = lanes_, .vectors = partition.vectors_per_item};
  }

  ArrayProgram program_;
  int lanes_;
  std::int64_t elements_ = 0, vectors_ = 0;
  Partition partition_, dot_partition_;
  std::array<Buffer, 3> arrays_;  ///< a, b, c, up to the end of the last vector
  Buffer partial_sums_;           ///< of the dot product, one per work-group
  HostValues sums_;               ///< those, on the host
};

const Variant plain = like_for_like_of<Kernels, DeviceStream>("plain", "one launch over whole arrays per kernel");

}  // namespace

Program device_program() {
  auto program = program_of(workload);
  program.variants = {&plain};
  return program;
}

}  // namespace boltzmark::stream
