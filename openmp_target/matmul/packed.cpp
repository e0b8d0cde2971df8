// Packed: common/matmul/cpu/packed.hpp over the threads of one team, for processors. They pack a block of B together,
// which all read, and each has strips of rows of A and C.
//
//     tile of C in registers += strip of A * strip of B
#include "openmp_target/matmul/device_matrices.hpp"
#include "openmp_target/runtime/one_team.hpp"

#include "common/matmul/cpu/packed.hpp"  // behind what declares its vectors for devices

namespace boltzmark::openmp_target {
namespace {

template <class T>
class PackedPanels : public DeviceMatrices<T> {
 public:
  using DeviceMatrices<T>::DeviceMatrices;

  void init(const Shape& shape, const Entries& entries) override {
    expect_processor("packed", this->device_);
    this->make(shape, entries, shape.m, shape.n);
    this->launch_over(shape.m * shape.n);
    loops_ = Loops(shape, this->launch_.threads);
    a_blocks_ = DeviceArray<T>(loops_.values_of_a(), this->device_.number);
    b_block_ = DeviceArray<T>(loops_.values_of_b(), this->device_.number);
    for (const auto* array : {&this->a_, &this->b_, &this->c_, &a_blocks_, &b_block_}) array->use_huge_pages();
    loops_.use(a_blocks_.data(), b_block_.data());
  }

  void multiply() override {
    const auto [m, n, k] = this->shape_;
    const Operands<T> matrices = {this->shape_, this->a_.data(), k, this->b_.data(), n, this->c_.data(), n};
    const int device = this->launch_.device, threads = this->launch_.threads;
    LaunchRecord* const record = this->record_.data();
    Loops loops = loops_;
#pragma omp target teams is_device_ptr(record) firstprivate(loops, matrices) device(device) num_teams(1) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, 1, threads);
      if constexpr (!Image::is_gpu) loops.multiply(matrices, false, omp_get_thread_num(), wait_for_all);
    }
    ++this->regions_;
  }

  RunFacts facts() const override {
    RunFacts facts = this->facts_with(Loops::bytes_per_element(this->shape_, loops_.blocks()));
    facts.settings.update(loops_.settings());
    return facts;
  }

 private:
  using Loops = PackedLoops<T, native_lanes<T>>;

  static void wait_for_all(){
#pragma omp barrier
  }

  Loops loops_;
  DeviceArray<T> a_blocks_, b_block_;
};

}  // namespace

extern const Variant packed = {.name = "packed",
                               .summary = "processors: packed panels and a micro-kernel in vector registers",
                               .role = Role::like_for_like,
                               .make = made_of<Multiplier, PackedPanels>};

}  // namespace boltzmark::openmp_target
