// The arithmetic of networks by vector instructions: AVX2 where the processor has it, which is found out at
// run time, and those of WebAssembly in a module that is made for them.
#include <bit>
#include <cstring>

#include "crownhead/engine/network.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace crownhead::engine {

#if defined(__x86_64__) && defined(__GNUC__)

namespace {

__attribute__((target("avx2"))) inline __m256i load(void const* at) {
    return _mm256_load_si256(static_cast<__m256i const*>(at));
}

}  // namespace

bool Network::can_use_vectors() { return __builtin_cpu_supports("avx2") != 0; }

__attribute__((target("avx2"))) Score Network::vector_correction(Sums& sums, Changes const& changes,
                                                                 std::size_t pieces) const {
    constexpr std::size_t registers = first / 16;
    __m256i now[registers];  // kept there only where the loops are unrolled
#pragma GCC unroll 8
    for (std::size_t j = 0; j < registers; ++j) { now[j] = load(sums.values.data() + 16 * j); }
    for (auto const input : changes.added) {
        auto const* const column = columns_[input].values.data();
#pragma GCC unroll 8
        for (std::size_t j = 0; j < registers; ++j) {
            now[j] = _mm256_add_epi16(now[j], load(column + 16 * j));
        }
    }
    for (auto const input : changes.removed) {
        auto const* const column = columns_[input].values.data();
#pragma GCC unroll 8
        for (std::size_t j = 0; j < registers; ++j) {
            now[j] = _mm256_sub_epi16(now[j], load(column + 16 * j));
        }
    }
    alignas(64) std::array<std::uint8_t, first> outputs;
    std::uint32_t zeros = 0;  // a bit for each four outputs that are all 0
#pragma GCC unroll 8
    for (std::size_t j = 0; j < registers; j += 2) {
        _mm256_store_si256(reinterpret_cast<__m256i*>(sums.values.data() + 16 * j), now[j]);
        _mm256_store_si256(reinterpret_cast<__m256i*>(sums.values.data() + 16 * j + 16), now[j + 1]);
        // Saturated to 127 above; the halves of both lie across each other, and are put in order.
        auto const packed = _mm256_packs_epi16(_mm256_srai_epi16(now[j], NetworkShape::first_shift),
                                               _mm256_srai_epi16(now[j + 1], NetworkShape::first_shift));
        auto const positive = _mm256_max_epi8(packed, _mm256_setzero_si256());
        auto const ordered = _mm256_permute4x64_epi64(positive, 0xD8);
        _mm256_store_si256(reinterpret_cast<__m256i*>(outputs.data() + 16 * j), ordered);
        auto const none = _mm256_cmpeq_epi32(ordered, _mm256_setzero_si256());
        auto const bits = static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(none)));
        zeros |= bits << (4 * j);
    }
    auto const& phase = phase_of(pieces);
    auto low = load(phase.biases.data());
    auto high = load(phase.biases.data() + 8);
    auto const ones = _mm256_set1_epi16(1);
    for (auto some = ~zeros; some != 0; some &= some - 1) {
        auto const j = static_cast<std::size_t>(std::countr_zero(some));
        std::int32_t four;
        std::memcpy(&four, outputs.data() + 4 * j, sizeof four);
        auto const values = _mm256_set1_epi32(four);
        auto const* const weights = phase.weights[j].data();
        low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_maddubs_epi16(values, load(weights)), ones));
        high =
            _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_maddubs_epi16(values, load(weights + 8)), ones));
    }
    alignas(32) std::array<std::int32_t, second> behind;
    _mm256_store_si256(reinterpret_cast<__m256i*>(behind.data()), low);
    _mm256_store_si256(reinterpret_cast<__m256i*>(behind.data() + 8), high);
    return output(behind.data(), phase);
}

#elif defined(__wasm_simd128__)

bool Network::can_use_vectors() { return true; }

Score Network::vector_correction(Sums& sums, Changes const& changes, std::size_t pieces) const {
    constexpr std::size_t registers = 8;  // half of the sums at a time: engines have sixteen registers
    static_assert(first / together <= 64);
    alignas(16) std::array<std::int16_t, first> outputs;
    std::uint64_t some = 0;  // a bit for each two outputs that are not both 0
    for (std::size_t begin = 0; begin < first; begin += 8 * registers) {
        v128_t now[registers];
        for (std::size_t j = 0; j < registers; ++j) {
            now[j] = wasm_v128_load(sums.values.data() + begin + 8 * j);
        }
        for (auto const input : changes.added) {
            auto const* const column = columns_[input].values.data() + begin;
            for (std::size_t j = 0; j < registers; ++j) {
                now[j] = wasm_i16x8_add(now[j], wasm_v128_load(column + 8 * j));
            }
        }
        for (auto const input : changes.removed) {
            auto const* const column = columns_[input].values.data() + begin;
            for (std::size_t j = 0; j < registers; ++j) {
                now[j] = wasm_i16x8_sub(now[j], wasm_v128_load(column + 8 * j));
            }
        }
        for (std::size_t j = 0; j < registers; ++j) {
            wasm_v128_store(sums.values.data() + begin + 8 * j, now[j]);
            auto const zero = wasm_i16x8_const_splat(0);
            auto const shifted = wasm_i16x8_shr(now[j], NetworkShape::first_shift);
            auto const clamped = wasm_i16x8_min(wasm_i16x8_max(shifted, zero), wasm_i16x8_const_splat(127));
            wasm_v128_store(outputs.data() + begin + 8 * j, clamped);
            auto const bits = std::uint64_t{wasm_i32x4_bitmask(wasm_i32x4_ne(clamped, zero))};
            some |= bits << (begin / together + 4 * j);
        }
    }
    auto const& phase = phase_of(pieces);
    std::array<v128_t, second / 4> neurons;  // four in each
    for (std::size_t k = 0; k < neurons.size(); ++k) {
        neurons[k] = wasm_v128_load(phase.biases.data() + 4 * k);
    }
    for (; some != 0; some &= some - 1) {
        auto const j = static_cast<std::size_t>(std::countr_zero(some));
        auto const two = wasm_v128_load32_splat(outputs.data() + together * j);
        auto const* const weights = phase.weights[j].data();
        for (std::size_t k = 0; k < neurons.size(); ++k) {
            auto const product = wasm_i32x4_dot_i16x8(two, wasm_i16x8_load8x8(weights + 4 * k));
            neurons[k] = wasm_i32x4_add(neurons[k], product);
        }
    }
    alignas(16) std::array<std::int32_t, second> behind;
    for (std::size_t k = 0; k < neurons.size(); ++k) { wasm_v128_store(behind.data() + 4 * k, neurons[k]); }
    return output(behind.data(), phase);
}

#else

bool Network::can_use_vectors() { return false; }

Score Network::vector_correction(Sums& sums, Changes const& changes, std::size_t pieces) const {
    return plain_correction(sums, changes, pieces);
}

#endif

}  // namespace crownhead::engine
