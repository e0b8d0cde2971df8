#include "openmp_target/lbm/processor.hpp"

namespace boltzmark::openmp_target {
template std::unique_ptr<lbm::Solver> make_on_processor<lbm::D3Q19>(const Options& asked, bool one_by_one);
}
