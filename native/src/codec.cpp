// Packing of numbers: run lengths, then Huffman codes.
#include "crownhead/endgame/codec.hpp"

#include <algorithm>
#include <bit>

#include "crownhead/endgame/huffman.hpp"
#include "crownhead/failure.hpp"

namespace crownhead::endgame {
namespace {

constexpr std::uint16_t end_of_block = 0xFFFF;

// The tokens of one block. Numbers that nobody reads repeat the one before.
void tokenize(std::span<std::uint16_t const> block, std::vector<std::uint16_t>& tokens) {
    auto const given = std::ranges::find_if(block, [](auto number) { return number != dont_care; });
    bool const only_zeros =
        std::all_of(given, block.end(), [](auto number) { return number == 0 || number == dont_care; });
    if (only_zeros) { return; }
    auto before = *given;
    auto const literal = [&](std::uint16_t number) {
        tokens.push_back(static_cast<std::uint16_t>(Unpacker::first_number + number));
    };
    literal(before);
    for (std::size_t at = 1; at < block.size();) {
        auto end = at;
        while (end < block.size() && (block[end] == before || block[end] == dont_care)) { ++end; }
        if (end == block.size()) {
            tokens.push_back(Unpacker::rest);
            return;
        }
        for (auto run = end - at, bit = std::size_t{128}; bit > 0; bit /= 2) {
            if ((run & bit) == 0) { continue; }
            tokens.push_back(static_cast<std::uint16_t>(std::countr_zero(bit)));
        }
        before = block[end];
        literal(before);
        at = end + 1;
    }
}

}  // namespace

Packed pack(std::span<std::uint16_t const> numbers) {
    std::vector<std::uint16_t> tokens;
    for (std::size_t begin = 0; begin < numbers.size(); begin += block_size) {
        tokenize(numbers.subspan(begin, std::min<std::size_t>(block_size, numbers.size() - begin)), tokens);
        tokens.push_back(end_of_block);
    }
    std::vector<std::uint64_t> counts(Unpacker::first_number, 0);
    for (auto const token : tokens) {
        if (token == end_of_block) { continue; }
        if (token >= counts.size()) { counts.resize(token + std::size_t{1}, 0); }
        ++counts[token];
    }
    Packed packed;
    packed.lengths = code_lengths(std::move(counts), longest_code);
    auto const words = canonical_code(packed.lengths, longest_code);
    BitWriter writer{packed.bytes};
    packed.offsets.push_back(0);
    for (auto const token : tokens) {
        if (token != end_of_block) {
            writer.put(words[token]);
            continue;
        }
        writer.align();
        if (packed.bytes.size() > 0xFFFF'FFFF) { fail(Failure::work, "expected tables below 4 GiB"); }
        packed.offsets.push_back(static_cast<std::uint32_t>(packed.bytes.size()));
    }
    return packed;
}

bool Unpacker::is_code(std::span<std::uint8_t const> lengths) {
    return canonical_code(lengths, longest_code).size() == lengths.size();
}

Unpacker::Unpacker(std::span<std::uint8_t const> lengths, std::uint32_t const* offsets,
                   std::uint8_t const* bytes)
    : codes_(std::size_t{1} << longest_code), offsets_{offsets}, bytes_{bytes} {
    auto const words = canonical_code(lengths, longest_code);
    for (std::size_t token = 0; token < words.size(); ++token) {
        if (words[token].length == 0) { continue; }
        unsigned const free = longest_code - words[token].length;
        for (std::size_t i = 0; i < std::size_t{1} << free; ++i) {
            codes_[(std::size_t{words[token].bits} << free) + i] = {
                static_cast<std::uint16_t>(token), static_cast<std::uint8_t>(words[token].length)};
        }
    }
}

std::vector<std::uint16_t> Unpacker::all(std::uint64_t size) const {
    std::vector<std::uint16_t> numbers;
    numbers.reserve(size);
    for (std::size_t block = 0; numbers.size() < size; ++block) {
        auto const end = std::min<std::uint64_t>(size, numbers.size() + block_size);
        Bits bits{bytes_ + offsets_[block], bytes_ + offsets_[block + 1]};
        std::uint16_t number = 0;
        while (!bits.at_end() && numbers.size() < end) {
            auto const token = next(bits);
            if (token >= first_number) {
                number = static_cast<std::uint16_t>(token - first_number);
                numbers.push_back(number);
                continue;
            }
            auto const times = token == rest ? block_size : 1U << token;
            numbers.resize(std::min<std::uint64_t>(end, numbers.size() + times), number);
        }
        numbers.resize(end, number);
    }
    return numbers;
}

}  // namespace crownhead::endgame
