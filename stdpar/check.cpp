// Compiles only if an execution policy uses threads: see CMakeLists.txt.
#include <algorithm>
#include <execution>
#include <vector>

#if !defined(__NVCOMPILER) && !(defined(_GLIBCXX_USE_TBB_PAR_BACKEND) && _GLIBCXX_USE_TBB_PAR_BACKEND) && \
    !(defined(_PSTL_PAR_BACKEND_TBB))
#error "an execution policy is accepted and means nothing"
#endif

int main() {
  std::vector<int> values(1000, 1);
  std::for_each(std::execution::par_unseq, values.begin(), values.end(), [](int& value) { ++value; });
  return values.front() == 2 ? 0 : 1;
}
