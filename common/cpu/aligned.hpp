// Memory aligned to huge pages and not touched yet.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>

namespace boltzmark {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// Requests huge pages for the whole pages of this memory. Only advice: it has no effect on correctness.
inline void advise_huge_pages(void* memory, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 4096;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(memory) + bytes;
  if (begin + huge_page_bytes <= end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}

/// Memory provided for a grid that does not allocate its own: uninitialised values that stay valid as long as the grid.
/// Empty if the grid allocates its own.
template <class T>
using GridMemory = std::function<T*(std::size_t values)>;

/// `size` values of T, aligned to 2 MiB and uninitialised, so that the thread that first writes a page decides on which
/// node it is. Large arrays request huge pages, which saves address translations for the many streams of a stencil.
/// Throws std::bad_alloc.
template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size)
      : data_(static_cast<T*>(::operator new(size * sizeof(T), alignment))), size_(size) {
    advise_huge_pages(data_.get(), size * sizeof(T) / huge_page_bytes * huge_page_bytes);
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  static constexpr std::align_val_t alignment{huge_page_bytes};
  struct Free {
    void operator()(T* memory) const { ::operator delete(memory, alignment); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace boltzmark
