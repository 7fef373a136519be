// The arithmetic of networks; with AVX2 where the processor has it, which is found out at run time.
#include "crownhead/engine/network.hpp"

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define CROWNHEAD_HAS_AVX2_PATH 1
#endif

namespace crownhead::engine {
namespace {

constexpr int first_shift = 3;  // 1016ths to 127ths
constexpr int second_shift = 3;

// Calls `visit(address, bytes)` for each part of the numbers, in the order of the file.
template <class Numbers, class Visit>
void each_part(Numbers& numbers, Visit&& visit) {
    for (auto& column : numbers.columns) { visit(&column, sizeof column); }
    visit(&numbers.biases, sizeof numbers.biases);
    for (auto& phase : numbers.phases) {
        visit(&phase.weights, sizeof phase.weights);
        visit(&phase.biases, sizeof phase.biases);
        visit(&phase.last_weights, sizeof phase.last_weights);
        visit(&phase.last_bias, sizeof phase.last_bias);
    }
    visit(&numbers.scale, sizeof numbers.scale);
}

}  // namespace

std::size_t NetworkNumbers::size(int squares) {
    NetworkNumbers numbers;
    numbers.columns.resize(NetworkShape::inputs(squares));
    std::size_t sum = 0;
    each_part(numbers, [&](void const*, std::size_t bytes) { sum += bytes; });
    return sum;
}

NetworkNumbers NetworkNumbers::read(std::string_view bytes, int squares) {
    NetworkNumbers numbers;
    numbers.columns.resize(NetworkShape::inputs(squares));
    char const* at = bytes.data();
    each_part(numbers, [&](void* part, std::size_t size) {
        std::memcpy(part, at, size);
        at += size;
    });
    return numbers;
}

std::string NetworkNumbers::bytes() const {
    std::string bytes;
    each_part(*this, [&](void const* part, std::size_t size) {
        bytes.append(static_cast<char const*>(part), size);
    });
    return bytes;
}

Network::Network(NetworkNumbers const& numbers) : scale_{numbers.scale} {
    for (auto const& column : numbers.columns) { columns_.push_back({column}); }
    biases_.values = numbers.biases;
    for (std::size_t p = 0; p < phases_.size(); ++p) {
        auto const& from = numbers.phases[p];
        auto& to = phases_[p];
        for (std::size_t j = 0; j < first; ++j) {
            for (std::size_t k = 0; k < second; ++k) { to.weights[j / 4][k][j % 4] = from.weights[k][j]; }
        }
        to.biases = from.biases;
        std::ranges::copy(from.last_weights, to.last_weights.begin());
        to.last_bias = from.last_bias;
    }
    for (std::size_t pieces = 0; pieces < number_of_phase_.size(); ++pieces) {
        number_of_phase_[pieces] = static_cast<std::uint8_t>(NetworkShape::phase(pieces, columns_.size()));
    }
#ifdef CROWNHEAD_HAS_AVX2_PATH
    fast_ = __builtin_cpu_supports("avx2") != 0;
#else
    fast_ = false;
#endif
}

Score Network::correction(std::uint16_t const* inputs, std::size_t pieces) const {
    return fast_ ? fast_correction(inputs, pieces) : plain_correction(inputs, pieces);
}

Score Network::output(std::int32_t const* sums, Phase const& phase) const {
    std::int32_t sum = phase.last_bias;
    for (std::size_t k = 0; k < second; ++k) {
        sum += (std::clamp(sums[k], 0, NetworkNumbers::second_one) >> second_shift) * phase.last_weights[k];
    }
    return static_cast<Score>((std::int64_t{sum} * scale_) >> 32);
}

Score Network::plain_correction(std::uint16_t const* inputs, std::size_t pieces) const {
    auto sums = biases_.values;
    for (std::size_t i = 0; i < pieces; ++i) {
        auto const& column = columns_[inputs[i]].values;
        for (std::size_t j = 0; j < first; ++j) { sums[j] = static_cast<std::int16_t>(sums[j] + column[j]); }
    }
    auto const& phase = phase_of(pieces);
    auto behind = phase.biases;
    for (std::size_t j = 0; j < first; ++j) {
        int const value = std::clamp(sums[j] >> first_shift, 0, 127);
        if (value == 0) { continue; }
        for (std::size_t k = 0; k < second; ++k) { behind[k] += value * phase.weights[j / 4][k][j % 4]; }
    }
    return output(behind.data(), phase);
}

#ifdef CROWNHEAD_HAS_AVX2_PATH

namespace {

__attribute__((target("avx2"))) inline __m256i load(void const* at) {
    return _mm256_load_si256(static_cast<__m256i const*>(at));
}

}  // namespace

__attribute__((target("avx2"))) Score Network::fast_correction(std::uint16_t const* inputs,
                                                               std::size_t pieces) const {
    constexpr std::size_t registers = first / 16;
    __m256i sums[registers];
    for (std::size_t j = 0; j < registers; ++j) { sums[j] = load(biases_.values.data() + 16 * j); }
    for (std::size_t i = 0; i < pieces; ++i) {
        auto const* const column = columns_[inputs[i]].values.data();
        for (std::size_t j = 0; j < registers; ++j) {
            sums[j] = _mm256_add_epi16(sums[j], load(column + 16 * j));
        }
    }
    alignas(64) std::array<std::uint8_t, first> outputs;
    for (std::size_t j = 0; j < registers; j += 2) {
        // Saturated to 127 above; the halves of both lie across each other, and are put in order.
        auto const packed = _mm256_packs_epi16(_mm256_srai_epi16(sums[j], first_shift),
                                               _mm256_srai_epi16(sums[j + 1], first_shift));
        auto const ordered = _mm256_permute4x64_epi64(_mm256_max_epi8(packed, _mm256_setzero_si256()), 0xD8);
        _mm256_store_si256(reinterpret_cast<__m256i*>(outputs.data() + 16 * j), ordered);
    }
    auto const& phase = phase_of(pieces);
    auto low = load(phase.biases.data());
    auto high = load(phase.biases.data() + 8);
    auto const ones = _mm256_set1_epi16(1);
    for (std::size_t j = 0; j < first / 4; ++j) {
        std::int32_t four;
        std::memcpy(&four, outputs.data() + 4 * j, sizeof four);
        if (four == 0) { continue; }
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

#else

Score Network::fast_correction(std::uint16_t const* inputs, std::size_t pieces) const {
    return plain_correction(inputs, pieces);
}

#endif

}  // namespace crownhead::engine
