// Memory for large tables, in large pages where the system has them: a table that is read all over the place
// then needs fewer page addresses than the processor keeps at hand.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace crownhead::engine {

struct FreeLarge {
    std::align_val_t alignment{};

    void operator()(void* memory) const { ::operator delete(memory, alignment); }
};

template <class T>
using LargeArray = std::unique_ptr<T[], FreeLarge>;

// So many values, made without arguments.
template <class T>
LargeArray<T> make_large_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    std::size_t const bytes = count * sizeof(T);
    std::size_t alignment = alignof(T);
#ifdef __linux__
    constexpr std::size_t large_page = std::size_t{1} << 21;
    if (bytes >= large_page) { alignment = large_page; }
#endif
    auto* const memory = static_cast<T*>(::operator new (bytes, std::align_val_t{alignment}));
#ifdef __linux__
    // Advice: where it is not taken, only speed is lost.
    if (bytes >= large_page) { madvise(memory, bytes / large_page * large_page, MADV_HUGEPAGE); }
#endif
    std::uninitialized_value_construct_n(memory, count);
    return LargeArray<T>{memory, FreeLarge{std::align_val_t{alignment}}};
}

}  // namespace crownhead::engine
