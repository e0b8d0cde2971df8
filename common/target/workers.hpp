// The threads that share the sites of a lattice.
#pragma once

#include <functional>

namespace boltzmark::target {

/// run(work) calls work(me) on each of them, `me` from 0 on.
struct Workers {
  int count = 1;
  std::function<void(const std::function<void(int me)>& work)> run = [](const std::function<void(int)>& work) {
    work(0);
  };
};

}  // namespace boltzmark::target
