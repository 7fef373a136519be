// A list that lives on the stack until it grows beyond what positions of real games need.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace crownhead {

template <class T, std::size_t N>
requires std::is_trivially_copyable_v<T>
class InlineList {
  public:
    InlineList() = default;
    InlineList(InlineList const&) = delete;
    InlineList& operator=(InlineList const&) = delete;

    void push_back(T const& value) {
        if (size_ == capacity_) { grow(); }
        std::construct_at(data_ + size_++, value);
    }
    void clear() { size_ = 0; }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T const* begin() const { return data_; }
    T const* end() const { return data_ + size_; }
    T const& operator[](std::size_t i) const { return data_[i]; }

  private:
    struct Free {
        void operator()(T* memory) const { ::operator delete (memory, std::align_val_t{alignof(T)}); }
    };

    [[gnu::noinline]] void grow() {
        std::size_t const capacity = 4 * capacity_;
        std::unique_ptr<T[], Free> larger{
            static_cast<T*>(::operator new (capacity * sizeof(T), std::align_val_t{alignof(T)}))};
        std::uninitialized_copy_n(data_, size_, larger.get());
        heap_ = std::move(larger);
        data_ = heap_.get();
        capacity_ = capacity;
    }

    alignas(T) std::byte inline_[N * sizeof(T)];
    std::unique_ptr<T[], Free> heap_;
    T* data_ = reinterpret_cast<T*>(inline_);
    std::size_t size_ = 0;
    std::size_t capacity_ = N;
};

}  // namespace crownhead
