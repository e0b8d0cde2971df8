// CUB, the peer: Leibniz's series by the library's reduction of computed terms.
#include "common/device/array_program.hpp"
#include "common/pi/forms.hpp"
#include "common/target/layer.hpp"
#include "cuda/runtime/api.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::pi {
extern const target::LayerEntry workload;
Program device_program();
}  // namespace boltzmark::pi

namespace boltzmark::cuda {

extern const std::string_view cub_pi_source;

namespace {

class CubLeibniz final : public target::Run {
 public:
  CubLeibniz(const Options& asked, device::MakeLibraryCall cub) : program_(asked), cub_(std::move(cub)) {}

  void init(const target::Problem& problem) override {
    problem_ = &problem;
    program_.open();
    sum_ = program_.scratch(sizeof(double));
    const std::int64_t count = problem.size[0];
    program_.call(cub_, {.defines = device::library_defines(device::number_type(program_.precision()), count),
                         .values = {},
                         .results = sum_,
                         .count = count});
    program_.run_first();
  }
  void spoil() override { program_.spoil(); }
  void run() override {
    for (std::int64_t done = 0; done < problem_->steps; ++done) program_.run("add up the terms");
  }
  target::Arrays results() override {
    double sum = 0.0;
    device::attempt("read the sum", [&] { program_.session().queue()->read(sum_, 0, sizeof sum, &sum); });
    return {{"res", {4.0 * sum}}};
  }
  RunFacts facts() const override {
    RunFacts facts = program_.facts();
    const auto work =
        pi::workload.work_of(*problem_, pi::Form::two_divisions, static_cast<int>(program_.value_bytes()));
    target::add_work(facts, work);
    return facts;
  }

 private:
  device::ArrayProgram program_;
  device::MakeLibraryCall cub_;
  device::Buffer sum_;
  const target::Problem* problem_ = nullptr;
};

}  // namespace
}  // namespace boltzmark::cuda

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(cuda::api());
  Variant cub = device::library_variant<cuda::CubLeibniz>(cuda::cub_call(cuda::cub_pi_source));
  cub.kinds = {"leibniz"};
  Program program = pi::device_program();
  program.variants.push_back(std::move(cub));
  return run_program(argc, argv, program);
}
