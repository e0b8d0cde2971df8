// Memory on a page boundary that nobody has touched yet.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace boltzmark {

/// `size` values of T, page-aligned and uninitialised, so that the thread that first writes a page decides
/// where it lies. Throws std::bad_alloc.
template <class T>
class AlignedArray {
 public:
  static constexpr std::align_val_t alignment{4096};
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size)
      : data_(static_cast<T*>(::operator new(size * sizeof(T), alignment))), size_(size) {}

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* memory) const { ::operator delete(memory, alignment); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace boltzmark
