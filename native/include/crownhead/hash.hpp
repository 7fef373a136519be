// The hash of a position: 64 well-mixed bits of which pieces stand where and whose turn it is.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "crownhead/bits.hpp"

namespace crownhead {

// One round: multiply to 128 bits, fold the halves.
constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
#ifdef __wasm__  // where a product of 128 bits is a call, and this is what a search does most often;
    // `asm` keeps the compiler from seeing one in what follows
    std::uint64_t const low_a = a & 0xFFFF'FFFF;
    std::uint64_t const low_b = b & 0xFFFF'FFFF;
    std::uint64_t const low = low_a * low_b;
    std::uint64_t cross = (a >> 32) * low_b + (low >> 32);
    if (!std::is_constant_evaluated()) { asm("" : "+r"(cross)); }
    std::uint64_t const middle = low_a * (b >> 32) + (cross & 0xFFFF'FFFF);
    return (a * b) ^ ((a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32));
#else
    Wide const product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#endif
}

// Of several words, in order. The constants are digits of e, pi and the golden ratio.
constexpr std::uint64_t hash_words(std::initializer_list<std::uint64_t> words) {
    std::uint64_t hash = 0x2B7E151628AED2A7U;
    for (std::uint64_t word : words) { hash = fold(hash ^ word, 0x243F6A8885A308D3U) + 0x9E3779B97F4A7C15U; }
    return fold(hash, 0x13198A2E03707345U);
}

}  // namespace crownhead
