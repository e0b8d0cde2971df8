// Memory on a huge-page boundary that nobody has touched yet.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>

namespace boltzmark {

/// `size` values of T, aligned to 2 MiB and uninitialised, so that the thread that first writes a page
/// decides where it lies. Large arrays ask for huge pages, which saves the address translations of a
/// stencil's many streams. Throws std::bad_alloc.
template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size)
      : data_(static_cast<T*>(::operator new(size * sizeof(T), alignment))), size_(size) {
#ifdef MADV_HUGEPAGE
    // Only advice: without it, or where it is not heeded, everything works the same.
    if (const std::size_t whole = size * sizeof(T) / huge_page * huge_page)
      madvise(data_.get(), whole, MADV_HUGEPAGE);
#endif
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  static constexpr std::align_val_t alignment{huge_page};
  struct Free {
    void operator()(T* memory) const { ::operator delete(memory, alignment); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace boltzmark
