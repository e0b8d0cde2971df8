// matmul-openmp-target: matrix multiplication in target regions.
#include "openmp_target/matmul/device_matrices.hpp"

// Must follow the declarations for devices in team.hpp.
#include "common/matmul/cpu/packed.hpp"

namespace boltzmark::openmp_target {
extern const matmul::Variant textbook, tiled, blocked;  // each in the file of its name
namespace {

// Packed, on a processor: the threads of one team pack panels of A and B and multiply them together, as drawn in
// common/matmul/cpu/packed.hpp, and meet within the region.
//
//     target   parallel   for all blocks of depth   pack my strips of B;   barrier
//                                                   my rows of C, a block of A at a time;   barrier
#pragma omp begin declare target
#if defined(__NVPTX__) || defined(__AMDGCN__)
template <class... All>
KERNEL_FN void multiply_packed(const All&...) {}
#else
template <class Packed, class T>
void multiply_packed(Packed* packed, const Operands<T>& operands) {
  packed->multiply(operands, false, omp_get_thread_num(), [] {
#pragma omp barrier
  });
}
#endif
#pragma omp end declare target

template <class T>
class PackedPanels : public DeviceMatrices<T> {
  using Panels = Packed<T, ImageLanes<T>::value>;

 public:
  explicit PackedPanels(const Options& asked) : DeviceMatrices<T>(asked) { expect_processor("packed", device_); }

  void init(const Shape& shape, const Entries& entries) override {
    this->make(shape, entries, shape.m, shape.n, shape.k);
    this->launch_over(shape.m * shape.n);
    packed_.emplace(shape, launch_.threads);
  }

  void multiply() override {
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    const auto [m, n, k] = this->shape_;
    const Operands<T> operands = {this->shape_, this->a_.data(), k, this->b_.data(), n, this->c_.data(), n};
    Panels* const packed = &*packed_;  // a processor's memory is the host's
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams is_device_ptr(packed, record) firstprivate(operands) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      multiply_packed(packed, operands);
    }
    ++this->regions_;
  }

  RunFacts facts() const override {
    ProductTraffic traffic = this->traffic();
    RunFacts facts = this->facts_with(packed_->bytes_per_element(this->shape_, packed_->blocks()),
                                      packed_->add_traffic(traffic, launch_.threads));
    facts.settings.update(packed_->settings());
    return facts;
  }

 private:
  using DeviceMatrices<T>::device_;
  using DeviceMatrices<T>::launch_;

  std::optional<Panels> packed_;
};

const Variant packed = {.name = "packed",
                        .summary = "for processors: packed panels of A and B, tiles of C in registers",
                        .make = made_of<Multiplier, PackedPanels>};

}  // namespace
}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, matmul::workload, {&textbook, &tiled, &blocked, &packed},
                       usual_by_device("blocked", "packed"));
}
